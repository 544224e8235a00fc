import { assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, UnexpectedValueError } from "../../mod.ts";
import { PagingError } from "../../src/errors/paging_error.ts";
import {
  cursor,
  linkHeader,
  nextUrl,
  offset,
  pageNumber,
  type PageOptions,
  type PagePromise,
  PagingRule,
} from "../../src/paging/mod.ts";
import { scripted } from "../support/scripted.ts";

class Api extends APISession {
  list(options: PageOptions<number>): PagePromise<number> {
    return this._pages<number>("n", options);
  }
}

/** Returns the items, and the queries of the requests. */
async function read(
  options: PageOptions<number>,
  ...answers: readonly (object | Response)[]
): Promise<{ items: number[]; queries: string[] }> {
  const all = [...answers, new Error("one request too many")];
  const fetch = scripted(
    ...all.map((answer) =>
      answer instanceof Response || answer instanceof Error ? answer : Response.json(answer)
    ),
  );
  const api = new Api({
    url: "https://api.example.com",
    fetch,
    retries: 0,
    finalWait: false,
    logger: null,
  });
  const items = await api.list(options).collect();
  return { items, queries: fetch.calls.map(({ url }) => new URL(url).search) };
}

function linked(items: readonly number[], link?: string): Response {
  return Response.json(items, { headers: link === undefined ? {} : { link } });
}

describe("linkHeader", () => {
  it("follows links, and stops at a page without one", async () => {
    const { items, queries } = await read(
      { next: linkHeader(), params: { state: "open" } },
      linked([1, 2], '<?page=2>; rel="next"'),
      linked([3], '<https://api.example.com/n?page=3>; rel="next", </n>; rel="first"'),
      linked([4], '</n>; rel="first"'),
    );
    assertEquals(items, [1, 2, 3, 4]);
    assertEquals(queries, ["?state=open", "?page=2", "?page=3"]); // a link has its parameters
  });

  it("follows another relation", async () => {
    const { items } = await read(
      { next: linkHeader("older") },
      linked([1], "<?b>; rel=older, <?a>; rel=next"),
      linked([2]),
    );
    assertEquals(items, [1, 2]);
  });
});

describe("nextUrl", () => {
  it("follows the URL of a field until it is null", async () => {
    const { items, queries } = await read(
      { items: "data", next: nextUrl("links.next") },
      { data: [1], links: { next: "/n?after=a" } },
      { data: [2], links: { next: "https://api.example.com/n?after=b" } },
      { data: [3], links: { next: null } },
    );
    assertEquals([items, queries], [[1, 2, 3], ["", "?after=a", "?after=b"]]);
  });

  it("finds a field whose name has dots", async () => {
    const { items } = await read(
      { items: "value", next: nextUrl("@odata.nextLink") },
      { value: [1], "@odata.nextLink": "https://api.example.com/n?$skip=1" },
      { value: [2] },
    );
    assertEquals(items, [1, 2]);
  });

  for (const [name, next] of [["a number", 7], ["an array", []], ["false", false]] as const) {
    it(`does not accept ${name}`, async () => {
      await assertRejects(
        () => read({ items: "data", next: nextUrl("next") }, { data: [1], next }),
        PagingError,
        "the URL of the next page must be a string",
      );
    });
  }
});

