/**
 * Decides if a list of pages would never end, by repeated or empty pages. It is asked in two places:
 * `page_source.ts` after each page of a list with a rule, and `iterator/iterator.ts` before each page of an
 * iterator, whose pages an SDK fetches itself.
 */
import { check, checkedLimit, isPlain } from "../base/checks.ts";

/** The limits after which a list counts as endless. */
export interface EndlessLimits {
  /** "error" for pages that must differ, "allow" for pages that may be equal. */
  readonly repeatedPages: "error" | "allow";
  /** The number of empty pages in a row that is an error; null for no limit. */
  readonly maxEmptyPages: number | null;
}

/** The limits of a list that sets none. */
export const endlessDefaults: EndlessLimits = { repeatedPages: "error", maxEmptyPages: 100 };

const checkedRepeated = /* @__PURE__ */ check(
  '"error" or "allow"',
  (value) => value === "error" || value === "allow",
);

/**
 * Returns the limits of a list.
 *
 * @param limits The limits; for an undefined one, the default is taken
 * @param defaults The defaults
 * @throws {UnexpectedValueError} If a limit is not valid
 */
export function checkedLimits(
  limits: { readonly [K in keyof EndlessLimits]?: EndlessLimits[K] | undefined },
  defaults: EndlessLimits,
): EndlessLimits {
  const { repeatedPages = defaults.repeatedPages, maxEmptyPages = defaults.maxEmptyPages } = limits;
  return {
    repeatedPages: checkedRepeated("repeatedPages", repeatedPages),
    maxEmptyPages: checkedLimit("maxEmptyPages", maxEmptyPages),
  };
}

/** The number of repetitions in a row that is an error. */
const REPETITIONS = 3;

/** The largest number of pages that are noticed if they repeat in turn. */
const LONGEST_CYCLE = 8;

/**
 * The number of pages after which a list without a limit is reported. If each item has something new in
 * it, such as a time, nothing else shows that the list has no end.
 */
export const LONG_LIST = 10_000;

/**
 * Reports if a page is compared even if no other one began with the same item, to notice the same items in
 * another order: four pages in a row after each power of two, from 64 on.
 *
 * @param count The number of pages before it
 */
function isSample(count: number): boolean {
  const start = count - count % (REPETITIONS + 1);
  return start >= 64 && Number.isInteger(Math.log2(start));
}

/** A page with items, to compare others with. */
interface PageText {
  /** The number of its items, and the first one as JSON. */
  readonly first: string;
  /**
   * All items as JSON, objects in any order; null if JSON does not have all of them, undefined if they were
   * not written.
   */
  all: string | null | undefined;
}

/** The end of a list so far: its last pages with items, and the empty pages after them. */
export interface ListTail {
  /** The number of empty pages at the end. */
  readonly empty: number;
  /** The number of pages with items. */
  readonly count: number;
  /** The items of the last page that has any. */
  readonly items: readonly unknown[];
  /** The last pages with items, from the last one on, at most `LONGEST_CYCLE`. */
  readonly pages: readonly PageText[];
  /** For each cycle from one page on, the pages in a row that repeat the one a cycle before. */
  readonly repeated: readonly number[];
}

/** The tail of a list before its first page. */
export const noPages: ListTail = { empty: 0, count: 0, items: [], pages: [], repeated: [] };

/**
 * Returns the tail of a list after another page.
 *
 * Pages are compared as JSON, because the program may change the items that it gets. Writing 100 items
 * takes 40 µs, which is a fifth of a call without a network. So only the first item is written (1 µs),
 * and the others if one of the last pages began with the same one, or for a sample. The items of the last
 * page are kept until then, and not those of the pages before: they may be large.
 *
 * @param tail The tail before the page
 * @param items The items of the page
 * @param limits The limits of the list
 */
