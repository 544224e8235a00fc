import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { type LibraryApi, startLibraryApi } from "../../examples/library_api.ts";
import { Library, RejectedError } from "../../examples/library_client.ts";
import { Card } from "../../examples/library_models.ts";
import { NotFoundError, ValidationError } from "../../mod.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

describe("the library client of the examples", () => {
  let api: LibraryApi;

  before(async () => {
    api = await startLibraryApi({ busyTimes: 0 });
  });

  after(() => api.stop());

  it("has a method for each operation of the API on books", async () => {
    const { books } = new Library({ url: api.url });
    const book = { title: "On Fetch", author: "Ada Moss", year: 2026 };

    const { id } = await books.add(book);
    await books.replace(id, { ...book, year: 2027 });
    await books.update(id, { onLoan: true });
    const read = await books.get(id);
    const page = await books.list({ author: "Ada Moss", onLoan: true, size: 1, page: 6 });
    await books.remove(id);

    assertEquals(read, { id, ...book, year: 2027, onLoan: true });
    assertEquals(page.items.length, 1);
    await assertRejects(() => books.get(id), NotFoundError);
  });

  it("reads a card in XML, and reports the lines of mistakes in another", async () => {
    const { cards } = new Library({ url: api.url });

    const card = await cards.get(1);
    const error = await assertRejects(() => cards.get(2), ValidationError);

    assert(card instanceof Card);
    assertEquals([card.number, card.title, card.year], [1, "The Salt Road", 1871]);
    assertEquals(card.copies.map(({ shelf, bought }) => [shelf, bought.toISOString()]), [
      ["A 3", "1931-04-05T00:00:00.000Z"],
    ]);
    assertEquals(error.issues.map(({ where, line, column }) => [where, line, column]), [
      ["/card/year", 4, 3],
      ["/card/copies/copy[2]", 7, 5],
    ]);
  });

  it("returns the tip of the librarian", async () => {
    const tip = await new Library({ url: api.url }).librarian.tip();

    assertEquals(tip.title, "The Amber Almanac");
  });

  it("sends the password, and keeps it out of the log", async () => {
    const logger = recordingLogger();
    const credentials = { username: "grace", password: "rear-admiral-1906" };

    await new Library({ url: api.url, logger }).members.join("grace", credentials.password);

    const body = JSON.stringify(credentials);
    const login = await fetch(`${api.url}/session`, { method: "POST", body });
    await login.body?.cancel();
    assertEquals(login.status, 201);
    assertEquals(logger.json("debug")[0]?.["body"], { username: "grace", password: "REDACTED" });
    assert(!logger.messages().join("\n").includes(credentials.password));
  });

  it("reports the invalid fields of a 422", async () => {
    const { books } = new Library({ url: api.url });

    const error = await assertRejects(
      () => books.add({ title: "", author: "Ada Moss", year: 2026 }),
      RejectedError,
    );

    assertEquals(error.problems, [{ field: "title", expected: "a non-empty string" }]);
  });

  it("reports no fields if a 422 does not come from the library", async () => {
    const adapter = scripted(new Response("<h1>Unprocessable</h1>", { status: 422 }));

    const error = await assertRejects(
      () => new Library({ adapter }).books.update(1, {}),
      RejectedError,
    );

    assertEquals(error.problems, []);
  });
});
