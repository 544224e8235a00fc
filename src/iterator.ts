import { type IteratorOptions, readIteratorSettings } from "./iterator/iterator_options.ts";
import { Prefetcher } from "./iterator/prefetcher.ts";
import { checkPage, type PageState } from "./iterator/page_check.ts";
import { hasMorePages } from "./iterator/stop_rule.ts";
import { SerialQueue } from "./iterator/serial_queue.ts";

/** Where the caller of an {@linkcode APIIterator} is, however far ahead pages are fetched. */
export interface PagePosition<T> {
  /** The page of the element last given; empty before the first. */
  readonly page: readonly T[];
  /** `currentPage` as it was when that page had been fetched: the index of the page after it. */
  readonly currentPage: number;
}

/**
 * Hides paging: gives element after element, and fetches a page when it has none left.
 *
 * The author of an SDK derives a class from it and writes `_getPage`, which fetches one page. The
 * iterator is an async generator in full: `for await`, `next`, `return`, `throw` and `await using`.
 * It makes no call before the first element is asked for. Calls at the same time are served in
 * order. An error of `_getPage` leaves it where it was: ask again, and the same page is fetched
 * again. Leaving a `for await` early ends it, and nothing more is fetched.
 *
 * The last page is one with fewer elements than `size`, or with none (contract, Paging helpers,
 * rule 3); also the one with which as many elements or pages were fetched as `total` or `numPages`
 * say, or `maxItems` or `maxPages` allow. If `_getPage` sets `hasMore`, that decides instead, within
 * `maxItems` and `maxPages`.
 *
 * `AsyncAPIIterator` is the same class under the contract's other name.
 *
 * @example Books by the page
 * ```ts
 * import { APIIterator, APISession } from "@restwright/restwright";
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
 * for await (const title of new Titles({ api })) console.log(title); // Emma, Ulysses, Walden
 * ```
 */
