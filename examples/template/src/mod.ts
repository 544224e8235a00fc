/**
 * A client of the bookshop's API.
 *
 * @module
 */

export { Bookshop, type BookshopOptions } from "./bookshop.ts";
export { type BookQuery, Books, type NewBook } from "./books.ts";
export { BookNotFoundError } from "./errors.ts";
export { Book, BookPage, Problem } from "./models.ts";
