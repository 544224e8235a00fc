/**
 * The base class of iterators over paged APIs, for which an SDK writes the fetching of one page.
 */
import { systemClock } from "../../base/clock.ts";
import { writeRecord } from "../../call/log_record.ts";
import { PagingError } from "../../errors/paging_error.ts";
import { sleep } from "../../http/abort.ts";
import type { Logger } from "../../log/logger.ts";
import {
  afterPage,
  endlessDefaults,
  type EndlessLimits,
  endlessReason,
  type ListTail,
  LONG_LIST,
  longListWarning,
  noPages,
} from "../endless_list.ts";
import { Prefetcher, SerialQueue } from "../prefetcher.ts";
import { type IteratorOptions, readIteratorSettings } from "./iterator_options.ts";
import { checkPage, hasMorePages, type PageState } from "./page_check.ts";

/**
 * The caller's position in an {@linkcode APIIterator}. It does not depend on prefetched pages.
 *
 * @category Endpoints
 */
export interface PagePosition<T> {
  /** The page of the last returned element; empty before the first element. */
  readonly page: readonly T[];
  /** The value of `currentPage` after that page was fetched: the index of the following page. */
  readonly currentPage: number;
}

/** The parts of a session, client or endpoint that are used here. They are protected there. */
interface ClientParts {
  _sleep?(seconds: number, options: object): Promise<void>;
  readonly _log?: Logger;
  /** The session or client of an endpoint, which has the logger. */
  readonly _api?: { readonly _log?: Logger };
}

/**
 * The base class for an iterator over the elements of a paged API. It fetches pages as needed.
 *
 * To use it, derive a class and implement `_getPage`, which fetches one page. The iterator is a
 * full async generator: it supports `for await`, `next`, `return`, `throw` and `await using`.
 *
 * It sends no request before the first element is requested. Concurrent calls run in order. If
 * `_getPage` throws, the position does not change, and the next call fetches the same page again.
 * Leaving a `for await` loop early ends the iterator, and no more pages are fetched.
 *
 * The last page is the one that is empty or has fewer elements than `size` (contract, Paging
 * helpers, rule 3). The iterator also stops when it has fetched exactly `total` elements or
 * `numPages` pages, or has reached `maxItems` or `maxPages`. If `_getPage` sets `hasMore`, only
 * that value, `maxItems` and `maxPages` count.
 *
 * If another page would follow after four pages with the same elements in a row, after four rounds of
 * two to eight pages in turn, or after 100 empty pages, it throws a `PagingError`: see `repeatedPages`
 * and `maxEmptyPages`. After 10,000 pages without `maxItems` and `maxPages`, it writes a warning to the
 * log of the session or client.
 *
 * `AsyncAPIIterator` is the same class under the contract's other name.
 *
 * @example Iterate over titles, two per page
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { APIIterator } from "@restwright/restwright/paging";
 *
 * class Titles extends APIIterator<string, APISession> {
 *   static override readonly size: number = 2;
 *
 *   protected override async _getPage(): Promise<void> {
 *     const params = { page: this.currentPage, size: this.size };
 *     this.page = await this._api.get<string[]>("titles", { params, convJson: true });
 *     this.currentPage++;
 *   }
 * }
 *
 * const pages = [["Emma", "Ulysses"], ["Walden"]];
 * const api = new APISession({
 *   url: "https://library.example.com",
 *   adapter: () => Promise.resolve(Response.json(pages.shift())),
 * });
 * for await (const title of new Titles({ api })) console.log(title); // Emma, then Ulysses, then Walden
 * ```
 *
 * @category Endpoints
 */