export function afterPage(
  tail: ListTail,
  items: readonly unknown[],
  limits: EndlessLimits,
): ListTail {
  if (items.length === 0) return { ...tail, empty: tail.empty + 1 };
  if (limits.repeatedPages === "allow") return noPages;
  const json = jsonText(items[0]);
  if (json === undefined) return noPages;
  const page: PageText = { first: `${items.length} ${json}`, all: undefined };
  const pages = [page, ...tail.pages.slice(0, LONGEST_CYCLE - 1)];
  const isKnown = isSample(tail.count) || tail.pages.some(({ first }) => first === page.first);
  const repeated = isKnown ? repetitions(tail, items, page) : [];
  return { empty: 0, count: tail.count + 1, items, pages, repeated };
}

/** Writes all items of a page, and counts the pages in a row that repeat earlier ones. */
function repetitions(tail: ListTail, items: readonly unknown[], page: PageText): number[] {
  const isOfObjects = /^\d+ [{[]/.test(page.first);
  page.all = wholeText(items, isOfObjects);
  const [last] = tail.pages;
  if (last?.first === page.first && last.all === undefined) {
    last.all = wholeText(tail.items, isOfObjects);
  }
  // Scalars repeat rightly, such as ratings: only the same page again and again is a mistake.
  const cycles = isOfObjects ? tail.pages : tail.pages.slice(0, 1);
  return cycles.map(({ first, all }, index) => {
    const isSame = all === undefined ? first === page.first : all === page.all;
    return isSame && page.all !== null ? (tail.repeated[index] ?? 0) + 1 : 0;
  });
}

/**
 * Returns the reason why a list would never end if another page follows; undefined if there is none.
 *
 * @param tail The tail of the list
 * @param limits The limits of the list
 */
export function endlessReason(tail: ListTail, limits: EndlessLimits): string | undefined {
  const { repeatedPages, maxEmptyPages } = limits;
  const cycle = 1 + tail.repeated.findIndex((count, index) => count >= REPETITIONS * (index + 1));
  if (repeatedPages === "error" && cycle > 0) {
    const pages = (REPETITIONS + 1) * cycle;
    const same = cycle === 1 ? "have the same items" : `are the same ${cycle} pages in turn`;
    return `the last ${pages} pages ${same}, so the list would never end: ` +
      'request another page each time, or set repeatedPages to "allow" if they may be equal';
  }
  if (maxEmptyPages !== null && tail.empty >= maxEmptyPages) {
    return `the last ${tail.empty} pages are empty, and another one would follow: end the list at an ` +
      "empty page, or set maxEmptyPages to a larger number or to null if so many are usual";
  }
  return undefined;
}

/** Returns the warning about a list without a limit that has had `LONG_LIST` pages. */
export function longListWarning(name: string): string {
  return `${name} has had ${LONG_LIST} pages, and another one follows. If the server never ends the ` +
    "list, leave the loop, or set maxItems";
}

/** Returns a value as JSON; undefined if it cannot be written. */
function jsonText(
  value: unknown,
  replace?: (key: string, each: unknown) => unknown,
): string | undefined {
  try {
    return JSON.stringify(value, replace);
  } catch {
    return undefined; // a cycle, a bigint, or a value that does not match its model
  }
}

/** Returns items as JSON, sorted if their order does not matter; null if JSON may leave something out. */
function wholeText(items: readonly unknown[], isSorted: boolean): string | null {
  const texts: string[] = [];
  for (const item of items) {
    const text = itemText(item);
    if (text === undefined) return null;
    texts.push(text);
  }
  return (isSorted ? texts.sort() : texts).join();
}

/**
 * Returns an item as JSON; undefined if JSON may leave something out. Instances of a class would all look
 * alike if their fields are private, so those without `toJSON` have no text.
 */
function itemText(item: unknown): string | undefined {
  let isWhole = true;
  const text = jsonText(item, (_key, each) => {
    isWhole &&= typeof each === "object"
      ? each === null || isPlain(each)
      : typeof each !== "function" && typeof each !== "symbol";
    return isWhole ? each : null;
  });
  return isWhole ? text : undefined;
}
