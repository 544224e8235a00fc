import { APIEndpoint, type APIPromise } from "@restwright/restwright";
import { pageNumber, type PagePromise } from "@restwright/restwright/paging";
import type { Bookshop } from "./bookshop.ts";
import { Book, BookPage } from "./models.ts";

/** Filters of a list of books. */
export interface BookQuery {
  /** Only books by this author. Default: all */
  readonly author?: string | undefined;
}

/** A book that the shop does not have yet. */
export interface NewBook {
  /** The title. */
  readonly title: string;
  /** The names of the authors. */
  readonly authors: readonly string[];
  /** The day of publication, such as `2026-11-22`. */
  readonly published: string;
}

/** The books: `shop.books`. */
export class Books extends APIEndpoint<Bookshop> {
  protected override readonly _path: string = "/books";

  /**
   * Gets one book.
   *
   * @throws {BookNotFoundError} If the shop does not have it
   */
  get(id: number): APIPromise<Book> {
    return this._get(id, { responseModel: Book });
  }

  /** Lists books: `await` returns the first page, and `for await` returns every book. */
  list(query: BookQuery = {}): PagePromise<Book, BookPage> {
    return this._pages({
      params: { ...query },
      responseModel: BookPage,
      items: "items",
      next: pageNumber("page", { total: "total" }),
    });
  }

  /** Adds a book. The API chooses its id. */
  add(book: NewBook): APIPromise<Book> {
    return this._post({ json: book, responseModel: Book });
  }
}
