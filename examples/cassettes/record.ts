/**
 * Records the cassette of the tests in this folder, from the example API on loopback:
 * `deno run -A examples/cassettes/record.ts`. For a real API, the tests record by themselves, with
 * `mode: "record"`.
 */
import process from "node:process";
import { openCassette } from "../../src/testing/mod.ts";
import { startLibraryApi } from "../library_api.ts";
import { Library } from "../library_client.ts";
import { readingList } from "./reading_list.ts";

/** Records the reading list, and returns it. */
export async function recordReadingList(file: string | URL): Promise<string> {
  const api = await startLibraryApi();
  try {
    const cassette = await openCassette(file, {
      mode: "record",
      // The port of the example API differs each time.
      fetch: (url, init) => fetch(url.replace(Library.url, api.url), init),
    });
    const library = await Library.open({
      username: "ada",
      password: "countess-1815",
      fetch: cassette,
    });
    const list = await readingList(library, "Clara Finch");
    await library.close();
    await cassette.save();
    return list;
  } finally {
    await api.stop();
  }
}

if (process.argv[1]?.endsWith("record.ts")) {
  console.log(await recordReadingList(new URL("library.json", import.meta.url)));
}
