/** Where the pages come from. */
export interface PageSource<P> {
  /** Whether there is a page after those that were fetched. */
  hasMore(): boolean;
  /** Fetches the next page; after a failure, the same again. */
  fetch(): Promise<P>;
}

/** What a fetch came to. */
type Outcome<P> = { readonly page: P } | { readonly error: unknown };

/**
 * Fetches pages one after the other, also ahead of whoever takes them.
 *
 * A failure waits for its turn like a page, and nothing is fetched behind it: it is raised when its
 * page is taken, so that it is never an unhandled rejection; whoever takes again fetches again.
 */
export class Prefetcher<P> {
  readonly #source: PageSource<P>;
  /** How many pages may be ready before they are taken. */
  #depth: number;
  #ready: Outcome<P>[] = [];
  #fetching: Promise<void> | undefined;

  /**
   * @param source Where the pages come from
   * @param depth How many pages may be ready before they are taken; 0 fetches only what is taken
   */
  constructor(source: PageSource<P>, depth: number) {
    this.#source = source;
    this.#depth = depth;
  }

  /** The next page, or undefined where there is none. Nobody else may take one meanwhile. */
  async take(): Promise<P | undefined> {
    this.#fill(Math.max(1, this.#depth));
    if (this.#ready.length === 0) await this.#fetching;
    const outcome = this.#ready.shift();
    if (outcome === undefined) return undefined;
    if ("error" in outcome) throw outcome.error;
    this.#fill(this.#depth);
    return outcome.page;
  }

  /** Puts pages back that were taken, to be taken again in this order. */
  putBack(pages: readonly P[]): void {
    this.#ready = [...pages.map((page) => ({ page })), ...this.#ready];
  }

  /** Fetches nothing ahead from now on. */
  stop(): void {
    this.#depth = 0;
  }

  /** Begins to fetch, where fewer pages are ready than are wanted. */
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
    this.#fill(this.#depth);
  }
}
