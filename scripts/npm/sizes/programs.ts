/** Users' programs whose bundles are measured. */

/** A program, and the size of its bundle. */
export interface SizedProgram {
  /** A short description of the program. */
  readonly name: string;
  /** The size of the bundle in bytes, minified and gzipped, when it was last written down. */
  readonly size: number;
  /** The code, which prints `works` if all its results are as expected. */
  readonly code: string;
}

/** Returns code that replaces fetch by a function that returns these responses in turn. */
const answers = (...given: readonly string[]) => `
const answers = [${given.join(", ")}];
globalThis.fetch = () => Promise.resolve(answers.shift());`;

const json = (body: string, status = 200) =>
  `new Response('${body}', { status: ${status}, headers: { "content-type": "application/json" } })`;

const client = `
import { APIClient, NotFoundError } from "@restwright/restwright";
class Library extends APIClient {
  static baseUrl = "https://library.example.com";
  static backoff = 0;
  book(id, options) { return this._get("books/" + id, options); }
}
const nothing = () => {};
const isLevelEnabled = (level) => level !== "debug";
const logger = { debug: nothing, info: nothing, warn: nothing, error: nothing, isLevelEnabled };
const library = new Library({ logger });
const isRetried = (await library.book(1, { convJson: true })).id === 1;
const error = await library.book(2).catch((error) => error);
const isRaised = error instanceof NotFoundError && error.status === 404 && error.body === "{}";
`;

const models = `
import { attr, element, Model, string } from "@restwright/restwright/models";
class Book extends Model {
  static tag = "book";
  static fields = { id: attr(string), title: element(string) };
}
const book = await library.book(3, { responseModel: Book });
const isRead = book instanceof Book && book.title === "On Fetch";
`;

const readyMiddleware = `
import {
  concurrencyLimit, dedupe, etagCache, rateLimit, serverRateLimit,
} from "@restwright/restwright/middleware";
const limits = [concurrencyLimit(2), rateLimit({ requests: 9, interval: 1 })];
const middleware = [dedupe(), etagCache(), ...limits, serverRateLimit()];
const careful = new Library({ logger, middleware });
const [one, other] = await Promise.all([1, 2].map(() => careful.book(4, { convJson: true })));
const isShared = one.id === 4 && other.id === 4 && one !== other;
`;

const files = `
import { saveTo } from "@restwright/restwright/files";
let saved = 0;
const target = new WritableStream({ write: (chunk) => void (saved += chunk.length) });
const { transferred } = await library.book("cover", { format: saveTo(target) });
const isSaved = saved === 5 && transferred === 5;
`;

const pages = `
import { linkHeader } from "@restwright/restwright/paging";
class Shelves extends APIClient {
  static baseUrl = "https://library.example.com";
  list() { return this._pages("shelves", { next: linkHeader() }); }
}
const shelves = await new Shelves({ logger }).list().collect();
const isCollected = shelves.join() === "1,2";
`;

const works = (...conditions: readonly string[]) =>
  `console.log(${conditions.join(" && ")} ? "works" : "does not work");`;

const download = 'new Response("hello")';
const firstPage = `new Response("[1]", { headers: { link: '</shelves?page=2>; rel="next"' } })`;

/** Returns a program that reads a stream of two items. */
const streamed = (format: string, type: string, body: string, id = "item.id") => `
globalThis.fetch = () =>
  Promise.resolve(new Response(${body}, { headers: { "content-type": "${type}" } }));
import { APIClient } from "@restwright/restwright";
import { ${format.slice(0, format.indexOf("("))} } from "@restwright/restwright/streams";
class Library extends APIClient {
  static baseUrl = "https://library.example.com";
  books() { return this._get("books", { format: ${format} }); }
}
const ids = [];
for await (const item of await new Library({ logger: null }).books()) ids.push(${id});
const isStreamed = ids.join() === "1,2";
${works("isStreamed")}`;

const tried = [json("", 503), json('{"id":1}'), json("{}", 404)];
const read = answers(...tried, json('{"id":"3","title":"On Fetch"}')) + client + models;

/** The programs to measure. */
export const sizedPrograms: readonly SizedProgram[] = [
  {
    name: "a client",
    size: 44_800,
    code: answers(...tried) + client + works("isRetried", "isRaised"),
  },
  {
    name: "a client that reads NDJSON",
    size: 46_800,
    code: streamed("ndjson()", "application/x-ndjson", '\'{"id":1}\\n{"id":2}\''),
  },
  {
    name: "a client with OAuth",
    size: 49_000,
    code: `${answers(...tried, json('{"access_token":"a-1"}'), json('{"id":4}'))}${client}
import { ClientCredentialsAuth } from "@restwright/restwright/oauth";
const tokenUrl = "https://login.example.com/token";
const credentials = { clientId: "reports", clientSecret: "s3cret" };
library.httpSession.auth = new ClientCredentialsAuth(library, { tokenUrl, ...credentials });
const isAuthenticated = (await library.book(4, { convJson: true })).id === 4;
${works("isRetried", "isRaised", "isAuthenticated")}`,
  },
  {
    name: "a client that reads a JSON array",
    size: 47_800,
    code: streamed('jsonArray("")', "application/json", '\'[{"id":1},{"id":2}]\''),
  },
  {
    name: "a client that downloads files",
    size: 47_600,
    code: answers(...tried, download) + client + files + works("isRetried", "isRaised", "isSaved"),
  },
  {
    name: "a client that reads events",
    size: 49_600,
    code: streamed("sse()", "text/event-stream", "'data: 1\\n\\ndata: 2\\n\\n'", "item.data"),
  },
  {
    name: "a client with page promises",
    size: 50_100,
    code: answers(...tried, firstPage, json("[2]")) + client + pages +
      works("isRetried", "isRaised", "isCollected"),
  },
  {
    name: "a client with JSON models",
    size: 50_800,
    code: `${read}
const isWritten = book.toJsonString() === '{"id":"3","title":"On Fetch"}';
${works("isRetried", "isRaised", "isRead", "isWritten")}`,
  },
  {
    name: "a client with ready middleware",
    size: 51_800,
    code: answers(...tried, json('{"id":4}')) + client + readyMiddleware +
      works("isRetried", "isRaised", "isShared"),
  },
  {
    name: "a client with telemetry",
    size: 51_500,
    code: `${answers(json("{}", 503), json('{"id":1}'))}
import { trace } from "@opentelemetry/api";
import { APIClient } from "@restwright/restwright";
import { telemetry } from "@restwright/restwright/telemetry";
const names = [];
const span = {
  spanContext: () => ({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 }),
  ...Object.fromEntries(
    ["setAttribute", "setAttributes", "setStatus", "recordException", "end"]
      .map((name) => [name, () => span]),
  ),
};
const getTracer = () => ({ startSpan: (name) => (names.push(name), span) });
trace.setGlobalTracerProvider({ getTracer });
class Library extends APIClient {
  static baseUrl = "https://library.example.com";
  static backoff = 0;
  static callMiddleware = [telemetry()];
  book(id) { return this._get("books/" + id, { convJson: true }); }
}
const { id } = await new Library({ logger: null }).book(1);
const isTraced = names.join() === "GET,GET" && id === 1;
${works("isTraced")}`,
  },
  {
    name: "a client that writes models as XML",
    size: 58_100,
    code: `${read}
import { toXml } from "@restwright/restwright/models";
const xml = toXml(book, { declaration: false });
const isWritten = xml === '<book id="3"><title>On Fetch</title></book>';
${works("isRetried", "isRaised", "isRead", "isWritten")}`,
  },
];
