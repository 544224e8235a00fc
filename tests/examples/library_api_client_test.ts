import {
  after,
  assert,
  assertEquals,
  assertRejects,
  before,
  beforeEach,
  describe,
  it,
} from "#test";
import { LibraryClient, MissingError, RejectedError } from "../../examples/library_api_client.ts";
import { type LibraryApi, startLibraryApi } from "../../examples/library_api.ts";
import { Book, Refusal } from "../../examples/library_models.ts";
import { UnauthorizedError, UnexpectedValueError, ValidationError } from "../../mod.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

const ids = Array.from({ length: 250 }, (_, index) => index + 1);

describe("the library client of generation 2 of the examples", () => {
  let api: LibraryApi;
  let client: LibraryClient;
  let countBefore = 0;

  before(async () => {
    api = await startLibraryApi({ busyTimes: 0 });
    client = new LibraryClient({ baseUrl: api.url, retries: 0, finalWait: false });
  });
  after(() => api.stop());
  beforeEach(() => {
    countBefore = api.requests.length;
  });

  /** Returns the requests that the API received in this test. */
  const requested = () => api.requests.slice(countBefore);

  it("returns books as instances of their class", async () => {
    const { books, librarian } = client;

    const book = await books.get(4);
    const page = await books.list({ author: "Ada Moss", onLoan: true, size: 1, page: 2 });
    const tip = await librarian.tip();

    assert([book, tip, ...page.items].every((each) => each instanceof Book));
    assertEquals(book.summary(), "The Distant Almanac, by Dario Stone (2011), on loan");
    assertEquals([page.items.length, page.total], [1, 7]);
    assertEquals(tip.summary(), "The Amber Almanac, by Ada Moss (1900)");
  });

  it("reads and replaces a book in XML as in JSON", async () => {
    const { books } = client;

    const read = await books.get(8, "xml").withResponse();
    const replaced = await books.replace(Book.of({ ...read.data, year: 2027 }), "xml");
    const restored = await books.replace(read.data);

    assertEquals(read.response.headers.get("content-type"), "application/xml");
    assert(read.data instanceof Book && replaced instanceof Book);
    assertEquals(read.data.toJsonString(), restored.toJsonString());
    assertEquals([replaced.id, replaced.year, (await books.get(8)).year], [
      8,
      2027,
      read.data.year,
    ]);
  });

  it("adds, changes and removes a book, with the response if it is requested", async () => {
    const { books } = client;

    const added = await books.add({ title: "On Fetch", author: "Ada Moss", year: 2026 })
      .withResponse();
    const { id } = added.data;
    const changed = await books.update(id, { onLoan: true });
    await books.remove(id);

    assertEquals([added.response.status, id], [201, 251]);
    assertEquals(added.response.headers.get("x-request-id"), `r-${api.requests.length - 2}`);
    assertEquals(changed.summary(), "On Fetch, by Ada Moss (2026), on loan");
    await assertRejects(() => books.get(id), MissingError);
  });

  it("rejects with the library's explanation as typed data, with the request id", async () => {
    const { books } = client;

    const missing = await assertRejects(() => books.get(999), MissingError);
    const rejected = await assertRejects(
      () => books.add({ title: "", author: "Ada Moss", year: 2026 }),
      RejectedError,
    );

    assert(missing.data instanceof Refusal);
    assertEquals([missing.data.error, missing.data.problems], ["there is no book 999", []]);
    assertEquals(missing.requestId, `r-${api.requests.length - 1}`);
    assertEquals(rejected.data?.problems.map(({ field, expected }) => [field, expected]), [
      ["title", "a non-empty string"],
    ]);
  });

  it("leaves data undefined for an error that does not come from the library", async () => {
    for (const body of ["<h1>Not Found</h1>", '{"error":1}', '{"error":"","problems":{}}', ""]) {
      const headers = { "content-type": "application/json" };
      const fetch = scripted(new Response(body, { status: 404, headers }));
      const error = await assertRejects(
        () => new LibraryClient({ fetch }).books.get(1),
        MissingError,
      );
      assertEquals([error.data, error.body], [undefined, body]);
    }
  });

  it("refuses an invalid book, and reports its problems", async () => {
    const messagesOf = async (body: unknown, call: (client: LibraryClient) => Promise<unknown>) => {
      const fetch = scripted(Response.json(body));
      const error = await assertRejects(() => call(new LibraryClient({ fetch })), ValidationError);
      return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    };
    const book = { id: 1, title: "Emma", author: "Jane Austen", year: 1815, onLoan: false };

    const one = await messagesOf({ ...book, id: "1", onLoan: null }, ({ books }) => books.get(1));
    const none = await messagesOf(null, ({ librarian }) => librarian.tip());
    const page = { items: [book, { ...book, year: "1815" }] };
    const some = await messagesOf(page, ({ books }) => books.list({}));

    assertEquals(one, [
      'id: expected a whole number, but it is "…"',
      "onLoan: expected true or false, but it is null",
    ]);
    assertEquals(none, [": expected an object (Book), but it is null"]);
    assertEquals(some, [
      'items.1.year: expected a whole number, but it is "…"',
      "total: expected a whole number, but it is missing",
    ]);
  });

  it("reads pages with an iterator, which has attributes", async () => {
    const books = client.books.all({ size: 50, prefetch: 1 });

    const seen: number[] = [];
    for await (const book of books) seen.push(book.id);

    assertEquals(seen, ids);
    assertEquals([books.total, books.count, books.pageCount], [250, 250, 5]);
    assertEquals(requested().length, 5);
  });

  it("reads pages with a generator", async () => {
    const seen: number[] = [];
    for await (const book of client.books.each()) seen.push(book.id);

    assertEquals(seen, ids);
    assertEquals(requested(), [0, 1, 2].map((page) => `GET /books?page=${page}&size=100`));
  });

  it("requests only matching books in both patterns", async () => {
    const query = { author: "Greta Holm", onLoan: true };
    const found: Book[][] = [await client.books.all(query).collect(), []];
    for await (const book of client.books.each(query)) found[1]!.push(book);

    assertEquals(found[0], found[1]);
    assertEquals(found[0]?.length, 7);
    assert(found[0]?.every(({ author, onLoan }) => author === "Greta Holm" && onLoan));
  });

  it("logs in and out, and shows neither password nor token", async () => {
    const logger = recordingLogger();
    const options = { baseUrl: api.url, logger, username: "ada", password: "countess-1815" };

    const ada = await LibraryClient.open(options);
    const token = ada.httpSession.headers.get("X-Session-Token") ?? "";
    const me = await ada.members.me();
    const again = await ada.withOptions({ retries: 0 }).members.me();
    await ada.close();

    assertEquals([me.username, again.username], ["ada", "ada"]);
    assertEquals(requested(), [
      "POST /session",
      "GET /members/me",
      "GET /members/me",
      "DELETE /session",
    ]);
    assert(token.length > 10);
    assert(
      !logger.messages().join("\n").includes(token) &&
        !logger.messages().join("\n").includes("countess"),
    );
    assertEquals(ada.httpSession.headers.get("X-Session-Token"), undefined);
  });

  it("is not logged in without credentials", async () => {
    const nobody = await LibraryClient.open({ baseUrl: api.url });

    const error = await assertRejects(() => nobody.members.me(), UnauthorizedError);
    await nobody.close();

    assertEquals(requested(), ["GET /members/me"]);
    assertEquals((error.data as { error: string }).error.startsWith("log in first"), true);
  });

  it("refuses an id that would lead to another path", async () => {
    for (const id of ["", "..", undefined] as unknown[] as number[]) {
      await assertRejects(async () => await client.books.remove(id), UnexpectedValueError);
    }
    assertEquals(requested(), []);
  });
});
