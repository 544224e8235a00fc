import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { assertEquals, describe, it } from "#test";
import { startLibraryApi } from "../../examples/library_api.ts";
import {
  Library,
  LibraryInvalidContentError,
  LibraryNotFoundError,
} from "../../examples/generated/library/mod.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import { generate } from "../mod.ts";
import { compareFolder } from "../src/write/folder.ts";

const folder = new URL("../../examples/generated/", import.meta.url);
const read = (name: string) => readFile(new URL(name, folder), "utf8");

describe("the example in examples/generated", () => {
  it("is what the generator makes of its document", async () => {
    const names = await read("library_names.json");
    const result = await generate(await read("library.yaml"), {
      ...{ names, webhooks: "standard" },
    });
    assertEquals(result.report.problems, []);
    const { added, changed, stale } = await compareFolder(
      fileURLToPath(new URL("library", folder)),
      result.files,
    );
    assertEquals([added, changed, stale], [[], [], []]);
    assertEquals(result.names, names);
  });

  it("finds every entry point of the toolkit by its name", async () => {
    const exportsOf = async (name: string) =>
      JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), "utf8")).exports;
    assertEquals(await exportsOf("package.json"), await exportsOf("deno.json"));
  });

  it("calls the API that its document describes", async () => {
    const api = await startLibraryApi({ busyTimes: 1, retryAfter: 0 });
    try {
      const options = { baseUrl: api.url, logger: silentLogger };
      const library = new Library(options);
      const added = await library.books.add({ title: "Notes", author: "Ada Moss", year: 1843 });
      assertEquals(await library.books.get(added.id), added);
      assertEquals((await library.books.update(added.id, { onLoan: true })).onLoan, true);
      assertEquals(await library.books.remove(added.id), undefined);
      const missing = await library.books.get(added.id).catch((error: unknown) => error);
      assertEquals(missing instanceof LibraryNotFoundError, true);
      const refused = await library.books.add({ title: "", author: "A", year: 1 })
        .catch((error: unknown) => error);
      assertEquals(
        refused instanceof LibraryInvalidContentError && refused.data?.problems[0]?.field,
        "title",
      );
      assertEquals((await library.librarian.getTip()).id, 1);
      assertEquals(api.requests.slice(-2), ["GET /librarian/tip", "GET /librarian/tip"]);
      assertEquals((await library.librarian.getCard(1)).startsWith("<?xml"), true);

      const credentials = { username: "ada", password: "countess-1815" };
      const { token: sessionToken } = await library.members.logIn(credentials);
      const { members } = new Library({ ...options, sessionToken });
      assertEquals(await members.whoAmI(), { username: "ada" });
      assertEquals(await members.logOut(), undefined);
    } finally {
      await api.stop();
    }
  });
});
