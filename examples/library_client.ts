// A client of the library's API, written as an SDK would be: one class for the session, one for
// each part of the API, one for each error that the API tells more of. See library_api.ts.

import {
  APIEndpoint,
  APIIterator,
  APISession,
  type ErrorMap,
  InvalidContentError,
  type Login as LoginHandle,
  type SessionOptions,
} from "../mod.ts";
import { Card } from "./library_models.ts";

/** A book of the library. */
export interface Book {
  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly onLoan: boolean;
}

/** A book that the library has not got yet. */
export interface NewBook {
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly onLoan?: boolean;
}

/** Which books to list. */
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
  /** How many books there are on all pages. */
  readonly total: number;
}

/** Somebody who may borrow books. */
export interface Member {
  readonly username: string;
}

/** 422: the library does not take what was sent, and says why field by field. */
export class RejectedError extends InvalidContentError {
  /** The fields that are wrong, and what the library expected; empty where it did not say. */
  get problems(): readonly { readonly field: string; readonly expected: string }[] {
    try {
      return JSON.parse(this.body).problems ?? [];
    } catch {
      return [];
    }
  }
}

/** The books: `library.books`. */
export class Books extends APIEndpoint<Library> {
  protected override readonly _path: string = "books";

  /** One page of the books that match. */
  list(query: BookQuery = {}): Promise<BookPage> {
    return this._get<BookPage>("", { params: { ...query } });
  }

  /** Every book that matches, page after page: `for await (const book of library.books.all())`. */
  all(query: BookQuery & Paging = {}): BookIterator {
    return new BookIterator({ api: this._api, ...query });
  }

  /** One book; a NotFoundError where there is none. */
  get(id: number): Promise<Book> {
    return this._get<Book>(id);
  }

  /** Adds a book; a {@linkcode RejectedError} where the library does not take it. */
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

  /** Takes a book away. */
  async remove(id: number): Promise<void> {
    await this._delete(id);
  }
}

/** How a list is paged. */
export interface Paging {
  /** Pages that are fetched ahead while the caller works. Default: 0 */
  readonly prefetch?: number;
  /** The most books that are given. Default: all */
  readonly maxItems?: number;
}

/** The books that match, wherever they are: fetches a page when it is needed. */
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

/** The librarian, who is often busy: `library.librarian`. */
export class Librarian extends APIEndpoint<Library> {
  protected override readonly _path: string = "librarian";

  /** A book to read next. */
  tip(): Promise<Book> {
    return this._get<Book>("tip");
  }
}

/** The old catalogue, which is in XML: `library.cards`. */
export class Cards extends APIEndpoint<Library> {
  protected override readonly _path: string = "cards";

  /** One card, as an instance of its model; a ValidationError where it is badly kept. */
  get(id: number): Promise<Card> {
    return this._get(id, { responseModel: Card });
  }
}

/** Who may borrow: `library.members`. */
export class Members extends APIEndpoint<Library> {
  protected override readonly _path: string = "members";

  /** Makes somebody a member; the log does not show the password. */
  join(username: string, password: string): Promise<Member> {
    return this._post<Member>("", {
      json: { username, password },
      redactFields: ["password"],
    });
  }

  /** Who is logged in. */
  me(): Promise<Member> {
    return this._get<Member>("me");
  }
}

/** The login: a token by POST, which every request carries, and given back by DELETE. */
class Login extends APIEndpoint<Library> {
  protected override readonly _path: string = "session";

  /** Gives the token back. */
  async end(): Promise<void> {
    await this._delete("");
  }
}

/** Options of a {@linkcode Library}: without user name and password nobody is logged in. */
export interface LibraryOptions extends SessionOptions {
  readonly username?: string;
  readonly password?: string;
}

/** A session with the library: `new Library()`, `await Library.open({ username, password })`, or `new Library({ url, logger, … })`. */
export class Library extends APISession {
  static override readonly url: string = "https://library.example.com";
  static override readonly libName: string = "library-client";
  static override readonly libVersion: string = "1.0.0";
  static override readonly errorMap: ErrorMap = { 422: RejectedError };
  static override readonly optionNames: readonly string[] = ["username", "password"];
  /** Every call gives what the JSON says; an empty body gives null. */
  override readonly _convJson = true as const;
  /** Neither the password nor the token is logged. */
  static override readonly restrictedPaths: readonly string[] = ["session"];

  readonly books: Books = new Books(this);
  readonly cards: Cards = new Cards(this);
  readonly librarian: Librarian = new Librarian(this);
  readonly members: Members = new Members(this);
  readonly #login: Login = new Login(this);

  constructor(options: LibraryOptions = {}) {
    super(options);
  }

  protected override async _authenticate(
    { username, password }: LibraryOptions,
    login: LoginHandle,
  ): Promise<void> {
    if (username === undefined) return;
    const { token } = await login.post<{ token: string }>("session", {
      json: { username, password },
      convJson: true,
    });
    this.session.headers.set("X-Session-Token", token);
  }

  protected override async _deauthenticate({ username }: LibraryOptions): Promise<void> {
    if (username === undefined) return;
    await this.#login.end();
    this.session.headers.set("X-Session-Token", null);
  }
}
