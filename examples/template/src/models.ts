// The JSON of the API. A response that does not fit its model is an error, and names each problem.

import {
  date,
  element,
  elements,
  type Fields,
  integer,
  Model,
  string,
} from "@restwright/restwright/models";

/** A book. */
export class Book extends Model {
  /** The book's id. */
  declare readonly id: number;
  declare readonly title: string;
  declare readonly authors: string[];
  /** The day of publication. */
  declare readonly published: Date;
  static override readonly fields: Fields<Book> = {
    id: element(integer),
    title: element(string),
    authors: elements(string),
    published: element(date),
  };
}

/** One page of a list of books. */
export class BookPage extends Model {
  declare readonly items: Book[];
  /** The number of books on all pages. */
  declare readonly total: number;
  static override readonly fields: Fields<BookPage> = {
    items: elements(Book),
    total: element(integer),
  };
}

/** The body of an error. */
export class Problem extends Model {
  /** A sentence for users. */
  declare readonly message: string;
  static override readonly fields: Fields<Problem> = { message: element(string) };
}
