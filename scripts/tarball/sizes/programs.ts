/** Users' programs whose bundle size is limited. */

/** A program with a limit for the size of its bundle. */
export interface SizedProgram {
  /** A short description of the program. */
  readonly name: string;
  /** The maximum size of the bundle in bytes, minified and gzipped. */
  readonly limit: number;
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
import { APIClient, NotFoundError } from "restwright";
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
import { attr, element, Model, string } from "restwright/models";
class Book extends Model {
  static tag = "book";
  static fields = { id: attr(string), title: element(string) };
}
const book = await library.book(3, { responseModel: Book });
const isRead = book instanceof Book && book.title === "On Fetch";
`;

const works = (...conditions: readonly string[]) =>
  `console.log(${conditions.join(" && ")} ? "works" : "does not work");`;

/** Returns a program that reads a stream of two items. */
const streamed = (format: string, type: string, body: string, id = "item.id") => `
globalThis.fetch = () =>
  Promise.resolve(new Response(${body}, { headers: { "content-type": "${type}" } }));
import { APIClient } from "restwright";
import { ${format.slice(0, format.indexOf("("))} } from "restwright/streams";
class Library extends APIClient {
  static baseUrl = "https://library.example.com";
  books() { return this._get("books", { stream: ${format} }); }
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
    limit: 25_900,
    code: answers(...tried) + client + works("isRetried", "isRaised"),
  },
  {
    name: "a client with JSON models",
    limit: 28_800,
    code: `${read}
const isWritten = book.toJson() === '{"id":"3","title":"On Fetch"}';
${works("isRetried", "isRaised", "isRead", "isWritten")}`,
  },
  {
    name: "a client that reads NDJSON",
    limit: 31_200,
    code: streamed("ndjson()", "application/x-ndjson", '\'{"id":1}\\n{"id":2}\''),
  },
  {
    name: "a client that writes models as XML",
    limit: 32_000,
    code: `${read}
import { toXml } from "restwright/models";
const xml = toXml(book, { declaration: false });
const isWritten = xml === '<book id="3"><title>On Fetch</title></book>';
${works("isRetried", "isRaised", "isRead", "isWritten")}`,
  },
  {
    name: "a client that reads a JSON array",
    limit: 32_200,
    code: streamed('jsonArray("")', "application/json", '\'[{"id":1},{"id":2}]\''),
  },
  {
    name: "a client that reads events",
    limit: 33_000,
    code: streamed("sse()", "text/event-stream", "'data: 1\\n\\ndata: 2\\n\\n'", "item.data"),
  },
];
