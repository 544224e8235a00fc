/** A program that uses the SDK of the library. The tests beside it replay its requests. */
import type { Library } from "../library_client.ts";

/** Writes a list for the member who is logged in: the books of an author that are on loan. */
export async function readingList(library: Library, author: string): Promise<string> {
  const { username } = await library.members.me();
  const titles: string[] = [];
  for await (const { title, year } of library.books.pages({ author, onLoan: true, size: 4 })) {
    titles.push(`${title} (${year})`);
  }
  return `${username} waits for ${titles.join(", ")}`;
}
