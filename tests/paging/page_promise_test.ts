import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import {
  APIClient,
  APIEndpoint,
  APIError,
  APISession,
  jsonFormat,
  type Path,
  type RequestOptions,
  UnexpectedValueError,
} from "../../mod.ts";
import { SessionStateError } from "../../src/entries/errors.ts";
import type { Transport } from "../../src/http/mod.ts";
import type { StandardSchema } from "../../src/models/mod.ts";
import { PagingError } from "../../src/errors/paging_error.ts";
import {
  cursor,
  linkHeader,
  nextUrl,
  type PageOptions,
  type PagePromise,
  type PagingState,
} from "../../src/paging/mod.ts";
import { ndjson } from "../../src/streams/mod.ts";
import { until } from "../support/until.ts";

/** An API with pages of numbers: page 0 has 0 and 1, page 1 has 10 and 11. */
class NumbersApi {
  /** The numbers of the requested pages, in order. */
  readonly requested: number[] = [];
  /** The numbers of the pages whose requests were aborted. */
  readonly aborted: number[] = [];
  /** Pages whose next request fails. */
  readonly failing: Set<number> = new Set();
  /** Pages that are not sent before this promise. */
  readonly held: Map<number, Promise<void>> = new Map();
  readonly #pages: number;

  constructor(pages: number) {
    this.#pages = pages;
  }

  readonly fetch: Transport = async (url, { signal }) => {
    const page = Number(new URL(url).searchParams.get("cursor") ?? 0);
    this.requested.push(page);
    const isAborted = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => {
        this.aborted.push(page);
        reject(signal.reason);
      });
    });
    isAborted.catch(() => {});
    await Promise.race([this.held.get(page), isAborted]);
    if (this.failing.delete(page)) return new Response("busy", { status: 500 });
    const next = page + 1 < this.#pages ? page + 1 : null;
    return Response.json({ data: [page * 10, page * 10 + 1], next });
  };
}

class Numbers extends APISession {
  list(options: Partial<PageOptions<number>> = {}): PagePromise<number> {
    return this._pages<number>("n", { items: "data", next: cursor("cursor", "next"), ...options });
  }
}

function start(pages: number) {
  const api = new NumbersApi(pages);
  const session = new Numbers({
    ...{ url: "https://api.example.com", fetch: api.fetch },
    ...{ retries: 0, finalWait: false, logger: null },
  });
  return { api, session };
}

/** Takes items from a list until one of them is reached. */
async function takeUntil(list: AsyncIterable<number>, last: number): Promise<number[]> {
  const items: number[] = [];
  for await (const item of list) {
    items.push(item);
    if (item === last) break;
  }
  return items;
}

