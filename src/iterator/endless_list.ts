/** Decides if a list of pages would never end, by repeated or empty pages. */
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

/** The end of a list so far: its last page with items, and the empty pages after it. */
export interface ListTail {
  /** The number of empty pages at the end. */
  readonly empty: number;
  /** The number of pages in a row, up to the last one with items, that repeat the one before. */
  readonly repeated: number;
  /** The items of the last page that has any. */
  readonly items: readonly unknown[];
  /** Their number, and the first one as JSON; undefined if it cannot be written. */
  readonly first: string | undefined;
  /** All of them as JSON, if the page before began with the same item and JSON has all of them. */
  readonly all: string | undefined;
}

/** The tail of a list before its first page. */
export const noPages: ListTail = {
  empty: 0,
  repeated: 0,
  items: [],
  first: undefined,
  all: undefined,
};

/**
 * Returns the tail of a list after another page.
 *
 * Pages are compared as JSON, because the program may change the items that it gets. Writing 100 items
 * takes 40 µs, which is a fifth of a call without a network. So only the first item is written (1 µs),
 * and the others if the page before began with the same one.
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
  const first = json && `${items.length} ${json}`;
  if (first === undefined || first !== tail.first) {
    return { empty: 0, repeated: 0, items, first, all: undefined };
  }
  const all = wholeText(items);
  const isRepeated = all !== undefined && all === (tail.all ?? wholeText(tail.items));
  return { empty: 0, repeated: isRepeated ? tail.repeated + 1 : 0, items, first, all };
}

/**
 * Returns the reason why a list would never end if another page follows; undefined if there is none.
 *
 * @param tail The tail of the list
 * @param limits The limits of the list
 */
export function endlessReason(tail: ListTail, limits: EndlessLimits): string | undefined {
  const { repeatedPages, maxEmptyPages } = limits;
  if (repeatedPages === "error" && tail.repeated >= REPETITIONS) {
    return `the last ${REPETITIONS + 1} pages have the same items, so the list would never end: ` +
      'request another page each time, or set repeatedPages to "allow" if they may be equal';
  }
  if (maxEmptyPages !== null && tail.empty >= maxEmptyPages) {
    return `the last ${tail.empty} pages are empty, and another one would follow: end the list at an ` +
      "empty page, or set maxEmptyPages to a larger number or to null if so many are usual";
  }
  return undefined;
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

/**
 * Returns a value as JSON; undefined if JSON may leave something out. Instances of a class would all
 * look alike if their fields are private, so those without `toJSON` have no text.
 */
function wholeText(value: unknown): string | undefined {
  let isWhole = true;
  const text = jsonText(value, (_key, each) => {
    isWhole &&= typeof each === "object"
      ? each === null || isPlain(each)
      : typeof each !== "function" && typeof each !== "symbol";
    return isWhole ? each : null;
  });
  return isWhole ? text : undefined;
}
