/**
 * A user's program that uses every entry point, with sessions and clients, against the example API.
 * It is compiled and run in a project that has only the package installed. It prints `used` if
 * everything works.
 */
import * as whole from "@restwright/restwright";
import { BearerAuth } from "@restwright/restwright/auth";
import {
  APIClient,
  APIEndpoint,
  type APIPromise,
  APISession,
  type ClientOptions,
  path,
  type SessionOptions,
} from "@restwright/restwright";
import { CookieJar } from "@restwright/restwright/cookies";
import { DigestAuth } from "@restwright/restwright/digest";
import { APIError, NotFoundError } from "@restwright/restwright/errors";
import { multipart, saveTo, withProgress } from "@restwright/restwright/files";
import { dedupe, etagCache } from "@restwright/restwright/middleware";
import { element, integer, model, string, toXml } from "@restwright/restwright/models";
import { ClientCredentialsAuth, OAuthError } from "@restwright/restwright/oauth";
import { APIIterator, pageNumber, type PagePromise } from "@restwright/restwright/paging";
import { ndjson } from "@restwright/restwright/streams";
import { fakeClock, mockTransport, replies, silentLogger } from "@restwright/restwright/testing";

/** Throws an error with the description if the condition is false. */
function check(what: string, holds: boolean): void {
  if (!holds) throw new Error(`check failed: ${what}`);
}

class Book extends model("book", { id: element(integer), title: element(string) }) {}

class Books extends APIEndpoint<Library> {
  protected override readonly _path: string = "/books";

  get(id: number): APIPromise<Book> {
    return this._get(path`/${id}`, { responseModel: Book });
  }
}

class Library extends APIClient {
  readonly books: Books = new Books(this);
}

class Reading extends APISession {
  override readonly _convJson = true;

  pages(): PagePromise<{ title: string }> {
    const next = pageNumber("page", { first: 0, total: "total" });
    return this._pages<{ title: string }>("books", { items: "items", next });
  }
}

class Titles extends APIIterator<{ title: string }, Reading> {
  static override readonly size: number = 100;

  protected override async _getPage(): Promise<void> {
    const params = { page: this.currentPage++, size: this.size };
    this.page = (await this._api.get<{ items: { title: string }[] }>("books", { params })).items;
  }
}

/**
 * Uses the package.
 *
 * @param url The URL of the example API
 */
async function use(url: string): Promise<void> {
  const cookies = new CookieJar();
  const options: ClientOptions = { baseUrl: url, auth: new BearerAuth("t-456"), cookies };
  const library = new Library(options);
  const book: Book = await library.books.get(1);
  check("a model is an instance of its class", book instanceof Book);
  check("a model writes XML", toXml(book).includes(`<title>${book.title}</title>`));
  check("a model reads XML", (await Book.fromXml(toXml(book))).title === book.title);
  const once = library.withOptions({ retries: 0 });
  const { data, response } = await once.books.get(1).withResponse();
  check("withResponse returns the response too", data.id === 1 && response.status === 200);

  const sessionOptions: SessionOptions = { url };
  const reading = new Reading(sessionOptions);
  const parsed: { id: number } = await reading.get<{ id: number }>("books/1");
  check("JSON is parsed", parsed.id === 1);
  let count = 0;
  for await (const { title } of new Titles({ api: reading })) count += title === "" ? 0 : 1;
  check("an iterator returns all elements", count === 250);
  const pages = reading.pages();
  check("a page promise is the first page", (await pages).items.length === 100);
  check("a page promise returns all items", (await pages.collect()).length === 250);

  const error: unknown = await reading.get("books/9999").catch((reason: unknown) => reason);
  check(
    "an error status has an error class",
    error instanceof NotFoundError && error.name === "NotFoundError",
  );
  check("the error has the base class", error instanceof APIError && error.status === 404);
  check("each entry point exports the same class", whole.NotFoundError === NotFoundError);

  const session = new APISession({ url, auth: new DigestAuth("ada", "countess") });
  check("digest authentication works", (await session.head("books")).status === 200);
  const aborted = AbortSignal.abort(new Error("enough"));
  const reason: unknown = await session.get("books", { signal: aborted })
    .catch((each: unknown) => each);
  check("a signal aborts a call", reason instanceof Error && reason.message === "enough");

  const files = mockTransport({ "GET /a.txt": new Response("hello"), "POST /forms": 201 });
  const store = new APISession({ url: "https://files.example.com", fetch: files });
  const digest = { sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" };
  const target = new WritableStream<Uint8Array>();
  const { transferred } = await store.get("a.txt", { format: saveTo(target, { digest }) });
  check("a file is downloaded, and its digest checked", transferred === 5);
  const form = multipart([["a", "1"], ["f", new Blob(["hello"])]]);
  let sent = 0;
  const content = withProgress(form, (progress) => void (sent = progress.transferred));
  await store.post("forms", { content });
  check("an upload reports its progress", sent === form.size);

  const fetch = mockTransport({ "GET /jobs/:id": replies(429, ({ pathParams }) => pathParams) });
  // Any output on the console is a fault.
  const doubles = { fetch, clock: fakeClock({ autoAdvance: true }), logger: silentLogger };
  const mocked = new Reading({ url: "https://api.example.com", ...doubles });
  const job: { id: string } = await mocked.get<{ id: string }>("jobs/7");
  const numbers: string[] = [];
  const lines = await reading.get("books/1", { format: ndjson<{ id: number }>() });
  for await (const { id } of lines) numbers.push(String(id));
  check("a stream is read", numbers.join() === "1");
  fetch.assertDone();
  check("a mock transport replies, and a fake clock does not wait", job.id === "7");

  const client = { clientId: "reports", clientSecret: "s3cret" };
  const peers = mockTransport({
    "POST /token": replies(Response.json({}), { access_token: "a" }),
    "GET /a": {},
  });
  const authorized = new Reading({ url: "https://api.example.com", ...doubles, fetch: peers });
  const tokenUrl = "https://login.example.com/token";
  authorized.httpSession.auth = new ClientCredentialsAuth(authorized, { tokenUrl, ...client });
  const refused: unknown = await authorized.get("a").catch((each: unknown) => each);
  check("a response without a token is an error", refused instanceof OAuthError);
  await authorized.get("a");
  peers.assertCalled("GET /a", { headers: { authorization: "Bearer a" } });
  const cached = mockTransport({
    "GET /jobs": ({ headers }) =>
      headers["if-none-match"] === '"v1"'
        ? new Response(null, { status: 304 })
        : Response.json({ id: "7" }, { headers: { etag: '"v1"' } }),
  });
  const middleware = [dedupe(), etagCache()];
  const caching = new Reading({ url: "https://api.example.com", fetch: cached, middleware });
  const jobs: { id: string }[] = [];
  for (let round = 0; round < 2; round++) jobs.push(await caching.get<{ id: string }>("jobs"));
  check("a response is revalidated", jobs.every(({ id }) => id === "7"));
  cached.assertCalled("GET /jobs", { headers: { "if-none-match": '"v1"' }, times: 1 });
}

// A user who writes for browsers and Node does not have Node's types.
declare const process: { readonly argv: readonly string[] };
await use(process.argv[2] ?? "");
console.log("used");