describe("a page promise", () => {
  it("sends no request before it is awaited or iterated", async () => {
    const { api, session } = start(2);
    const list = session.list({ prefetch: 2 });
    list[Symbol.asyncIterator]();
    list.pages();
    await Promise.resolve();
    assertEquals([api.requested, list.state], [[], { skip: 0, delivered: 0 }]);
  });

  it("is the first page when it is awaited", async () => {
    const { session } = start(2);
    const page = await session.list();
    assertEquals(page.items, [0, 1]);
    assertEquals(page.body, { data: [0, 1], next: 1 });
    assertEquals(page.hasNextPage(), true);
    assertEquals(page.response.status, 200);
    assertEquals(await page.response.json(), { data: [0, 1], next: 1 });
  });

  it("leads from page to page", async () => {
    const { api, session } = start(3);
    let page = await session.list();
    const seen = [page.items];
    while (page.hasNextPage()) seen.push((page = await page.nextPage()).items);
    assertEquals([seen, api.requested], [[[0, 1], [10, 11], [20, 21]], [0, 1, 2]]);
    await assertRejects(() => page.nextPage(), PagingError, "this is the last page");
  });

  it("iterates over all items, and requests each page once", async () => {
    const { api, session } = start(3);
    assertEquals(await takeUntil(session.list(), -1), [0, 1, 10, 11, 20, 21]);
    assertEquals(api.requested, [0, 1, 2]);
  });

  it("does not request the first page twice if it is awaited and iterated", async () => {
    const { api, session } = start(2);
    const list = session.list();
    const [first, again] = await Promise.all([list, list]);
    const items = await takeUntil(list, -1);
    assertEquals([first === again, await list === first], [true, true]);
    assertEquals([items, api.requested], [[0, 1, 10, 11], [0, 1]]);
  });

  it("requests a page only when an item of it is needed", async () => {
    const { api, session } = start(3);
    assertEquals(await takeUntil(session.list(), 1), [0, 1]);
    assertEquals(api.requested, [0]);
  });

  it("iterates over pages", async () => {
    const { session } = start(2);
    const seen: unknown[] = [];
    for await (const page of session.list().pages()) seen.push([page.items, page.hasNextPage()]);
    assertEquals(seen, [[[0, 1], true], [[10, 11], false]]);
  });

  it("returns the first page and its response", async () => {
    const { api, session } = start(2);
    const list = session.list();
    const { data, response } = await list.withResponse();
    assertEquals([data === await list, response === data.response], [true, true]);
    assertEquals(await response.json(), { data: [0, 1], next: 1 });
    assertEquals([await takeUntil(list, -1), api.requested], [[0, 1, 10, 11], [0, 1]]);
  });

  it("returns the response of its first page without reading it", async () => {
    let isRead = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        isRead = true;
        controller.enqueue(new TextEncoder().encode("not JSON"));
        controller.close();
      },
    }, { highWaterMark: 0 });
    class Boxing extends Numbers {
      override readonly _box = true;
    }
    const fetch = () => Promise.resolve(new Response(body));
    const list = new Boxing({ url: "https://api.example.com", fetch }).list();
    const response = await list.asResponse();
    assertEquals(isRead, false);
    assertEquals(await response.text(), "not JSON");
  });

  it("takes no items from the response of its first page", async () => {
    const { api, session } = start(2);
    const list = session.list();
    await (await list.asResponse()).body?.cancel();
    assertEquals([await list.collect(), api.requested], [[0, 1, 10, 11], [0, 0, 1]]);
  });

  it("returns the response of a first page that it has requested before", async () => {
    const { api, session } = start(2);
    const list = session.list();
    const page = await list;
    assertEquals([await list.asResponse() === page.response, api.requested], [true, [0]]);
  });

  it("rejects with the error of the first page, as a response, too", async () => {
    const { api, session } = start(2);
    const list = session.list();
    for (const read of [() => list.withResponse(), () => list.asResponse()]) {
      api.failing.add(0);
      await assertRejects(read, APIError, "500");
    }
    const done = session.list({ from: { skip: 0, delivered: 2, done: true } });
    await assertRejects(() => done.asResponse(), PagingError, "no page after the last one");
  });

  it("returns the response of the page that its state leads to", async () => {
    const { api, session } = start(2);
    const list = session.list({ from: { params: { cursor: 1 }, skip: 1, delivered: 3 } });
    assertEquals((await list.asResponse()).status, 200);
    assertEquals(api.requested, [1]);
  });

  it("has the methods of a promise", async () => {
    const { api, session } = start(1);
    const list = session.list();
    let finished = 0;
    const length = await list.then(({ items }) => items.length).finally(() => finished++);
    const page = await list.finally(() => void finished++).catch(() => undefined);
    assertEquals([length, page?.items, finished, String(list)], [
      ...[2, [0, 1], 2, "[object PagePromise]"],
    ]);
    assertEquals(api.requested, [0]);
  });

  it("rejects, and sends the request again when it is awaited again", async () => {
    const { api, session } = start(1);
    api.failing.add(0);
    const list = session.list();
    assert(await list.catch((error: unknown) => error) instanceof APIError);
    assertEquals((await list).items, [0, 1]);
    assertEquals(api.requested, [0, 0]);
  });

  it("is skipped page by page by empty pages in the middle", async () => {
    const bodies = [{ data: [], next: 1 }, { data: null, next: 2 }, { data: [7], next: null }];
    const fetch = () => Promise.resolve(Response.json(bodies.shift()));
    const session = new Numbers({ url: "https://api.example.com", fetch });
    assertEquals(await session.list().collect(), [7]);
  });

  it("passes its request options to each page", async () => {
    const seen: unknown[] = [];
    class Watching extends Numbers {
      protected override _req(method: string, path: Path, options?: RequestOptions) {
        seen.push([method, path, options?.timeout, options?.params]);
        return super._req(method, path, options);
      }
    }
    const { api } = start(2);
    const session = new Watching({ url: "https://api.example.com", fetch: api.fetch });
    await session.list({ timeout: 5, params: { tag: "a" } }).collect();
    assertEquals(seen, [
      ["GET", "n", 5, { tag: "a" }],
      ["GET", "n", 5, { tag: "a", cursor: 1 }],
    ]);
  });

  it("needs an override of _req that passes the options on", async () => {
    class Dropping extends Numbers {
      protected override _req(method: string, path: Path) {
        return super._req(method, path);
      }
    }
    const session = new Dropping({ url: "https://api.example.com", fetch: start(2).api.fetch });
    await assertRejects(async () => await session.list(), SessionStateError, "_req");
  });
});

