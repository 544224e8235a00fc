/** A test for Deno.test that replays a cassette: `deno test -A`. */
import { strict as assert } from "node:assert";
import process from "node:process";
import { openCassette } from "../../src/testing/mod.ts";
import { Library } from "../library_client.ts";
import { readingList } from "./reading_list.ts";

Deno.test("the reading list names the books on loan", async () => {
  const cassette = await openCassette(new URL("library.json", import.meta.url), {
    mode: process.env["RECORD"] === "1" ? "record" : "replay",
  });
  const library = await Library.open({
    username: "ada",
    password: process.env["LIBRARY_PASSWORD"] ?? "of no one", // a replay needs no password
    fetch: cassette,
  });

  const list = await readingList(library, "Clara Finch");
  await library.close();

  assert.match(list, /^ada waits for The Borrowed Bridge \(1947\)/);
  cassette.assertDone();
  await cassette.save();
});
