import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
  describe,
  it,
} from "#test";
import { APISession, UnexpectedValueError } from "../../mod.ts";
import { PagingError } from "../../src/entries/errors.ts";
import { element, elements, integer, model, string } from "../../src/models/mod.ts";
import {
  type BodyField,
  cursor,
  linkHeader,
  offset,
  pageNumber,
  type PageOptions,
  type PagePromise,
} from "../../src/paging/mod.ts";
import { hashOf } from "../../src/paging/page_source.ts";
import { recordingLogger } from "../../src/testing/mod.ts";

/** More requests than any test needs, so that an endless list fails and does not hang. */
const ENOUGH = 500;

class Lists extends APISession {
  list<T>(options: Partial<PageOptions<T>>): PagePromise<T> {
    return this._pages<T>("n", { items: "data", next: cursor("after", "next"), ...options });
  }
}

/** Starts a list whose pages a function makes, with a new cursor on each page. */
function start<T = unknown>(
  make: (index: number) => readonly T[],
  options: Partial<PageOptions<T>> = {},
): { list: PagePromise<T>; count: () => number } {
  let count = 0;
  const fetch = () => {
    if (count === ENOUGH) return Promise.reject(new Error("too many requests"));
    const index = count++;
    const headers = { link: `</n?page=${index}>; rel="next"` };
    return Promise.resolve(Response.json({ data: make(index), next: `c${index}` }, { headers }));
  };
  const settings = { retries: 0, finalWait: false, logger: null };
  const api = new Lists({ url: "https://api.example.com", fetch, ...settings });
  return { list: api.list(options), count: () => count };
}

describe("a list whose pages repeat", () => {
  const rules = {
    "a new cursor each time": cursor("after", "next"),
    "a new link each time": linkHeader(),
    "a page number that the server ignores": pageNumber(),
    "an offset that the server ignores": offset(),
  };
  for (const [name, next] of Object.entries(rules)) {
    for (const prefetch of [0, 3]) {
      it(`throws after the fourth page: ${name}, prefetch ${prefetch}`, async () => {
        const { list, count } = start(() => [{ id: 1 }, { id: 2 }], { next, prefetch });
        const items: unknown[] = [];
        const read = async () => {
          for await (const item of list) items.push(item);
        };
        const error = await assertRejects(read, PagingError) as PagingError;
        assertEquals([count(), items.length, error.currentPage], [4, 8, 3]);
        assertStringIncludes(error.message, "page 4 of https://api.example.com/n?");
        assertStringIncludes(error.message, ": the last 4 pages have the same items, so the list");
        if (prefetch > 0) return; // a new loop requests the pages ahead again
        await assertRejects(read, PagingError); // no other request, no item again
        assertEquals([count(), items.length], [4, 8]);
      });
    }
  }

  for (const [name, next] of Object.entries(rules)) {
    it(`throws after four rounds of a few pages in turn: ${name}`, async () => {
      for (const cycle of [2, 3, 8]) {
        const { list, count } = start((index) => [{ id: index % cycle }, { id: -1 }], { next });
        const items: unknown[] = [];
        const error = await assertRejects(async () => {
          for await (const item of list) items.push(item);
        }, PagingError);
        assertEquals([count(), items.length], [4 * cycle, 8 * cycle]);
        assertStringIncludes(
          error.message,
          `: the last ${4 * cycle} pages are the same ${cycle} pages in turn, so the list`,
        );
      }
    });
  }

  it("continues with scalars that repeat in turn", async () => {
    const { list } = start((index) => [index % 2], { next: pageNumber() });
    assertEquals((await list.collect({ maxItems: 100 })).length, 100);
  });

  it("throws in collect with a maximum", async () => {
    const { list, count } = start(() => [1]);
    assertEquals((await list.collect({ maxItems: 4 })).length, 4);
    await assertRejects(() => list.collect({ maxItems: 10 }), PagingError);
    assertEquals(count(), 4);
  });

  it("does not throw if the caller requests one page again and again", async () => {
    const { list } = start((index) => index === 0 ? [0] : [1]);
    const first = await list;
    for (let round = 0; round < 10; round++) assertEquals((await first.nextPage()).items, [1]);
  });

  it("does not throw if the fourth page is the last one", async () => {
    const { list, count } = start(() => [1, 1], { next: pageNumber("page", { total: () => 8 }) });
    assertEquals((await list.collect()).length, 8);
    assertEquals(count(), 4);
  });

  it("can be allowed", async () => {
    const { list } = start(() => [0, 0], { repeatedPages: "allow" });
    assertEquals((await list.collect({ maxItems: 100 })).length, 100);
  });

  it("compares the items of a model", async () => {
    class Row extends model("row", { id: element(integer) }) {}
    const lists = (make: (index: number) => readonly { id: number }[]) =>
      start(make, {
        responseModel: class Body extends model("body", {
          data: elements(Row),
          next: element(string),
        }) {},
      });
    const { list, count } = lists(() => [{ id: 1 }, { id: 2 }]);
    await assertRejects(() => list.collect(), PagingError);
    assertEquals(count(), 4);
    const other = lists((index) => [{ id: 1 }, { id: index }]).list;
    assertEquals((await other.collect({ maxItems: 40 })).length, 40);
  });

  it("does not compare items of a class that JSON does not show", async () => {
    class Row {
      readonly #id: number;
      constructor(id: number) {
        this.#id = id;
      }
      get id(): number {
        return this.#id;
      }
    }
    const items = ({ data }: { data: number[] }) => data.map((id) => new Row(id));
    const { list } = start<unknown>((index) => [index], { items } as Partial<PageOptions>);
    assertEquals((await list.collect({ maxItems: 20 }) as Row[]).map(({ id }) => id).at(-1), 19);
  });
});