describe("the position of a page promise", () => {
  it("stays after a break, so that the next loop continues", async () => {
    const { api, session } = start(3);
    const list = session.list();
    assertEquals(await takeUntil(list, 10), [0, 1, 10]);
    assertEquals(await list.collect({ maxItems: 2 }), [11, 20]);
    assertEquals(await takeUntil(list, -1), [21]);
    assertEquals(await list.collect(), []);
    assertEquals([api.requested, list.state], [[0, 1, 2], { skip: 0, delivered: 6, done: true }]);
  });

  it("stays after an error, so that nothing is lost or delivered twice", async () => {
    const { api, session } = start(3);
    api.failing.add(1);
    const list = session.list();
    const items: number[] = [];
    const read = async () => {
      for await (const item of list) items.push(item);
    };
    await assertRejects(read, APIError);
    assertEquals(items, [0, 1]);
    await read();
    assertEquals([items, api.requested], [[0, 1, 10, 11, 20, 21], [0, 1, 1, 2]]);
  });

  it("does not move if collect fails, and no page is requested twice", async () => {
    const { api, session } = start(3);
    api.failing.add(2);
    const list = session.list();
    assertEquals(await takeUntil(list, 0), [0]);
    await assertRejects(() => list.collect(), APIError);
    assertEquals(list.state, { skip: 1, delivered: 1 });
    assertEquals(await list.collect(), [1, 10, 11, 20, 21]);
    assertEquals(api.requested, [0, 1, 2, 2]);
  });

  it("makes pages() begin with the rest of the current page", async () => {
    const { session } = start(2);
    const list = session.list();
    await takeUntil(list, 0);
    const seen: unknown[] = [];
    for await (const page of list.pages()) {
      seen.push(page.items, page.state);
      if (page.hasNextPage()) seen.push((await page.nextPage()).items);
    }
    assertEquals(seen, [
      ...[[1], { params: { cursor: 1 }, skip: 0, delivered: 2 }, [10, 11]],
      ...[[10, 11], { skip: 0, delivered: 4, done: true }],
    ]);
  });

  it("is shared by loops that run at the same time", async () => {
    const { api, session } = start(3);
    const list = session.list({ prefetch: 1 });
    const parts = await Promise.all([takeUntil(list, 10), takeUntil(list, -1), list.collect()]);
    assertEquals(parts.flat().sort((a, b) => a - b), [0, 1, 10, 11, 20, 21]);
    assertEquals(new Set(api.requested).size, 3);
  });
});

describe("collect", () => {
  it("returns all items", async () => {
    const { session } = start(3);
    assertEquals(await session.list().collect(), [0, 1, 10, 11, 20, 21]);
  });

  for (const prefetch of [0, 2]) {
    it(`requests no page that it does not need, prefetch ${prefetch}`, async () => {
      const { api, session } = start(4);
      assertEquals(await session.list({ prefetch }).collect({ maxItems: 4 }), [0, 1, 10, 11]);
      assertEquals(api.requested, [0, 1]);
    });
  }

  for (const maxItems of [0, -1, 1.5, NaN, "2" as unknown as number]) {
    it(`does not accept ${maxItems} as maxItems`, async () => {
      const { api, session } = start(1);
      await assertRejects(
        () => session.list().collect({ maxItems }),
        UnexpectedValueError,
        '"maxItems"',
      );
      assertEquals(api.requested, []);
    });
  }
});

