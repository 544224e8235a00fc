// Models of the responses of the library's API. A response that does not fit its model is rejected.
// Each model reads both JSON and XML.

import {
  attr,
  boolean,
  date,
  element,
  elements,
  type Fields,
  integer,
  Model,
  string,
  text,
} from "../src/models/mod.ts";

/** A book of the library. */
export class Book extends Model {
  declare readonly id: number;
  declare readonly title: string;
  declare readonly author: string;
  declare readonly year: number;
  declare readonly onLoan: boolean;
  static override readonly tag: string = "book";
  static override readonly fields: Fields<Book> = {
    id: attr(integer),
    title: element(string),
    author: element(string),
    year: element(integer),
    onLoan: element(boolean),
  };

  /** Returns the book in one line. */
  summary(): string {
    return `${this.title}, by ${this.author} (${this.year})${this.onLoan ? ", on loan" : ""}`;
  }
}

/** The fields of a book. */
export type BookFields = Omit<Book, "summary" | keyof Model>;

/** One page of a list of books. */
export class BookPage extends Model {
  declare readonly items: readonly Book[];
  /** The number of books on all pages. */
  declare readonly total: number;
  static override readonly tag: string = "books";
  static override readonly fields: Fields<BookPage> = {
    items: elements(Book),
    total: attr(integer),
  };
}

/** A copy of a book, on a card. */
export class Copy extends Model {
  declare readonly shelf: string;
  declare readonly bought: Date;
  static override readonly tag: string = "copy";
  static override readonly fields: Fields<Copy> = { shelf: attr(string), bought: text(date) };
}

/** A card of the old catalogue. */
export class Card extends Model {
  declare readonly number: number;
  declare readonly title: string;
  declare readonly year: number;
  declare readonly copies: readonly Copy[];
  static override readonly tag: string = "card";
  static override readonly fields: Fields<Card> = {
    number: attr(integer),
    title: element(string),
    year: element(integer),
    copies: elements(Copy, { within: "copies" }),
  };
}

/** A problem with one field of a request body. */
export class FieldProblem extends Model {
  declare readonly field: string;
  declare readonly expected: string;
  static override readonly tag: string = "problem";
  static override readonly fields: Fields<FieldProblem> = {
    field: element(string),
    expected: element(string),
  };
}

/** The body of an error response. */
export class Refusal extends Model {
  declare readonly error: string;
  /** The problem of each field; empty if the error is not about fields. */
  declare readonly problems: readonly FieldProblem[];
  static override readonly tag: string = "refusal";
  static override readonly fields: Fields<Refusal> = {
    error: element(string),
    problems: elements(FieldProblem),
  };
}

/** A person who may borrow books. */
export class Member extends Model {
  declare readonly username: string;
  static override readonly tag: string = "member";
  static override readonly fields: Fields<Member> = { username: element(string) };
}

/** The response to a login. */
export class Token extends Model {
  declare readonly token: string;
  static override readonly tag: string = "session";
  static override readonly fields: Fields<Token> = { token: element(string) };
}