describe("cursor", () => {
  for (
    const [name, end] of [["null", { next: null }], ["an empty string", { next: "" }], [
      "no field",
      {},
    ]] as const
  ) {
    it(`sends the cursor as a parameter, and stops at ${name}`, async () => {
      const { items, queries } = await read(
        { items: "data", next: cursor("after", "next"), params: { limit: 2 } },
        { data: [1, 2], next: "a b" },
        { data: [], next: 7 },
        { data: [3], ...end },
      );
      assertEquals(items, [1, 2, 3]);
      assertEquals(queries, ["?limit=2", "?limit=2&after=a+b", "?limit=2&after=7"]);
    });
  }

  it("replaces a cursor of the options, and keeps all other parameters", async () => {
    const params = new URLSearchParams("tag=a&tag=b&after=start");
    const { queries } = await read(
      { items: "data", next: cursor("after", "next"), params },
      { data: [1], next: "x" },
      { data: [2] },
    );
    assertEquals(queries, ["?tag=a&tag=b&after=start", "?tag=a&tag=b&after=x"]);
  });

  it("is found by a function", async () => {
    interface List {
      readonly data: readonly { readonly id: number }[];
      readonly hasMore: boolean;
    }
    const fetch = scripted(
      Response.json({ data: [{ id: 1 }, { id: 2 }], hasMore: true }),
      Response.json({ data: [{ id: 3 }], hasMore: false }),
    );
    class Charges extends APISession {
      all() {
        return this._pages({
          items: ({ data }: List) => data,
          next: cursor(
            "starting_after",
            ({ data, hasMore }: List) => hasMore ? data.at(-1)?.id : null,
          ),
        });
      }
    }
    const all = await new Charges({ url: "https://api.example.com", fetch }).all().collect();
    assertEquals(all, [{ id: 1 }, { id: 2 }, { id: 3 }]);
    assertEquals(new URL(fetch.calls[1]!.url).search, "?starting_after=2");
  });

  const flagged = cursor("after", "next", { hasMore: "meta.has_more" });

  it("ends at a flag that is false, although there is a cursor", async () => {
    const { items, queries } = await read(
      { items: "data", next: flagged },
      { data: [1], next: "a", meta: { has_more: true } },
      { data: [], next: "b", meta: { has_more: "true" } },
      { data: [2], next: "c", meta: { has_more: false } },
    );
    assertEquals([items, queries], [[1, 2], ["", "?after=a", "?after=b"]]);
  });

  for (const meta of [{}, { has_more: null }, { has_more: "false" }, undefined]) {
    it(`ends at ${JSON.stringify(meta)?.replaceAll('"', "") ?? "no object"} as the flag`, async () => {
      const { items } = await read({ items: "data", next: flagged }, {
        data: [1],
        next: "a",
        meta,
      });
      assertEquals(items, [1]);
    });
  }

  it("does not accept a flag that is neither true nor false", async () => {
    await assertRejects(
      () => read({ items: "data", next: flagged }, { data: [1], meta: { has_more: 7 } }),
      PagingError,
      "`hasMore` must be true or false, but is 7",
    );
  });

  it("throws if a page has a flag but no cursor, so that no items are lost", async () => {
    await assertRejects(
      () => read({ items: "data", next: flagged }, { data: [1], meta: { has_more: true } }),
      PagingError,
      "another page follows this one, but it has no cursor",
    );
  });

  describe("of the last item", () => {
    const charges = (...ids: readonly unknown[]) => ids.map((id) => ({ id }));
    const afterLast = cursor("after", { lastItem: "id" }, { hasMore: "has_more" });
    const byId = { items: "data", next: afterLast } as const;

    it("is sent until the flag is false", async () => {
      const { items, queries } = await read(
        { ...byId, params: { limit: 2 } },
        { data: charges("c1", "c2"), has_more: true },
        { data: charges("c3"), has_more: false },
      );
      assertEquals(items as unknown, charges("c1", "c2", "c3"));
      assertEquals(queries, ["?limit=2", "?limit=2&after=c2"]);
    });

    it("ends at an empty page without a flag", async () => {
      const next = cursor("after", { lastItem: (item: { id: number }) => item.id });
      const { queries } = await read({ next }, charges(1, 2), charges(3), []);
      assertEquals(queries, ["", "?after=2", "?after=3"]);
    });

    it("is that of the whole page if the list continues in the middle of it", async () => {
      const from = { skip: 1, delivered: 1 };
      const { items, queries } = await read(
        { ...byId, from },
        { data: charges("c1", "c2"), has_more: true },
        { data: [] },
      );
      assertEquals([items as unknown, queries], [charges("c2"), ["", "?after=c2"]]);
    });

    it("throws for an empty page with a flag, and for an item without the field", async () => {
      const prefix = "page 1 of https://api.example.com/n: another page follows this one, but ";
      for (
        const [page, reason] of [
          [{ data: [], has_more: true }, "it has no items"],
          [{ data: [{ name: "c" }], has_more: true }, "its last item has no cursor"],
        ] as const
      ) await assertRejects(() => read(byId, page), PagingError, prefix + reason);
      const next = cursor("after", { lastItem: "uuid" });
      await assertRejects(
        () => read({ next }, charges(1)),
        PagingError,
        "its last item has no cur",
      );
    });

    it("must be the name of a field, or a function", () => {
      for (const lastItem of [undefined, "", 7]) {
        const error = assertThrows(
          () => cursor("after", { lastItem } as never),
          UnexpectedValueError,
        );
        assertEquals((error as UnexpectedValueError).option, "lastItem");
      }
      assertThrows(() => cursor("after", null as never), UnexpectedValueError, "field");
    });
  });

  it("does not accept an object", async () => {
    await assertRejects(
      () => read({ items: "data", next: cursor("after", "next") }, { data: [1], next: { id: 2 } }),
      PagingError,
      "page 1 of https://api.example.com/n: the parameter after of the next page must be a string or a number, but is an object",
    );
  });
});