describe("prefetching", () => {
  it("requests the next page while the loop works on this one", async () => {
    const { api, session } = start(3);
    const seen: number[][] = [];
    for await (const page of session.list({ prefetch: true }).pages()) {
      await until(() => api.requested.length >= Math.min(3, seen.length + 2));
      seen.push([...page.items]);
    }
    assertEquals(seen, [[0, 1], [10, 11], [20, 21]]);
    assertEquals(api.requested, [0, 1, 2]);
  });

  it("is aborted by a break, and the page is requested again later", async () => {
    const { api, session } = start(3);
    api.held.set(1, new Promise(() => {}));
    const list = session.list({ prefetch: 2 });
    for await (const item of list) {
      if (item === 0) continue;
      await until(() => api.requested.includes(1));
      break;
    }
    await until(() => api.aborted.includes(1));
    api.held.clear();
    assertEquals(list.state, { params: { cursor: 1 }, skip: 0, delivered: 2 });
    assertEquals(await list.collect(), [10, 11, 20, 21]);
    assertEquals([api.requested, api.aborted], [[0, 1, 1, 2], [1]]);
  });

  it("throws an error when its page is reached", async () => {
    const { api, session } = start(3);
    api.failing.add(1);
    const list = session.list({ prefetch: 2 });
    const items: number[] = [];
    const read = async () => {
      for await (const item of list) {
        items.push(item);
        await until(() => api.requested.includes(1));
      }
    };
    await assertRejects(read, APIError);
    assertEquals(items, [0, 1]);
    await read();
    assertEquals(items, [0, 1, 10, 11, 20, 21]);
  });

  it("is aborted by the signal of the options, too", async () => {
    const { api, session } = start(2);
    api.held.set(1, new Promise(() => {}));
    const controller = new AbortController();
    const reason = new Error("enough");
    const read = async () => {
      for await (const _ of session.list({ prefetch: 1, signal: controller.signal })) {
        if (api.requested.length > 1) controller.abort(reason);
      }
    };
    const error = await read().catch((each: unknown) => each);
    assertEquals([error === reason, api.aborted], [true, [1]]);
  });

  it("is not part of nextPage, which has a signal of its own", async () => {
    const { api, session } = start(2);
    api.held.set(1, new Promise(() => {}));
    const controller = new AbortController();
    const page = await session.list({ prefetch: 1 });
    const next = page.nextPage({ signal: controller.signal }).catch((error: unknown) => error);
    await until(() => api.requested.includes(1));
    controller.abort("stop");
    assertEquals([await next, api.requested], ["stop", [0, 1]]);
  });

  it("can be null, for none", async () => {
    const { session } = start(2);
    const page = await session.list({ signal: null });
    assertEquals((await page.nextPage({ signal: null })).hasNextPage(), false);
  });
});

describe("the state of a list", () => {
  /** Returns the state as another program reads it. */
  const saved = (state: PagingState): PagingState => JSON.parse(JSON.stringify(state));

  it("continues in the middle of a page", async () => {
    const { api, session } = start(3);
    const list = session.list();
    await takeUntil(list, 10);
    const from = saved(list.state);
    assertEquals(from, { params: { cursor: 1 }, skip: 1, delivered: 3 });

    const later = session.list({ from });
    assertEquals((await later).items, [11]);
    assertEquals(await later.collect(), [11, 20, 21]);
    assertEquals(later.state, { skip: 0, delivered: 6, done: true });
    assertEquals(api.requested, [0, 1, 1, 2]);
  });

  it("continues after a page", async () => {
    const { session } = start(3);
    const { state } = await session.list();
    assertEquals(await session.list({ from: saved(state) }).collect(), [10, 11, 20, 21]);
  });

  it("continues at a link, without the parameters of the options", async () => {
    const urls: string[] = [];
    const fetch: Transport = (url) => {
      urls.push(url);
      const link = urls.length === 1 ? '</n?page=2&tag=a>; rel="next"' : "";
      return Promise.resolve(Response.json([urls.length], { headers: { link } }));
    };
    const session = new Numbers({ url: "https://api.example.com", fetch });
    const options = { items: undefined, next: linkHeader(), params: { tag: "a" } };
    const { state } = await session.list(options);
    assertEquals(await session.list({ ...options, from: saved(state) }).collect(), [2]);
    assertEquals(urls.at(-1), "https://api.example.com/n?page=2&tag=a");
  });

  it("is the end after the last page", async () => {
    const { api, session } = start(1);
    const list = session.list();
    await list.collect();
    const later = session.list({ from: saved(list.state) });
    assertEquals([await later.collect(), later.state.done, api.requested], [[], true, [0]]);
    await assertRejects(async () => await later, PagingError, "check state.done");
  });

  const invalid: readonly unknown[] = [
    ...[null, "state", {}, { skip: -1, delivered: 0 }, { skip: 2, delivered: 1 }, {
      skip: 0,
      delivered: "1",
    }],
    ...[
      { skip: 0, delivered: 0, link: "/n" },
      { skip: 0, delivered: 0, link: "file:///etc" },
      { skip: 0, delivered: 0, params: "page=2" },
    ],
  ];
  for (const from of invalid) {
    it(`is checked: ${JSON.stringify(from)}`.replaceAll('"', "'"), () => {
      const { session } = start(1);
      assertThrows(() => session.list({ from: from as never }), UnexpectedValueError, '"from"');
    });
  }
});

