// Models of a book and of a page of books, as the API reads and writes them in XML. JSON has the
// stored form.

import {
  attr,
  boolean,
  element,
  elements,
  type Fields,
  integer,
  Model,
  string,
} from "../../src/models/mod.ts";

/** A book: `<book id="1"><title>…</title> … </book>`. */
export class BookXml extends Model {
  /** The id. A book that a client sends may omit it. */
  declare readonly id?: number | undefined;
  declare readonly title: string;
  declare readonly author: string;
  declare readonly year: number;
  declare readonly onLoan: boolean;
  static override readonly tag: string = "book";
  static override readonly fields: Fields<BookXml> = {
    id: attr(integer, { optional: true }),
    title: element(string),
    author: element(string),
    year: element(integer),
    onLoan: element(boolean, { default: false }),
  };
}

/** A page: `<books total="250" page="0" size="100"><book …>…</book> … </books>`. */
export class PageXml extends Model {
  declare readonly items: BookXml[];
  declare readonly total: number;
  declare readonly page: number;
  declare readonly size: number;
  static override readonly tag: string = "books";
  static override readonly fields: Fields<PageXml> = {
    items: elements(BookXml),
    total: attr(integer),
    page: attr(integer),
    size: attr(integer),
  };
}
