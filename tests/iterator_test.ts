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
import { APIEndpoint, APISession, type Transport, UnexpectedValueError } from "../mod.ts";
import { RestwrightError } from "../src/errors/base_error.ts";
import { PagingError } from "../src/errors/paging_error.ts";
import { describeValue } from "../src/errors/unexpected_value_error.ts";
import { APIIterator, AsyncAPIIterator, type IteratorOptions } from "../src/iterator.ts";
import { turn } from "./support/until.ts";

/** The numbers from 0, as an API would give them by page; it keeps what it was asked. */
class NumbersApi {
  readonly asked: number[] = [];
  readonly #amount: number;
  /** What stands in the way of a page, each for one time. */
  readonly obstacles = new Map<number, Promise<unknown>>();
  readonly #waiting = new Map<number, () => void>();

  constructor(amount: number) {
    this.#amount = amount;
  }

  async page(index: number, size: number): Promise<number[]> {
    this.asked.push(index);
    this.#waiting.get(index)?.();
    const obstacle = this.obstacles.get(index);
    this.obstacles.delete(index);
    await obstacle;
    const length = Math.max(0, Math.min(size, this.#amount - index * size));
    return Array.from({ length }, (_, place) => index * size + place);
  }

  /** Is there when a page is asked for the next time. */
  isAsked(index: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(index, resolve));
  }

  /** Lets a page fail the next time, with this error. */
  fail(index: number, error = new Error(`no page ${index}`)): Error {
    const failure = Promise.reject(error);
    failure.catch(() => {});
    this.obstacles.set(index, failure);
    return error;
  }

  /** Holds a page back until the function that comes back is called. */
  hold(index: number): () => void {
    let release!: () => void;
    this.obstacles.set(index, new Promise<void>((resolve) => release = resolve));
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

/** Runs everything that can run without the outside world. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
}

async function all<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const given: T[] = [];
  for await (const each of iterable) given.push(each);
  return given;
}

const upTo = (amount: number) => Array.from({ length: amount }, (_, index) => index);

describe("the iterator object", () => {
  // contract: iterator-1
  it("size, current_page, page: built with keyword arguments including client", () => {
    const { iterator } = numbers(7, { size: 5, currentPage: 2 });
    assertEquals([iterator.size, iterator.currentPage, iterator.page], [5, 2, []]);
  });

  // contract: iterator-2
  it("current_page is 0 and there is no page size where the class says nothing", () => {
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
  it("each default is a static of the class, overridden by the option of the same name", async () => {
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
    const given = { size: 2, currentPage: 0, maxItems: null, maxPages: 1, prefetch: 0 };
    assertEquals(read(new Own({ client, ...given })), [2, 0, null, 1, 0]);
    const left = { size: undefined, currentPage: undefined, maxItems: undefined };
    assertEquals(read(new Own({ client, ...left })), [4, 1, 6, 3, 2]);
    assertEquals(await all(new Own({ client, ...given })), [0, 1]);
  });

  // contract: iterator-5
  it("page: a page that is at hand is given first, and counts as one that was fetched", async () => {
    const { client } = numbers(7);
    const read = (options: object) => all(new Numbers({ client, size: 3, ...options }));
    const given: number[] = [-2, -1, 0];
    const options = { page: given, currentPage: 0 };
    const iterator = new Numbers({ client, size: 3, ...options });
    given.length = 0; // what becomes of the caller's does not matter
    assertEquals([iterator.page, client.asked], [[-2, -1, 0], []]);
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

  it("page: is given again where collect fails after it", async () => {
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
  it("it makes no API call on creation; the first call happens when the first element is requested", async () => {
    const { client, iterator } = numbers(7, { prefetch: 3 });
    iterator.pages();
    iterator[Symbol.asyncIterator]();
    await settled();
    assertEquals(client.asked, []);
    await iterator.next();
    assertEquals(client.asked[0], 0);
  });

  it("AsyncAPIIterator is the same class", () => {
    assertStrictEquals(AsyncAPIIterator, APIIterator);
    class Own extends AsyncAPIIterator<number> {
      protected override _getPage(): Promise<void> {
        return Promise.resolve();
      }
    }
    assertInstanceOf(new Own({ client: {} }), APIIterator);
  });

  it("_client and _api are the client or the session, whichever name it was given by", () => {
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

  it("shows nothing of its client when it is logged", () => {
    const { iterator } = numbers(1);
    assertEquals(JSON.stringify(iterator), "{}");
    assertEquals(Object.keys(iterator), []);
  });

  const client = new NumbersApi(1);
  const wrong: readonly (readonly [what: string, option: string, options: object])[] = [
    ["no client and no api", "client", {}],
    ["a client that is null", "client", { client: null }],
    ["an api that is a text", "api", { api: "https://api.example.com" }],
    ["both a client and an api", "api", { client, api: client }],
    ["a size of 0", "size", { client, size: 0 }],
    ["a size that is no whole number", "size", { client, size: 2.5 }],
    ["a size that is a text", "size", { client, size: "10" }],
    ["a currentPage below 0", "currentPage", { client, currentPage: -1 }],
    ["a currentPage that is null", "currentPage", { client, currentPage: null }],
    ["a maxItems below 0", "maxItems", { client, maxItems: -1 }],
    ["a maxItems without end", "maxItems", { client, maxItems: Infinity }],
    ["a maxPages that is no number", "maxPages", { client, maxPages: NaN }],
    ["a prefetch that is true", "prefetch", { client, prefetch: true }],
    ["a prefetch below 0", "prefetch", { client, prefetch: -1 }],
  ];
  for (const [what, option, options] of wrong) {
    it(`${what} is an UnexpectedValueError that names the option`, () => {
      const make = () => new Numbers(options as IteratorOptions<NumbersApi>);
      assertEquals(assertThrows(make, UnexpectedValueError).option, option);
    });
  }

  it("a static that is wrong is told by its name as well", () => {
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
    for (const [amount, asked] of [[7, [0, 1, 2]], [6, [0, 1, 2]], [0, [0]]] as const) {
      const api = new NumbersApi(amount);
      const adapter: Transport = async (address) => {
        const { pathname, searchParams } = new URL(address);
        assertEquals(pathname, "/v1/numbers");
        const [index, size] = ["index", "size"].map((name) => Number(searchParams.get(name)));
        return Response.json(await api.page(index!, size!));
      };
      const session = new APISession({ url: "https://api.example.com/v1", adapter });
      assertEquals(await all(new Numbered(session).list(3)), upTo(amount));
      assertEquals(api.asked, [...asked]);
    }
  });

  // contract: iterator-4
  it("rule 2: a subclass implements _getPage, and iterating yields elements", async () => {
    const { client, iterator } = numbers(7);
    assertEquals(await all(iterator), upTo(7));
    assertEquals(client.asked, [0, 1, 2]);
  });

  // contract: iterator-3, paging-2
  it("rule 2: next returns one element; current_page and page can be read between calls", async () => {
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
    assertEquals(client.asked, [0, 1]);
  });

  it("an empty page is the end where the last page is full", async () => {
    const { client, iterator } = numbers(6);
    assertEquals(await all(iterator), upTo(6));
    assertEquals([client.asked, iterator.pageCount], [[0, 1, 2], 3]);
  });

  it("nothing at all is an empty page", async () => {
    const { client, iterator } = numbers(0);
    assertEquals(await iterator.next(), { done: true, value: undefined });
    assertEquals([client.asked, iterator.page], [[0], []]);
  });

  // contract: reading-22
  it("without a size a short page is not the end, and an empty one is", async () => {
    const pages = [["a", "b"], ["c"], ["d", "e", "f"], []];
    class Uneven extends APIIterator<string> {
      protected override async _getPage(): Promise<void> {
        this.page = await Promise.resolve(pages[this.currentPage++]!);
      }
    }
    assertEquals((await all(new Uneven({ client: {} }))).join(""), "abcdef");
  });

  it("a page longer than the size is given whole", async () => {
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

  it("a page of undefined and null gives them", async () => {
    class Holes extends APIIterator<unknown> {
      static override readonly size: number = 5;
      protected override _getPage(): Promise<void> {
        this.page = [undefined, null, 0];
        return Promise.resolve();
      }
    }
    assertEquals(await all(new Holes({ client: {} })), [undefined, null, 0]);
  });

  it("a cursor of the subclass, private, is advanced by _getPage", async () => {
    const pages = new Map([["", ["a", "b"]], ["x", ["c", "d"]], ["y", ["e"]]]);
    const following = new Map<string, string>([["", "x"], ["x", "y"]]);
    const asked: string[] = [];
    class ByCursor extends APIIterator<string> {
      #cursor: string | undefined = "";
      protected override async _getPage(): Promise<void> {
        const cursor = this.#cursor;
        if (cursor === undefined) return void (this.page = []);
        asked.push(cursor);
        this.page = await Promise.resolve(pages.get(cursor)!);
        this.#cursor = following.get(cursor);
      }
    }
    for (const prefetch of [0, 2]) {
      assertEquals((await all(new ByCursor({ client: {}, prefetch }))).join(""), "abcde");
    }
    assertEquals(asked, ["", "x", "y", "", "x", "y"]);
  });

  it("the end is remembered: no page is asked for again", async () => {
    const { client, iterator } = numbers(4);
    await all(iterator);
    for (let again = 0; again < 3; again++) {
      assertEquals(await iterator.next(), { done: true, value: undefined });
    }
    assertEquals(await all(iterator), []);
    assertEquals(await all(iterator.pages()), []);
    assertEquals(await iterator.collect(), []);
    assertEquals(client.asked, [0, 1]);
  });

  it("it begins at the page that it is told", async () => {
    const { client, iterator } = numbers(7, { currentPage: 1 });
    assertEquals(await all(iterator), [3, 4, 5, 6]);
    assertEquals(client.asked, [1, 2]);
  });
});

describe("a _getPage that is wrong", () => {
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
  it("a page that is the same array as before is an error, not an endless loop", async () => {
    const page = [1, 2];
    const iterator = new Wrong(() => page);
    assertEquals([(await iterator.next()).value, (await iterator.next()).value], [1, 2]);
    const error = await assertRejects(() => iterator.next(), PagingError);
    assertStringIncludes(error.message, "Wrong._getPage stored the same page as before");
    assertInstanceOf(error, RestwrightError);
    assertEquals(error.toJSON(), { name: "PagingError", message: error.message, currentPage: 1 });
  });

  it("storing no page at all is an error, also the first time", async () => {
    const iterator = new Wrong(() => "nothing");
    const error = await assertRejects(() => iterator.next(), PagingError);
    assertEquals([error.currentPage, iterator.currentPage], [0, 0]);
  });

  for (const [what, page] of [["null", null], ["an object", { items: [] }], ["a text", "abc"]]) {
    it(`storing ${what} as a page is an error that says so`, async () => {
      const iterator = new Wrong(() => page);
      const error = await assertRejects(() => iterator.next(), PagingError);
      assertStringIncludes(error.message, "must store an array in page, but stored");
      assertEquals(iterator.page, []);
    });
  }

  it("a _getPage that throws before it gives a promise rejects, too", async () => {
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
  /** A page of a scripted API: its elements, and what it says of the next. */
  type Script = readonly (readonly [page: readonly number[], hasMore?: boolean | undefined])[];

  /** Gives the pages of a script; it goes on with empty ones that say nothing. */
  class Scripted extends APIIterator<number> {
    readonly asked: number[] = [];
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
      const index = this.#isStill ? this.asked.length : this.currentPage;
      this.asked.push(index);
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
    given: number[],
    pages: number,
  ])[] = [
    ["an empty page in the middle is passed over", [[[1], true], [[], true], [[2], false]], {}, [
      1,
      2,
    ], 3],
    ["so is an empty first page", [[[], true], [[], true], [[1], false]], {}, [1], 3],
    [
      "an empty page is the last if it says so",
      [[[1], true], [[], false], [[2], true]],
      {},
      [1],
      2,
    ],
    ["an empty page that says nothing is the last", [[[1], true], [[]], [[2], true]], {}, [1], 2],
    [
      "a short page in the middle is not the end",
      [[[1], true], [[2, 3], true], [[4]]],
      {
        size: 2,
      },
      [1, 2, 3, 4],
      3,
    ],
    [
      "a short page that says nothing is the end",
      [[[1, 2], true], [[3]], [[4], true]],
      {
        size: 2,
      },
      [1, 2, 3],
      2,
    ],
    [
      "a full page is the end if it says so",
      [[[1, 2], true], [[3, 4], false], [[5]]],
      {
        size: 2,
      },
      [1, 2, 3, 4],
      2,
    ],
    ["maxPages ends it all the same", [[[1], true], [[], true], [[2], true]], { maxPages: 2 }, [
      1,
    ], 2],
    [
      "maxItems ends it all the same",
      [[[1, 2], true], [[], true], [[3, 4], true]],
      {
        maxItems: 3,
      },
      [1, 2, 3],
      3,
    ],
  ];
  for (const [what, script, options, given, pages] of scripts) {
    for (const prefetch of [0, 5]) {
      // contract: paging-3, reading-22
      it(`${what}, prefetch ${prefetch}`, async () => {
        for (const [name, read] of reads) {
          const iterator = Scripted.of(script, { ...options, prefetch });
          assertEquals(await read(iterator), given, name);
          assertEquals([iterator.asked.length, iterator.pageCount], [pages, pages], name);
          assertEquals(await iterator.next(), { done: true, value: undefined });
        }
      });
    }
  }

  it("counts for more than total and numPages", async () => {
    class Told extends Scripted {
      protected override async _getPage(): Promise<void> {
        await super._getPage();
        this.total = 1;
        this.numPages = 1;
      }
    }
    const iterator = Told.of([[[1], true], [[2], false]]);
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
    it(`is put back where _getPage throws, so that one can ask again, prefetch ${prefetch}`, async () => {
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
      assertEquals(iterator.asked, [0, 1, 2, 2, 2, 3]);
    });
  }

  it("collect that fails behind an empty page gives all the next time", async () => {
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
    assertEquals(iterator.asked, [0, 1, 2]);
  });

  // contract: reading-22
  it("three empty pages in a row whose currentPage does not move are an error", async () => {
    const message =
      "Scripted._getPage stored 3 empty pages in a row with hasMore true, and the same currentPage";
    for (const prefetch of [0, 5]) {
      for (const [name, read] of reads) {
        const script: Script = [[[1], true], ...Array(20).fill([[], true])];
        const iterator = Scripted.of(script, { prefetch, isStill: true });
        const error = await assertRejects(() => read(iterator), PagingError, message);
        assertEquals([error.currentPage, iterator.asked.length], [0, 4], name);
        // Whoever asks again gets the same: nothing loops.
        await assertRejects(() => read(iterator), PagingError, message);
        assertEquals(iterator.asked.length, 5, name);
      }
    }
  });

  it("two of them are none, nor is a third that is the last, or more whose currentPage moves", async () => {
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
        if (this.asked.length === 2) this.currentPage = 7;
      }
    }
    const jumping = Jumping.of([more, more, more, [[1], false]], { isStill: true });
    assertEquals(await jumping.collect(), [1]);
  });

