import { APIClient, type ClientOptions } from "@restwright/restwright";
import { ApiKeyAuth, type AuthOption } from "@restwright/restwright/auth";
import { type ErrorFrom, type ErrorMap, errorsBy } from "@restwright/restwright/errors";
import { BookNotFoundError } from "./errors.ts";
import { Books } from "./books.ts";
import { Problem } from "./models.ts";

/** Options of a {@linkcode Bookshop}: those of every client, and the key of the API. */
export interface BookshopOptions extends ClientOptions {
  /** The key of the API. */
  readonly apiKey: string;
}

/**
 * A client of the bookshop.
 *
 * @example
 * ```ts ignore
 * const shop = new Bookshop({ apiKey: "…" });
 * for await (const book of shop.books.list()) console.log(book.title);
 * ```
 */
export class Bookshop extends APIClient {
  static override readonly baseUrl: string = "https://api.example.com/v1";
  static override readonly libName: string = "bookshop";
  static override readonly libVersion: string = "0.1.0";
  static override readonly errorMap: ErrorMap = { 404: BookNotFoundError };
  static override readonly errorFrom: ErrorFrom = errorsBy({ model: Problem });
  static override readonly authOption: AuthOption = {
    name: "apiKey",
    scheme: (key) => new ApiKeyAuth(key),
  };
  /** Clients on many machines retry at different times, so that a server can recover. */
  static override readonly jitter = "full";
  static override readonly errorOnUnexpectedInput: boolean = true;

  /** The books. */
  readonly books: Books = new Books(this);

  constructor(options: BookshopOptions) {
    super(options);
  }
}