describe("a list that leads in a circle", () => {
  const circles: Readonly<Record<string, readonly [nexts: readonly unknown[], pages: number]>> = {
    "the same cursor": [["a", "a"], 2],
    "an earlier cursor": [["a", "b", "c", "a"], 4],
    "the cursor of the options": [["a", "start"], 2],
    "the cursor of the first request": [["start"], 1],
  };
  for (const [name, [nexts, pages]] of Object.entries(circles)) {
    it(`is an error after the items were delivered: ${name}`, async () => {
      let count = 0;
      const fetch = () => Promise.resolve(Response.json({ data: [count], next: nexts[count++] }));
      const session = new Numbers({ url: "https://api.example.com", fetch });
      const list = session.list({ params: { cursor: "start" } });
      const items: number[] = [];
      const read = async () => {
        for await (const item of list) items.push(item);
      };
      const error = await assertRejects(read, PagingError, "has the same cursor as page");
      assertEquals([items.length, count], [pages, pages]);
      assertEquals((error as PagingError).currentPage, pages - 1);
      await assertRejects(read, PagingError); // no other request, no item again
      assertEquals([items.length, count], [pages, pages]);
    });
  }

  for (const link of ["https://api.example.com/n", "/n?page=2"]) {
    it(`is an error for a link: ${link}`, async () => {
      const fetch = () => Promise.resolve(Response.json({ data: [1], next: link }));
      const session = new Numbers({ url: "https://api.example.com", fetch });
      const list = session.list({ next: nextUrl("next") });
      await assertRejects(() => list.collect(), PagingError, "has the same link as page");
    });
  }

  it("is none if a page is requested again by the caller", async () => {
    const { session } = start(3);
    const list = session.list();
    const first = await list;
    for (let round = 0; round < 2; round++) {
      const second = await first.nextPage();
      assertEquals((await second.nextPage()).items, [20, 21]);
    }
    assertEquals((await list.collect()).length, 6);
  });

  it("can be tried again: the state is that of the last page, without its items", async () => {
    const bodies = [{ data: [1], next: "a" }, { data: [2, 3], next: "a" }, { data: [2, 3, 4] }];
    const fetch = () => Promise.resolve(Response.json(bodies.shift()));
    const session = new Numbers({ url: "https://api.example.com", fetch });
    const list = session.list();
    await assertRejects(async () => {
      for await (const _ of list);
    }, PagingError);
    assertEquals(list.state, { params: { cursor: "a" }, skip: 2, delivered: 3 });
    assertEquals(await session.list({ from: list.state }).collect(), [4]);
  });
});

describe("the items of a page", () => {
  const place = "the items of page 1 of https://api.example.com/n";
  const wrong: Readonly<Record<string, readonly [items: unknown, body: object, message: string]>> =
    {
      "an object in place of the array": [
        undefined,
        { data: [1] },
        `the body must be an array with ${place}, but is an object: pass the name of the field with ` +
        "the items in `items`",
      ],
      "a misspelled field": ["dta", { data: [1] }, "the field dta of the body must be an array"],
      "an object in a field": ["data", { data: { 0: 1 } }, "but is an object"],
      "a path that ends early": ["a.b.c", { a: 7 }, "but is undefined"],
      "a function that returns a string": [
        () => "abc",
        {},
        "the result of `items` must be an array",
      ],
    };
  for (const [name, [items, body, message]] of Object.entries(wrong)) {
    it(`must be an array: ${name}`, async () => {
      const fetch = () => Promise.resolve(Response.json(body));
      const session = new Numbers({ url: "https://api.example.com", fetch });
      const list = session.list({ items: items as never });
      await assertRejects(() => list.collect(), PagingError, message);
    });
  }

  it("are none if the body is empty", async () => {
    const fetch = () => Promise.resolve(new Response(null, { status: 204 }));
    const session = new Numbers({ url: "https://api.example.com", fetch });
    const options = { items: undefined, next: linkHeader() };
    assertEquals(await session.list(options).collect(), []);
    assertEquals(await session.list({ items: "data.list" }).collect(), []);
  });

  it("are not boxed, whatever the class declares", async () => {
    class Boxing extends Numbers {
      override readonly _box = true;
    }
    const session = new Boxing({
      url: "https://api.example.com",
      fetch: () => Promise.resolve(Response.json({ data: [{ id: 1 }] })),
    });
    assertEquals(await session.list().collect() as unknown, [{ id: 1 }]);
  });
});

