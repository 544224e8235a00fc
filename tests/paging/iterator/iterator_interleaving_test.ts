/** Calls an iterator in any order, at any time, while its pages arrive at any time. */
import { assert, assertEquals, describe, it } from "#test";
import fc from "fast-check";
import { APIIterator } from "../../../src/paging/iterator/iterator.ts";
import { holds } from "../../support/property.ts";

/** The result of fetching a page: the number of its elements, or a failure. */
type Page = number | "fails";

type Call = "next" | "return" | "throw";

/** The result of a call: an element, the end, or an error. */
type Result = number | "done" | "page failed" | "thrown";

/** The results of calls, and the number of pages that they need. */
interface Expected {
  readonly results: readonly Result[];
  readonly needed: number;
}

/**
 * Returns the results of calls that are made one after the other. The laws of an iterator: elements
 * come in order, each once; a page that fails is fetched again; after the end there is only the end.
 */
function expectedResults(
  pages: readonly Page[],
  calls: readonly Call[],
  maxItems: number,
): Expected {
  let [needed, element, left, isEnded] = [0, 0, 0, false];
  const results = calls.map((call): Result => {
    if (call !== "next") isEnded = true;
    if (call === "throw") return "thrown";
    while (!isEnded && left === 0) {
      const page = element === maxItems ? undefined : pages[needed++];
      if (page === "fails") return "page failed";
      if (page === undefined) isEnded = true;
      else left = Math.min(page, maxItems - element);
    }
    if (isEnded) return "done";
    left--;
    return element++;
  });
  return { results, needed: Math.min(needed, pages.length) };
}

/** An iterator whose pages arrive when the scheduler wants. */
class Pages extends APIIterator<number> {
  readonly #pages: readonly Page[];
  readonly #scheduler: fc.Scheduler;
  #elements = 0;
  #isFetching = false;
  fetches = 0;
  failures = 0;

  constructor(
    pages: readonly Page[],
    scheduler: fc.Scheduler,
    options: { prefetch: number; maxItems: number },
  ) {
    super({ client: {}, ...options });
    this.#pages = pages;
    this.#scheduler = scheduler;
  }

  protected override async _getPage(): Promise<void> {
    assert(!this.#isFetching, "two pages are fetched at the same time");
    this.#isFetching = true;
    const page = this.#pages[this.fetches++]!;
    await this.#scheduler.schedule(Promise.resolve(), `page ${this.fetches}`);
    this.#isFetching = false;
    this.currentPage++;
    this.hasMore = this.fetches < this.#pages.length;
    if (page === "fails") {
      this.failures++;
      throw new Error("page failed");
    }
    this.page = Array.from({ length: page }, () => this.#elements++);
  }
}

/** Makes a call, and returns its result. */
async function resultOf(iterator: Pages, call: Call): Promise<Result> {
  try {
    const { done, value } =
      await (call === "throw" ? iterator.throw(new Error("thrown")) : iterator[call]());
    return done ? "done" : value;
  } catch (error) {
    return (error as Error).message as Result;
  }
}

describe("calls of next, return and throw at any time", () => {
  const page: fc.Arbitrary<Page> = fc.oneof(fc.nat(3), fc.constant<Page>("fails"));
  // A failure does not say if more pages follow, so the last page arrives.
  const pages = fc.tuple(fc.array(page, { maxLength: 6 }), fc.nat(3)).map((all) => all.flat());
  const calls = fc.array(
    fc.oneof(
      { arbitrary: fc.constant<Call>("next"), weight: 5 },
      { arbitrary: fc.constantFrom<Call>("return", "throw"), weight: 1 },
    ),
    { maxLength: 12 },
  );
  const limits = fc.record({
    prefetch: fc.nat(3),
    maxItems: fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 5 })),
  });

  it("return what calls one after the other return, in the order of the calls", async () => {
    await holds(
      fc.asyncProperty(fc.scheduler(), pages, calls, limits, async (s, all, wanted, options) => {
        const iterator = new Pages(all, s, options);
        const made: Call[] = [];
        const settled: number[] = [];
        const results: Promise<Result>[] = [];
        let fetchesAtEnd = Infinity;
        for (const call of wanted) {
          void s.schedule(Promise.resolve(), call).then(() => {
            const index = made.push(call) - 1;
            results.push(
              resultOf(iterator, call).then((result) => {
                settled.push(index);
                if (call !== "next") fetchesAtEnd = Math.min(fetchesAtEnd, iterator.fetches);
                return result;
              }),
            );
          });
        }
        await s.waitIdle();
        const { results: expected, needed } = expectedResults(all, made, options.maxItems);
        assertEquals(await Promise.all(results), expected);
        assertEquals(settled, made.map((_, index) => index));
        assertEquals(iterator.count, expected.filter(Number.isInteger).length);
        const { fetches } = iterator;
        assert(fetches >= needed && fetches <= needed + options.prefetch, `${fetches} pages`);
        assert(fetches <= fetchesAtEnd, "a page was fetched after the end");
        // A page that failed changes nothing.
        assertEquals(iterator.currentPage, fetches - iterator.failures);
      }),
      1500,
    );
  });
});
