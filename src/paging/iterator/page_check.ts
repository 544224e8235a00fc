/** Checks the values that `_getPage` has stored, and decides if there are more pages. */
import { PagingError } from "../../errors/paging_error.ts";
import { describeValue } from "../../errors/unexpected_value_error.ts";
import { isResponse } from "../../http/response.ts";

/** The state of an iterator before or after a call of `_getPage`. */
export interface PageState {
  /** The elements of the page. */
  readonly page: readonly unknown[];
  /** The index of the next page. */
  readonly currentPage: number;
  /** True if another page follows, false if not, undefined if `_getPage` did not set it. */
  readonly hasMore: boolean | undefined;
}

/** The number of empty pages in a row with the same `currentPage` that count as an endless loop. */
const ENDLESS = 3;

/**
 * Checks the values that `_getPage` stored. They can have any type if it is written in JavaScript.
 *
 * @param className The name of the iterator's class
 * @param before The state before the call
 * @param after The state after it
 * @param returned The result of the call, which should be undefined
 * @param idlePages The number of idle pages in a row so far. An idle page is empty, has `hasMore`
 * true and did not change `currentPage`
 * @returns The new number of idle pages in a row: 0 if this page is not idle
 * @throws {PagingError} If `_getPage` stored no new array, if `hasMore` is neither a boolean nor
 * undefined, or if there are 3 idle pages in a row
 */
export function checkPage(
  className: string,
  before: PageState,
  after: PageState,
  returned: unknown,
  idlePages: number,
): number {
  const { currentPage } = before;
  const page: unknown = after.page;
  const hasMore: unknown = after.hasMore;
  const wrong = (what: string) => new PagingError(`${className}._getPage ${what}`, currentPage);
  if (page === before.page) {
    throw wrong(
      returned === undefined
        ? "stored the same page as before: store a new array for each page, and an empty one at the end"
        : `returned ${
          describeValue(returned)
        }, but must store the elements: assign them to this.page`,
    );
  }
  if (!Array.isArray(page)) {
    const isPromise = typeof (page as Partial<Promise<unknown>> | null)?.then === "function";
    const hint = isPromise
      ? ": await it first"
      : isResponse(page)
      ? ": convert it, with convJson: true or a responseModel"
      : "";
    throw wrong(`must store an array in page, but stored ${describeValue(page)}${hint}`);
  }
  if (hasMore !== undefined && typeof hasMore !== "boolean") {
    throw wrong(`must set hasMore to true, false or undefined, but set ${describeValue(hasMore)}`);
  }
  if (!hasMore || page.length > 0 || after.currentPage !== currentPage) return 0;
  const count = idlePages + 1;
  if (count < ENDLESS) return count;
  throw wrong(
    `stored ${count} empty pages in a row with hasMore true, and the same currentPage: ` +
      "advance currentPage with each page, or set hasMore to false at the end",
  );
}

/** The progress of an iterator, and the limits that can end it. */
export interface Progress {
  /** The number of pages fetched so far. */
  readonly pageCount: number;
  /** The number of elements on these pages. */
  readonly fetched: number;
  /** The number of elements on the last page; undefined before the first page. */
  readonly lastLength: number | undefined;
  /** The number of elements on a full page; 0 if pages have no fixed size. */
  readonly size: number;
  /** The `hasMore` that `_getPage` set for the last page; undefined if it did not set it. */
  readonly hasMore: boolean | undefined;
  /** The number of all pages according to the API; null if unknown. */
  readonly numPages: number | null;
  /** The number of all elements according to the API; null if unknown. */
  readonly total: number | null;
  /** The maximum number of pages to fetch; null for no limit. */
  readonly maxPages: number | null;
  /** The maximum number of elements to return; null for no limit. */
  readonly maxItems: number | null;
}

/**
 * Returns true if another page must be fetched (contract, Paging helpers, rule 3).
 *
 * The caller's limits are checked first. After that, if `_getPage` set `hasMore`, only that value
 * counts, because an API with a cursor may send a short or empty page before the last one.
 *
 * `total` and `numPages` stop the iterator only if they are reached exactly. If the iterator has
 * already exceeded such a value (0, -1 or an estimate), the value is wrong and must not hide
 * elements.
 */
export function hasMorePages(progress: Progress): boolean {
  const { pageCount, fetched, lastLength, size, maxPages, maxItems } = progress;
  if (maxPages !== null && pageCount >= maxPages) return false;
  if (maxItems !== null && fetched >= maxItems) return false;
  if (lastLength === undefined) return true;
  if (progress.hasMore !== undefined) return progress.hasMore;
  if (lastLength === 0 || lastLength < size) return false;
  return pageCount !== progress.numPages && fetched !== progress.total;
}
