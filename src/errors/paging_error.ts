import { brand, RestwrightError } from "./base_error.ts";

/**
 * An iterator's `_getPage` came back without a new page: it stored none, or what it stored is no
 * array; or it stored three empty ones that said that more follow, and `currentPage` did not move. It
 * is a mistake in the iterator's class, and raised in place of a loop without an end.
 *
 * @example A `_getPage` that forgets to store the page
 * ```ts
 * import { APIIterator, APISession, PagingError } from "@restwright/restwright";
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
 */
export class PagingError extends RestwrightError {
  static {
    brand("PagingError", this);
  }

  /** The index of the page that was to be fetched. */
  readonly currentPage: number;

  /**
   * Builds the error.
   *
   * @param message What is wrong with the page
   * @param currentPage The index of the page that was to be fetched
   */
  constructor(message: string, currentPage: number) {
    super(message);
    this.currentPage = currentPage;
  }

  /** What `JSON.stringify` shows. */
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), currentPage: this.currentPage };
  }
}
