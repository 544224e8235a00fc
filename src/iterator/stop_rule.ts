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
