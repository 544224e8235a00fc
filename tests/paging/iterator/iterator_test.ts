import process from "node:process";
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
  describe,
  it,
} from "#test";
import { APIEndpoint, APISession, UnexpectedValueError } from "../../../mod.ts";
import type { Transport } from "../../../src/http/mod.ts";
import { RestwrightError } from "../../../src/errors/base_error.ts";
import { PagingError } from "../../../src/errors/paging_error.ts";
import { describeValue } from "../../../src/errors/unexpected_value_error.ts";
import {
  APIIterator,
  AsyncAPIIterator,
  type IteratorOptions,
} from "../../../src/paging/iterator/iterator.ts";
import { turn } from "../../support/until.ts";

/** An API that returns the numbers from 0 in pages, and records which pages were requested. */
class NumbersApi {
  readonly requested: number[] = [];
  readonly #amount: number;
  /** The promises that pages wait for, each for one request. */
  readonly blockers = new Map<number, Promise<unknown>>();
  readonly #waiting = new Map<number, () => void>();

  constructor(amount: number) {
    this.#amount = amount;
  }

  async page(index: number, size: number): Promise<number[]> {
    this.requested.push(index);
    this.#waiting.get(index)?.();
    const blocker = this.blockers.get(index);
    this.blockers.delete(index);
    await blocker;
    const length = Math.max(0, Math.min(size, this.#amount - index * size));
    return Array.from({ length }, (_, place) => index * size + place);
  }

  /** Resolves when the page is requested the next time. */
  isRequested(index: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(index, resolve));
  }

  /** Makes the next request for a page fail with this error. */
  fail(index: number, error = new Error(`no page ${index}`)): Error {
    const failure = Promise.reject(error);
    failure.catch(() => {});
    this.blockers.set(index, failure);
    return error;
  }

  /** Delays a page until the returned function is called. */
  hold(index: number): () => void {
    let release!: () => void;
    this.blockers.set(index, new Promise<void>((resolve) => release = resolve));
    return release;
  }
}

class Numbers extends APIIterator<number, NumbersApi> {
  static override readonly size: number = 3;

