/** What is known after some pages were fetched. */
export interface Progress {
  /** Pages fetched so far. */
  readonly pageCount: number;
  /** Elements on them. */
  readonly fetched: number;
  /** Elements on the last of them; undefined before the first. */
  readonly lastLength: number | undefined;
  /** Elements on a full page; 0 where pages have no fixed size. */
  readonly size: number;
  /** Whether a page follows, if `_getPage` said so for the last of them. */
  readonly hasMore: boolean | undefined;
  /** Pages that there are, where the API says so. */
  readonly numPages: number | null;
  /** Elements that there are, where the API says so. */
  readonly total: number | null;
  /** The most pages that are wanted. */
  readonly maxPages: number | null;
  /** The most elements that are wanted. */
  readonly maxItems: number | null;
}

/**
 * Decides if a page follows those that were fetched (contract, Paging helpers, rule 3).
 *
 * The caller's limits come first. Then `hasMore` alone decides, if `_getPage` set it: an API with a
 * cursor may send a short or an empty page in the middle.
 *
 * An API's `total` and `numPages` end it only where they are met exactly: one that is exceeded
 * already (0, -1, an estimate) is wrong, and must not hide elements.
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
