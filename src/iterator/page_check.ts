import { PagingError } from "../errors/paging_error.ts";
import { describeValue } from "../errors/unexpected_value_error.ts";

/** An iterator's state before or after a call of `_getPage`. */
export interface PageState {
  /** The elements of the page. */
  readonly page: readonly unknown[];
  /** The index of the next page. */
  readonly currentPage: number;
  /** Set by `_getPage` if the API tells whether a page follows. */
  readonly hasMore: boolean | undefined;
}

/** As many empty pages in a row without a new `currentPage` count as an endless loop. */
const ENDLESS = 3;

/**
 * Checks what `_getPage` stored, whose author may write JavaScript.
 *
 * @param className The name of the iterator's class
 * @param before The state before the call
 * @param after The state after it
 * @param idlePages Empty pages in a row before, each with more to come and the same `currentPage`
 * @returns The same count with this page: 0 if it is not such a page
 * @throws {PagingError} If it stored no new array, if `hasMore` is no boolean, or if the count is 3
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