  protected override async _getPage(): Promise<void> {
    this.page = await this._client.page(this.currentPage, this.size);
    this.currentPage++;
  }
}

function numbers(amount: number, options: IteratorOptions<NumbersApi> = {}) {
  const client = new NumbersApi(amount);
  return { client, iterator: new Numbers({ client, ...options }) };
}

/** Waits until the pending microtasks have run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
}

async function all<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const received: T[] = [];
  for await (const each of iterable) received.push(each);
  return received;
}

const upTo = (amount: number) => Array.from({ length: amount }, (_, index) => index);

describe("the iterator object", () => {
  // contract: iterator-1
  it("takes size and currentPage from its options, and has no page yet", () => {
    const { iterator } = numbers(7, { size: 5, currentPage: 2 });
    assertEquals([iterator.size, iterator.currentPage, iterator.page], [5, 2, []]);
  });

  // contract: iterator-2
  it("has currentPage 0 and no page size if the class sets none", () => {
    class Plain extends Numbers {
      static override readonly size: number = APIIterator.size;
    }
    const iterator = new Plain({ client: new NumbersApi(0) });
    assertEquals([iterator.size, iterator.currentPage, iterator.prefetch], [0, 0, 0]);
    assertEquals([iterator.maxItems, iterator.maxPages], [null, null]);
    assertEquals([iterator.total, iterator.numPages], [null, null]);
    assertEquals([iterator.count, iterator.pageCount], [0, 0]);
  });

  // contract: iterator-5
  it("takes each default from a static of the class, which the option of the same name overrides", async () => {
    class Own extends Numbers {
      static override readonly size: number = 4;
      static override readonly currentPage: number = 1;
      static override readonly maxItems: number | null = 6;
      static override readonly maxPages: number | null = 3;
      static override readonly prefetch: number = 2;
    }
    const read = ({ size, currentPage, maxItems, maxPages, prefetch }: Own) => [
      size,
      currentPage,
      maxItems,
      maxPages,
      prefetch,
    ];
    const client = new NumbersApi(100);
    assertEquals(read(new Own({ client })), [4, 1, 6, 3, 2]);
    const options = { size: 2, currentPage: 0, maxItems: null, maxPages: 1, prefetch: 0 };
    assertEquals(read(new Own({ client, ...options })), [2, 0, null, 1, 0]);
    const left = { size: undefined, currentPage: undefined, maxItems: undefined };
    assertEquals(read(new Own({ client, ...left })), [4, 1, 6, 3, 2]);
    assertEquals(await all(new Own({ client, ...options })), [0, 1]);
  });

  // contract: iterator-5
  it("page: yields a page that is passed in first, and treats its length like a fetched page's", async () => {
    const { client } = numbers(7);
    const read = (options: object) => all(new Numbers({ client, size: 3, ...options }));
    const firstPage: number[] = [-2, -1, 0];
    const options = { page: firstPage, currentPage: 0 };
    const iterator = new Numbers({ client, size: 3, ...options });
    firstPage.length = 0; // later changes to the caller's array have no effect
    assertEquals([iterator.page, client.requested], [[-2, -1, 0], []]);
    assertEquals(await all(iterator), [-2, -1, 0, 0, 1, 2, 3, 4, 5, 6]);
    const page = [-2, -1, 0];
    assertEquals(await read({ page, maxItems: 3, prefetch: 2 }), page);
    assertEquals(await read({ page, maxItems: 2 }), [-2, -1]);
    assertEquals(await read({ page, maxPages: 1 }), [-2, -1, 0, 0, 1, 2]);
    assertEquals(await read({ page: [-1] }), [-1]); // shorter than a page: the last one
    assertEquals(await read({ page: [], maxPages: 1 }), [0, 1, 2]);
    const wrong = () => new Numbers({ client, page: "abc" as never });
    assertEquals(assertThrows(wrong, UnexpectedValueError).option, "page");
  });

  it("page: yields the passed page again if collect fails after it", async () => {
    let isDown = true;
    class Pages extends APIIterator<number> {
      protected override _getPage(): Promise<void> {
        if (isDown) return Promise.reject(new Error("down"));
        this.page = this.currentPage++ === 1 ? [20, 30] : [];
        return Promise.resolve();
      }
    }
    const iterator = new Pages({ client: {}, page: [1, 2], currentPage: 1 });
    await assertRejects(() => iterator.collect(), Error, "down");
    isDown = false;
    assertEquals(await iterator.collect(), [1, 2, 20, 30]);
  });

  // contract: service-4, iterator-6
  it("makes no API call on creation; the first call happens when the first element is requested", async () => {
    const { client, iterator } = numbers(7, { prefetch: 3 });
    iterator.pages();
    iterator[Symbol.asyncIterator]();
    await settled();
    assertEquals(client.requested, []);
    await iterator.next();
    assertEquals(client.requested[0], 0);
  });

  it("has AsyncAPIIterator as a second name of its class", () => {
    assertStrictEquals(AsyncAPIIterator, APIIterator);
    class Own extends AsyncAPIIterator<number> {
      protected override _getPage(): Promise<void> {
        return Promise.resolve();
      }
    }
    assertInstanceOf(new Own({ client: {} }), APIIterator);
  });

  it("has its client or session as _client and as _api, whichever option it was passed in", () => {
    class Own extends Numbers {
      get owners() {
        return [this._client, this._api];
      }
    }
    const api = new NumbersApi(0);
    for (const iterator of [new Own({ api }), new Own({ client: api })]) {
      for (const owner of iterator.owners) assertStrictEquals(owner, api);
    }
  });

  it("does not show its client when it is logged", () => {
    const { iterator } = numbers(1);
    assertEquals(JSON.stringify(iterator), "{}");
    assertEquals(Object.keys(iterator), []);
  });

  const client = new NumbersApi(1);
  const wrong: readonly (readonly [what: string, option: string, options: object])[] = [
    ["a missing client and api", "client", {}],
    ["a client that is null", "client", { client: null }],
    ["an api that is a string", "api", { api: "https://api.example.com" }],
    ["both a client and an api", "api", { client, api: client }],
    ["a size of 0", "size", { client, size: 0 }],
    ["a size that is not a whole number", "size", { client, size: 2.5 }],
    ["a size that is a string", "size", { client, size: "10" }],
    ["a currentPage below 0", "currentPage", { client, currentPage: -1 }],
    ["a currentPage that is null", "currentPage", { client, currentPage: null }],
    ["a maxItems below 0", "maxItems", { client, maxItems: -1 }],
    ["a maxItems below all numbers", "maxItems", { client, maxItems: -Infinity }],
    ["a maxItems of 0", "maxItems", { client, maxItems: 0 }],
    ["a maxPages of 0", "maxPages", { client, maxPages: 0 }],
    ["a maxPages that is NaN", "maxPages", { client, maxPages: NaN }],
    ["a prefetch that is null", "prefetch", { client, prefetch: null }],
    ["a prefetch below 0", "prefetch", { client, prefetch: -1 }],
  ];

  it("has a prefetch of 1 for true, and of 0 for false, as an option and as a static", () => {
    class Eager extends Numbers {
      static override readonly prefetch: number | boolean = true;
    }
    assertEquals(new Eager({ client }).prefetch, 1);
    assertEquals(new Eager({ client, prefetch: false }).prefetch, 0);
    assertEquals(new Numbers({ client, prefetch: true }).prefetch, 1);
  });

  for (const [what, option, options] of wrong) {
    it(`refuses ${what} with an UnexpectedValueError that names the option`, () => {
      const make = () => new Numbers(options as IteratorOptions<NumbersApi>);
      assertEquals(assertThrows(make, UnexpectedValueError).option, option);
    });
  }

  for (const option of ["maxItems", "maxPages"]) {
    it(`refuses a ${option} of 0 with a message about its meaning in Python`, () => {
      const make = () => new Numbers({ client, [option]: 0 });
      const { message } = assertThrows(make, UnexpectedValueError);
      assertEquals(
        message,
        `"${option}" must be a whole number of at least 1, or null or Infinity for no limit, but is 0. ` +
          "In Python's RESTfly, 0 means no limit: pass null here",
      );
    });
  }

  it("refuses an invalid static with an error that names it", () => {
    class Wrong extends Numbers {
      static override readonly size: number = -1;
    }
    const error = assertThrows(() => new Wrong({ client }), UnexpectedValueError);
    assertEquals(error.option, "size");
  });
});

describe("paging helpers", () => {
  // contract: paging-1
  it("rule 1: a generator of an endpoint fetches pages while the last one was full", async () => {
    class Numbered extends APIEndpoint<APISession> {
      protected override readonly _path: string = "numbers";
      async *list(size: number): AsyncGenerator<number> {
        let index = 0;
        let page: number[] | undefined;
        while (page === undefined || page.length >= size) {
          page = await this._get<number[]>("", { params: { index, size }, convJson: true });
          index++;
          yield* page;
        }
      }
    }
    for (const [amount, requested] of [[7, [0, 1, 2]], [6, [0, 1, 2]], [0, [0]]] as const) {
      const api = new NumbersApi(amount);
      const adapter: Transport = async (address) => {
        const { pathname, searchParams } = new URL(address);
        assertEquals(pathname, "/v1/numbers");
        const [index, size] = ["index", "size"].map((name) => Number(searchParams.get(name)));
        return Response.json(await api.page(index!, size!));
      };
      const session = new APISession({ url: "https://api.example.com/v1", adapter });
      assertEquals(await all(new Numbered(session).list(3)), upTo(amount));
      assertEquals(api.requested, [...requested]);
    }
  });

  // contract: iterator-4
  it("rule 2: a subclass implements _getPage, and iterating yields elements", async () => {
    const { client, iterator } = numbers(7);
    assertEquals(await all(iterator), upTo(7));
    assertEquals(client.requested, [0, 1, 2]);
  });

  // contract: iterator-3, paging-2
  it("rule 2: next returns one element; currentPage and page can be read between calls", async () => {
    const { iterator } = numbers(4);
    const seen: unknown[] = [];
    for (let result = await iterator.next(); !result.done; result = await iterator.next()) {
      const { currentPage, page, position, count, pageCount } = iterator;
      assertStrictEquals(position.page, page);
      assertEquals(position.currentPage, currentPage);
      seen.push([result.value, currentPage, [...page], count, pageCount]);
    }
    assertEquals(seen, [
      [0, 1, [0, 1, 2], 1, 1],
      [1, 1, [0, 1, 2], 2, 1],
      [2, 1, [0, 1, 2], 3, 1],
      [3, 2, [3], 4, 2],
    ]);
  });

  // contract: paging-3
  it("rule 3: a page that holds fewer items than the size is the last page", async () => {
    const { client, iterator } = numbers(4);
    assertEquals(await all(iterator), upTo(4));
    assertEquals(client.requested, [0, 1]);
  });

  it("an empty page is the end if the page before it was full", async () => {
    const { client, iterator } = numbers(6);
    assertEquals(await all(iterator), upTo(6));
    assertEquals([client.requested, iterator.pageCount], [[0, 1, 2], 3]);
  });

  it("an iterator without elements fetches one empty page", async () => {
    const { client, iterator } = numbers(0);
    assertEquals(await iterator.next(), { done: true, value: undefined });
    assertEquals([client.requested, iterator.page], [[0], []]);
  });

  // contract: reading-22
  it("an iterator without a size ends at an empty page, not at a short one", async () => {
    const pages = [["a", "b"], ["c"], ["d", "e", "f"], []];
    class Uneven extends APIIterator<string> {
      protected override async _getPage(): Promise<void> {
        this.page = await Promise.resolve(pages[this.currentPage++]!);
      }
    }
    assertEquals((await all(new Uneven({ client: {} }))).join(""), "abcdef");
  });

  it("a page longer than the size is yielded completely", async () => {
    const pages = [[1, 2, 3, 4], [5]];
    class Generous extends APIIterator<number> {
      static override readonly size: number = 2;
      protected override _getPage(): Promise<void> {
        this.page = pages[this.currentPage++]!;
        return Promise.resolve();
      }
    }
    assertEquals(await all(new Generous({ client: {} })), [1, 2, 3, 4, 5]);
  });

  it("undefined and null in a page are elements like others", async () => {
    class Holes extends APIIterator<unknown> {
      static override readonly size: number = 5;
      protected override _getPage(): Promise<void> {
        this.page = [undefined, null, 0];
        return Promise.resolve();
      }
    }
    assertEquals(await all(new Holes({ client: {} })), [undefined, null, 0]);
  });

  it("a subclass can have a private cursor that _getPage advances", async () => {
    const pages = new Map([["", ["a", "b"]], ["x", ["c", "d"]], ["y", ["e"]]]);
    const following = new Map<string, string>([["", "x"], ["x", "y"]]);
    const requested: string[] = [];
    class ByCursor extends APIIterator<string> {
      #cursor: string | undefined = "";
      protected override async _getPage(): Promise<void> {
        const cursor = this.#cursor;
        if (cursor === undefined) return void (this.page = []);
        requested.push(cursor);
        this.page = await Promise.resolve(pages.get(cursor)!);
        this.#cursor = following.get(cursor);
      }
    }
    for (const prefetch of [0, 2]) {
      assertEquals((await all(new ByCursor({ client: {}, prefetch }))).join(""), "abcde");
    }
    assertEquals(requested, ["", "x", "y", "", "x", "y"]);
  });

  it("an iterator at its end requests no page again", async () => {
    const { client, iterator } = numbers(4);
    await all(iterator);
    for (let again = 0; again < 3; again++) {
      assertEquals(await iterator.next(), { done: true, value: undefined });
    }
    assertEquals(await all(iterator), []);
    assertEquals(await all(iterator.pages()), []);
    assertEquals(await iterator.collect(), []);
    assertEquals(client.requested, [0, 1]);
  });

  it("an iterator starts at the page of the option currentPage", async () => {
    const { client, iterator } = numbers(7, { currentPage: 1 });
    assertEquals(await all(iterator), [3, 4, 5, 6]);
    assertEquals(client.requested, [1, 2]);
  });
});

describe("a faulty _getPage", () => {
  class Wrong extends APIIterator<number> {
    readonly #store: () => unknown;
    calls = 0;
    constructor(store: () => unknown) {
      super({ client: {} });
      this.#store = store;
    }
    protected override _getPage(): Promise<void> {
      if (++this.calls > 5) throw new Error("an endless loop");
      const page = this.#store();
      if (page !== "nothing") this.page = page as number[];
      this.currentPage++;
      return Promise.resolve();
    }
  }

  // contract: reading-21
  it("rejects instead of looping endlessly if it stores the same array as before", async () => {
    const page = [1, 2];
    const iterator = new Wrong(() => page);
    assertEquals([(await iterator.next()).value, (await iterator.next()).value], [1, 2]);
    const error = await assertRejects(() => iterator.next(), PagingError);
    assertStringIncludes(error.message, "Wrong._getPage stored the same page as before");
    assertInstanceOf(error, RestwrightError);
    assertEquals(error.toJSON(), { name: "PagingError", message: error.message, currentPage: 1 });
  });

  it("rejects if it stores no page, even the first time", async () => {
    const iterator = new Wrong(() => "nothing");
    const error = await assertRejects(() => iterator.next(), PagingError);
    assertEquals([error.currentPage, iterator.currentPage], [0, 0]);
  });

  for (const [what, page] of [["null", null], ["an object", { items: [] }], ["a string", "abc"]]) {
    it(`rejects with an error about the page if it stores ${what}`, async () => {
      const iterator = new Wrong(() => page);
      const error = await assertRejects(() => iterator.next(), PagingError);
      assertStringIncludes(error.message, "must store an array in page, but stored");
      assertEquals(iterator.page, []);
    });
  }

  it("rejects if it throws before it returns a promise", async () => {
    class Throws extends APIIterator<number> {
      protected override _getPage(): Promise<void> {
        throw new RangeError("at once");
      }
    }
    const iterator = new Throws({ client: {} });
    await assertRejects(() => iterator.next(), RangeError, "at once");
  });
});

describe("hasMore, set by _getPage", () => {
  /** The pages of a scripted API, each with its elements and its `hasMore`. */
  type Script = readonly (readonly [page: readonly number[], hasMore?: boolean | undefined])[];

