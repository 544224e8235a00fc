/** A test for vitest that replays a cassette: `vitest run`. */
import { expect, test } from "vitest";
import process from "node:process";
import { openCassette } from "../../src/testing/mod.ts";
import { Library } from "../library_client.ts";
import { readingList } from "./reading_list.ts";

test("the reading list names the books on loan", async () => {
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

  expect(list).toMatch(/^ada waits for The Borrowed Bridge \(1947\)/);
  cassette.assertDone();
  await cassette.save();
});