describe("_pages", () => {
  const fetch: Transport = (url, { method }) =>
    Promise.resolve(Response.json([`${method} ${url}`]));
  const next = linkHeader();

  class Issues extends APIEndpoint<Tracker> {
    protected override readonly _path: string = "issues";
    list() {
      return this._pages<string>({ next, params: { state: "open" } });
    }
    comments(id: number) {
      return this._pages<string>(`${id}/comments`, { next });
    }
  }
  class Tracker extends APISession {
    readonly issues: Issues = new Issues(this);
    list(...args: unknown[]): PagePromise<unknown> {
      return this._pages(...args as Parameters<Tracker["_pages"]>);
    }
  }
  class Client extends APIClient {
    list() {
      return this._pages<string>("/issues", { next });
    }
  }
  const tracker = new Tracker({ url: "https://api.example.com/v1", fetch });
  const schema: StandardSchema = {
    "~standard": { version: 1, vendor: "tests", validate: (value) => ({ value }) },
  };

  it("sends GET requests below the path of an endpoint, session or client", async () => {
    const client = new Client({ baseUrl: "https://api.example.com/v1", fetch });
    const lists = [tracker.issues.list(), tracker.issues.comments(7), client.list()];
    assertEquals((await Promise.all(lists.map((list) => list.collect()))).flat(), [
      "GET https://api.example.com/v1/issues?state=open",
      "GET https://api.example.com/v1/issues/7/comments",
      "GET https://api.example.com/v1/issues",
    ]);
  });

  const mistakes: Readonly<Record<string, readonly [args: readonly unknown[], option: string]>> = {
    "no options": [["issues"], "next"],
    "no rule": [["issues", { items: "data" }], "next"],
    "a rule that was not called": [[{ next: linkHeader }], "next"],
    "items that are not a field": [[{ next, items: 7 }], "items"],
    "a negative prefetch": [[{ next, prefetch: -1 }], "prefetch"],
    "convJson": [[{ next, convJson: false }], "convJson"],
    "box that is not a flag": [[{ next, box: "yes" }], "box"],
    "boxes with a model of the body": [
      [{ next, box: true, responseModel: schema }],
      "responseModel",
    ],
    "boxes with a model of the items": [[{ next, box: true, itemModel: schema }], "box"],
    "two models": [[{ next, itemModel: schema, responseModel: schema }], "responseModel"],
    "a model of a list of items": [[{ next, itemModel: [schema] }], "itemModel"],
    "an item model that is none": [[{ next, itemModel: {} }], "itemModel"],
    "a JSON body that is a list": [[{ next, json: [] }], "json"],
    "a stream": [[{ next, format: ndjson() }], "format"],
    "boxes with a format": [[{ next, box: true, format: jsonFormat(schema) }], "format"],
    "an item model with a format": [
      [{ next, itemModel: schema, format: jsonFormat(schema) }],
      "format",
    ],
  };
  for (const [name, [args, option]] of Object.entries(mistakes)) {
    it(`throws at once for ${name}`, () => {
      const error = assertThrows(() => tracker.list(...args), UnexpectedValueError);
      assertEquals((error as UnexpectedValueError).option, option);
    });
  }

  it("rejects an option that no request has, and a path of undefined", async () => {
    await assertRejects(
      async () => await tracker.list("x", { next, retires: 1 }),
      UnexpectedValueError,
      "retires",
    );
    await assertRejects(
      async () => await tracker.list(undefined, { next }),
      UnexpectedValueError,
      "path",
    );
  });
});
