// A client of the library's API in library_api.ts, written like an SDK. It has a class for the
// session, one for each part of the API, and one for each error with details.

import {
  APIEndpoint,
  APISession,
  type LoginRequests,
  type SessionOptions,
  voidFormat,
} from "../mod.ts";
import { type ErrorMap, InvalidContentError } from "../src/entries/errors.ts";
import { APIIterator, pageNumber, type PagePromise } from "../src/paging/mod.ts";
import { Card } from "./library_models.ts";

/** A book of the library. */
export interface Book {
  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly onLoan: boolean;
}

/** A book that is not in the library yet. */
export interface NewBook {
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly onLoan?: boolean;
}

/** Filters and the page of a list of books. */
export interface BookQuery {
  readonly author?: string | undefined;
  readonly onLoan?: boolean | undefined;
  /** The page's index, from 0. Default: 0 */
  readonly page?: number;
  /** Books on a page, at most 100. Default: 100 */
  readonly size?: number;
}

/** One page of a list. */
export interface BookPage {
  readonly items: readonly Book[];
  /** The number of books on all pages. */
  readonly total: number;
}

/** A person who may borrow books. */
export interface Member {
  readonly username: string;
}

/** 422: the library rejects the request body, and reports the reason for each field. */
export class RejectedError extends InvalidContentError {
  /** The wrong fields and the library's expectations; empty if the response does not name any. */
  get problems(): readonly { readonly field: string; readonly expected: string }[] {
    try {
      return JSON.parse(this.body).problems ?? [];
    } catch {
      return [];
    }
  }
}

/** The endpoint of the books: `library.books`. */
export class Books extends APIEndpoint<Library> {
  protected override readonly _path: string = "books";

  /** Gets one page of the matching books. */
  list(query: BookQuery = {}): Promise<BookPage> {
    return this._get<BookPage>("", { params: { ...query } });
  }

  /** Reads the matching books page by page: `await` returns the first page, `for await` all books. */
  pages({ prefetch, ...query }: BookQuery & { prefetch?: number } = {}): PagePromise<Book> {
    return this._pages<Book>({
      params: query,
      items: "items",
      next: pageNumber("page", { first: 0, total: "total" }),
      prefetch,
    });
  }

  /** Iterates over every matching book: `for await (const book of library.books.all())`. */
  all(query: BookQuery & Paging = {}): BookIterator {
    return new BookIterator({ api: this._api, ...query });
  }

  /** Gets one book. Rejects with a NotFoundError if there is none. */
  get(id: number): Promise<Book> {
    return this._get<Book>(id);
  }

  /** Adds a book. Rejects with a {@linkcode RejectedError} if the library does not accept it. */
  add(book: NewBook): Promise<Book> {
    return this._post<Book>("", { json: book });
  }

  /** Replaces all fields of a book. */
  replace(id: number, book: NewBook): Promise<Book> {
    return this._put<Book>(id, { json: book });
  }

  /** Changes some fields of a book. */
  update(id: number, changes: Partial<NewBook>): Promise<Book> {
    return this._patch<Book>(id, { json: changes });
  }

  /** Removes a book. */
  async remove(id: number): Promise<void> {
    await this._delete(id);
  }
}

/** Options for reading a list page by page. */
export interface Paging {
  /** Pages that are fetched in advance while the caller works. Default: 0 */
  readonly prefetch?: number;
  /** The maximum number of books. Default: all */
  readonly maxItems?: number;
}

/** An iterator over the matching books. It fetches each page when it is needed. */
export class BookIterator extends APIIterator<Book, Library> {
  static override readonly size: number = 100;
  readonly #query: BookQuery;

  constructor(options: BookQuery & Paging & { readonly api: Library }) {
    const { page, author, onLoan, ...paging } = options;
    super({ ...paging, currentPage: page });
    this.#query = { author, onLoan };
  }

  protected override async _getPage(): Promise<void> {
    const { currentPage: page, size } = this;
    const { items, total } = await this._api.books.list({ ...this.#query, page, size });
    this.page = items;
    this.total = total;
    this.currentPage++;
  }
}

/** The endpoint of the librarian, who is often busy: `library.librarian`. */
export class Librarian extends APIEndpoint<Library> {
  protected override readonly _path: string = "librarian";

  /** Gets a book that the librarian recommends. */
  tip(): Promise<Book> {
    return this._get<Book>("tip");
  }
}

/** The endpoint of the old catalogue, which is in XML: `library.cards`. */
export class Cards extends APIEndpoint<Library> {
  protected override readonly _path: string = "cards";

  /**
   * Gets one card as a model. Rejects with a ValidationError if the card does not fit the model.
   */
  get(id: number): Promise<Card> {
    return this._get(id, { responseModel: Card });
  }
}

/** The endpoint of the members: `library.members`. */
export class Members extends APIEndpoint<Library> {
  protected override readonly _path: string = "members";

  /** Adds a member. The log does not show the password. */
  join(username: string, password: string): Promise<Member> {
    return this._post<Member>("", {
      json: { username, password },
      redactFields: ["password"],
    });
  }

  /** Gets the member that is logged in. */
  me(): Promise<Member> {
    return this._get<Member>("me");
  }
}

/** Options of a {@linkcode Library}. Without a user name, the session does not log in. */
export interface LibraryOptions extends SessionOptions {
  readonly username?: string;
  readonly password?: string;
}

/**
 * A session with the library. Create it with `new Library()`, `new Library({ url, logger, … })`, or
 * `await Library.open({ username, password })`.
 */
export class Library extends APISession {
  static override readonly url: string = "https://library.example.com";
  static override readonly libName: string = "library-client";
  static override readonly libVersion: string = "1.0.0";
  static override readonly errorMap: ErrorMap = { 422: RejectedError };
  static override readonly optionNames: readonly string[] = ["username", "password"];
  /** Makes every call return parsed JSON; null for an empty body. */
  override readonly _convJson = true;
  /** Keeps the password and the token out of the log. */
  static override readonly restrictedPaths: readonly string[] = ["session"];

  readonly books: Books = new Books(this);
  readonly cards: Cards = new Cards(this);
  readonly librarian: Librarian = new Librarian(this);
  readonly members: Members = new Members(this);

  constructor(options: LibraryOptions = {}) {
    super(options);
  }

  protected override async _authenticate(
    { username, password }: LibraryOptions,
    login: LoginRequests,
  ): Promise<void> {
    if (username === undefined) return;
    const { token } = await login.post<{ token: string }>("session", {
      json: { username, password },
      convJson: true,
    });
    this.httpSession.headers.set("X-Session-Token", token);
  }

  protected override async _deauthenticate({ username }: LibraryOptions): Promise<void> {
    if (username === undefined) return;
    try {
      await this.delete("session", { format: voidFormat }); // drops the body, if there is one
    } finally {
      this.httpSession.headers.set("X-Session-Token", null);
    }
  }
}