describe("a list that goes on", () => {
  const text = "the list https://api.example.com/n?… has had 10000 pages, and another one " +
    "follows. If the server never ends the list, leave the loop, or set maxItems";

  /** Starts a list of pages that are new each time, up to the last one. */
  function feed(last: number) {
    const logger = recordingLogger();
    let count = 0;
    const fetch = () => Promise.resolve(Response.json(count++ < last ? [{ time: count }] : []));
    const api = new Lists({ url: "https://api.example.com", fetch, logger });
    const list = api.list<{ time: number }>({ items: undefined, next: pageNumber() });
    return { list, warnings: () => logger.messages("warn") };
  }

  it("writes one warning after 10,000 pages, unless it is read to a maximum", async () => {
    const { list, warnings } = feed(10_012);
    await list.collect({ maxItems: 10_005 });
    assertEquals(warnings(), []);
    let read = 0;
    for await (const _ of list) if (++read === 2) break;
    assertEquals(warnings(), [text]);
    assertEquals([(await list.collect()).length, warnings()], [5, [text]]);
  });
});

describe("a list with empty pages", () => {
  it("is read to its end if few pages have items", async () => {
    const last = ({ next }: { next: string }) => next === "c399" ? null : next;
    const { list, count } = start((index) => index % 100 === 99 ? [{ id: index }] : [], {
      next: cursor("after", last as BodyField),
    });
    assertEquals((await list.collect()).length, 4);
    assertEquals(count(), 400);
  });

  for (const prefetch of [0, 1]) {
    it(`throws after 100 in a row, also in collect with a maximum, prefetch ${prefetch}`, async () => {
      const { list, count } = start(() => [], { prefetch });
      const error = await assertRejects(() => list.collect({ maxItems: 10 }), PagingError);
      assertEquals(count(), 100);
      assertStringIncludes(
        error.message,
        "the last 100 pages are empty, and another one would follow",
      );
    });
  }

  it("begins to count again after a page with items", async () => {
    const { list, count } = start((index) => index % 100 === 99 ? [index] : []);
    assertEquals(await list.collect({ maxItems: 4 }), [99, 199, 299, 399]);
    assertEquals(count(), 400);
  });

  it("has the limit that is set, and none with null", async () => {
    const { list, count } = start(() => [], { maxEmptyPages: 2 });
    await assertRejects(() => list.collect(), PagingError, "the last 2 pages are empty");
    assertEquals(count(), 2);
    const endless = start((index) => index === 300 ? [1] : [], { maxEmptyPages: null });
    assertEquals(await endless.list.collect({ maxItems: 1 }), [1]);
  });

  it("may have one empty page at its end, whatever the limit is", async () => {
    const { list } = start((index) => index === 0 ? [1] : [], {
      next: offset(),
      maxEmptyPages: 1,
    });
    assertEquals(await list.collect(), [1]);
  });
});

describe("the limits of a list", () => {
  const wrong: readonly (readonly [option: string, value: unknown])[] = [
    ...["never", true, null].map((value) => ["repeatedPages", value] as const),
    ...[0, -1, 1.5, NaN, -Infinity, "9"].map((value) => ["maxEmptyPages", value] as const),
  ];
  for (const [option, value] of wrong) {
    it(`are checked: ${option} ${value}`, () => {
      const make = () => start(() => [], { [option]: value } as Partial<PageOptions>);
      assertEquals(assertThrows(make, UnexpectedValueError).option, option);
    });
  }
});

describe("the hash of a cursor", () => {
  it("is short, however long the cursor is", () => {
    assert(hashOf("x".repeat(1_000_000)).length <= 15);
  });

  it("differs for cursors that differ in little", () => {
    const cursors = new Set<string>();
    for (let page = 0; page < 100_000; page++) cursors.add(`[["page","${page}"]]`);
    for (let bit = 0; bit < 1000; bit++) cursors.add("a".repeat(bit) + "b" + "a".repeat(999 - bit));
    for (let length = 0; length < 1000; length++) cursors.add("\0".repeat(length));
    const hashes = new Set([...cursors].map(hashOf));
    assertEquals(hashes.size, cursors.size);
    // Both halves are different for most of them, so the hash has 64 bits and not 32.
    for (const half of [0, 1]) {
      const halves = new Set([...hashes].map((hash) => hash.split(".")[half]));
      assert(halves.size > cursors.size * 0.999);
    }
  });
});
