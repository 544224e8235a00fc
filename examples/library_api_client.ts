// A generation 2 client of the library's API in library_api.ts. The models in library_models.ts
// validate the responses and determine their types. library_client.ts is the same client in
// generation 1.

import {
  APIClient,
  APIEndpoint,
  type APIPromise,
  type ClientOptions,
  type LoginRequests,
  NotFoundError,
  path,
  voidFormat,
} from "../mod.ts";
import {
  type ErrorFrom,
  type ErrorMap,
  errorsBy,
  InvalidContentError,
} from "../src/entries/errors.ts";
import type { BodyFormat } from "../src/models/mod.ts";
import { APIIterator } from "../src/paging/mod.ts";
import { Book, type BookFields, BookPage, Member, Refusal, Token } from "./library_models.ts";

/** Filters of a list of books. */
export interface BookQuery {
  readonly author?: string | undefined;
  readonly onLoan?: boolean | undefined;
}

/** Options for reading a list page by page. */
export interface Paging {
  /** Books on a page, at most 100. Default: 100 */
  readonly size?: number;
  /** Pages that are fetched in advance while the caller works. Default: 0 */
  readonly prefetch?: number;
}

/** A book that is not in the library yet. */
export type NewBook = Omit<BookFields, "id" | "onLoan">;

/** 404: the library does not have what the request asks for. */
export class MissingError extends NotFoundError {
  declare readonly data: Refusal | undefined;
}

/** 422: the library rejects the request body. `data.problems` has the reason for each field. */
export class RejectedError extends InvalidContentError {
  declare readonly data: Refusal | undefined;
}

/** The endpoint of the books: `client.books`. */
export class Books extends APIEndpoint<LibraryClient> {
  protected override readonly _path: string = "/books";

  /** Gets one book in either format. Rejects with a {@linkcode MissingError} if there is none. */
  get(id: number, format: BodyFormat = "json"): APIPromise<Book> {
    const headers = { accept: `application/${format}` };
    return this._get(path`/${id}`, { headers, responseModel: Book });
  }

  /** Gets one page of the matching books. */
  list(
    query: BookQuery & { readonly page?: number; readonly size?: number },
  ): APIPromise<BookPage> {
    return this._get("", { params: query, responseModel: BookPage });
  }

  /** Iterates over every matching book: `for await (const book of client.books.all())`. */
  all(query: BookQuery & Paging = {}): BookIterator {
    return new BookIterator(this._client, query);
  }

  /** Does the same with a generator: no iterator class, and no properties to read between pages. */
  async *each({ size = 100, ...query }: BookQuery & Paging = {}): AsyncGenerator<Book> {
    let page = 0;
    let lastLength = size;
    while (lastLength >= size) {
      const { items } = await this.list({ ...query, page: page++, size });
      lastLength = items.length;
      yield* items;
    }
  }

  /** Adds a book. Rejects with a {@linkcode RejectedError} if the library does not accept it. */
  add(book: NewBook): APIPromise<Book> {
    return this._post("", { json: book, responseModel: Book });
  }

  /** Replaces all fields of a book. The book is sent in either format. */
  replace(book: Book, format: BodyFormat = "json"): APIPromise<Book> {
    return this._put(path`/${book.id}`, { [format]: book, responseModel: Book });
  }

  /** Changes some fields of a book. */
  update(id: number, changes: Partial<Omit<BookFields, "id">>): APIPromise<Book> {
    return this._patch(path`/${id}`, { json: changes, responseModel: Book });
  }

  /** Removes a book. */
  async remove(id: number): Promise<void> {
    await this._delete(path`/${id}`, { format: voidFormat });
  }
}

/** An iterator over the matching books. It fetches each page when it is needed. */
export class BookIterator extends APIIterator<Book, LibraryClient> {
  static override readonly size: number = 100;
  readonly #query: BookQuery;

  constructor(client: LibraryClient, { author, onLoan, ...paging }: BookQuery & Paging) {
    super({ ...paging, client });
    this.#query = { author, onLoan };
  }

  protected override async _getPage(): Promise<void> {
    const { currentPage: page, size } = this;
    const { items, total } = await this._client.books.list({ ...this.#query, page, size });
    this.page = items;
    this.total = total;
    this.currentPage++;
  }
}

/** The endpoint of the librarian, who is often busy: `client.librarian`. */
export class Librarian extends APIEndpoint<LibraryClient> {
  protected override readonly _path: string = "/librarian";

  /** Gets a book that the librarian recommends. */
  tip(): APIPromise<Book> {
    return this._get("/tip", { responseModel: Book });
  }
}

/** The endpoint of the members: `client.members`. */
export class Members extends APIEndpoint<LibraryClient> {
  protected override readonly _path: string = "/members";

  /** Gets the member that is logged in. */
  me(): APIPromise<Member> {
    return this._get("/me", { responseModel: Member });
  }
}

/** Options of a {@linkcode LibraryClient}. Without a user name, the client does not log in. */
export interface LibraryClientOptions extends ClientOptions {
  readonly username?: string;
  readonly password?: string;
}

/**
 * A client of the library. Create it with `new LibraryClient()`, or with
 * `await LibraryClient.open({ username, password })`.
 */
export class LibraryClient extends APIClient {
  static override readonly baseUrl: string = "https://library.example.com";
  static override readonly libName: string = "library-api-client";
  static override readonly libVersion: string = "1.0.0";
  static override readonly errorMap: ErrorMap = { 404: MissingError, 422: RejectedError };
  static override readonly errorFrom: ErrorFrom = errorsBy({ model: Refusal });
  static override readonly optionNames: readonly string[] = ["username", "password"];
  /** Keeps the password and the token out of the log. */
  static override readonly restrictedPaths: readonly string[] = ["/session"];

  readonly books: Books = new Books(this);
  readonly librarian: Librarian = new Librarian(this);
  readonly members: Members = new Members(this);

  constructor(options: LibraryClientOptions = {}) {
    super(options);
  }

  protected override async _authenticate(
    { username, password }: LibraryClientOptions,
    login: LoginRequests,
  ): Promise<void> {
    if (username === undefined) return;
    const json = { username, password };
    const { token } = await login.post("/session", { json, responseModel: Token });
    this.httpSession.headers.set("X-Session-Token", token);
  }

  protected override async _deauthenticate({ username }: LibraryClientOptions): Promise<void> {
    if (username === undefined) return;
    try {
      await this._delete("/session", { format: voidFormat }); // drops the body, if there is one
    } finally {
      this.httpSession.headers.set("X-Session-Token", null);
    }
  }
}