export abstract class APIIterator<T, C extends object = object>
  implements AsyncGenerator<T, undefined, unknown> {
  /** Elements on a full page; a page with fewer is the last. Default: 0, for no fixed size */
  static readonly size: number = 0;
  /** The index of the first page. Default: 0 */
  static readonly currentPage: number = 0;
  /** The most elements that are given. Default: null, for all */
  static readonly maxItems: number | null = null;
  /** The most pages that are fetched. Default: null, for all */
  static readonly maxPages: number | null = null;
  /** Pages that are fetched ahead while the caller works. Default: 0 */
  static readonly prefetch: number = 0;

  readonly #client: C;
  readonly #size: number;
  readonly #maxItems: number | null;
  readonly #maxPages: number | null;
  readonly #prefetch: number;

  // What is fetched.
  #page: readonly T[] = [];
  #currentPage: number;
  #total: number | null = null;
  #numPages: number | null = null;
  #hasMore: boolean | undefined;
  /** Empty pages in a row that say that there are more, and leave `currentPage` where it is. */
  #idlePages = 0;
  #pageCount = 0;
  #fetched = 0;
  #lastLength: number | undefined;

  // What is given.
  readonly #turns = new SerialQueue();
  readonly #lookahead: Prefetcher<PagePosition<T>>;
  #position: PagePosition<T>;
  /** Elements of the position's page that may be given, and the index of the next. */
  #rest: readonly T[] = [];
  #next = 0;
  #count = 0;
  #isEnded = false;

  /**
   * Checks and stores the options; no request is made.
   *
   * @param options Who it calls, and what is set in place of the class's statics
   * @throws {UnexpectedValueError} Names the first option that is not what was expected
   */
  constructor(options: IteratorOptions<C>) {
    const settings = readIteratorSettings(options, new.target);
    this.#client = settings.client;
    this.#size = settings.size;
    this.#currentPage = settings.currentPage;
    this.#maxItems = settings.maxItems;
    this.#maxPages = settings.maxPages;
    this.#prefetch = settings.prefetch;
    this.#page = settings.page as readonly T[];
    this.#position = { page: this.#page, currentPage: this.#currentPage };
    const source = { hasMore: () => this.#isUnfinished(), fetch: () => this.#fetch() };
    this.#lookahead = new Prefetcher(source, settings.prefetch);
    if (this.#page.length > 0) {
      this.#fetched = this.#lastLength = this.#page.length;
      this.#lookahead.putBack([{ ...this.#position }]);
    }
  }

  /**
   * Fetches one page: stores its elements in `page`, as a new array, and advances `currentPage`.
   *
   * Where the API tells them, it stores `total` and `numPages` too. If the API tells whether a page
   * follows, as one with a cursor does, it sets `hasMore`. Otherwise an empty array says that there is
   * nothing more. It never runs twice at once. When it throws, these five are put back as they
   * were, so that the same page is fetched when somebody asks again; state of its own, such as a
   * cursor, it advances last.
   */
  protected abstract _getPage(): Promise<void>;

  /** The client that it calls (generation 2). */
  protected get _client(): C {
    return this.#client;
  }

  /** The session that it calls (generation 1); the same as `_client`. */
  protected get _api(): C {
    return this.#client;
  }

  /** Elements on a full page; 0 where pages have no fixed size. */
  get size(): number {
    return this.#size;
  }

  /** The most elements that it gives; null for all. */
  get maxItems(): number | null {
    return this.#maxItems;
  }

  /** The most pages that it fetches; null for all. */
  get maxPages(): number | null {
    return this.#maxPages;
  }

  /** Pages that it fetches ahead while the caller works. */
  get prefetch(): number {
    return this.#prefetch;
  }

  /**
   * The index of the next page to fetch; `_getPage` advances it.
   *
   * With `prefetch` it runs ahead of the elements: see `position`.
   */
  get currentPage(): number {
    return this.#currentPage;
  }

  protected set currentPage(currentPage: number) {
    this.#currentPage = currentPage;
  }

  /**
   * The elements of the page fetched last; before the first those of the option, else empty. `_getPage` stores it.
   *
   * With `prefetch` it runs ahead of the elements: see `position`.
   */
  get page(): readonly T[] {
    return this.#page;
  }

  protected set page(page: readonly T[]) {
    this.#page = page;
  }

  /** How many elements there are in all, where `_getPage` stored what the API says; else null. */
  get total(): number | null {
    return this.#total;
  }

  protected set total(total: number | null) {
    this.#total = total;
  }

  /** How many pages there are in all, where `_getPage` stored what the API says; else null. */
  get numPages(): number | null {
    return this.#numPages;
  }

  protected set numPages(numPages: number | null) {
    this.#numPages = numPages;
  }

  /**
   * Set by `_getPage` to true if a page follows the one that it stored, and to false if not: then
   * nothing else decides but `maxItems` and `maxPages`. Undefined before each `_getPage`.
   */
  get hasMore(): boolean | undefined {
    return this.#hasMore;
  }

  protected set hasMore(hasMore: boolean | undefined) {
    this.#hasMore = hasMore;
  }

  /** Pages fetched so far, an empty last one and those fetched ahead included. */
  get pageCount(): number {
    return this.#pageCount;
  }

  /** Elements given so far, by themselves or in whole pages. */
  get count(): number {
    return this.#count;
  }

  /**
   * Where the caller is: `page` and `currentPage` of the element last given.
   *
   * Without `prefetch` these are what the iterator's own `page` and `currentPage` say. With it,
   * those run ahead, and this does not: what follows the page goes on from `position.currentPage`.
   */
  get position(): PagePosition<T> {
    return this.#position;
  }

  /**
   * Gives the next element, and fetches a page for it where that is needed.
   *
   * @returns The element; or done, again and again, where there is none
   * @throws What `_getPage` throws; ask again, and the same page is fetched again
   * @throws {PagingError} If `_getPage` stored no new page, or three empty ones without moving on
   */
  next(): Promise<IteratorResult<T, undefined>> {
    return this.#turns.take(async () => {
      if (!await this.#hasElement()) return { done: true, value: undefined };
      this.#count++;
      return { done: false, value: this.#rest[this.#next++]! };
    });
  }

  /**
   * Ends it, after the calls that were made before; nothing more is fetched ahead from now on.
   *
   * @param value Comes back as the result's value
   * @returns Done, with the value
   */
  return(value?: undefined | PromiseLike<undefined>): Promise<IteratorResult<T, undefined>> {
    this.#lookahead.stop();
    return this.#turns.take(async () => {
      this.#isEnded = true;
      return { done: true, value: await value };
    });
  }

  /**
   * Ends it as `return` does, and fails.
   *
   * @param error What it fails with
   * @throws The error
   */
  throw(error: unknown): Promise<IteratorResult<T, undefined>> {
    this.#lookahead.stop();
    return this.#turns.take(() => {
      this.#isEnded = true;
      throw error;
    });
  }

  /** Itself: a second `for await` goes on where the first one failed, and gives nothing after its end. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends it, at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  /**
   * Gives whole pages in place of elements: first what is left of the present page. Never an empty
   * one; `maxItems` cuts the last. Leaving the loop early ends the iterator.
   *
   * It does not go through `next`: a class that leaves out or changes elements does so in `_getPage`,
   * where pages have it too.
   *
   * @example
   * ```ts
   * import { APIIterator } from "@restwright/restwright";
   *
   * class Countdown extends APIIterator<number> {
   *   protected override async _getPage(): Promise<void> {
   *     const start = 6 - 2 * this.currentPage++;
   *     this.page = start > 0 ? [start, start - 1] : [];
   *   }
   * }
   * for await (const page of new Countdown({ client: {} }).pages()) console.log(page); // [6, 5] …
   * ```
   */
  async *pages(): AsyncIterableIterator<readonly T[], undefined, unknown> {
    for (;;) {
      const page = await this.#turns.take(() => this.#givePage());
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
   * Gives all elements that are left, as an array. `maxItems` bounds it, as it bounds everything.
   *
   * If the class overrides `next`, the elements are what that returns, as in `for await`. Then nothing is
   * rolled back after an error: elements that were read before it count as given.
   *
   * @returns The elements
   * @throws What `next` throws; nothing counts as given then, and another call gets all of them, unless
   * the class overrides `next`
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
        for (let page = await this.#givePage(); page; page = await this.#givePage()) {
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

  /** What is left of the present page, or the next; undefined at the end. */
  async #givePage(): Promise<readonly T[] | undefined> {
    if (!await this.#hasElement()) return undefined;
    const page = this.#next === 0 ? this.#rest : this.#rest.slice(this.#next);
    this.#rest = []; // the page is the caller's now
    this.#next = 0;
    this.#count += page.length;
    return page;
  }

  /** Whether there is an element to give, after the next page was taken where that is needed. */
  async #hasElement(): Promise<boolean> {
    if (this.#isEnded) return false;
    if (this.#next < this.#rest.length) return true;
    let position = await this.#lookahead.take();
    // An empty page in the middle; after one that is the last there is none to take.
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

  // From here on everything is read by its public name, which a subclass may have overridden.

  #isUnfinished(): boolean {
    const { pageCount, size, hasMore, numPages, total, maxPages, maxItems } = this;
    const fetched = { pageCount, fetched: this.#fetched, lastLength: this.#lastLength };
    return hasMorePages({ ...fetched, size, hasMore, numPages, total, maxPages, maxItems });
  }

  /** Fetches one page; where that fails, all is as before. */
  async #fetch(): Promise<PagePosition<T>> {
    const { page, currentPage, total, numPages } = this;
    const before: PageState = { page, currentPage, hasMore: this.#hasMore };
    try {
      this.#hasMore = undefined;
      await this._getPage();
      this.#idlePages = checkPage(this.constructor.name, before, this, this.#idlePages);
    } catch (error) {
      Object.assign(this, { page, currentPage, total, numPages });
      this.#hasMore = before.hasMore;
      throw error;
    }
    this.#pageCount++;
    this.#fetched += this.page.length;
    this.#lastLength = this.page.length;
    return { page: this.page, currentPage: this.currentPage };
  }
}

export { APIIterator as AsyncAPIIterator };
export type { IteratorOptions } from "./iterator/iterator_options.ts";
