import { assertEquals, assertRejects, assertStringIncludes, describe, it } from "#test";
import { APIClient, APIEndpoint } from "../../../mod.ts";
import { toBox } from "../../../src/box/mod.ts";
import { PagingError } from "../../../src/entries/errors.ts";
import { element, integer, model } from "../../../src/models/mod.ts";
import { APIIterator, type IteratorOptions } from "../../../src/paging/mod.ts";
import { recordingLogger } from "../../../src/testing/mod.ts";

/** More pages than any test reads, so that an endless list fails and does not hang. */
const ENOUGH = 500;

/** An iterator over pages that a function makes, with `hasMore` always true. */
class Pages<T> extends APIIterator<T> {
  readonly #make: (index: number) => readonly T[];

  constructor(make: (index: number) => readonly T[], options: IteratorOptions = {}) {
    super({ client: {}, ...options });
    this.#make = make;
  }

  // deno-lint-ignore require-await
  protected override async _getPage(): Promise<void> {
    if (this.currentPage === ENOUGH) throw new Error("too many pages");
    this.page = [...this.#make(this.currentPage++)];
    this.hasMore = true;
  }
}

/** Returns the pages of a list, given by letters, with one element for each page; "-" is empty. */
function pagesOf(text: string): (index: number) => readonly string[] {
  return (index) => (text[index] ?? `${index}`).replace("-", "").split("");
}

/** Reads an iterator until it fails. Returns the number of pages, the elements and the error. */
async function failing<T>(
  iterator: Pages<T>,
): Promise<{ pages: number; elements: T[]; error: PagingError }> {
  const elements: T[] = [];
  const error = await assertRejects(async () => {
    for await (const element of iterator) elements.push(element);
  }, PagingError);
  return { pages: iterator.pageCount, elements, error: error as PagingError };
}

describe("an iterator whose pages repeat", () => {
  for (const prefetch of [0, 1, 9]) {
    it(`throws after the fourth page with the same elements, prefetch ${prefetch}`, async () => {
      const { pages, elements, error } = await failing(new Pages(() => ["a", "b"], { prefetch }));
      assertEquals([pages, elements.length, error.currentPage], [4, 8, 4]);
      assertStringIncludes(error.message, "Pages: the last 4 pages have the same items");
      assertStringIncludes(error.message, 'repeatedPages to "allow"');
    });
  }

  it("throws again at the next call, and fetches nothing", async () => {
    const iterator = new Pages(() => ["a"]);
    await failing(iterator);
    assertEquals((await failing(iterator)).pages, 4);
  });

  it("throws in collect and pages, too", async () => {
    await assertRejects(() => new Pages(() => ["a"]).collect(), PagingError);
    await assertRejects(async () => {
      for await (const _ of new Pages(() => ["a"]).pages());
    }, PagingError);
  });

  it("does not throw if the fourth page is the last one, or reaches a limit", async () => {
    assertEquals(await new Pages(() => ["a"], { maxPages: 4 }).collect(), ["a", "a", "a", "a"]);
    assertEquals((await new Pages(() => ["a", "b"], { maxItems: 7 }).collect()).length, 7);
    class Total<T> extends Pages<T> {
      protected override async _getPage(): Promise<void> {
        await super._getPage();
        this.hasMore = this.pageCount < 3;
      }
    }
    assertEquals((await new Total(() => ["a"]).collect()).length, 4);
  });

  const sequences: readonly (readonly [pages: string, read: number])[] = [
    ["aaaa", 4],
    ["baaaa", 5],
    ["aaabbbb", 7],
    ["abababcccc", 10],
    ["a-a--aa", 7],
    ["aaa-a", 5],
  ];
  for (const [text, read] of sequences) {
    it(`reads ${read} pages of ${text}, where a dash is an empty page`, async () => {
      assertEquals((await failing(new Pages(pagesOf(text), { maxPages: 20 }))).pages, read);
    });
  }

  it("reads all pages if only three in a row are the same", async () => {
    const all = "aaabb-b--cccaaadef";
    const elements = await new Pages(pagesOf(all), { maxPages: all.length }).collect();
    assertEquals(elements.join(""), all.replaceAll("-", ""));
  });

  const rows = (text: string) => (index: number) =>
    pagesOf(text)(index).map((letter) => ({ letter, number: 7 }));
  const cycles: readonly (readonly [pages: string, read: number])[] = [
    ["ababababab", 8],
    ["abcabcabcabcabc", 12],
    ["xyababababab", 10],
    ["abcdefgh".repeat(5), 32],
    ["ab-a-b---abab--ab", 13],
    ["aabaabaabaab", 12],
  ];
  for (const [text, read] of cycles) {
    it(`reads ${read} pages of ${text}, which repeat in turn`, async () => {
      const { pages, error } = await failing(new Pages(rows(text), { maxPages: 50 }));
      assertEquals(pages, read);
      assertStringIncludes(error.message, " pages in turn, so the list would never end");
    });
  }

  it("reads all pages that repeat in turn for less than four rounds, or more than eight in turn", async () => {
    const short = "abababacabcabcabdefghijkefghijkefghijkefghij";
    const nine = "abcdefghi".repeat(9);
    for (const text of [short, nine]) {
      const iterator = new Pages(rows(text), { maxPages: text.length });
      assertEquals((await iterator.collect()).map(({ letter }) => letter).join(""), text);
    }
  });

  it("reads all pages of scalars, of which a few repeat in turn", async () => {
    const letters = await new Pages(pagesOf("ab".repeat(50)), { maxPages: 100 }).collect();
    assertEquals(letters.length, 100);
    const dates = new Pages((index) => [new Date(index % 2)], { maxPages: 100 });
    assertEquals((await dates.collect()).length, 100);
  });

  it("throws if the same objects come in another order, in one of a few samples", async () => {
    const ids = Array.from({ length: 30 }, (_, id) => id);
    const turned = (by: number) => [...ids.slice(by % 30), ...ids.slice(0, by % 30)];
    const make = (index: number) => turned(index * 7).map((id) => ({ id }));
    const { pages, error } = await failing(new Pages(make));
    assertEquals(pages, 68);
    assertStringIncludes(error.message, "the last 4 pages have the same items");
    const late = (index: number) => index < 100 ? [{ id: -index }] : make(index);
    assertEquals((await failing(new Pages(late))).pages, 132);
    const scalars = new Pages((index) => turned(index * 7), { maxPages: 200 });
    assertEquals((await scalars.collect()).length, 6000);
  });

  it("reads all pages in turn of which one has another item each time", async () => {
    const make = (index: number) => [{ page: index % 2 }, { time: index % 2 ? 0 : index }];
    assertEquals((await new Pages(make, { maxPages: 100 }).collect()).length, 200);
  });

  it("writes only the first element of a page as JSON, unless an earlier one began with it", async () => {
    let written = 0;
    const make = (index: number) =>
      Array.from({ length: 100 }, (_, at) => ({
        toJSON: () => `${written++ && ""}${index === 50 ? 45 : index}, ${at}`,
      }));
    await new Pages(make, { maxPages: 50 }).collect();
    assertEquals(written, 50);
    await new Pages(make, { maxPages: 60 }).collect();
    assertEquals(written, 50 + 60 + 100);
  });

  it("counts the page that was passed in", async () => {
    const options = { page: ["a"], currentPage: 1 };
    assertEquals((await failing(new Pages(() => ["a"], options))).pages, 3);
  });

  it("does not count a page that failed", async () => {
    let failures = 0;
    const iterator = new Pages((index) => {
      if (index > 0 && failures++ % 2 === 0) throw new Error("busy");
      return ["a"];
    }, { maxPages: 3 });
    const elements: string[] = [];
    for (let round = 0; round < 3; round++) {
      try {
        for await (const element of iterator) elements.push(element);
      } catch (error) {
        assertEquals((error as Error).message, "busy");
      }
    }
    assertEquals(elements, ["a", "a", "a"]);
  });

  it("can be allowed, by an option and by a static", async () => {
    const allowed: IteratorOptions = { repeatedPages: "allow", maxPages: 50 };
    assertEquals((await new Pages(() => ["a"], allowed).collect()).length, 50);
    class Constants extends Pages<string> {
      static override readonly repeatedPages: "error" | "allow" = "allow";
    }
    assertEquals((await new Constants(() => ["a"], { maxPages: 50 }).collect()).length, 50);
    await failing(new Constants(() => ["a"], { repeatedPages: "error" }));
  });
});

class Named extends model("named", { id: element(integer) }) {}

/** A class with all of its fields private: every instance is the same JSON. */
class Private {
  readonly kind: string = "private";
  readonly #id: number;
  constructor(id: number) {
    this.#id = id;
  }
  get id(): number {
    return this.#id;
  }
}

class Written extends Private {
  toJSON(): unknown {
    return { id: this.id };
  }
}

const cycle: unknown[] = [];
cycle.push(cycle);

describe("the elements of repeated pages", () => {
  const compared: Readonly<Record<string, (id: number) => unknown>> = {
    "plain objects": (id) => ({ id, tags: ["x"], owner: { name: null } }),
    "scalars": (id) => id,
    "arrays": (id) => [id, "x"],
    "dates": (id) => new Date(id),
    "boxes": (id) => toBox({ id, nested: { ids: [id] } }),
    "models": (id) => new Named({ id }),
    "instances of a class with toJSON": (id) => new Written(id),
  };
  for (const [name, make] of Object.entries(compared)) {
    it(`are compared by their content: ${name}`, async () => {
      const page = () => [make(1), make(2), make(3)];
      assertEquals((await failing(new Pages(page))).pages, 4);
      for (const changed of [0, 1, 2]) {
        const differs = (index: number) => [0, 1, 2].map((i) => make(i === changed ? -index : i));
        const iterator = new Pages(differs, { maxPages: 20 });
        assertEquals((await iterator.collect()).length, 60);
      }
    });
  }

  const notCompared: Readonly<Record<string, (id: number) => unknown>> = {
    "instances of a class without toJSON": (id) => new Private(id),
    "objects with such instances in them": (id) => ({ kind: "row", row: new Private(id) }),
    "maps": (id) => new Map([[id, id]]),
    "functions": (id) => () => id,
    "symbols": (id) => Symbol(id),
    "bigints": (id) => BigInt(id),
    "cycles": () => cycle,
    "models that are not valid": () => Object.assign(new Named({ id: 1 }), { id: "one" }),
  };
  for (const [name, make] of Object.entries(notCompared)) {
    it(`are not compared if JSON does not show all of them: ${name}`, async () => {
      const iterator = new Pages((index) => [make(index), make(index)], { maxPages: 20 });
      assertEquals((await iterator.collect()).length, 40);
    });
  }

  it("are those of the server, even if the program changes what it gets", async () => {
    const changes: readonly ((page: { id: number }[]) => void)[] = [
      (page) => page.length = 0,
      (page) => page.forEach((element, index) => element.id = -index),
      (page) => page.reverse(),
      (page) => page[1]!.id = Math.random(),
    ];
    for (const change of changes) {
      const iterator = new Pages(() => [{ id: 1 }, { id: 2 }, { id: 3 }]);
      await assertRejects(async () => {
        for await (const page of iterator.pages()) change(page as { id: number }[]);
      }, PagingError);
      // The page before was changed already when the first repetition is noticed.
      assertEquals(iterator.pageCount <= 5, true);
    }
  });
});

describe("an iterator that goes on", () => {
  class Lists extends APIClient {
    static override readonly baseUrl: string = "https://api.example.com";
  }
  class Part extends APIEndpoint<Lists> {
    protected override readonly _path: string = "part";
  }

  /** Fetches pages that are new each time, until an error, and returns the warnings. */
  async function warningsOf(
    last: number,
    options: IteratorOptions = {},
    clientOf: (client: Lists) => object = (client) => client,
  ): Promise<string[]> {
    const logger = recordingLogger();
    class Feed extends APIIterator<{ time: number }> {
      // deno-lint-ignore require-await
      protected override async _getPage(): Promise<void> {
        this.page = [{ time: this.currentPage++ }];
        this.hasMore = this.currentPage < last;
      }
    }
    const client = clientOf(new Lists({ logger }));
    for await (const _ of new Feed({ client, ...options }));
    return logger.messages("warn");
  }

  it("writes one warning after 10,000 pages", async () => {
    const text =
      "Feed has had 10000 pages, and another one follows. If the server never ends the " +
      "list, leave the loop, or set maxItems";
    assertEquals(await warningsOf(20_001), [text]);
    assertEquals(await warningsOf(10_001, { prefetch: 3 }), [text]);
    assertEquals(await warningsOf(10_001, {}, (client) => new Part(client)), [text]);
  });

  it("writes no warning at its end, with a limit, or without a log", async () => {
    assertEquals(await warningsOf(10_000), []);
    assertEquals(await warningsOf(10_001, { maxPages: 20_000 }), []);
    assertEquals(await warningsOf(10_001, { maxItems: 20_000 }), []);
    assertEquals(await warningsOf(10_001, {}, () => ({})), []);
    assertEquals(await warningsOf(10_001, {}, () => ({ _log: () => {}, _api: null })), []);
  });
});

describe("an iterator with empty pages", () => {
  for (const prefetch of [0, 1]) {
    it(`throws after 100 in a row, prefetch ${prefetch}`, async () => {
      const { pages, elements, error } = await failing(new Pages<string>(() => [], { prefetch }));
      assertEquals([pages, elements], [100, []]);
      assertStringIncludes(
        error.message,
        "the last 100 pages are empty, and another one would follow",
      );
    });
  }

  it("begins to count again after a page with elements", async () => {
    const make = (index: number) => index % 100 === 99 ? [index] : [];
    assertEquals((await new Pages(make, { maxPages: 400 }).collect()).length, 4);
  });

  it("has its limit from an option or a static, and none with null", async () => {
    assertEquals((await failing(new Pages(() => [], { maxEmptyPages: 2 }))).pages, 2);
    class Patient extends Pages<string> {
      static override readonly maxEmptyPages: number | null = 7;
    }
    assertEquals((await failing(new Patient(() => []))).pages, 7);
    const endless = new Patient(() => [], { maxEmptyPages: null, maxPages: 300 });
    assertEquals(await endless.collect(), []);
    assertEquals(endless.pageCount, 300);
  });
});