  /** An iterator over the pages of a script, followed by empty pages without `hasMore`. */
  class Scripted extends APIIterator<number> {
    readonly requested: number[] = [];
    readonly before: (boolean | undefined)[] = [];
    #script: Script = [];
    #isStill = false;

    static of(script: Script, options: Partial<IteratorOptions> & { isStill?: boolean } = {}) {
      const { isStill = false, ...rest } = options;
      const iterator = new this({ client: {}, ...rest });
      iterator.#script = script;
      iterator.#isStill = isStill;
      return iterator;
    }

    protected override async _getPage(): Promise<void> {
      this.before.push(this.hasMore);
      const index = this.#isStill ? this.requested.length : this.currentPage;
      this.requested.push(index);
      const [page, hasMore] = this.#script[index] ?? [[]];
      this.page = await Promise.resolve([...page]);
      if (hasMore !== undefined) this.hasMore = hasMore;
      if (!this.#isStill) this.currentPage++;
    }
  }

  const reads: readonly (readonly [string, (iterator: Scripted) => Promise<number[]>])[] = [
    ["for await", (iterator) => all(iterator)],
    ["collect", (iterator) => iterator.collect()],
    ["pages", async (iterator) => (await all(iterator.pages())).flat()],
  ];

  const scripts: readonly (readonly [
    what: string,
    script: Script,
    options: Partial<IteratorOptions>,
    received: number[],
    pages: number,
  ])[] = [
    [
      "skips an empty page in the middle if it is true",
      [[[1], true], [[], true], [[2], false]],
      {},
      [
        1,
        2,
      ],
      3,
    ],
    ["skips empty first pages if it is true", [[[], true], [[], true], [[1], false]], {}, [1], 3],
    [
      "ends at an empty page if it is false",
      [[[1], true], [[], false], [[2], true]],
      {},
      [1],
      2,
    ],
    ["ends at an empty page if it is not set", [[[1], true], [[]], [[2], true]], {}, [1], 2],
    [
      "continues after a short page if it is true",
      [[[1], true], [[2, 3], true], [[4]]],
      {
        size: 2,
      },
      [1, 2, 3, 4],
      3,
    ],
    [
      "ends at a short page if it is not set",
      [[[1, 2], true], [[3]], [[4], true]],
      {
        size: 2,
      },
      [1, 2, 3],
      2,
    ],
    [
      "ends at a full page if it is false",
      [[[1, 2], true], [[3, 4], false], [[5]]],
      {
        size: 2,
      },
      [1, 2, 3, 4],
      2,
    ],
    ["does not override maxPages", [[[1], true], [[], true], [[2], true]], { maxPages: 2 }, [
      1,
    ], 2],
    [
      "does not override maxItems",
      [[[1, 2], true], [[], true], [[3, 4], true]],
      {
        maxItems: 3,
      },
      [1, 2, 3],
      3,
    ],
  ];
  for (const [what, script, options, received, pages] of scripts) {
    for (const prefetch of [0, 5]) {
      // contract: paging-3, reading-22
      it(`${what}, prefetch ${prefetch}`, async () => {
        for (const [name, read] of reads) {
          const iterator = Scripted.of(script, { ...options, prefetch });
          assertEquals(await read(iterator), received, name);
          assertEquals([iterator.requested.length, iterator.pageCount], [pages, pages], name);
          assertEquals(await iterator.next(), { done: true, value: undefined });
        }
      });
    }
  }