export abstract class APIIterator<T, C extends object = object>
  implements AsyncGenerator<T, undefined, unknown> {
  /**
   * The number of elements on a full page; a page with fewer is the last one. Default: 0, for no
   * fixed size
   */
  static readonly size: number = 0;
  /** The index of the first page. Default: 0 */
  static readonly currentPage: number = 0;
  /** The maximum number of elements to return. Default: null, for no limit */
  static readonly maxItems: number | null = null;
  /** The maximum number of pages to fetch. Default: null, for no limit */
  static readonly maxPages: number | null = null;
  /** The number of pages to fetch ahead while the caller works; true for 1. Default: 0 */
  static readonly prefetch: number | boolean = 0;
  /** "allow" if pages may have the same elements; else four rounds of them throw. Default: "error" */
  static readonly repeatedPages: "error" | "allow" = endlessDefaults.repeatedPages;
  /** The number of empty pages in a row that throws; null for no limit. Default: 100 */
  static readonly maxEmptyPages: number | null = endlessDefaults.maxEmptyPages;

  readonly #client: C;
  readonly #size: number;
  readonly #maxItems: number | null;
  readonly #maxPages: number | null;
  readonly #prefetch: number;
  readonly #limits: EndlessLimits;

  // The state of fetching.
  #page: readonly T[] = [];
  #currentPage: number;
  #total: number | null = null;
  #numPages: number | null = null;
  #hasMore: boolean | undefined;
  /** The number of empty pages in a row with `hasMore` true and an unchanged `currentPage`. */
  #idlePages = 0;
  #pageCount = 0;
  #fetched = 0;
  #lastLength: number | undefined;
  #tail: ListTail = noPages;

  // The state of returning elements to the caller.
  readonly #turns = new SerialQueue();
  readonly #lookahead: Prefetcher<PagePosition<T>>;
  #position: PagePosition<T>;
  /** The elements of the current page to return, within `maxItems`; `#next` is an index in it. */
  #rest: readonly T[] = [];
  #next = 0;
  #count = 0;
  #isEnded = false;

  /**
   * Checks and stores the options; no request is made.
   *
   * @param options The session or client to call, and values that replace the class's statics
   * @throws {UnexpectedValueError} If an option is invalid; the error names the first one
   */
  constructor(options: IteratorOptions<C>) {
    const settings = readIteratorSettings(options, new.target);
    this.#client = settings.client;
    this.#size = settings.size;
    this.#currentPage = settings.currentPage;
    this.#maxItems = settings.maxItems;
    this.#maxPages = settings.maxPages;
    this.#prefetch = settings.prefetch;
    this.#limits = settings.limits;
    this.#page = settings.page as readonly T[];
    this.#position = { page: this.#page, currentPage: this.#currentPage };
    const source = { hasMore: () => this.#isUnfinished(), fetch: () => this.#fetch() };
    this.#lookahead = new Prefetcher(source, settings.prefetch);
    if (this.#page.length > 0) {
      this.#fetched = this.#lastLength = this.#page.length;
      this.#tail = afterPage(noPages, this.#page, this.#limits);
      this.#lookahead.putBack([{ ...this.#position }]);
    }
  }

  /** The name of the class. Frameworks such as Vue wrap objects without one in a `Proxy`. */
  get [Symbol.toStringTag](): string {
    return "APIIterator";
  }

  /**
   * Fetches one page. An implementation must store the page's elements in `page` as a new array,
   * and advance `currentPage`.
   *
   * If the API returns the total number of elements or pages, store it in `total` or `numPages`. If
   * the API reports whether another page follows, for example with a cursor, set `hasMore`.
   * Otherwise store an empty array when there are no more elements.
   *
   * `_getPage` never runs concurrently. If it throws, these five properties are restored, so that
   * the next call fetches the same page again. Update your own state, such as a cursor, at the very
   * end.
   */
  protected abstract _getPage(): Promise<void>;

  /** The client that the iterator calls (generation 2). */
  protected get _client(): C {
    return this.#client;
  }

  /** The session that the iterator calls (generation 1); the same as `_client`. */
  protected get _api(): C {
    return this.#client;
  }

  /**
   * Waits, by the clock of the session or client: by its `_sleep`, or else by the runtime's clock.
   *
   * @param seconds The seconds, which may be 0
   * @param options A signal that ends the wait
   * @throws {UnexpectedValueError} If an argument is not valid. Also rejects with the reason of the
   * signal, or of the signal of the session or client
   */
  protected _sleep(
    seconds: number,
    options: { readonly signal?: AbortSignal | null | undefined } = {},
  ): Promise<void> {
    const client: ClientParts = this.#client;
    return client._sleep?.(seconds, options) ??
      sleep(seconds, systemClock, options.signal ?? undefined);
  }

  /** The number of elements on a full page; 0 if pages have no fixed size. */
  get size(): number {
    return this.#size;
  }

  /** The maximum number of elements to return; null for no limit. */
  get maxItems(): number | null {
    return this.#maxItems;
  }

  /** The maximum number of pages to fetch; null for no limit. */
  get maxPages(): number | null {
    return this.#maxPages;
  }

  /** The number of pages to fetch ahead while the caller works. */
  get prefetch(): number {
    return this.#prefetch;
  }

  /**
   * The index of the next page to fetch; `_getPage` advances it.
   *
   * With `prefetch` it is ahead of the returned elements: use `position` instead.
   */
  get currentPage(): number {
    return this.#currentPage;
  }

  protected set currentPage(currentPage: number) {
    this.#currentPage = currentPage;
  }

  /**
   * The elements of the last fetched page; `_getPage` stores them. Before the first page, these are
   * the elements of the option `page`, if any.
   *
   * With `prefetch` it is ahead of the returned elements: use `position` instead.
   */
  get page(): readonly T[] {
    return this.#page;
  }

  protected set page(page: readonly T[]) {
    this.#page = page;
  }

  /** The number of all elements according to the API; null if `_getPage` did not store it. */
  get total(): number | null {
    return this.#total;
  }

  protected set total(total: number | null) {
    this.#total = total;
  }

  /** The number of all pages according to the API; null if `_getPage` did not store it. */
  get numPages(): number | null {
    return this.#numPages;
  }

  protected set numPages(numPages: number | null) {
    this.#numPages = numPages;
  }

  /**
   * True if another page follows, false if not. `_getPage` can set it; then only this value,
   * `maxItems` and `maxPages` end the iterator. It is reset to undefined before each `_getPage`.
   */
  get hasMore(): boolean | undefined {
    return this.#hasMore;
  }

  protected set hasMore(hasMore: boolean | undefined) {
    this.#hasMore = hasMore;
  }

  /** The number of pages fetched so far, including an empty last page and prefetched pages. */
  get pageCount(): number {
    return this.#pageCount;
  }

  /** The number of elements returned so far, one by one or in whole pages. */
  get count(): number {
    return this.#count;
  }

  /**
   * The caller's position: `page` and `currentPage` for the last returned element.
   *
   * Without `prefetch`, these are usually the same as the iterator's own `page` and `currentPage`.
   * With it, the iterator's own are ahead, and these are not. To continue later after this page,
   * start at `position.currentPage`.
   */
  get position(): PagePosition<T> {
    return this.#position;
  }

  /**
   * Returns the next element, and fetches a page first if necessary.
   *
   * @returns The element, or `done: true` in this and every later call if there are no more
   * elements
   * @throws The error of `_getPage`; the next call fetches the same page again
   * @throws {PagingError} If `_getPage` stored no valid new page, or three empty ones in a row
   * without advancing `currentPage`, or if the list would never end: see `repeatedPages` and
   * `maxEmptyPages`
   */
  next(): Promise<IteratorResult<T, undefined>> {
    return this.#turns.take(async () => {
      if (!await this.#hasElement()) return { done: true, value: undefined };
      this.#count++;
      return { done: false, value: this.#rest[this.#next++]! };
    });
  }

  /**
   * Ends the iterator after the earlier calls have settled. Prefetching stops at once.
   *
   * @param value The value of the result
   * @returns A result with `done: true` and the value
   */
  return(value?: undefined | PromiseLike<undefined>): Promise<IteratorResult<T, undefined>> {
    this.#lookahead.depth = 0;
    return this.#turns.take(async () => {
      this.#isEnded = true;
      return { done: true, value: await value };
    });
  }

  /**
   * Ends the iterator like `return`, and rejects with an error.
   *
   * @param error The error to reject with
   * @throws The error
   */
  throw(error: unknown): Promise<IteratorResult<T, undefined>> {
    this.#lookahead.depth = 0;
    return this.#turns.take(() => {
      this.#isEnded = true;
      throw error;
    });
  }

  /**
   * Returns the iterator itself. After an error, a second `for await` continues where the first one
   * stopped. After the end, it returns no elements.
   */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends the iterator at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  /**
   * Returns an iterator over whole pages instead of elements. Its first page is the rest of the
   * current page. Empty pages are skipped, and `maxItems` can cut the last page. Leaving the loop
   * early ends this iterator.
   *
   * It does not call `next`. A class that filters or changes elements must do so in `_getPage`.
   *
   * @example
   * ```ts
   * import { APIIterator } from "@restwright/restwright/paging";
   *
   * class Countdown extends APIIterator<number> {
   *   protected override async _getPage(): Promise<void> {
   *     const start = 6 - 2 * this.currentPage++;
   *     this.page = start > 0 ? [start, start - 1] : [];
   *   }
   * }
   * for await (const page of new Countdown({ client: {} }).pages()) console.log(page);
   * ```
   */
  async *pages(): AsyncIterableIterator<readonly T[], undefined, unknown> {
    for (;;) {
      const page = await this.#turns.take(() => this.#takePage());
      if (page === undefined) return;
      let isLeft = true;
      try {
        yield page;
        isLeft = false;
      } finally {
        if (isLeft) await this.return();
      }
    }
  }

  /**
   * Returns all remaining elements as an array, within `maxItems`.
   *
   * If the class overrides `next`, the elements are the results of that method, as in `for await`.
   * An error then does not undo anything: elements that were read before it count as returned.
   *
   * @returns The elements
   * @throws The error of `_getPage`. The elements then do not count as returned, and another call
   * returns all of them, unless the class overrides `next`
   */
  async collect(): Promise<T[]> {
    if (this.next !== APIIterator.prototype.next) {
      const all: T[] = [];
      for await (const element of this) all.push(element);
      return all;
    }
    return await this.#turns.take(async () => {
      const before = [this.#position, this.#rest, this.#next, this.#count] as const;
      const taken: PagePosition<T>[] = [];
      const all: T[] = [];
      try {
        for (let page = await this.#takePage(); page; page = await this.#takePage()) {
          if (this.#position !== (taken.at(-1) ?? before[0])) taken.push(this.#position);
          for (const element of page) all.push(element);
        }
      } catch (error) {
        this.#lookahead.putBack(taken);
        [this.#position, this.#rest, this.#next, this.#count] = before;
        throw error;
      }
      return all;
    });
  }

  /** Returns the rest of the current page, or the next page; undefined at the end. */
  async #takePage(): Promise<readonly T[] | undefined> {
    if (!await this.#hasElement()) return undefined;
    const page = this.#next === 0 ? this.#rest : this.#rest.slice(this.#next);
    this.#rest = []; // the caller now owns the array
    this.#next = 0;
    this.#count += page.length;
    return page;
  }

  /** Takes the next page if necessary, and returns true if there is an element to return. */
  async #hasElement(): Promise<boolean> {
    if (this.#isEnded) return false;
    if (this.#next < this.#rest.length) return true;
    let position = await this.#lookahead.take();
    // Skips empty pages. After an empty last page, `take` returns undefined.
    while (position?.page.length === 0) position = await this.#lookahead.take();
    if (position === undefined) {
      this.#isEnded = true;
      return false;
    }
    const { page } = position;
    const wanted = this.maxItems === null ? Infinity : this.maxItems - this.#count;
    this.#position = position;
    this.#rest = page.length > wanted ? page.slice(0, wanted) : page;
    this.#next = 0;
    return true;
  }

  // The methods below read the public properties, because a subclass may override them.

  #isUnfinished(): boolean {
    const { pageCount, size, hasMore, numPages, total, maxPages, maxItems } = this;
    const fetched = { pageCount, fetched: this.#fetched, lastLength: this.#lastLength };
    return hasMorePages({ ...fetched, size, hasMore, numPages, total, maxPages, maxItems });
  }

  /** Writes a warning about an iterator without a limit that has fetched many pages. */
  #report(): void {
    const isLimited = this.maxItems !== null || this.maxPages !== null;
    if (isLimited || !this.#isUnfinished()) return;
    const client: ClientParts = this.#client;
    const logger = client._log ?? client._api?._log;
    if (logger !== undefined) {
      writeRecord(logger, "warn", () => longListWarning(this.constructor.name));
    }
  }

  /** Fetches one page. If that fails, the state is restored. */
  async #fetch(): Promise<PagePosition<T>> {
    const { page, currentPage, total, numPages } = this;
    const reason = endlessReason(this.#tail, this.#limits);
    if (reason !== undefined) {
      throw new PagingError(`${this.constructor.name}: ${reason}`, currentPage);
    }
    const before: PageState = { page, currentPage, hasMore: this.#hasMore };
    try {
      this.#hasMore = undefined;
      const returned: unknown = await this._getPage();
      this.#idlePages = checkPage(this.constructor.name, before, this, returned, this.#idlePages);
    } catch (error) {
      Object.assign(this, { page, currentPage, total, numPages });
      this.#hasMore = before.hasMore;
      throw error;
    }
    this.#tail = afterPage(this.#tail, this.page, this.#limits);
    this.#pageCount++;
    this.#fetched += this.page.length;
    this.#lastLength = this.page.length;
    if (this.#pageCount === LONG_LIST) this.#report();
    return { page: this.page, currentPage: this.currentPage };
  }
}

export { APIIterator as AsyncAPIIterator };
export type { IteratorOptions } from "./iterator_options.ts";