  for (const wrong of [null, 1, "yes", {}, () => true]) {
    const shown = describeValue(wrong);
    it(`as ${shown} is an error that says what it must be`, async () => {
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

  it("can be a getter of the class, by its cursor", async () => {
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

describe("calls at the same time", () => {
  it("two next at once are served in order and fetch a page once", async () => {
    const { client, iterator } = numbers(7);
    const results = await Promise.all(upTo(9).map(() => iterator.next()));
    assertEquals(results.map(({ value }) => value), [...upTo(7), undefined, undefined]);
    assertEquals(results.map(({ done }) => done === true).lastIndexOf(false), 6);
    assertEquals(client.asked, [0, 1, 2]);
  });

  it("_getPage never runs twice at once", async () => {
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

  it("return after next is served after it", async () => {
    const { client, iterator } = numbers(7);
    const served: string[] = [];
    await Promise.all([
      iterator.next().then(({ value }) => served.push(`next ${value}`)),
      iterator.return().then(() => served.push("return")),
      iterator.next().then(({ done }) => served.push(`done ${done}`)),
    ]);
    assertEquals(served, ["next 0", "return", "done true"]);
    assertEquals(client.asked, [0]);
  });

  it("a failure is that of the call that met it; the one behind it asks again", async () => {
    const { client, iterator } = numbers(2);
    const error = client.fail(0);
    const [first, second] = await Promise.allSettled([iterator.next(), iterator.next()]);
    assertEquals(first, { status: "rejected", reason: error });
    assertEquals(second, { status: "fulfilled", value: { done: false, value: 0 } });
    assertEquals(client.asked, [0, 0]);
  });
});

describe("a page that fails", () => {
  for (const prefetch of [0, 1, 5]) {
    it(`one can ask again, and the same page is fetched again, with prefetch ${prefetch}`, async () => {
      const { client, iterator } = numbers(7, { prefetch });
      const error = client.fail(1);
      for (const value of upTo(3)) {
        assertEquals(await iterator.next(), { done: false, value });
      }
      assertStrictEquals(await iterator.next().catch((reason: unknown) => reason), error);
      assertEquals([iterator.count, iterator.currentPage, iterator.page], [3, 1, [0, 1, 2]]);
      assertEquals(await all(iterator), [3, 4, 5, 6]);
      assertEquals(client.asked, [0, 1, 1, 2]);
    });
  }

  it("for await leaves with the error, and another goes on", async () => {
    const { client, iterator } = numbers(5);
    client.fail(1);
    const given: number[] = [];
    const walk = async () => {
      for await (const number of iterator) given.push(number);
    };
    await assertRejects(walk, Error, "no page 1");
    await walk();
    assertEquals(given, upTo(5));
  });

  it("what _getPage had stored before it failed is put back", async () => {
    let failures = 2;
    const asked: number[] = [];
    class Hasty extends APIIterator<number> {
      static override readonly size: number = 2;
      protected override async _getPage(): Promise<void> {
        const index = this.currentPage++;
        asked.push(index);
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
    assertEquals(asked, [0, 0, 0]);
    assertEquals([iterator.total, iterator.numPages], [17, 9]);
  });

  it("it does not count as one of maxPages", async () => {
    const { client, iterator } = numbers(9, { maxPages: 1 });
    client.fail(0);
    await assertRejects(() => iterator.next(), Error);
    assertEquals(await all(iterator), [0, 1, 2]);
  });
});

describe("where it ends before the last page", () => {
  const limits: readonly (readonly [
    options: Partial<IteratorOptions<NumbersApi>>,
    given: number,
    asked: number[],
  ])[] = [
    [{ maxItems: 0 }, 0, []],
    [{ maxItems: 2 }, 2, [0]],
    [{ maxItems: 3 }, 3, [0]],
    [{ maxItems: 4 }, 4, [0, 1]],
    [{ maxItems: 100 }, 8, [0, 1, 2]],
    [{ maxPages: 0 }, 0, []],
    [{ maxPages: 1 }, 3, [0]],
    [{ maxPages: 2 }, 6, [0, 1]],
    [{ maxPages: 9 }, 8, [0, 1, 2]],
    [{ maxPages: 2, maxItems: 5 }, 5, [0, 1]],
    [{ maxPages: 2, currentPage: 1 }, 5, [1, 2]],
  ];
  for (const [options, given, asked] of limits) {
    for (const prefetch of [0, 9]) {
      const named = `${JSON.stringify(options).replaceAll('"', "")}, prefetch ${prefetch}`;
      it(`${named}: ${given} elements, pages ${asked}`, async () => {
        const start = (options.currentPage ?? 0) * 3;
        const expected = upTo(start + given).slice(start);
        for (
          const read of [
            (iterator: Numbers) => all(iterator),
            (iterator: Numbers) => iterator.collect(),
            async (iterator: Numbers) => (await all(iterator.pages())).flat(),
          ]
        ) {
          const { client, iterator } = numbers(8, { ...options, prefetch });
          assertEquals(await read(iterator), expected);
          assertEquals([client.asked, iterator.count], [asked, given]);
          assertEquals(await iterator.next(), { done: true, value: undefined });
        }
      });
    }
  }

  class Told extends Numbers {
    told: { total?: number | null; numPages?: number | null } = {};
    protected override async _getPage(): Promise<void> {
      await super._getPage();
      Object.assign(this, this.told);
    }
  }
  const told: readonly (readonly [
    what: string,
    told: { total?: number | null; numPages?: number | null },
    asked: number[],
  ])[] = [
    ["a total that is reached spares the empty page", { total: 6 }, [0, 1]],
    ["a numPages that is reached spares the empty page", { numPages: 2 }, [0, 1]],
    ["a total that is too high changes nothing", { total: 60 }, [0, 1, 2]],
    ["a total that is exceeded is not believed", { total: 2 }, [0, 1, 2]],
    ["a total of -1 is not believed", { total: -1 }, [0, 1, 2]],
    ["a total of 0 is not believed where there are elements", { total: 0 }, [0, 1, 2]],
    ["a numPages of 0 is not believed where there are elements", { numPages: 0 }, [0, 1, 2]],
    ["null for both is what an API that does not say says", { total: null, numPages: null }, [
      0,
      1,
      2,
    ]],
  ];
  for (const [what, said, asked] of told) {
    it(what, async () => {
      const client = new NumbersApi(6);
      const iterator = new Told({ client });
      iterator.told = said;
      assertEquals(await all(iterator), upTo(6));
      assertEquals(client.asked, asked);
      assertEquals([iterator.total, iterator.numPages], [
        said.total ?? null,
        said.numPages ?? null,
      ]);
    });
  }
});

describe("an async generator in full", () => {
  it("it is its own iterator", () => {
    const { iterator } = numbers(1);
    assertStrictEquals(iterator[Symbol.asyncIterator](), iterator);
  });

  it("leaving for await early stops fetching and ends it", async () => {
    const { client, iterator } = numbers(100);
    for await (const number of iterator) {
      if (number === 4) break;
    }
    assertEquals(await iterator.next(), { done: true, value: undefined });
    assertEquals([client.asked, iterator.count, iterator.pageCount], [[0, 1], 5, 2]);
  });

  it("an error in the body of for await ends it, and is the caller's", async () => {
    const { client, iterator } = numbers(100, { prefetch: 1 });
    const walk = async () => {
      for await (const number of iterator) throw new RangeError(`at ${number}`);
    };
    await assertRejects(walk, RangeError, "at 0");
    await settled();
    assertEquals((await iterator.next()).done, true);
    assertEquals(client.asked, [0, 1]);
  });

  it("return ends it before the first element without a call", async () => {
    const { client, iterator } = numbers(7);
    assertEquals(await iterator.return(), { done: true, value: undefined });
    assertEquals(await all(iterator), []);
    assertEquals(client.asked, []);
  });

  it("return gives back the value that it was given, awaited, also after the end", async () => {
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

  it("throw ends it and rejects with what it was given, also after the end", async () => {
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
    assertEquals(client.asked, [0]);
  });

  it("await using ends it", async () => {
    const { client, iterator } = numbers(7);
    await iterator.next();
    assertEquals(await iterator[Symbol.asyncDispose](), undefined);
    await iterator[Symbol.asyncDispose]();
    assertEquals((await iterator.next()).done, true);
    assertEquals(client.asked, [0]);
  });

  it("yield star of the language takes it as it takes a generator", async () => {
    const { iterator } = numbers(5);
    async function* around() {
      yield -1;
      yield* iterator;
    }
    assertEquals(await all(around()), [-1, ...upTo(5)]);
  });
});

describe("pages", () => {
  it("gives whole pages, and never an empty one", async () => {
    const { iterator } = numbers(6);
    assertEquals(await all(iterator.pages()), [[0, 1, 2], [3, 4, 5]]);
    assertEquals(iterator.count, 6);
  });

  it("begins with what is left of the present page", async () => {
    const { client, iterator } = numbers(8);
    await iterator.next();
    const pages = iterator.pages();
    assertEquals((await pages.next()).value, [1, 2]);
    assertEquals(iterator.count, 3);
    assertEquals((await iterator.next()).value, 3);
    assertEquals(await all(pages), [[4, 5], [6, 7]]);
    assertEquals(client.asked, [0, 1, 2]);
  });

  it("page and position are those of the page last given", async () => {
    const { iterator } = numbers(5);
    const seen: unknown[] = [];
    for await (const page of iterator.pages()) {
      assertStrictEquals(iterator.page, page);
      assertStrictEquals(iterator.position.page, page);
      seen.push(iterator.position.currentPage);
    }
    assertEquals(seen, [1, 2]);
  });

  it("leaving it early stops fetching and ends the iterator", async () => {
    const { client, iterator } = numbers(100);
    for await (const page of iterator.pages()) {
      assertEquals(page, [0, 1, 2]);
      break;
    }
    assertEquals((await iterator.next()).done, true);
    assertEquals(client.asked, [0]);
  });

  it("after a failing page one can ask again", async () => {
    const { client, iterator } = numbers(5);
    client.fail(1);
    const given: (readonly number[])[] = [];
    const walk = async () => {
      for await (const page of iterator.pages()) given.push(page);
    };
    await assertRejects(walk, Error, "no page 1");
    await walk();
    assertEquals(given, [[0, 1, 2], [3, 4]]);
  });

  it("what the caller does to a page does not come back", async () => {
    const { iterator } = numbers(5);
    const given: number[] = [];
    for await (const page of iterator.pages()) {
      given.push(...page);
      (page as number[]).push(99);
    }
    assertEquals(given, upTo(5));
  });

  it("is not begun by asking for the iterable", async () => {
    const { client, iterator } = numbers(5);
    await iterator.pages().return?.();
    assertEquals(client.asked, []);
    assertEquals(await iterator.collect(), upTo(5));
  });
});

describe("collect", () => {
  it("gives an array of all", async () => {
    const { iterator } = numbers(7);
    assertEquals(await iterator.collect(), upTo(7));
    assertEquals(iterator.count, 7);
  });

  it("gives what is left", async () => {
    const { iterator } = numbers(7);
    await iterator.next();
    assertEquals(await iterator.collect(), [1, 2, 3, 4, 5, 6]);
  });

  it("a page of 300,000 elements is no trouble", async () => {
    const { iterator } = numbers(300_000, { size: 300_000 });
    assertEquals((await iterator.collect()).length, 300_000);
  });

  for (const prefetch of [0, 3]) {
    it(`where it fails, nothing counts as given: the next one gives all, prefetch ${prefetch}`, async () => {
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
      assertEquals([iterator.count, client.asked], [9, [0, 1, 2, 2, 2]]);
    });
  }
});

describe("collect of a class that overrides next", () => {
  /** Leaves the odd numbers out. */
  class Even extends Numbers {
    override async next(): Promise<IteratorResult<number, undefined>> {
      for (;;) {
        const result = await super.next();
        if (result.done || result.value % 2 === 0) return result;
      }
    }
  }

  it("gives what for await gives", async () => {
    for (const options of [{}, { prefetch: 2 }, { maxItems: 4 }, { maxPages: 1 }]) {
      const make = () => new Even({ client: new NumbersApi(8), ...options });
      assertEquals(await make().collect(), await all(make()));
    }
    assertEquals(await new Even({ client: new NumbersApi(8) }).collect(), [0, 2, 4, 6]);
  });

  it("gives what is left, and is over then", async () => {
    const iterator = new Even({ client: new NumbersApi(8) });
    await iterator.next();
    assertEquals(await iterator.collect(), [2, 4, 6]);
    assertEquals([await iterator.collect(), (await iterator.next()).done], [[], true]);
  });

  it("rolls nothing back where it fails: the next one gives the rest", async () => {
    const client = new NumbersApi(8);
    const iterator = new Even({ client });
    const error = client.fail(1);
    assertStrictEquals(await iterator.collect().catch((reason: unknown) => reason), error);
    assertEquals(iterator.count, 3);
    assertEquals(await iterator.collect(), [4, 6]);
    assertEquals(client.asked, [0, 1, 1, 2]);
  });

  it("pages stay whole", async () => {
    const iterator = new Even({ client: new NumbersApi(5) });
    assertEquals(await all(iterator.pages()), [[0, 1, 2], [3, 4]]);
  });

  it("_getPage can leave elements out for all of them, if it sets hasMore", async () => {
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
    const isAsked = client.isAsked(1);
    await iterator.next();
    await isAsked; // without another next
    await settled();
    assertEquals(client.asked, [0, 1]);
  });

  for (const prefetch of [0, 1, 2, 3]) {
    it(`prefetch ${prefetch} fetches so many pages ahead, and no more`, async () => {
      const { client, iterator } = numbers(30, { prefetch });
      for (let given = 0; given < 9; given++) {
        await iterator.next();
        await settled();
        assertEquals(client.asked, upTo(Math.floor(given / 3) + 1 + prefetch));
      }
    });
  }

  it("an element does not wait for the page behind its own", async () => {
    const { client, iterator } = numbers(9, { prefetch: 2 });
    const release = client.hold(1);
    assertEquals((await iterator.next()).value, 0);
    assertEquals((await iterator.next()).value, 1);
    assertEquals((await iterator.next()).value, 2);
    const waiting = iterator.next();
    release();
    assertEquals((await waiting).value, 3);
  });

  it("the elements are the same, and each page is fetched once", async () => {
    for (const prefetch of [1, 2, 50]) {
      const { client, iterator } = numbers(31, { prefetch });
      assertEquals(await all(iterator), upTo(31));
      assertEquals(client.asked, upTo(11));
    }
  });

  it("position stays with the element last given; page and currentPage run ahead", async () => {
    const { iterator } = numbers(30, { prefetch: 2 });
    for (let given = 0; given < 6; given++) {
      await iterator.next();
      await settled();
      const index = Math.floor(given / 3);
      const page = upTo(3).map((place) => index * 3 + place);
      assertEquals(iterator.position, { page, currentPage: index + 1 });
      assertEquals([iterator.currentPage, iterator.page[0]], [index + 3, (index + 2) * 3]);
      assertEquals([iterator.count, iterator.pageCount], [given + 1, index + 3]);
    }
  });

  it("another iterator goes on from position.currentPage, and nothing is left out", async () => {
    const { client, iterator } = numbers(12, { prefetch: 2 });
    const pages = iterator.pages();
    const first = (await pages.next()).value;
    await settled();
    const { currentPage } = iterator.position;
    const rest = await new Numbers({ client, currentPage }).collect();
    assertEquals([...first!, ...rest], upTo(12));
  });

  it("an error of a page that was fetched ahead is raised when its elements are reached", async () => {
    const { client, iterator } = numbers(9, { prefetch: 3 });
    const error = client.fail(1);
    await iterator.next();
    await settled();
    assertEquals(client.asked, [0, 1]); // nothing behind it
    assertEquals((await iterator.next()).value, 1);
    assertEquals((await iterator.next()).value, 2);
    assertStrictEquals(await iterator.next().catch((reason: unknown) => reason), error);
    await settled();
    assertEquals(client.asked, [0, 1]); // not before somebody asks
    assertEquals(await iterator.collect(), [3, 4, 5, 6, 7, 8]);
  });

  it("an error that nobody reaches is no unhandled rejection", async () => {
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
      // Where the runtime tells of them: after the microtasks.
      await turn();
    } finally {
      process.removeListener("unhandledRejection", note);
    }
    assertEquals(unhandled, []);
  });

  it("return stops it, and does not wait for the page that is under way", async () => {
    const { client, iterator } = numbers(30, { prefetch: 3 });
    const release = client.hold(1);
    await iterator.next();
    assertEquals((await iterator.return()).done, true);
    release();
    await settled();
    assertEquals(client.asked, [0, 1]);
    assertEquals((await iterator.next()).done, true);
  });

  it("return behind a next that waits stops it before another page is fetched", async () => {
    const { client, iterator } = numbers(30, { prefetch: 3 });
    const release = client.hold(0);
    const first = iterator.next();
    const end = iterator.return();
    release();
    assertEquals([(await first).value, (await end).done], [0, true]);
    await settled();
    assertEquals(client.asked, [0]);
  });

  it("nothing is fetched behind an empty page", async () => {
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
    assertEquals(client.asked, [0, 1, 2]);
  });

  it("what ends the iteration ends it as well", async () => {
    for (const options of [{ maxPages: 2 }, { maxItems: 5 }]) {
      const { client, iterator } = numbers(30, { prefetch: 9, ...options });
      await iterator.next();
      await settled();
      assertEquals(client.asked, [0, 1]);
    }
  });
});

describe("an iterator whose class has more", () => {
  it("an option of its own is at hand in _getPage, and a getter in place of the size counts", async () => {
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
    assertEquals(client.asked, [0, 1, 2]);
  });
});
