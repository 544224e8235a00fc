/** One page of a list, and the state from which a program can continue the list later. */
import { checkedOptions, checkedSignal } from "../base/checks.ts";
import { PagingError } from "../errors/paging_error.ts";

/**
 * A point in a list of pages, as JSON: the request of a page, and what was delivered before.
 *
 * It contains links and cursors of the server, which may grant access. Store it like a secret if the
 * API's links do.
 *
 * @category Paging
 */
export interface PagingState {
  /** The URL of the page, if a rule has found a link. */
  readonly link?: string | undefined;
  /**
   * True if the link gets no credentials: the page that it was found on, or one before, was of an
   * origin that the session does not trust.
   */
  readonly withoutCredentials?: boolean | undefined;
  /** The parameters that a rule has set for the page. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** The number of items of this page that were delivered already. */
  readonly skip: number;
  /** The number of items that were delivered in all. */
  readonly delivered: number;
  /** True after the last page. */
  readonly done?: boolean | undefined;
}

/**
 * The parts of a {@linkcode Page}.
 *
 * @internal
 */
export interface PageParts<T, B> {
  /** The items. */
  readonly items: readonly T[];
  /** The body. */
  readonly body: B;
  /** The response. */
  readonly response: Response;
  /** The state after the page. */
  readonly state: PagingState;
  /** Requests the next page; undefined if this is the last one. */
  readonly next: ((signal: AbortSignal | undefined) => Promise<Page<T, B>>) | undefined;
}

/**
 * One page of a list.
 *
 * @typeParam T The type of an item
 * @typeParam B The type of the body
 *
 * @category Paging
 */
export class Page<T, B = unknown> {
  /** The items. After a state in the middle of a page, only those that were not delivered yet. */
  readonly items: readonly T[];
  /** The body, parsed as JSON or by the `responseModel`; a box with `box: true`. */
  readonly body: B;
  /** The response, with an unread copy of its body. */
  readonly response: Response;
  /** The state after this page. Pass it as `from` to begin with the next page. */
  readonly state: PagingState;
  readonly #next: PageParts<T, B>["next"];

  /**
   * Stores the parts.
   *
   * @param parts The parts
   */
  constructor({ items, body, response, state, next }: PageParts<T, B>) {
    this.items = items;
    this.body = body;
    this.response = response;
    this.state = state;
    this.#next = next;
  }

  /** The name of the class. Frameworks such as Vue wrap objects without one in a `Proxy`. */
  get [Symbol.toStringTag](): string {
    return "Page";
  }

  /** Returns true if another page follows. */
  hasNextPage(): boolean {
    return this.#next !== undefined;
  }

  /**
   * Requests the next page. Each call sends a request.
   *
   * @param options A signal that aborts only this request; null for none
   * @returns The page
   * @throws {UnexpectedValueError} If an option is not known
   * @throws {PagingError} If this is the last page, or if its link or cursor is not valid, or was
   * requested before. Also rejects with any error of the request
   */
  async nextPage(
    options: { readonly signal?: AbortSignal | null | undefined } = {},
  ): Promise<Page<T, B>> {
    const signal = checkedSignal("signal", checkedOptions(options, ["signal"]).signal);
    if (this.#next !== undefined) return await this.#next(signal);
    throw new PagingError("this is the last page: call hasNextPage() before nextPage()", 0);
  }
}