describe("offset", () => {
  it("stops at an empty page", async () => {
    const { items, queries } = await read({ next: offset() }, [1, 2], [3], []);
    assertEquals([items, queries], [[1, 2, 3], ["", "?offset=2", "?offset=3"]]);
  });

  it("stops at a page that is shorter than its limit", async () => {
    const { items, queries } = await read(
      { next: offset("skip", { limitParam: "take" }), params: { take: 2 } },
      [1, 2],
      [3],
    );
    assertEquals([items, queries], [[1, 2, 3], ["?take=2", "?take=2&skip=2"]]);
  });

  it("stops at the total, also if a page is short before", async () => {
    const { items, queries } = await read(
      {
        items: "data",
        next: offset("offset", { limitParam: "limit", total: "meta.total" }),
        params: { limit: 9 },
      },
      { data: [1, 2], meta: { total: 3 } },
      { data: [3], meta: { total: "3" } },
    );
    assertEquals([items, queries], [[1, 2, 3], ["?limit=9", "?limit=9&offset=2"]]);
  });

  for (const total of [0, -1, 2, null, "unknown"]) {
    it(`does not believe a total of ${total} that other pages exceed`, async () => {
      const { items } = await read(
        { items: "data", next: offset("offset", { total: "total" }) },
        { data: [1, 2, 3], total },
        { data: [4], total },
        { data: [], total },
      );
      assertEquals(items, [1, 2, 3, 4]);
    });
  }

  it("begins at the offset of the options", async () => {
    const { queries } = await read({ next: offset(), params: { offset: "10" } }, [1, 2], []);
    assertEquals(queries, ["?offset=10", "?offset=12"]);
  });

  it("counts from the offset of the first item", async () => {
    const next = offset("startIndex", { first: 1, total: "totalResults" });
    const { items, queries } = await read(
      { items: "Resources", next },
      { Resources: [1, 2], totalResults: 3 },
      { Resources: [3], totalResults: 3 },
    );
    assertEquals([items, queries], [[1, 2, 3], ["", "?startIndex=3"]]);
  });

  it("counts from the first item if the caller begins before it", async () => {
    const next = offset("startIndex", { first: 1 });
    const { queries } = await read({ next, params: { startIndex: 0 } }, [1, 2], []);
    assertEquals(queries, ["?startIndex=0", "?startIndex=3"]);
  });

  it("does not accept an offset that is not a whole number", async () => {
    await assertRejects(
      () => read({ next: offset(), params: { offset: "ten" } }, [1]),
      UnexpectedValueError,
      '"offset" must be a whole number of at least 0',
    );
  });
});

