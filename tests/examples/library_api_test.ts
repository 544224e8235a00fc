import { after, assertEquals, assertMatch, assertRejects, before, describe, it } from "#test";
import { BOOK_COUNT, firstBooks, type StoredBook } from "../../examples/library/books.ts";
import { type LibraryApi, startLibraryApi } from "../../examples/library_api.ts";

/** The fields of the API's answers that the tests read. */
interface ReplyBody extends Partial<StoredBook> {
  readonly items?: unknown;
  readonly total?: number;
  readonly page?: number;
  readonly size?: number;
  readonly error?: string;
  readonly problems?: unknown;
  readonly token?: string;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReplyBody | undefined;
}

interface TextReply {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

describe("the library API of the examples", () => {
  let api: LibraryApi;

  before(async () => {
    api = await startLibraryApi({ busyTimes: 2, retryAfter: 0.3 });
  });

  after(() => api.stop());

  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const init = body === undefined ? {} : {
      body: typeof body === "string" ? body : JSON.stringify(body),
    };
    const response = await fetch(api.url + path, { method, headers, ...init });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
  }

  it("starts with 250 different books that are the same each time", () => {
    const books = firstBooks();

    assertEquals(books.length, BOOK_COUNT);
    assertEquals(books, firstBooks());
    assertEquals(new Set(books.map((book) => book.title)).size, BOOK_COUNT);
    assertEquals(books.map((book) => book.id), Array.from({ length: 250 }, (_, at) => at + 1));
    assertEquals(books[0], {
      id: 1,
      title: "The Amber Almanac",
      author: "Ada Moss",
      year: 1900,
      onLoan: false,
    });
  });

  it("lists 100 books a page from page 0, with a shorter last page and none after it", async () => {
    const pages = [
      await ask("GET", "/books?onLoan=false&size=70"),
      await ask("GET", "/books?onLoan=false&size=70&page=2"),
      await ask("GET", "/books?onLoan=false&size=70&page=3"),
      await ask("GET", "/books"),
    ];

    const onShelf = firstBooks().filter((book) => !book.onLoan);
    assertEquals(pages.map(({ status }) => status), [200, 200, 200, 200]);
    assertEquals(pages[0]?.body, {
      items: onShelf.slice(0, 70),
      total: onShelf.length,
      page: 0,
      size: 70,
    });
    assertEquals(pages[1]?.body?.items, onShelf.slice(140));
    assertEquals(pages[2]?.body?.items, []);
    assertEquals(pages[3]?.body?.items, firstBooks().slice(0, 100));
  });

  it("lists the books of an author", async () => {
    const { body } = await ask("GET", "/books?author=Ines+Calder");

    assertEquals(body?.total, 25);
    assertEquals(body?.items, firstBooks().filter((book) => book.author === "Ines Calder"));
  });

  it("refuses an invalid page with 422 and the invalid fields", async () => {
    const { status, body } = await ask("GET", "/books?page=-1&size=101");

    assertEquals(status, 422);
    assertEquals(body, {
      error: "there is no such page",
      problems: [
        { field: "page", expected: "a whole number of at least 0" },
        { field: "size", expected: "a whole number from 1 to 100" },
      ],
    });
  });

  it("adds, reads, replaces, changes and deletes a book", async () => {
    const book = { title: "On Fetch", author: "Ada Moss", year: 2026 };

    const added = await ask("POST", "/books", book);
    const path = added.headers.get("location") ?? "";
    const read = await ask("GET", path);
    const replaced = await ask("PUT", path, { ...book, year: 2027 });
    const changed = await ask("PATCH", path, { onLoan: true });
    const removed = await ask("DELETE", path);
    const missing = await ask("GET", path);

    assertEquals(added.status, 201);
    assertMatch(path, /^\/books\/25\d$/);
    assertEquals(added.body, { id: added.body?.id ?? 0, ...book, onLoan: false });
    assertEquals([read.status, read.body], [200, added.body]);
    assertEquals([replaced.status, replaced.body], [200, { ...added.body, year: 2027 }]);
    assertEquals([changed.status, changed.body], [200, { ...replaced.body, onLoan: true }]);
    assertEquals([removed.status, removed.body], [204, undefined]);
    assertEquals(missing.status, 404);
  });

  /** Sends a request, and returns the answer as text. */
  async function askText(method: string, path: string, init: RequestInit = {}): Promise<TextReply> {
    const response = await fetch(api.url + path, { ...init, method });
    const { status, headers } = response;
    return { status, type: headers.get("content-type"), text: await response.text() };
  }

  it("returns a book in JSON or in XML, depending on the header Accept", async () => {
    const types: (string | null)[] = [];
    const accepts = ["application/xml", "text/xml; q=0.9, application/json", "*/*", "image/png"];
    accepts.push("text/html, application/xml;q=0.9", "application/json, application/xml");
    for (const accept of accepts) {
      const { type, text } = await askText("GET", "/books/4", { headers: { accept } });
      types.push(type);
      assertEquals(text.startsWith("<"), type === "application/xml", accept);
    }
    const inXml = await askText("GET", "/books/4", { headers: { accept: "application/xml" } });

    assertEquals(types.map((type) => type?.slice(12)), [
      "xml",
      "xml",
      "json",
      "json",
      "xml",
      "json",
    ]);
    assertMatch(inXml.text, /^<\?xml [^>]*\?>\s*<book id="4"><title>The Distant Almanac<\/title>/);
    assertMatch(inXml.text, /<year>2011<\/year><onLoan>true<\/onLoan><\/book>\s*$/);
  });

  it("returns a page in XML, but errors in JSON", async () => {
    const headers = { accept: "application/xml" };
    const page = await askText("GET", "/books?size=2", { headers });
    const missing = await askText("GET", "/books/999", { headers });

    assertMatch(page.text, /<books total="250" page="0" size="2"><book id="1">[^]*<book id="2">/);
    assertEquals([missing.status, missing.type], [404, "application/json"]);
  });

  it("accepts a book in XML by its content type, with or without the id of its path", async () => {
    const fields = "<title>On Fetch</title><author>Ada &amp; Co</author><year>2026</year>";
    const xml = (body: string) => ({
      body,
      headers: { "content-type": "text/xml; charset=utf-8" },
    });

    const added = await askText("POST", "/books", xml(`<book>${fields}</book>`));
    const { id, ...book } = JSON.parse(added.text);
    const path = `/books/${id}`;
    const lent = `<book id="${id}">${fields}<onLoan>1</onLoan></book>`;
    const replaced = await askText("PUT", path, xml(lent));
    const other = await askText("PUT", path, xml(`<book id="1">${fields}</book>`));
    const removed = await ask("DELETE", path);

    assertEquals([added.status, replaced.status, other.status, removed.status], [
      201,
      200,
      422,
      204,
    ]);
    assertEquals(book, { title: "On Fetch", author: "Ada & Co", year: 2026, onLoan: false });
    assertEquals(JSON.parse(replaced.text), { id, ...book, onLoan: true });
    assertEquals(JSON.parse(other.text).problems, [{ field: "id", expected: "left out" }]);
  });

  it("refuses malformed XML with 400, an invalid book with 422, and unsupported XML with 415", async () => {
    const headers = { "content-type": "application/xml" };
    const sent = async (path: string, body: string): Promise<unknown[]> => {
      const { status, text } = await askText("POST", path, { headers, body });
      const { error, problems } = JSON.parse(text);
      return [status, problems ?? error];
    };
    const bad = "<book><title>Emma</title><author>Jane Austen</author><year>late</year></book>";

    assertEquals(await sent("/books", "<book>"), [400, "the body is not XML"]);
    assertEquals(await sent("/books", bad), [
      422,
      [{ field: "/book/year", expected: "a whole number" }],
    ]);
    assertEquals(await sent("/members", "<member/>"), [415, "the body must be JSON"]);
  });

  it("has cards of an old catalogue in XML, one of them with mistakes", async () => {
    const [good, bad, missing] = await Promise.all(
      [1, 2, 3].map((id) => askText("GET", `/cards/${id}`)),
    );

    assertEquals([good?.status, bad?.status, missing?.status], [200, 200, 404]);
    assertEquals([good?.type, bad?.type], ["application/xml", "application/xml"]);
    assertMatch(good?.text ?? "", /<card number="1">[^]*<year>1871<\/year>/);
    assertMatch(bad?.text ?? "", /<card number="2">[^]*<year>about 1890<\/year>/);
  });

  it("answers 404 with an explanation for a book or a path that does not exist", async () => {
    const missing = { error: "there is no book 999" };

    for (const [method, body] of [["GET"], ["DELETE"], ["PATCH", {}], ["PUT", {}]] as const) {
      const reply = await ask(method, "/books/999", body);
      assertEquals([reply.status, reply.body], [404, missing], method);
    }
    const elsewhere = await ask("GET", "/shelves?x=1");
    assertEquals([elsewhere.status, elsewhere.body?.error], [404, "there is nothing at /shelves"]);
    assertEquals((await ask("GET", "//")).status, 404);
  });

  it("answers 405 with Allow for a method that a path does not support", async () => {
    const { status, headers } = await ask("DELETE", "/books");

    assertEquals(status, 405);
    assertEquals(headers.get("allow"), "GET, POST");
  });

  it("answers a HEAD with the headers of a GET and no body", async () => {
    const { status, headers, body } = await ask("HEAD", "/books/1");

    assertEquals([status, body], [200, undefined]);
    assertEquals(headers.get("content-type"), "application/json");
  });

  it("refuses invalid JSON with 400, and an invalid book with 422", async () => {
    const malformed = await ask("POST", "/books", '{"title":');
    const list = await ask("POST", "/books", []);
    const wrong = await ask("POST", "/books", { title: " ", year: "2026", isbn: 1 });
    const partly = await ask("PATCH", "/books/1", { onLoan: "yes" });

    assertEquals([malformed.status, malformed.body?.error], [400, "the body is not JSON"]);
    assertEquals(list.body?.problems, [{ field: "(body)", expected: "a JSON object" }]);
    assertEquals(wrong.status, 422);
    assertEquals(wrong.body, {
      error: "this is not a book",
      problems: [
        { field: "title", expected: "a non-empty string" },
        { field: "author", expected: "a non-empty string" },
        { field: "year", expected: "a whole number" },
        { field: "isbn", expected: "left out" },
      ],
    });
    assertEquals(partly.body?.problems, [{ field: "onLoan", expected: "true or false" }]);
  });

  it("answers 429 with Retry-After twice before each tip", async () => {
    const replies: Reply[] = [];
    for (let count = 0; count < 6; count++) replies.push(await ask("GET", "/librarian/tip"));

    assertEquals(replies.map(({ status }) => status), [429, 429, 200, 429, 429, 200]);
    assertEquals(replies[0]?.headers.get("retry-after"), "0.3");
    assertEquals(replies[2]?.body?.id, 1);
  });

  it("accepts members, refuses a name that is taken with 409, and shows no password", async () => {
    const member = { username: "grace", password: "rear-admiral" };

    const joined = await ask("POST", "/members", member);
    const again = await ask("POST", "/members", member);
    const short = await ask("POST", "/members", { ...member, password: "short" });

    assertEquals([joined.status, joined.body], [201, { username: "grace" }]);
    assertEquals([again.status, again.body?.error], [409, "this user name is taken"]);
    assertEquals(short.status, 422);
  });

  it("logs a member in and out with a token", async () => {
    const refused = await ask("POST", "/session", { username: "ada", password: "wrong" });
    const login = await ask("POST", "/session", { username: "ada", password: "countess-1815" });
    const headers = { "x-session-token": login.body?.token ?? "" };
    const inside = await ask("GET", "/members/me", undefined, headers);
    const logout = await ask("DELETE", "/session", undefined, headers);
    const outside = await ask("GET", "/members/me", undefined, headers);
    const again = await ask("DELETE", "/session", undefined, headers);

    assertEquals((await ask("POST", "/session")).status, 401);
    assertEquals([refused.status, login.status], [401, 201]);
    assertEquals([inside.status, inside.body], [200, { username: "ada" }]);
    assertEquals([logout.status, outside.status, again.status], [204, 401, 401]);
  });

  it("sends an id with each answer, the number of its request", async () => {
    const found = await ask("GET", "/books/1");
    const missing = await ask("GET", "/books/999");

    const count = api.requests.length;
    const ids = [found, missing].map(({ headers }) => headers.get("x-request-id"));
    assertEquals(ids, [`r-${count - 1}`, `r-${count}`]);
  });

  it("records its requests", async () => {
    const before = api.requests.length;

    await ask("GET", "/books?size=1");
    await ask("DELETE", "/books/999");

    assertEquals(api.requests.slice(before), ["GET /books?size=1", "DELETE /books/999"]);
  });

  it("closes every connection when it is stopped", async () => {
    const other = await startLibraryApi();
    const answered = await fetch(`${other.url}/books/1`);
    await answered.text();

    await other.stop();

    assertEquals(answered.status, 200);
    await assertRejects(() => fetch(`${other.url}/books/1`));
  });
});
