import type { Scene } from "./scene.ts";

/** Shows paging with an iterator and with a generator. */
export const booksByLoop: Scene = {
  title: "A loop reads a list, with an iterator or a generator",

  async play({ client, stage }) {
    const author = "Greta Holm";
    stage.call("for await (const book of client.books.all({ author, size: 20 }))");
    const books = client.books.all({ author, size: 20 });
    let loaned = 0;
    for await (const { onLoan } of books) loaned += onLoan ? 1 : 0;
    stage.result(`${books.count} books on ${books.pageCount} pages, ${loaned} of them on loan`);

    stage.call("for await (const book of client.books.each()) if (book.year > 2000) break");
    for await (const book of client.books.each()) {
      if (book.year <= 2000) continue;
      stage.result(`${book.summary()}: no more requests`);
      break;
    }
  },
};