  it("takes precedence over total and numPages", async () => {
    class Counted extends Scripted {
      protected override async _getPage(): Promise<void> {
        await super._getPage();
        this.total = 1;
        this.numPages = 1;
      }
    }
    const iterator = Counted.of([[[1], true], [[2], false]]);
    assertEquals(await iterator.collect(), [1, 2]);
  });

  // contract: paging-3
  it("is undefined before each _getPage, and can be read between calls", async () => {
    const iterator = Scripted.of([[[1], true], [[2], true], [[3], false]]);
    const seen = [iterator.hasMore];
    for await (const _ of iterator) seen.push(iterator.hasMore);
    assertEquals(seen, [undefined, true, true, false]);
    assertEquals(iterator.before, [undefined, undefined, undefined]);
  });

  for (const prefetch of [0, 2]) {
    // contract: paging-3
    it(`is restored if _getPage throws, so that a retry works, prefetch ${prefetch}`, async () => {
      let failures = 2;
      class Hasty extends Scripted {
        protected override async _getPage(): Promise<void> {
          await super._getPage();
          if (this.currentPage === 3 && failures-- > 0) {
            this.hasMore = false;
            throw new Error("too late");
          }
        }
      }
      const script: Script = [[[1], true], [[], true], [[2], true], [[3], false]];
      const iterator = Hasty.of(script, { prefetch });
      assertEquals((await iterator.next()).value, 1);
      for (let time = 0; time < 2; time++) {
        await assertRejects(() => iterator.next(), Error, "too late");
        assertEquals([iterator.hasMore, iterator.currentPage, iterator.pageCount], [true, 2, 2]);
      }
      assertEquals(await iterator.collect(), [2, 3]);
      assertEquals(iterator.requested, [0, 1, 2, 2, 2, 3]);
    });
  }

  it("lets collect return all elements after a failure behind an empty page", async () => {
    let isDown = true;
    class Shaky extends Scripted {
      protected override async _getPage(): Promise<void> {
        if (isDown && this.currentPage === 2) throw new Error("down");
        await super._getPage();
      }
    }
    const iterator = Shaky.of([[[1], true], [[], true], [[2], false]]);
    await assertRejects(() => iterator.collect(), Error, "down");
    assertEquals([iterator.count, iterator.position.page], [0, []]);
    isDown = false;
    assertEquals(await iterator.collect(), [1, 2]);
    assertEquals(iterator.requested, [0, 1, 2]);
  });

  // contract: reading-22
  it("rejects after three empty pages in a row if currentPage does not change", async () => {
    const message =
      "Scripted._getPage stored 3 empty pages in a row with hasMore true, and the same currentPage";
    for (const prefetch of [0, 5]) {
      for (const [name, read] of reads) {
        const script: Script = [[[1], true], ...Array(20).fill([[], true])];
        const iterator = Scripted.of(script, { prefetch, isStill: true });
        const error = await assertRejects(() => read(iterator), PagingError, message);
        assertEquals([error.currentPage, iterator.requested.length], [0, 4], name);
        // The next attempt gets the same error, so that nothing loops.
        await assertRejects(() => read(iterator), PagingError, message);
        assertEquals(iterator.requested.length, 5, name);
      }
    }
  });

