/**
 * An SDK whose author leaves out the types of results. It is compiled with `declaration: true`, for
 * which TypeScript has to name each inferred type. So each of these types must be exported, even if
 * only the compiler uses it. It is not run.
 */
import {
  type AnyClient,
  APIClient,
  APIEndpoint,
  APISession,
  jsonFormat,
  path,
  TransportError,
  ValidationError,
  xmlFormat,
} from "@restwright/restwright";
import { type Box, type BoxAttrs, isBox, toBox, unbox } from "@restwright/restwright/box";
import { isErrorWith, ModelError } from "@restwright/restwright/errors";
import { multipart, reprDigest, saveTo, withProgress } from "@restwright/restwright/files";
import { HttpSession } from "@restwright/restwright/http";
import { dedupe, etagCache } from "@restwright/restwright/middleware";
import {
  anyOf,
  attr,
  document,
  element,
  elements,
  type FieldMap,
  integer,
  list,
  literal,
  Model,
  model,
  number,
  schema,
  string,
  union,
  unknownContentOf,
} from "@restwright/restwright/models";
import { APIIterator, cursor, linkHeader } from "@restwright/restwright/paging";
import { jsonArray, ndjson, sse, xmlRecords } from "@restwright/restwright/streams";
import {
  fakeClock,
  mockTransport,
  openCassette,
  recordingLogger,
} from "@restwright/restwright/testing";

// Models.

export class Square
  extends model("square", { kind: attr(literal("square")), side: attr(number) }) {}
export class Circle
  extends model("circle", { kind: attr(literal("circle")), radius: attr(number) }) {
}
export class Book extends model("book", {
  id: attr(integer),
  tags: elements(string),
  cover: element(union("kind", Square, Circle), { optional: true }),
  isbn: element(anyOf(integer, string)),
}) {}
export class Atlas extends model("atlas", { maps: element(integer) }, { extends: Book }) {}
export class Shelf extends Model {
  static override readonly tag = "shelf";
  static override readonly fields = { id: attr(string), books: elements(Book) };
  declare readonly id: string;
  declare readonly books: readonly Book[];
}
export const shelves = document(list(Shelf));
export const bookOf = Book.of;
export const atlasOf = Atlas.of;
export const validated = schema(Book)["~standard"].validate({});
export const kept = (book: Book) => unknownContentOf(book);
export const withId = <F extends FieldMap>(fields: F) =>
  model("x", { ...fields, id: attr(string) });
export const instanceOf = <F extends FieldMap>(fields: F) => new (model("x", fields))({} as never);

// Boxes.

export const box = toBox({ a: { b: 1 }, c: [{ d: "e" }] }, { default: {}, camelCase: true });
export const inBox = box.a;
export const ofBox = unbox(box);
export const missing = toBox({} as { a?: { b: number } }, { default: { x: 1 } }).a;
export const frozen = toBox({ a: [{ b: 1 }] }, { dots: true, frozen: true });
export const boxed = <T extends object>(value: T) => toBox(value);
export const unboxed = <T>(value: T) => unbox(value);
export const unknownBox = <A extends BoxAttrs>(value: Box<unknown, A>) => value;
export const guarded = (value: unknown) => isBox(value) ? value : undefined;

// Clients.

export class Books<C extends AnyClient> extends APIEndpoint<C> {
  get(id: number) {
    return this._get(path`/${id}`, { responseModel: Book });
  }
  raw(id: number) {
    return this._get<{ title: string }>(path`/${id}`);
  }
  json(id: number) {
    return this._get<{ title: string }>(path`/${id}`, { convJson: true });
  }
  box(id: number) {
    return this._get<{ title: string }>(path`/${id}`, { box: true }).map((book) => book);
  }
  unknownBox(id: number) {
    return this._get(path`/${id}`, { box: true });
  }
  events() {
    return this._get("/events", { format: sse() });
  }
  save(target: WritableStream<Uint8Array>) {
    return this._get("/file", { format: saveTo(target) });
  }
  list() {
    return this._pages<{ title: string }>({ items: "items", next: linkHeader() });
  }
  readonly formats = { json: jsonFormat([Book]), xml: xmlFormat(Book) };
  readonly find = this._get;
  readonly pages = this._pages;
  readonly client = () => this._api;
}

export class Library extends APIClient {
  static override readonly baseUrl = "https://library.example.com";
  override readonly _box = true;
  override readonly _boxAttrs = { camelCase: true } as const;
  readonly books = new Books(this);
  readonly find = this._get;
  one() {
    return this._get<{ first_name: string }>("/one");
  }
  changed() {
    return this.withOptions({ retries: 0 });
  }
}
export class Session extends APISession {
  readonly find = this.get;
}
export class Numbers extends APIIterator<number, Session> {
  protected override async _getPage() {
    this.page = await this._api.get<number[]>("numbers", { convJson: true });
  }
}

export const session = new APISession({ url: "https://library.example.com", box: true });
export const get = session.get;
export const result = session.get<{ title: string }>("books/1");
export const opened = APISession.open({ url: "https://library.example.com", convJson: true });
export const resultsOf = <C extends AnyClient>(endpoint: APIEndpoint<C>) => endpoint["~results"];
export const numbers = new Numbers({ api: new Session() });
export const position = numbers.position;
export const pages = new Library().books.list();
export const state = pages.state;
export const firstPage = () => pages.then((page) => page);
export const errorMap = Library.baseErrorMap;
export const headers = new HttpSession().headers;
export const proxies = new HttpSession().proxies;

// Errors.

export const problems = (error: unknown) =>
  error instanceof TransportError
    ? { kind: error.kind, request: error.request }
    : error instanceof ValidationError || error instanceof ModelError
    ? error.issues
    : undefined;
export const typed = (error: unknown) => isErrorWith(error, Book) ? error : undefined;

// Results of functions.

export const rules = [cursor("after", "next"), linkHeader()];
export const middleware = [dedupe(), etagCache()];
export const formats = [ndjson(), jsonArray("items", Book), xmlRecords(Book, { at: "book" })];
export const digest = reprDigest();
export const form = multipart([["a", "1"]]);
export const upload = withProgress(form, () => {});
export const mock = mockTransport({ "GET /a": ({ pathParams }) => pathParams });
export const calls = mock.calls;
export const clock = fakeClock();
export const log = recordingLogger();
export const records = log.records;
export const cassette = () => openCassette("books.json");
