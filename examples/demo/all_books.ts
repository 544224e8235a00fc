import type { Scene } from "./scene.ts";

/** Shows an iterator over all pages of a list. */
export const allBooks: Scene = {
  title: "An iterator reads a list page by page",

  async play({ library, stage }) {
    stage.call("for await (const book of library.books.all({ prefetch: 1 }))");
    const books = library.books.all({ prefetch: 1 });
    const authors = new Set<string>();
    for await (const { author } of books) authors.add(author);
    stage.result(`${books.count} books by ${authors.size} authors`);
    stage.details({
      pages: `${books.pageCount}, each fetched while the loop read the previous one`,
    });
  },
};