  it("allows two empty pages in a row, a third that is the last, and more if currentPage changes", async () => {
    const still = (script: Script) => Scripted.of(script, { isStill: true }).collect();
    const more = [[], true] as const;
    assertEquals(await still([more, more, [[1], true], more, more, [[2], false]]), [1, 2]);
    assertEquals(await still([[[1], true], more, more, [[], false]]), [1]);
    assertEquals(await still([[[1], true], more, more, [[]]]), [1]);
    const moving = Scripted.of([...Array(50).fill(more), [[1], false]]);
    assertEquals(await moving.collect(), [1]);
    class Jumping extends Scripted {
      protected override async _getPage(): Promise<void> {
        await super._getPage();
        if (this.requested.length === 2) this.currentPage = 7;
      }
    }
    const jumping = Jumping.of([more, more, more, [[1], false]], { isStill: true });
    assertEquals(await jumping.collect(), [1]);
  });

  for (const wrong of [null, 1, "yes", {}, () => true]) {
    const shown = describeValue(wrong);
    it(`rejects with an error about the allowed values if it is ${shown}`, async () => {
      class Wrong extends APIIterator<number> {
        protected override _getPage(): Promise<void> {
          this.page = [1];
          this.currentPage++;
          this.hasMore = wrong as never;
          return Promise.resolve();
        }
      }
      const iterator = new Wrong({ client: {} });
      const error = await assertRejects(() => iterator.next(), PagingError);
      assertEquals(
        error.message,
        `Wrong._getPage must set hasMore to true, false or undefined, but set ${shown}`,
      );
      assertEquals([iterator.page, iterator.currentPage, iterator.hasMore], [[], 0, undefined]);
    });
  }

  it("can be a getter of the class that checks a cursor", async () => {
    class ByCursor extends APIIterator<string> {
      #cursor: string | null = "";
      override get hasMore(): boolean {
        return this.#cursor !== null;
      }
      protected override _getPage(): Promise<void> {
        this.page = this.#cursor === "" ? [] : ["a"];
        this.#cursor = this.#cursor === "" ? "x" : null;
        this.currentPage++;
        return Promise.resolve();
      }
    }
    assertEquals(await new ByCursor({ client: {} }).collect(), ["a"]);
  });
});

describe("concurrent calls", () => {
  it("of next return elements in order and fetch each page once", async () => {
    const { client, iterator } = numbers(7);
    const results = await Promise.all(upTo(9).map(() => iterator.next()));
    assertEquals(results.map(({ value }) => value), [...upTo(7), undefined, undefined]);
    assertEquals(results.map(({ done }) => done === true).lastIndexOf(false), 6);
    assertEquals(client.requested, [0, 1, 2]);
  });

  it("never run _getPage twice at the same time", async () => {
    let running = 0;
    class Careful extends Numbers {
      protected override async _getPage(): Promise<void> {
        assertEquals(++running, 1);
        await super._getPage();
        running--;
      }
    }
    const iterator = new Careful({ client: new NumbersApi(50), prefetch: 4 });
    const [first, rest, ...singles] = await Promise.all([
      iterator.next(),
      iterator.collect(),
      ...upTo(3).map(() => iterator.next()),
    ]);
    assertEquals([first.value, ...rest], upTo(50));
    assert(singles.every(({ done }) => done));
  });

  it("run return after the next that was called before it", async () => {
    const { client, iterator } = numbers(7);
    const served: string[] = [];
    await Promise.all([
      iterator.next().then(({ value }) => served.push(`next ${value}`)),
      iterator.return().then(() => served.push("return")),
      iterator.next().then(({ done }) => served.push(`done ${done}`)),
    ]);
    assertEquals(served, ["next 0", "return", "done true"]);
    assertEquals(client.requested, [0]);
  });

  it("fail only the call that requested the page; the following call requests it again", async () => {
    const { client, iterator } = numbers(2);
    const error = client.fail(0);
    const [first, second] = await Promise.allSettled([iterator.next(), iterator.next()]);
    assertEquals(first, { status: "rejected", reason: error });
    assertEquals(second, { status: "fulfilled", value: { done: false, value: 0 } });
    assertEquals(client.requested, [0, 0]);
  });
});

describe("a page that fails", () => {
  for (const prefetch of [0, 1, 5]) {
    it(`is fetched again by the next call, with prefetch ${prefetch}`, async () => {
      const { client, iterator } = numbers(7, { prefetch });
      const error = client.fail(1);
      for (const value of upTo(3)) {
        assertEquals(await iterator.next(), { done: false, value });
      }
      assertStrictEquals(await iterator.next().catch((reason: unknown) => reason), error);
      assertEquals([iterator.count, iterator.currentPage, iterator.page], [3, 1, [0, 1, 2]]);
      assertEquals(await all(iterator), [3, 4, 5, 6]);
      assertEquals(client.requested, [0, 1, 1, 2]);
    });
  }

  it("ends for await with its error, and another for await continues", async () => {
    const { client, iterator } = numbers(5);
    client.fail(1);
    const received: number[] = [];
    const walk = async () => {
      for await (const number of iterator) received.push(number);
    };
    await assertRejects(walk, Error, "no page 1");
    await walk();
    assertEquals(received, upTo(5));
  });

  it("restores the properties that _getPage had set before it failed", async () => {
    let failures = 2;
    const requested: number[] = [];
    class Hasty extends APIIterator<number> {
      static override readonly size: number = 2;
      protected override async _getPage(): Promise<void> {
        const index = this.currentPage++;
        requested.push(index);
        this.page = [index];
        this.total = 17;
        this.numPages = 9;
        await Promise.resolve();
        if (failures-- > 0) throw new Error("too late");
      }
    }
    const iterator = new Hasty({ client: {} });
    for (let time = 0; time < 2; time++) {
      await assertRejects(() => iterator.next(), Error, "too late");
      const { page, currentPage, total, numPages, pageCount, position } = iterator;
      assertEquals([page, currentPage, total, numPages, pageCount], [[], 0, null, null, 0]);
      assertEquals(position, { page: [], currentPage: 0 });
    }
    assertEquals((await iterator.next()).value, 0);
    assertEquals(requested, [0, 0, 0]);
    assertEquals([iterator.total, iterator.numPages], [17, 9]);
  });

  it("does not count towards maxPages", async () => {
    const { client, iterator } = numbers(9, { maxPages: 1 });
    client.fail(0);
    await assertRejects(() => iterator.next(), Error);
    assertEquals(await all(iterator), [0, 1, 2]);
  });
});

