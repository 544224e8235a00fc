/** Fetches pages ahead of their reader, one after the other, and keeps an error until its turn. */
import { check } from "../base/checks.ts";

/** The source of the pages that a {@linkcode Prefetcher} fetches. */
export interface PageSource<P> {
  /** Returns true if there is another page to fetch. */
  hasMore(): boolean;
  /** Fetches the next page. After a failure, it fetches the same page again. */
  fetch(): Promise<P>;
}

/** The result of a fetch: a page or an error. */
type Outcome<P> = { readonly page: P } | { readonly error: unknown };

/**
 * A buffer that fetches pages one after the other, also before they are taken.
 *
 * An error is stored in the buffer like a page, and no page is fetched after it. `take` throws it
 * when it reaches that page, so that it is never an unhandled rejection. The next `take` fetches
 * the page again.
 */
export class Prefetcher<P> {
  readonly #source: PageSource<P>;
  /** The maximum number of pages to fetch ahead; with 0, `take` fetches its page itself. */
  depth: number;
  #ready: Outcome<P>[] = [];
  #fetching: Promise<void> | undefined;

  /**
   * @param source The source of the pages
   * @param depth The maximum number of pages to fetch ahead; with 0, `take` fetches its page itself
   */
  constructor(source: PageSource<P>, depth: number) {
    this.#source = source;
    this.depth = depth;
  }

  /** Returns the next page, or undefined if there is none. Calls must not overlap. */
  async take(): Promise<P | undefined> {
    this.#fill(Math.max(1, this.depth));
    if (this.#ready.length === 0) await this.#fetching;
    const outcome = this.#ready.shift();
    if (outcome === undefined) return undefined;
    if ("error" in outcome) throw outcome.error;
    this.#fill(this.depth);
    return outcome.page;
  }

  /** Puts taken pages back at the front of the buffer, in this order. */
  putBack(pages: readonly P[]): void {
    this.#ready = [...pages.map((page) => ({ page })), ...this.#ready];
  }

  /** Starts to fetch a page if fewer pages than wanted are ready and no fetch is running. */
  #fill(wanted: number): void {
    if (this.#fetching !== undefined || this.#ready.length >= wanted) return;
    const last = this.#ready.at(-1);
    if (last !== undefined && "error" in last) return;
    if (this.#source.hasMore()) this.#fetching = this.#fetchOne();
  }

  async #fetchOne(): Promise<void> {
    try {
      this.#ready.push({ page: await this.#source.fetch() });
    } catch (error) {
      this.#ready.push({ error });
    }
    this.#fetching = undefined;
    this.#fill(this.depth);
  }
}

/** Checks the number of pages to fetch ahead. True is 1, false is 0. */
export function checkedPrefetch(prefetch: unknown): number {
  if (typeof prefetch === "boolean") return Number(prefetch);
  return checkedPages("prefetch", prefetch);
}

const checkedPages = /* @__PURE__ */ check(
  "true, false, or a whole number of at least 0",
  (value) => Number.isInteger(value) && (value as number) >= 0,
);

/** A queue that runs tasks one after the other, in the order in which they were added. */
export class SerialQueue {
  #last: Promise<void> | undefined;

  /**
   * Runs a task after all earlier tasks have settled, even if they failed.
   *
   * @param work The task
   * @returns The result of the task
   */
  async take<R>(work: () => R | Promise<R>): Promise<R> {
    const before = this.#last;
    let leave!: () => void;
    const turn = new Promise<void>((resolve) => leave = resolve);
    this.#last = turn;
    try {
      if (before !== undefined) await before;
      return await work();
    } finally {
      // The queue is empty: the next task can start without waiting.
      if (this.#last === turn) this.#last = undefined;
      leave();
    }
  }
}
