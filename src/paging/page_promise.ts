/** The promise of a list: the first page if it is awaited, all items if it is iterated. */
import { checkedLimit, checkedOptions } from "../base/checks.ts";
import type { APIPromise } from "../call/api_promise.ts";
import { Page, type PagingState } from "./page.ts";
import { Prefetcher, SerialQueue } from "./prefetcher.ts";

/**
 * The source of the pages of a list.
 *
 * @internal
 */
export interface ListSource<T, B> {
  /** True while nobody reads more than a number of items that is known. */
  isLimited: boolean;
  /** Requests the page at a state, after a number of pages. */
  fetch(start: PagingState, index: number): Promise<Page<T, B>>;
  /** Requests the response of the page at a state. It is not read. */
  fetchResponse(start: PagingState): Promise<Response>;
}

/**
 * The promise of the first page of a list, and the list itself.
 *
 * `await` returns the first page, `for await` all items. No request is sent before one of them begins.
 * The promise keeps the position of its loops: a loop, `pages()` and `collect()` continue after the
 * last item that was delivered, also after a `break` or an error. So no item is lost or delivered
 * twice, and the first page is requested once. A request that failed is sent again by the next
 * attempt.
 *
 * Return it from a function that is not `async`, because that would await it.
 *
 * @typeParam T The type of an item
 * @typeParam B The type of the body
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { linkHeader, type PagePromise } from "@restwright/restwright/paging";
 * import { mockTransport, replies } from "@restwright/restwright/testing";
 *
 * class Tracker extends APISession {
 *   static override readonly url: string = "https://api.example.com";
 *
 *   issues(): PagePromise<{ id: number }> {
 *     return this._pages<{ id: number }>("issues", { next: linkHeader() });
 *   }
 * }
 *
 * const headers = { link: '</issues?page=2>; rel="next"' };
 * const first = Response.json([{ id: 1 }, { id: 2 }], { headers });
 * const tracker = new Tracker({ fetch: mockTransport({ "GET /issues": replies(first, [{ id: 3 }]) }) });
 * for await (const { id } of tracker.issues()) console.log(id); // 1, then 2, then 3
 * ```
 *
 * @category Paging
 */
