/** A session and a client for the example API. */
import {
  APIClient,
  APIEndpoint,
  type APIPromise,
  APISession,
  type ClientOptions,
  type LoginRequests,
  path,
  type SessionOptions,
} from "@restwright/restwright";
import { type ErrorFrom, errorsBy } from "@restwright/restwright/errors";
import {
  attr,
  boolean,
  element,
  elements,
  integer,
  model,
  string,
} from "@restwright/restwright/models";
import { APIIterator } from "@restwright/restwright/paging";

/** A book, in JSON and in XML. */
export class Book extends model("book", {
  id: attr(integer),
  title: element(string),
  author: element(string),
  year: element(integer),
  onLoan: element(boolean),
}) {}

class Page extends model("books", { items: elements(Book), total: attr(integer) }) {}

/** The body of an error response. */
export class Refusal extends model("refusal", { error: element(string) }) {}

/** The client's endpoint for books, which uses models. */
class Books extends APIEndpoint<Library> {
  protected override readonly _path: string = "/books";

  get(id: number, format = "json"): APIPromise<Book> {
    const headers = { accept: `application/${format}` };
    return this._get(path`/${id}`, { headers, responseModel: Book });
  }

  list(params: { readonly page: number; readonly size: number }): APIPromise<Page> {
    return this._get("", { params, responseModel: Page });
  }

  replace(book: Book, format: "json" | "xml"): APIPromise<Book> {
    const headers = { accept: `application/${format}` };
    return this._put(path`/${book.id}`, { [format]: book, headers, responseModel: Book });
  }

  all(options: { readonly prefetch?: number } = {}): AllBooks {
    return new AllBooks({ ...options, client: this._client });
  }
}

class AllBooks extends APIIterator<Book, Library> {
  static override readonly size: number = 100;

  protected override async _getPage(): Promise<void> {
    const { items, total } = await this._client.books.list({
      page: this.currentPage++,
      size: this.size,
    });
    this.page = items;
    this.total = total;
  }
}

/** A client (generation 2 of the contract). */
export class Library extends APIClient {
  static override readonly errorFrom: ErrorFrom = errorsBy({ model: Refusal });

  readonly books: Books = new Books(this);

  constructor(options: ClientOptions) {
    super(options);
  }

  /** Gets any path and parses the JSON of its response. */
  anything<T>(where: string, options: Readonly<Record<string, unknown>> = {}): APIPromise<T> {
    return this._get(where, { ...options, convJson: true }) as APIPromise<T>;
  }
}

interface ReadingOptions extends SessionOptions {
  readonly username?: string;
  readonly password?: string;
}

/** A session (generation 1 of the contract) with a login. */
export class Reading extends APISession {
  static override readonly optionNames: readonly string[] = ["username", "password"];
  override readonly _convJson = true;

  constructor(options: ReadingOptions) {
    super(options);
  }

  protected override async _authenticate(
    options: ReadingOptions,
    login: LoginRequests,
  ): Promise<void> {
    const { username, password } = options;
    if (username === undefined) return;
    const json = { username, password };
    const { token } = await login.post<{ token: string }>("session", { json, convJson: true });
    this.httpSession.headers.set("X-Session-Token", token);
  }

  protected override async _deauthenticate({ username }: ReadingOptions): Promise<void> {
    if (username === undefined) return;
    await this.delete("session");
    this.httpSession.headers.set("X-Session-Token", null);
  }
}
