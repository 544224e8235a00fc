/** The error of pages that cannot be read, or that would never end. */
import { brand, RestwrightError, showInJson } from "./base_error.ts";

/**
 * The error for pages that cannot be read, or that would never end.
 *
 * For a page promise, the body has no items, or the link or cursor of the next page is not valid or
 * was requested before, or the option `absoluteUrls` refuses the link. A cursor in a query must be a
 * string or a number, and a link an `http:` or `https:` URL; a `Link` header has at most 65,536
 * characters. The flag `hasMore` must be true, false, null or missing, and if it is true, there must be
 * a cursor.
 *
 * For both, four pages in a row have the same items, up to eight pages repeat in turn, or 100 are empty:
 * see the options `repeatedPages` and `maxEmptyPages`.
 *
 * For an iterator, `_getPage` stored no new page, or a value that is not an array, or a `hasMore` that
 * is not a boolean. Or it stored three empty pages in a row with `hasMore` true and did not advance
 * `currentPage`. This is a bug in the iterator's class; without the error, the iterator could loop
 * forever.
 *
 * @example A `_getPage` that forgets to store the page
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { PagingError } from "@restwright/restwright/errors";
 * import { APIIterator } from "@restwright/restwright/paging";
 *
 * class Forgetful extends APIIterator<string, APISession> {
 *   protected override async _getPage(): Promise<void> {
 *     await this._api.get("names");
 *   }
 * }
 *
 * const adapter = () => Promise.resolve(Response.json([]));
 * const api = new APISession({ url: "https://api.example.com", adapter });
 * try {
 *   await new Forgetful({ api }).next();
 * } catch (error) {
 *   if (!(error instanceof PagingError)) throw error;
 *   console.log(error.currentPage); // 0
 * }
 * ```
 *
 * @category Errors
 */
export class PagingError extends RestwrightError {
  static {
    brand("PagingError", this);
    showInJson(this, "currentPage");
  }

  /**
   * The index of the page: that of `_getPage`, or the number of pages that a page promise has fetched
   * before it.
   */
  readonly currentPage: number;

  /**
   * Builds the error.
   *
   * @param message The problem with the page
   * @param currentPage The index of the page
   */
  constructor(message: string, currentPage: number) {
    super(message);
    this.currentPage = currentPage;
  }
}
