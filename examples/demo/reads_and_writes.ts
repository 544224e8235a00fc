import type { Book } from "../library_client.ts";
import type { Scene } from "./scene.ts";

/** Shows reads and writes through an endpoint class. */
export const readsAndWrites: Scene = {
  title: "An endpoint class has a method for each operation",

  async play({ library, stage }) {
    stage.call('library.books.list({ author: "Ines Calder", size: 2 })');
    const page = await library.books.list({ author: "Ines Calder", size: 2 });
    stage.result(`${page.total} books, the first two are:`);
    stage.details(Object.fromEntries(page.items.map((book) => [`#${book.id}`, summaryOf(book)])));

    stage.call('library.books.add({ title: "On Fetch", author: "Ada Moss", year: 2026 })');
    const added = await library.books.add({ title: "On Fetch", author: "Ada Moss", year: 2026 });
    stage.result(`added as #${added.id}`);

    stage.call(`library.books.update(${added.id}, { onLoan: true })`);
    const changed = await library.books.update(added.id, { onLoan: true });
    stage.result(summaryOf(changed));

    stage.call(`library.books.remove(${added.id})`);
    await library.books.remove(added.id);
    stage.result("removed");
  },
};

function summaryOf({ title, author, year, onLoan }: Book): string {
  return `${title}, by ${author} (${year})${onLoan ? ", on loan" : ""}`;
}