describe("an iterator with limits or totals", () => {
  const limits: readonly (readonly [
    options: Partial<IteratorOptions<NumbersApi>>,
    received: number,
    requested: number[],
  ])[] = [
    [{ maxItems: 2 }, 2, [0]],
    [{ maxItems: 3 }, 3, [0]],
    [{ maxItems: 4 }, 4, [0, 1]],
    [{ maxItems: 100 }, 8, [0, 1, 2]],
    [{ maxPages: 1 }, 3, [0]],
    [{ maxPages: 2 }, 6, [0, 1]],
    [{ maxPages: 9 }, 8, [0, 1, 2]],
    [{ maxPages: 2, maxItems: 5 }, 5, [0, 1]],
    [{ maxPages: 2, currentPage: 1 }, 5, [1, 2]],
  ];
  for (const [options, received, requested] of limits) {
    for (const prefetch of [0, 9]) {
      const named = `${JSON.stringify(options).replaceAll('"', "")}, prefetch ${prefetch}`;
      it(`yields ${received} elements of the pages [${requested}] with ${named}`, async () => {
        const start = (options.currentPage ?? 0) * 3;
        const expected = upTo(start + received).slice(start);
        for (
          const read of [
            (iterator: Numbers) => all(iterator),
            (iterator: Numbers) => iterator.collect(),
            async (iterator: Numbers) => (await all(iterator.pages())).flat(),
          ]
        ) {
          const { client, iterator } = numbers(8, { ...options, prefetch });
          assertEquals(await read(iterator), expected);
          assertEquals([client.requested, iterator.count], [requested, received]);
          assertEquals(await iterator.next(), { done: true, value: undefined });
        }
      });
    }
  }

  class Counted extends Numbers {
    totals: { total?: number | null; numPages?: number | null } = {};
    protected override async _getPage(): Promise<void> {
      await super._getPage();
      Object.assign(this, this.totals);
    }
  }
  const cases: readonly (readonly [
    what: string,
    totals: { total?: number | null; numPages?: number | null },
    requested: number[],
  ])[] = [
    ["ends without fetching an empty page when total is reached", { total: 6 }, [0, 1]],
    ["ends without fetching an empty page when numPages is reached", { numPages: 2 }, [0, 1]],
    ["ends at an empty page if total is too high", { total: 60 }, [0, 1, 2]],
    ["ignores a total that is exceeded", { total: 2 }, [0, 1, 2]],
    ["ignores a total of -1", { total: -1 }, [0, 1, 2]],
    ["ignores a total of 0 if there are elements", { total: 0 }, [0, 1, 2]],
    ["ignores a numPages of 0 if there are elements", { numPages: 0 }, [0, 1, 2]],
    ["allows null for both if the API does not report them", { total: null, numPages: null }, [
      0,
      1,
      2,
    ]],
  ];
  for (const [what, totals, requested] of cases) {
    it(what, async () => {
      const client = new NumbersApi(6);
      const iterator = new Counted({ client });
      iterator.totals = totals;
      assertEquals(await all(iterator), upTo(6));
      assertEquals(client.requested, requested);
      assertEquals([iterator.total, iterator.numPages], [
        totals.total ?? null,
        totals.numPages ?? null,
      ]);
    });
  }
});

describe("an iterator that is used like an async generator", () => {
  it("returns itself as its iterator", () => {
    const { iterator } = numbers(1);
    assertStrictEquals(iterator[Symbol.asyncIterator](), iterator);
  });

  it("stops fetching and ends when for await is left early", async () => {
    const { client, iterator } = numbers(100);
    for await (const number of iterator) {
      if (number === 4) break;
    }
    assertEquals(await iterator.next(), { done: true, value: undefined });
    assertEquals([client.requested, iterator.count, iterator.pageCount], [[0, 1], 5, 2]);
  });

  it("ends on an error in the body of for await, and leaves the error to the caller", async () => {
    const { client, iterator } = numbers(100, { prefetch: 1 });
    const walk = async () => {
      for await (const number of iterator) throw new RangeError(`at ${number}`);
    };
    await assertRejects(walk, RangeError, "at 0");
    await settled();
    assertEquals((await iterator.next()).done, true);
    assertEquals(client.requested, [0, 1]);
  });

  it("ends without an API call if return is called first", async () => {
    const { client, iterator } = numbers(7);
    assertEquals(await iterator.return(), { done: true, value: undefined });
    assertEquals(await all(iterator), []);
    assertEquals(client.requested, []);
  });

  it("awaits and returns the value that is passed to return, even after the end", async () => {
    const { iterator } = numbers(7);
    for (let time = 0; time < 2; time++) {
      const value = Promise.resolve("mine" as unknown as undefined);
      assertEquals(await iterator.return(value), { done: true, value: "mine" as never });
    }
    const reason = new Error("not mine");
    const failed = await iterator.return(Promise.reject(reason)).catch((error: unknown) => error);
    assertStrictEquals(failed, reason);
    assertEquals((await iterator.next()).done, true);
  });

  it("ends when throw is called, and rejects with its argument, even after the end", async () => {
    const { client, iterator } = numbers(7);
    await iterator.next();
    for (const reason of [new RangeError("mine"), undefined]) {
      const outcome = await iterator.throw(reason).then(
        () => "served",
        (error: unknown) => [error],
      );
      assertEquals(outcome, [reason]);
      assertEquals(await iterator.next(), { done: true, value: undefined });
    }
    assertEquals(client.requested, [0]);
  });

  it("ends when await using disposes it", async () => {
    const { client, iterator } = numbers(7);
    await iterator.next();
    assertEquals(await iterator[Symbol.asyncDispose](), undefined);
    await iterator[Symbol.asyncDispose]();
    assertEquals((await iterator.next()).done, true);
    assertEquals(client.requested, [0]);
  });

  it("can be delegated to by yield* like a generator", async () => {
    const { iterator } = numbers(5);
    async function* around() {
      yield -1;
      yield* iterator;
    }
    assertEquals(await all(around()), [-1, ...upTo(5)]);
  });
});