describe("pageNumber", () => {
  it("stops at an empty page", async () => {
    const { items, queries } = await read({ next: pageNumber() }, [1, 2], [3], []);
    assertEquals([items, queries], [[1, 2, 3], ["", "?page=2", "?page=3"]]);
  });

  it("counts from 0", async () => {
    const { queries } = await read({ next: pageNumber("p", { first: 0 }) }, [1], []);
    assertEquals(queries, ["", "?p=1"]);
  });

  it("stops at a page that is shorter than its size", async () => {
    const { queries } = await read(
      { next: pageNumber("page", { sizeParam: "per_page" }), params: { per_page: "2", page: 4 } },
      [1, 2],
      [3],
    );
    assertEquals(queries, ["?per_page=2&page=4", "?per_page=2&page=5"]);
  });

  it("stops at the number of items", async () => {
    const { items } = await read(
      { items: "items", next: pageNumber("page", { total: "total" }) },
      { items: [1, 2], total: 3 },
      { items: [3], total: 3 },
    );
    assertEquals(items, [1, 2, 3]);
  });

  for (const first of [0, 1]) {
    it(`stops at the number of pages, which may be in a header, if the first is ${first}`, async () => {
      const headers = { "x-total-pages": "2" };
      const pages = (_: unknown, response: Response) => response.headers.get("x-total-pages");
      const { items } = await read(
        { next: pageNumber("page", { first, pages }) },
        Response.json([1], { headers }),
        Response.json([2], { headers }),
      );
      assertEquals(items, [1, 2]);
    });
  }
});

describe("a rule", () => {
  it("can be written as a function", async () => {
    const rule = new PagingRule(({ count, items, params, url }) => {
      assertEquals(url.startsWith("https://api.example.com/n?"), true);
      return count < 3 ? { params: { from: Number(params["from"]) + items.length } } : undefined;
    });
    const { queries } = await read({ next: rule, params: { from: 5 } }, [1, 2], [3]);
    assertEquals(queries, ["?from=5", "?from=7"]);
  });

  it("fails the next page if its function throws, after the items were delivered", async () => {
    const rule = new PagingRule(() => {
      throw new RangeError("broken rule");
    });
    const fetch = scripted(Response.json([1, 2]));
    const list = new Api({ url: "https://api.example.com", fetch }).list({ next: rule });
    const items: number[] = [];
    await assertRejects(
      async () => {
        for await (const item of list) items.push(item);
      },
      RangeError,
      "broken rule",
    );
    assertEquals([items, fetch.calls.length], [[1, 2], 1]);
  });

  const mistakes: Readonly<Record<string, readonly [() => unknown, option: string]>> = {
    "a relation that is not a string": [() => linkHeader(7 as never), "rel"],
    "a cursor without a parameter": [() => cursor("", "next"), "name"],
    "a cursor without a field": [() => cursor("after", undefined as never), "field"],
    "a URL without a field": [() => nextUrl(""), "field"],
    "an offset without a name": [() => offset(7 as never), "name"],
    "a total that is not a field": [() => offset("offset", { total: 7 as never }), "total"],
    "pages that are not a field": [() => pageNumber("page", { pages: {} as never }), "pages"],
    "a first offset of 2": [() => offset("offset", { first: 2 }), "first"],
    "a first page of 2": [() => pageNumber("page", { first: 2 }), "first"],
    "a rule that is not a function": [() => new PagingRule("next" as never), "next"],
    "a limit that is not a name": [
      () => offset("offset", { limitParam: 10 as never }),
      "limitParam",
    ],
    "a size that is not a name": [
      () => pageNumber("page", { sizeParam: 10 as never }),
      "sizeParam",
    ],
  };
  for (const [name, [create, option]] of Object.entries(mistakes)) {
    it(`does not accept ${name}`, () => {
      const error = assertThrows(create, UnexpectedValueError) as UnexpectedValueError;
      assertEquals(error.option, option);
    });
  }
});
