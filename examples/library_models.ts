// What the library's API answers, as models: what is not of this shape does not get through.

import type { StandardProps, StandardSchema } from "../mod.ts";
import {
  fields,
  flag,
  list,
  number,
  type Reader,
  schema,
  standard,
  text,
} from "./library_schema.ts";

/** The fields of a book. */
export interface BookFields {
  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly onLoan: boolean;
}

const readFields: Reader<BookFields> = fields({
  id: number,
  title: text,
  author: text,
  year: number,
  onLoan: flag,
});
const readBook: Reader<Book> = (...given) => new Book(readFields(...given));

/** A book of the library: the class is its own schema. */
export class Book {
  static readonly "~standard": StandardProps<unknown, Book> = standard(readBook);

  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly onLoan: boolean;

  constructor({ id, title, author, year, onLoan }: BookFields) {
    this.id = id;
    this.title = title;
    this.author = author;
    this.year = year;
    this.onLoan = onLoan;
  }

  /** The book in one line. */
  summary(): string {
    return `${this.title}, by ${this.author} (${this.year})${this.onLoan ? ", on loan" : ""}`;
  }
}

/** One page of a list of books. */
export interface BookPage {
  readonly items: readonly Book[];
  /** How many books there are on all pages. */
  readonly total: number;
}

/** Checks a {@linkcode BookPage}. */
export const BookPage: StandardSchema<unknown, BookPage> = schema(
  fields<BookPage>({ items: list(readBook), total: number }),
);

/** Why the library refused something. */
export interface Refusal {
  readonly error: string;
  /** What is wrong with each field; empty where it is not about fields. */
  readonly problems: readonly { readonly field: string; readonly expected: string }[];
}

/** Checks a {@linkcode Refusal}. */
export const Refusal: StandardSchema<unknown, Refusal> = schema(
  fields<Refusal>({
    error: text,
    problems: list(fields({ field: text, expected: text }), { isOptional: true }),
  }),
);

/** Somebody who may borrow books. */
export interface Member {
  readonly username: string;
}

/** Checks a {@linkcode Member}. */
export const Member: StandardSchema<unknown, Member> = schema(fields<Member>({ username: text }));

/** What a login gives. */
export const Token: StandardSchema<unknown, { readonly token: string }> = schema(
  fields<{ readonly token: string }>({ token: text }),
);