describe("pages", () => {
  it("yields whole pages, and never an empty one", async () => {
    const { iterator } = numbers(6);
    assertEquals(await all(iterator.pages()), [[0, 1, 2], [3, 4, 5]]);
    assertEquals(iterator.count, 6);
  });

  it("begins with the rest of the current page", async () => {
    const { client, iterator } = numbers(8);
    await iterator.next();
    const pages = iterator.pages();
    assertEquals((await pages.next()).value, [1, 2]);
    assertEquals(iterator.count, 3);
    assertEquals((await iterator.next()).value, 3);
    assertEquals(await all(pages), [[4, 5], [6, 7]]);
    assertEquals(client.requested, [0, 1, 2]);
  });

  it("updates page and position with each page that it yields", async () => {
    const { iterator } = numbers(5);
    const seen: unknown[] = [];
    for await (const page of iterator.pages()) {
      assertStrictEquals(iterator.page, page);
      assertStrictEquals(iterator.position.page, page);
      seen.push(iterator.position.currentPage);
    }
    assertEquals(seen, [1, 2]);
  });

  it("stops fetching and ends the iterator when it is left early", async () => {
    const { client, iterator } = numbers(100);
    for await (const page of iterator.pages()) {
      assertEquals(page, [0, 1, 2]);
      break;
    }
    assertEquals((await iterator.next()).done, true);
    assertEquals(client.requested, [0]);
  });

  it("fetches a failed page again on the next call", async () => {
    const { client, iterator } = numbers(5);
    client.fail(1);
    const received: (readonly number[])[] = [];
    const walk = async () => {
      for await (const page of iterator.pages()) received.push(page);
    };
    await assertRejects(walk, Error, "no page 1");
    await walk();
    assertEquals(received, [[0, 1, 2], [3, 4]]);
  });

  it("is not affected by the caller's changes to a page", async () => {
    const { iterator } = numbers(5);
    const received: number[] = [];
    for await (const page of iterator.pages()) {
      received.push(...page);
      (page as number[]).push(99);
    }
    assertEquals(received, upTo(5));
  });

  it("does not start or end the iterator if it is returned from before its first page", async () => {
    const { client, iterator } = numbers(5);
    await iterator.pages().return?.();
    assertEquals(client.requested, []);
    assertEquals(await iterator.collect(), upTo(5));
  });
});

describe("collect", () => {
  it("returns an array of all elements", async () => {
    const { iterator } = numbers(7);
    assertEquals(await iterator.collect(), upTo(7));
    assertEquals(iterator.count, 7);
  });

  it("returns the remaining elements", async () => {
    const { iterator } = numbers(7);
    await iterator.next();
    assertEquals(await iterator.collect(), [1, 2, 3, 4, 5, 6]);
  });

  it("handles a page of 300,000 elements", async () => {
    const { iterator } = numbers(300_000, { size: 300_000 });
    assertEquals((await iterator.collect()).length, 300_000);
  });

  for (const prefetch of [0, 3]) {
    it(`loses no elements if it fails: the next call returns them, prefetch ${prefetch}`, async () => {
      const { client, iterator } = numbers(10, { prefetch, maxItems: 9 });
      client.fail(2);
      await iterator.next();
      await assertRejects(() => iterator.collect(), Error, "no page 2");
      assertEquals([iterator.count, iterator.position.currentPage], [1, 1]);
      client.fail(2);
      assertEquals((await iterator.next()).value, 1);
      assertEquals((await iterator.next()).value, 2);
      assertEquals((await iterator.next()).value, 3);
      assertEquals(iterator.position, { page: [3, 4, 5], currentPage: 2 });
      await assertRejects(() => iterator.collect(), Error, "no page 2");
      assertEquals(await iterator.collect(), [4, 5, 6, 7, 8]);
      assertEquals([iterator.count, client.requested], [9, [0, 1, 2, 2, 2]]);
    });
  }
});

describe("collect of a class that overrides next", () => {
  /** An iterator that leaves out the odd numbers. */
  class Even extends Numbers {
    override async next(): Promise<IteratorResult<number, undefined>> {
      for (;;) {
        const result = await super.next();
        if (result.done || result.value % 2 === 0) return result;
      }
    }
  }

  it("returns what for await yields", async () => {
    for (const options of [{}, { prefetch: 2 }, { maxItems: 4 }, { maxPages: 1 }]) {
      const make = () => new Even({ client: new NumbersApi(8), ...options });
      assertEquals(await make().collect(), await all(make()));
    }
    assertEquals(await new Even({ client: new NumbersApi(8) }).collect(), [0, 2, 4, 6]);
  });

  it("returns the remaining elements, and then ends", async () => {
    const iterator = new Even({ client: new NumbersApi(8) });
    await iterator.next();
    assertEquals(await iterator.collect(), [2, 4, 6]);
    assertEquals([await iterator.collect(), (await iterator.next()).done], [[], true]);
  });

  it("does not roll back if it fails: the next call returns the rest", async () => {
    const client = new NumbersApi(8);
    const iterator = new Even({ client });
    const error = client.fail(1);
    assertStrictEquals(await iterator.collect().catch((reason: unknown) => reason), error);
    assertEquals(iterator.count, 3);
    assertEquals(await iterator.collect(), [4, 6]);
    assertEquals(client.requested, [0, 1, 1, 2]);
  });

  it("does not affect pages, which stay whole", async () => {
    const iterator = new Even({ client: new NumbersApi(5) });
    assertEquals(await all(iterator.pages()), [[0, 1, 2], [3, 4]]);
  });

  it("is not the only way to filter: _getPage can leave out elements if it sets hasMore", async () => {
    class EvenPages extends Numbers {
      protected override async _getPage(): Promise<void> {
        await super._getPage();
        this.hasMore = this.page.length === this.size;
        this.page = this.page.filter((number) => number % 6 === 0);
      }
    }
    const make = () => new EvenPages({ client: new NumbersApi(10) });
    assertEquals(await make().collect(), [0, 6]);
    assertEquals(await all(make().pages()), [[0], [6]]);
  });
});

