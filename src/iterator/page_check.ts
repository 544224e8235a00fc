import { PagingError } from "../errors/paging_error.ts";
import { describeValue } from "../errors/unexpected_value_error.ts";

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
  idlePages: number,
): number {
  const { currentPage } = before;
  const page: unknown = after.page;
  const hasMore: unknown = after.hasMore;
  const wrong = (what: string) => new PagingError(`${className}._getPage ${what}`, currentPage);
  if (page === before.page) {
    throw wrong(
      "stored the same page as before: store a new array for each page, and an empty one at the end",
    );
  }
  if (!Array.isArray(page)) {
    throw wrong(`must store an array in page, but stored ${describeValue(page)}`);
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
