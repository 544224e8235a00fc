import { toXml } from "../../src/models/mod.ts";
import { Book } from "../library_models.ts";
import type { Scene } from "./scene.ts";

/** Shows one model class that reads and writes both JSON and XML. */
export const bookInBothFormats: Scene = {
  title: "One model class reads and writes both JSON and XML",

  async play({ client, stage }) {
    const books: Book[] = [];
    for (const format of ["json", "xml"] as const) {
      stage.call(`client.books.get(4, "${format}")`);
      const { data: book, response } = await client.books.get(4, format).withResponse();
      const type = response.headers.get("content-type");
      stage.result(`a Book from ${type}, instanceof Book: ${book instanceof Book}`);
      stage.details({ ".summary()": book.summary() });
      books.push(book);
    }
    const [one, other] = books.map((book) => book.toJsonString());
    if (one !== other) throw new Error("the two formats differ");

    const [book] = books as [Book];
    const returned = Book.of({ ...book, onLoan: false });
    stage.call('client.books.replace(Book.of({ ...book, onLoan: false }), "xml")');
    const stored = await client.books.replace(returned, "xml");
    stage.result("stored, and no longer on loan; it was sent as this XML:");
    const written = toXml(returned, { declaration: false, indent: true });
    for (const line of written.trimEnd().split("\n")) stage.line(line);
    if (stored.onLoan) throw new Error("the library has not stored the book that was sent");
  },
};