export class PagePromise<T, B = unknown>
  implements Omit<APIPromise<Page<T, B>>, "map">, AsyncIterable<T> {
  readonly #source: ListSource<T, B>;
  readonly #start: PagingState;
  readonly #prefetch: number;
  readonly #turns = new SerialQueue();
  #first: Promise<Page<T, B>> | undefined;
  #position: Position<T, B> | undefined;
  /** The number of items of the page that were delivered. */
  #taken = 0;
  /** The pages after the position, and what aborts their requests. */
  #ahead: Prefetcher<Position<T, B>> | undefined;
  #abort: AbortController | undefined;

  /**
   * Stores the list. No request is sent.
   *
   * @param source The source of the pages
   * @param start The state to begin with
   * @param prefetch The number of pages to fetch ahead
   */
  constructor(source: ListSource<T, B>, start: PagingState, prefetch: number) {
    this.#source = source;
    this.#start = start;
    this.#prefetch = prefetch;
  }

  /** The name of the class. */
  get [Symbol.toStringTag](): string {
    return "PagePromise";
  }

  /**
   * The state after the last item that was delivered. Pass it as `from`, in this program or another
   * one, to continue there.
   */
  get state(): PagingState {
    if (this.#position === undefined) return this.#start;
    const { page, before } = this.#position;
    if (this.#taken === page.items.length) return page.state;
    const { skip, delivered } = before;
    return { ...before, skip: skip + this.#taken, delivered: delivered + this.#taken };
  }

  /**
   * Requests the first page, unless that was done already, and calls a function with it.
   *
   * @param onfulfilled Called with the first page
   * @param onrejected Called with the error
   */
  then<R = Page<T, B>, E = never>(
    onfulfilled?: ((page: Page<T, B>) => R | PromiseLike<R>) | null,
    onrejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.#firstPage().then(onfulfilled, onrejected);
  }

  /**
   * Requests the first page, and calls a function if that fails.
   *
   * @param onrejected Called with the error
   */
  catch<E = never>(
    onrejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<Page<T, B> | E> {
    return this.then(undefined, onrejected);
  }

  /**
   * Requests the first page, and calls a function at the end.
   *
   * @param onfinally Called without a value
   */
  finally(onfinally?: (() => void) | null): Promise<Page<T, B>> {
    return this.#firstPage().finally(onfinally);
  }

  /**
   * Returns the first page and its response, which is the `response` of the page.
   */
  async withResponse(): Promise<{ readonly data: Page<T, B>; readonly response: Response }> {
    const data = await this.#firstPage();
    return { data, response: data.response };
  }

  /**
   * Returns the response of the first page as soon as its headers are there. Its body is not read and
   * not converted.
   *
   * The list does not take items from it: to iterate later requests the first page itself. If that was
   * requested before, this is the response of the page.
   *
   * @example `const response = await tracker.issues().asResponse()`
   */
  async asResponse(): Promise<Response> {
    return this.#first === undefined
      ? await this.#source.fetchResponse(this.#start)
      : (await this.#first).response;
  }

  /** Iterates over the items that were not delivered yet. Leaving the loop aborts prefetching. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, undefined, undefined> {
    try {
      for (;;) {
        const item = await this.#turns.take(() => this.#takeItem());
        if (item === undefined) return;
        yield item.value;
      }
    } finally {
      await this.#stop();
    }
  }

  /**
   * Iterates over pages. If a part of the current page was delivered, the first one is the rest of it.
   * A page counts as delivered when the loop gets it. Leaving the loop aborts prefetching.
   */
  async *pages(): AsyncGenerator<Page<T, B>, undefined, undefined> {
    try {
      for (;;) {
        const page = await this.#turns.take(() => this.#takeRest());
        if (page === undefined) return;
        yield page;
      }
    } finally {
      await this.#stop();
    }
  }

  /**
   * Returns items that were not delivered yet as an array. It does not prefetch, and requests no page
   * that it does not need.
   *
   * If a request fails, the items count as not delivered, and the next call returns them.
   *
   * @param options `maxItems` is the maximum number of items, at least 1; null for no limit. Default: null
   * @throws {UnexpectedValueError} If an option is not valid. Also rejects with any error of a request
   */
  async collect(options: { readonly maxItems?: number | null | undefined } = {}): Promise<T[]> {
    const { maxItems: limit = null } = checkedOptions(options, ["maxItems"]);
    const maxItems = checkedLimit("maxItems", limit) ?? Infinity;
    return await this.#turns.take(async () => {
      const [position, taken] = [this.#position, this.#taken];
      const ahead = this.#following();
      const read: Position<T, B>[] = [];
      const items: T[] = [];
      ahead.depth = 0;
      this.#source.isLimited = maxItems < Infinity;
      try {
        while (items.length < maxItems) {
          const { items: ofPage } = this.#position?.page ?? { items: [] };
          const end = Math.min(ofPage.length, this.#taken + maxItems - items.length);
          for (; this.#taken < end; this.#taken++) items.push(ofPage[this.#taken]!);
          if (items.length === maxItems || !await this.#takePage()) break;
          read.push(this.#position!);
        }
        return items;
      } catch (error) {
        ahead.putBack(read);
        [this.#position, this.#taken] = [position, taken];
        throw error;
      } finally {
        ahead.depth = this.#prefetch;
        this.#source.isLimited = false;
      }
    });
  }

  /** Returns the first page. A request that failed is sent again. */
  #firstPage(): Promise<Page<T, B>> {
    return this.#first ??= this.#source.fetch(this.#start, 0).catch((error) => {
      this.#first = undefined;
      throw error;
    });
  }

  /** Takes the next item; undefined at the end. */
  async #takeItem(): Promise<{ readonly value: T } | undefined> {
    while (this.#position === undefined || this.#taken === this.#position.page.items.length) {
      if (!await this.#takePage()) return undefined;
    }
    return { value: this.#position.page.items[this.#taken++]! };
  }

  /** Takes the rest of the current page if there are items in it, or the next page. */
  async #takeRest(): Promise<Page<T, B> | undefined> {
    const taken = this.#taken;
    const isInPage = taken > 0 && taken < (this.#position?.page.items.length ?? 0);
    if (!isInPage && !await this.#takePage()) return undefined;
    const { page } = this.#position!;
    this.#taken = page.items.length;
    if (!isInPage) return page;
    const { items, body, response, state } = page;
    const next = (signal: AbortSignal | undefined) => page.nextPage({ signal });
    const rest = items.slice(taken);
    return new Page({
      ...{ items: rest, body, response, state },
      next: page.hasNextPage() ? next : undefined,
    });
  }

  /** Moves the position to the beginning of the next page. Returns false at the end. */
  async #takePage(): Promise<boolean> {
    const next = await this.#following().take();
    if (next === undefined) return false;
    this.#position = next;
    this.#taken = 0;
    return true;
  }

  /** Returns the pages after the position, in the order of the list. */
  #following(): Prefetcher<Position<T, B>> {
    if (this.#ahead !== undefined) return this.#ahead;
    const signal = this.#prefetch === 0 ? undefined : (this.#abort = new AbortController()).signal;
    let last = this.#position;
    return this.#ahead = new Prefetcher({
      hasMore: () => last === undefined ? !this.#start.done : last.page.hasNextPage(),
      fetch: async () => {
        const page =
          await (last === undefined ? this.#firstPage() : last.page.nextPage({ signal }));
        return last = { page, before: last === undefined ? this.#start : last.page.state };
      },
    }, this.#prefetch);
  }

  /** Ends prefetching. The pages ahead are requested again by the next loop. */
  async #stop(): Promise<void> {
    if (this.#prefetch === 0) return;
    await this.#turns.take(() => {
      this.#abort?.abort();
      this.#ahead = undefined;
    });
  }
}

/** A page, and the state at its beginning. */
interface Position<T, B> {
  readonly page: Page<T, B>;
  readonly before: PagingState;
}