describe("prefetch", () => {
  it("fetches the next page while the caller works", async () => {
    const { client, iterator } = numbers(9, { prefetch: 1 });
    const isRequested = client.isRequested(1);
    await iterator.next();
    await isRequested; // without another next
    await settled();
    assertEquals(client.requested, [0, 1]);
  });

  for (const prefetch of [0, 1, 2, 3]) {
    it(`fetches exactly the configured number of pages ahead: ${prefetch}`, async () => {
      const { client, iterator } = numbers(30, { prefetch });
      for (let received = 0; received < 9; received++) {
        await iterator.next();
        await settled();
        assertEquals(client.requested, upTo(Math.floor(received / 3) + 1 + prefetch));
      }
    });
  }

  it("does not delay elements until later pages arrive", async () => {
    const { client, iterator } = numbers(9, { prefetch: 2 });
    const release = client.hold(1);
    assertEquals((await iterator.next()).value, 0);
    assertEquals((await iterator.next()).value, 1);
    assertEquals((await iterator.next()).value, 2);
    const waiting = iterator.next();
    release();
    assertEquals((await waiting).value, 3);
  });

  it("yields the same elements, and fetches each page once", async () => {
    for (const prefetch of [1, 2, 50]) {
      const { client, iterator } = numbers(31, { prefetch });
      assertEquals(await all(iterator), upTo(31));
      assertEquals(client.requested, upTo(11));
    }
  });

  it("keeps position at the last yielded element, while page and currentPage run ahead", async () => {
    const { iterator } = numbers(30, { prefetch: 2 });
    for (let received = 0; received < 6; received++) {
      await iterator.next();
      await settled();
      const index = Math.floor(received / 3);
      const page = upTo(3).map((place) => index * 3 + place);
      assertEquals(iterator.position, { page, currentPage: index + 1 });
      assertEquals([iterator.currentPage, iterator.page[0]], [index + 3, (index + 2) * 3]);
      assertEquals([iterator.count, iterator.pageCount], [received + 1, index + 3]);
    }
  });

  it("lets another iterator continue from position.currentPage without gaps", async () => {
    const { client, iterator } = numbers(12, { prefetch: 2 });
    const pages = iterator.pages();
    const first = (await pages.next()).value;
    await settled();
    const { currentPage } = iterator.position;
    const rest = await new Numbers({ client, currentPage }).collect();
    assertEquals([...first!, ...rest], upTo(12));
  });

  it("reports the error of a prefetched page when its elements are reached", async () => {
    const { client, iterator } = numbers(9, { prefetch: 3 });
    const error = client.fail(1);
    await iterator.next();
    await settled();
    assertEquals(client.requested, [0, 1]); // no page after it
    assertEquals((await iterator.next()).value, 1);
    assertEquals((await iterator.next()).value, 2);
    assertStrictEquals(await iterator.next().catch((reason: unknown) => reason), error);
    await settled();
    assertEquals(client.requested, [0, 1]); // not before the next call
    assertEquals(await iterator.collect(), [3, 4, 5, 6, 7, 8]);
  });

  it("causes no unhandled rejection for an error that is never reached", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      for (const end of ["break", "return", "nothing"]) {
        const { client, iterator } = numbers(9, { prefetch: 1 });
        client.fail(1);
        await iterator.next();
        if (end === "return") await iterator.return();
        if (end === "break") {
          for await (const number of iterator) {
            assertEquals(number, 1);
            break;
          }
        }
        await settled();
      }
      // The runtime reports them after the microtasks.
      await turn();
    } finally {
      process.removeListener("unhandledRejection", note);
    }
    assertEquals(unhandled, []);
  });

  it("stops when return is called, which does not wait for a page in flight", async () => {
    const { client, iterator } = numbers(30, { prefetch: 3 });
    const release = client.hold(1);
    await iterator.next();
    assertEquals((await iterator.return()).done, true);
    release();
    await settled();
    assertEquals(client.requested, [0, 1]);
    assertEquals((await iterator.next()).done, true);
  });

  it("stops before another page is fetched if return is called after a pending next", async () => {
    const { client, iterator } = numbers(30, { prefetch: 3 });
    const release = client.hold(0);
    const first = iterator.next();
    const end = iterator.return();
    release();
    assertEquals([(await first).value, (await end).done], [0, true]);
    await settled();
    assertEquals(client.requested, [0]);
  });

  it("fetches nothing after an empty page", async () => {
    const client = new NumbersApi(6);
    class Unsized extends Numbers {
      override get size(): number {
        return 0;
      }
      protected override async _getPage(): Promise<void> {
        this.page = await this._client.page(this.currentPage++, 3);
      }
    }
    assertEquals(await new Unsized({ client, prefetch: 9 }).collect(), upTo(6));
    await settled();
    assertEquals(client.requested, [0, 1, 2]);
  });

  it("stops at maxPages and maxItems", async () => {
    for (const options of [{ maxPages: 2 }, { maxItems: 5 }]) {
      const { client, iterator } = numbers(30, { prefetch: 9, ...options });
      await iterator.next();
      await settled();
      assertEquals(client.requested, [0, 1]);
    }
  });
});

describe("an iterator class with members of its own", () => {
  it("can use its own option in _getPage, and a getter as its size", async () => {
    interface EvenOptions extends IteratorOptions<NumbersApi> {
      readonly factor: number;
    }
    class Multiples extends Numbers {
      readonly #factor: number;
      constructor(options: EvenOptions) {
        super(options);
        this.#factor = options.factor;
      }
      override get size(): number {
        return 2;
      }
      protected override async _getPage(): Promise<void> {
        await super._getPage();
        this.page = this.page.map((each) => each * this.#factor);
      }
    }
    const client = new NumbersApi(5);
    assertEquals(await new Multiples({ client, factor: 10 }).collect(), [0, 10, 20, 30, 40]);
    assertEquals(client.requested, [0, 1, 2]);
  });
});
