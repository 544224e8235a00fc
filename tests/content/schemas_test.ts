import { errorsBy } from "../../src/entries/errors.ts";
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertNotEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
  describe,
  it,
} from "#test";
import { inspect } from "node:util";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import {
  APIClient,
  APIEndpoint,
  APIError,
  APISession,
  type ClientOptions,
  NotFoundError,
  type Path,
  type RequestOptions,
  type ResponseModel,
  TransportError,
  UnexpectedValueError,
  ValidationError,
} from "../../mod.ts";
import { isBox } from "../../src/box/mod.ts";
import {
  DecodeError,
  type ErrorFrom,
  isErrorWith,
  ServiceUnavailableError,
} from "../../src/entries/errors.ts";
import type { StandardSchema } from "../../src/models/mod.ts";
import { type BodyToDecode, decodeByModel } from "../../src/content/decode.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted, type ScriptedTransport } from "../support/scripted.ts";

// The types of the results are in tests/types/schema_types_test.ts.

interface Book {
  id: number;
  title: string;
}

interface Shelf {
  name: string;
  books: Book[];
}

interface Loan {
  due: Date;
  copies: number;
}

/** The same schemas, written with one library. */
interface Library {
  readonly name: string;
  readonly book: StandardSchema<unknown, Book>;
  readonly bookOrNull: StandardSchema<unknown, Book | null>;
  readonly shelf: StandardSchema<unknown, Shelf>;
  /** Converts `due` to a date, and sets `copies` to 1 by default. */
  readonly loan: StandardSchema<unknown, Loan>;
  /** Throws `bug` in its check. */
  readonly broken: (bug: Error) => StandardSchema;
  /** Accepts ids below ten, asynchronously. `undefined` if the library cannot do that. */
  readonly slow: StandardSchema<unknown, Book> | undefined;
}

const isLow = ({ id }: Book): Promise<boolean> => Promise.resolve(id < 10);

const zodBook = z.object({ id: z.number(), title: z.string() });
const valibotBook = v.object({ id: v.number(), title: v.string() });
const arktypeBook = type({ id: "number", title: "string" });

const libraries: readonly Library[] = [
  {
    name: "zod",
    book: zodBook,
    bookOrNull: zodBook.nullable(),
    shelf: z.object({ name: z.string(), books: z.array(zodBook) }),
    loan: z.object({
      due: z.string().transform((text) => new Date(text)),
      copies: z.number().default(1),
    }),
    broken: (bug) =>
      zodBook.refine(() => {
        throw bug;
      }),
    slow: zodBook.refine(isLow, "too high"),
  },
  {
    name: "valibot",
    book: valibotBook,
    bookOrNull: v.nullable(valibotBook),
    shelf: v.object({ name: v.string(), books: v.array(valibotBook) }),
    loan: v.object({
      due: v.pipe(v.string(), v.transform((text) => new Date(text))),
      copies: v.optional(v.number(), 1),
    }),
    broken: (bug) =>
      v.pipe(
        valibotBook,
        v.check(() => {
          throw bug;
        }),
      ),
    slow: v.pipeAsync(valibotBook, v.checkAsync(isLow, "too high")),
  },
  {
    name: "arktype",
    book: arktypeBook,
    bookOrNull: arktypeBook.or("null"),
    shelf: type({ name: "string", books: arktypeBook.array() }),
    loan: type({ due: "string.date.iso.parse", copies: "number = 1" }),
    broken: (bug) =>
      arktypeBook.narrow(() => {
        throw bug;
      }),
    slow: undefined,
  },
];

/** Creates a handwritten schema. */
function schema<Output>(
  validate: StandardSchema<unknown, Output>["~standard"]["validate"],
): StandardSchema<unknown, Output> {
  return { "~standard": { version: 1, vendor: "test", validate } };
}

/** Creates a schema that accepts anything and returns a word. */
function constant<Word extends string>(word: Word): StandardSchema<unknown, Word> {
  return schema(() => ({ value: word }));
}

class Plain extends APIClient {
  read(options?: RequestOptions, method = "GET", path: Path = "/x"): Promise<unknown> {
    return this._req(method, path, options);
  }
}

interface Started {
  readonly adapter: ScriptedTransport;
  readonly clock: FakeClock;
  readonly client: Plain;
  get(responseModel: ResponseModel, options?: RequestOptions): Promise<unknown>;
}

const baseUrl = "https://api.example.com";

/** Starts a client with scripted answers. */
function start(answers: readonly Answer[], options: ClientOptions = {}, Client = Plain): Started {
  const adapter = scripted(...answers);
  const clock = fakeClock({ autoAdvance: true });
  const logger = recordingLogger();
  const client = new Client({ baseUrl, adapter, clock, logger, ...options });
  const get = (responseModel: ResponseModel, options: RequestOptions = {}) =>
    client.read({ ...options, responseModel });
  return { adapter, clock, client, get };
}

/** Creates an answer with a value as its JSON. */
function json(value: unknown, status = 200): () => Response {
  return () => Response.json(value, { status, headers: { "x-request-id": "r-7" } });
}

function text(body: string | null, status = 200): () => Response {
  return () => new Response(body, { status });
}

/** Creates a response whose body breaks off. */
function broken(): Response {
  const pull = (controller: ReadableStreamDefaultController) =>
    controller.error(new TypeError("terminated"));
  return new Response(new ReadableStream({ pull }));
}

const dune: Book = { id: 7, title: "Dune" };
const emma: Book = { id: 8, title: "Emma" };

/** Asserts that a call rejects with a ValidationError, and returns it. */
async function refusal(call: Promise<unknown>): Promise<ValidationError> {
  const error = await assertRejects(() => call, ValidationError);
  assertEquals([error.name, error.constructor], ["ValidationError", ValidationError]);
  return error;
}

function pathsOf({ issues }: ValidationError): unknown[] {
  return issues.map(({ path }) => path);
}

for (const { name, book, bookOrNull, shelf, loan, broken: withBug, slow } of libraries) {
  describe(`a responseModel of ${name}`, () => {
    it("decodes the body on every success status that can have one", async () => {
      for (const status of [200, 201, 203, 298]) {
        const { get } = start([json(dune, status), json([dune, emma], status)]);
        assertEquals(await get(book), dune, `${status}`);
        assertEquals(await get([book]), [dune, emma], `${status}, in a list`);
      }
    });

    it("ignores the content type", async () => {
      const { get } = start([text(JSON.stringify(dune))]);
      assertEquals(await get(book), dune);
    });

    it("returns null for an empty body if it allows null", async () => {
      const bom = () => new Response(new Uint8Array([0xef, 0xbb, 0xbf]));
      const empty = [
        text(null, 204),
        text("", 200),
        text(null, 201),
        text("", 298),
        bom,
      ];
      for (const answer of [...empty, json(null)]) {
        assertEquals(await start([answer]).get(bookOrNull), null);
      }
      const { client } = start([text(null)]);
      assertEquals(await client.read({ responseModel: bookOrNull }, "HEAD"), null);
    });

    it("refuses an empty body if it does not allow null, and reports that the body is empty", async () => {
      for (const answer of [text(null, 204), text("")]) {
        for (const model of [book, [book], [bookOrNull]] as const) {
          const error = await refusal(start([answer]).get(model));
          assertStringIncludes(
            error.message,
            "GET https://api.example.com/x does not match the model (the body is empty): ",
          );
          assertEquals([error.body, error.excerpt, pathsOf(error)], ["", "", [[]]]);
        }
      }
    });

    it("returns lists, even empty or with null in them, and refuses values that are not lists", async () => {
      assertEquals(await start([json([])]).get([book]), []);
      assertEquals(await start([json([dune, null])]).get([bookOrNull]), [dune, null]);
      const { issues } = await refusal(start([json(dune)]).get([book]));
      assertEquals(issues, [{ path: [], message: "expected an array, got an object" }]);
      await refusal(start([json([dune])]).get(book));
      await refusal(start([json(null)]).get([bookOrNull]));
    });

    it("returns the output of the schema, with transforms and defaults", async () => {
      const at = "2026-01-02T03:04:05.000Z";
      const due = new Date(at);
      assertEquals(await start([json({ due: at })]).get(loan), { due, copies: 1 });
      const { get } = start([json([{ due: at, copies: 2 }, { due: at }])]);
      assertEquals(await get([loan]), [{ due, copies: 2 }, { due, copies: 1 }]);
    });

    it("reports every problem with its path, within arrays and objects", async () => {
      const bad = { name: 5, books: [dune, { id: "7", title: "Dune" }, { id: 8, title: null }] };
      const alone = [["name"], ["books", 1, "id"], ["books", 2, "title"]];
      const error = await refusal(start([json(bad)]).get(shelf));
      const sorted = (error: ValidationError) =>
        pathsOf(error).map((path) => JSON.stringify(path)).sort();
      assertEquals(sorted(error), alone.map((path) => JSON.stringify(path)).sort());
      const listed = await refusal(start([json([{ name: "a", books: [] }, bad])]).get([shelf]));
      assertEquals(sorted(listed), alone.map((path) => JSON.stringify([1, ...path])).sort());
    });

    it("reports the problems of all elements of a list, in their order", async () => {
      const list = [{ ...dune, id: "a" }, dune, null, { ...dune, id: "b" }];
      const error = await refusal(start([json(list)]).get([book]));
      assertEquals(pathsOf(error), [[0, "id"], [2], [3, "id"]]);
    });

    it("names the request, the path and the problem in the message", async () => {
      const { message } = await refusal(start([json([dune, { ...emma, id: "8" }])]).get([book]));
      const start_ =
        "the response to GET https://api.example.com/x does not match the model: [1].id: ";
      assertEquals(message.slice(0, start_.length), start_);
      assert(message.length > start_.length);
      assertStringIncludes(message, "number");
    });

    it("rejects with an error that has the body, an excerpt, the response and the request's id", async () => {
      const long = JSON.stringify({ id: "7", title: "x".repeat(500) });
      const headers = { "x-request-id": "r-7", "x-total": "1" };
      const answer = () => new Response(long, { status: 201, headers });
      const error = await refusal(start([answer]).get(book));
      assertInstanceOf(error, DecodeError);
      assertEquals(error.body, long);
      assertEquals(error.excerpt, `${long.slice(0, 200)}…`);
      assertEquals([error.status, error.requestId], [201, "r-7"]);
      assertEquals(error.headers.get("x-total"), "1");
      assertEquals(await error.response.text(), long);
      assertEquals(error.request, { method: "GET", url: "https://api.example.com/x" });
    });

    it("does not show the body when its error is printed", async () => {
      const bodies = [
        { id: "hunter-2", title: "hunter-2" },
        { id: 'hunter-2 "quoted" \\', title: { deep: ["hunter-2"] } },
        "hunter-2",
        ["hunter-2"],
      ];
      for (const body of bodies) {
        for (const model of [book, bookOrNull]) {
          const alone = await refusal(start([json(body)]).get(model));
          const listed = await refusal(start([json([dune, body])]).get([model]));
          for (const error of [alone, listed]) {
            assertStringIncludes(error.body, "hunter-2");
            const printed = [error.message, String(error), JSON.stringify(error), inspect(error)];
            for (const each of printed) assert(!each.includes("hunter-2"), each);
            assertEquals(JSON.parse(JSON.stringify(error)).issues, error.issues);
          }
        }
      }
    });

    it("causes no retry, because the same body would come again", async () => {
      const { get, adapter, clock } = start([json({})]);
      await refusal(get(book, { retryOn: [200] }));
      assertEquals([adapter.calls.length, clock.waits], [1, []]);
    });

    it("is not applied to a body that is not JSON, which causes no retry either", async () => {
      for (const model of [book, [book]] as const) {
        const { get, adapter } = start([text("<html>")]);
        const error = await assertRejects(() => get(model), DecodeError);
        assert(!(error instanceof ValidationError));
        assertStringIncludes(error.message, "is not JSON");
        assertEquals([error.body, adapter.calls.length], ["<html>", 1]);
      }
    });

    it("is not applied to a body that breaks off, which causes a retry", async () => {
      const { get, adapter, clock } = start([broken, json(dune)]);
      assertEquals(await get(book), dune);
      assertEquals([adapter.calls.length, clock.waits], [2, [1]]);
      await assertRejects(() => start([broken], { retries: 0 }).get(book), TransportError);
    });

    it("is not applied to the body of an error", async () => {
      await assertRejects(() => start([json(dune, 404)]).get(book), NotFoundError);
    });

    it("applies to every attempt, even if a hook changes the request options", async () => {
      const changes: ((options: RequestOptions) => unknown)[] = [
        () => undefined,
        () => ({}),
        (options) => options,
        (options) => ({ ...options, params: { page: 2 }, responseModel: undefined }),
      ];
      for (const change of changes) {
        class Hooked extends Plain {
          protected override _retryRequest(
            _response: Response,
            _retries: number,
            options: RequestOptions,
          ) {
            return change(options) as RequestOptions;
          }
        }
        const answers = [503, broken, json({ due: "2026-01-02T03:04:05.000Z" })];
        const loaned = await start(answers, {}, Hooked).get(loan) as Loan;
        assertEquals(loaned.due.getTime(), Date.UTC(2026, 0, 2, 3, 4, 5));
      }
    });

    it("rejects at once with its own error if it throws, because that is a bug in the program", async () => {
      const bug = new RangeError("the check is wrong");
      for (const model of [withBug(bug), [withBug(bug)]] as const) {
        const { get, adapter, clock } = start([json([dune]), json(dune)]);
        const body = Array.isArray(model) ? get(model) : start([json(dune)]).get(model);
        assertStrictEquals(await assertRejects(() => body), bug);
        assert(adapter.calls.length <= 1);
        assertEquals(clock.waits, []);
      }
    });

    if (slow !== undefined) {
      it("may be asynchronous", async () => {
        assertEquals(await start([json(dune)]).get(slow), dune);
        assertEquals(await start([json([dune, emma])]).get([slow]), [dune, emma]);
        const high = { id: 10, title: "Ulysses" };
        const alone = await refusal(start([json(high)]).get(slow));
        assertEquals(alone.issues, [{ path: [], message: "too high" }]);
        const listed = await refusal(start([json([dune, high, emma, { id: 11 }])]).get([slow]));
        assertEquals(pathsOf(listed), [[1], [3, "title"]]);
      });
    }
  });

  describe(`a model of errors of ${name}`, () => {
    it("sets the data of an error to the output of the schema", async () => {
      const at = "2026-01-02T03:04:05.000Z";
      const { client } = start([json({ due: at }, 404)]);
      const error = await assertRejects(
        () => client.read({ errorFrom: errorsBy({ model: loan }) }),
        NotFoundError,
      );
      assertEquals<unknown>(error.data, { due: new Date(at), copies: 1 });
      assert(isErrorWith(error, loan));
      assertEquals(error.data.copies, 1);
    });

    it("may be a list, and may allow an empty body", async () => {
      const list = start([json([dune, emma], 422)], { errorFrom: errorsBy({ model: [book] }) });
      const error = await assertRejects(() => list.client.read(), APIError);
      assertEquals<unknown>(error.data, [dune, emma]);
      assert(isErrorWith(error, [book]));
      assertEquals(error.data[1]?.title, "Emma");
      const empty = start([404], { errorFrom: errorsBy({ model: bookOrNull }) });
      const other = await assertRejects(() => empty.client.read(), APIError);
      assertEquals([other.data, isErrorWith(other, bookOrNull)], [null, true]);
    });

    it("leaves data undefined and the error unchanged if the body does not match", async () => {
      const bug = new RangeError("the check is wrong");
      const answers = [json({ id: "7" }, 404), json([], 404), text("<html>", 404), text(null, 404)];
      for (const answer of answers) {
        for (const model of [book, [shelf], withBug(bug)] as const) {
          if (answer === answers[1] && Array.isArray(model)) continue; // matches
          const { client } = start([answer]);
          const error = await assertRejects(
            () => client.read({ errorFrom: errorsBy({ model }) }),
            NotFoundError,
          );
          assertEquals([error.data, isErrorWith(error, model)], [undefined, false]);
        }
      }
      const { client } = start([json(dune, 404)], { errorFrom: errorsBy({ model: withBug(bug) }) });
      const error = await assertRejects(() => client.read(), NotFoundError);
      assertEquals([error.data, error.body], [undefined, JSON.stringify(dune)]);
    });

    it("applies to retries too, and does not change what is retried", async () => {
      const answers = [json(dune, 503), json({}, 503), json(emma, 503)];
      const { client, adapter, clock } = start(answers, { retries: 2 });
      const call = () => client.read({ errorFrom: errorsBy({ model: book }) });
      const error = await assertRejects(call, ServiceUnavailableError);
      assertEquals<unknown>([error.data, error.retries], [emma, 2]);
      assertEquals([adapter.calls.length, clock.waits], [3, [1, 2]]);
      const recovers = start([json(dune, 503), json(emma)]);
      assertEquals(await recovers.get(book, { errorFrom: errorsBy({ model: book }) }), emma);
    });

    it("does not prevent a retry if it throws", async () => {
      const bug = new RangeError("the check is wrong");
      const { get } = start([json(dune, 503), json(emma)], {
        errorFrom: errorsBy({ model: withBug(bug) }),
      });
      assertEquals(await get(book), emma);
    });

    it("sets data that is never printed", async () => {
      const { client } = start([json({ id: 7, title: "hunter-2" }, 404)], {
        errorFrom: errorsBy({ model: book }),
      });
      const error = await assertRejects(() => client.read(), APIError);
      assert(isErrorWith(error, book));
      assertEquals(error.data.title, "hunter-2");
      const printed = [error.message, String(error), JSON.stringify(error), inspect(error)];
      for (const each of printed) assert(!each.includes("hunter-2"), each);
    });
  });
}

/** Creates a body whose JSON has been parsed. */
const parsed = (value: unknown): BodyToDecode => ({
  content: "[]",
  response: Response.json(value),
  format: undefined,
  json: () => value,
});

describe("responseModel beside the other conversions", () => {
  it("takes precedence over box and convJson, of the request and of the class", async () => {
    class Converting extends Plain {
      override readonly _box: boolean | undefined = true;
      override readonly _convJson: boolean | undefined = true;
    }
    for (const Client of [Plain, Converting]) {
      for (const box of [true, false, undefined]) {
        for (const convJson of [true, false, undefined]) {
          const { get } = start([json({ id: 7, title: "Dune", more: 1 })], {}, Client);
          const value = await get(zodBook, { box, convJson });
          assertEquals(value, dune);
          assert(!isBox(value));
        }
      }
    }
  });

  it("has no effect on them if it is undefined", async () => {
    const { client } = start([json(dune)]);
    assertEquals(await client.read({ responseModel: undefined, convJson: true }), dune);
    assert(isBox(await client.read({ responseModel: undefined, box: true })));
  });

  it("works for a session of generation 1 as well", async () => {
    const session = new APISession({ url: baseUrl, adapter: scripted(json([dune])) });
    const books = await session.get("x", { responseModel: [zodBook] });
    assertEquals(books[0]?.title, "Dune");
  });

  it("returns its value together with the response from withResponse", async () => {
    const session = new APISession({ url: baseUrl, adapter: scripted(json(dune, 201)) });
    const { data, response } = await session.post("x", { responseModel: zodBook }).withResponse();
    assertEquals([data.id, response.status], [7, 201]);
    assertEquals(await response.json(), dune);
  });
});

describe("responseModel beside hooks", () => {
  it("is applied after _respErrorCheck, which can read the body", async () => {
    const seen: unknown[] = [];
    class Checked extends Plain {
      protected override async _respErrorCheck(response: Response, options: RequestOptions) {
        seen.push(await response.json(), options.responseModel === zodBook);
        return response;
      }
    }
    assertEquals(await start([json(dune)], {}, Checked).get(zodBook), dune);
    assertEquals(seen, [dune, true]);
    await refusal(start([json({})], {}, Checked).get(zodBook));
  });

  it("is applied to the response that _respErrorCheck returns, which its errors report", async () => {
    let replacement: unknown = emma;
    class Enveloped extends Plain {
      protected override async _respErrorCheck(response: Response) {
        await response.arrayBuffer();
        return Response.json(replacement, { status: 202 });
      }
    }
    assertEquals(await start([json({ ok: true })], {}, Enveloped).get(zodBook), emma);
    replacement = { id: "8" };
    const error = await refusal(start([json({ ok: true })], {}, Enveloped).get(zodBook));
    assertEquals([error.status, error.body], [202, '{"id":"8"}']);
  });

  it("is not applied if _respErrorCheck throws", async () => {
    const wrong = new Error("ok is false");
    class Refusing extends Plain {
      protected override _respErrorCheck(): Response {
        throw wrong;
      }
    }
    const { get } = start([json({ ok: false })], {}, Refusing);
    assertStrictEquals(await assertRejects(() => get(zodBook)), wrong);
  });
});

describe("responseModel in an endpoint", () => {
  class Books extends APIEndpoint<Plain> {
    protected override readonly _path: string = "/books";
    override readonly _convJson = true;

    get(id: number): Promise<Book> {
      return this._get(`/${id}`, { responseModel: zodBook });
    }
    list(): Promise<Book[]> {
      return this._get("", { responseModel: [valibotBook] });
    }
    add(title: string): Promise<Book> {
      return this._post("", { json: { title }, responseModel: valibotBook });
    }
    async remove(id: number): Promise<void> {
      await this._delete(`/${id}`, { responseModel: z.null() });
    }
  }

  it("types the endpoint's methods, and takes precedence over the flags of the class", async () => {
    const { client, adapter } = start([json(dune), json([emma]), json(dune, 201), 204]);
    const books = new Books(client);
    assertEquals((await books.get(7)).title, "Dune");
    assertEquals((await books.list())[0]?.title, "Emma");
    assertEquals((await books.add("Dune")).id, 7);
    await books.remove(7);
    const paths = adapter.calls.map(({ url, init }) => `${init.method} ${new URL(url).pathname}`);
    assertEquals(paths, ["GET /books/7", "GET /books", "POST /books", "DELETE /books/7"]);
  });

  it("rejects with the endpoint's path in the message", async () => {
    const { client } = start([json({ ...dune, id: "7" })]);
    const error = await refusal(new Books(client).get(7));
    assertStringIncludes(
      error.message,
      "GET https://api.example.com/books/7 does not match the model",
    );
  });
});

describe("a model", () => {
  const bad: readonly unknown[] = [
    null,
    0,
    "Book",
    {},
    [],
    () => dune,
    class Book {},
    { "~standard": null },
    { "~standard": { version: 1 } },
    { "~standard": { validate: "yes" } },
    { parse: () => dune },
    [null],
    [{}],
    [zodBook, zodBook],
    [[zodBook]],
    new Set([zodBook]),
  ];

  it("must be a class, a schema or a list of one as responseModel, or nothing is sent", async () => {
    for (const model of bad) {
      const { get, adapter } = start([json(dune)]);
      const call = () => get(model as ResponseModel);
      const error = await assertRejects(
        call,
        UnexpectedValueError,
        "responseModel",
        inspect(model),
      );
      assertStringIncludes(error.message, "a Standard Schema, or an array with one of these");
      assertEquals(adapter.calls.length, 0);
    }
  });

  it("must be a class, a schema or a list of one as the model of errors", async () => {
    for (const each of bad) {
      const model = each as ResponseModel;
      assertThrows(() => errorsBy({ model }), UnexpectedValueError, "model");
      assertThrows(() => errorsBy("code", {}, { model }), UnexpectedValueError, "model");
      const { client } = start([404]);
      const errorFrom: ErrorFrom = Object.assign(() => undefined, { model });
      const call = () => client.read({ errorFrom });
      await assertRejects(call, UnexpectedValueError, "errorFrom.model");
    }
    assertThrows(() => errorsBy({} as { model: ResponseModel }), UnexpectedValueError, "model");
  });

  it("is refused with the name of the error class if its errorModel is invalid", async () => {
    class Gone extends APIError {
      static override readonly errorModel: unknown = { parse: true };
    }
    const { client } = start([404]);
    const call = () => client.read({ errorMap: { 404: Gone } });
    await assertRejects(call, UnexpectedValueError, "Gone.errorModel");
  });

  it("may be a handwritten object of any kind", async () => {
    const props = constant("by hand")["~standard"];
    class OfClass {
      get "~standard"() {
        return props;
      }
    }
    const models = [
      { "~standard": props },
      new OfClass(),
      Object.assign(() => {}, { "~standard": props }),
      Object.freeze(Object.assign(Object.create(null), { "~standard": props })),
    ];
    for (const model of models) {
      assertEquals(await start([json(1)]).get(model), "by hand");
      assertEquals(await start([json([1, 2])]).get([model]), ["by hand", "by hand"]);
    }
  });

  it("is called as a method of its object, in the order of the list", async () => {
    const seen: unknown[] = [];
    class Props {
      readonly version = 1;
      readonly vendor = "test";
      validate(value: unknown) {
        assertInstanceOf(this, Props);
        seen.push(value);
        return { value };
      }
    }
    assertEquals(await start([json([1, 2, 3])]).get([{ "~standard": new Props() }]), [1, 2, 3]);
    assertEquals(seen, [1, 2, 3]);
  });

  it("may return a thenable that is not a native promise", async () => {
    const foreign = schema(() => ({
      then: (resolve: (result: { value: string }) => void) => resolve({ value: "later" }),
    } as never));
    assertEquals(await start([json(1)]).get(foreign), "later");
    assertEquals(await start([json([1, 2])]).get([foreign]), ["later", "later"]);
  });

  it("may return undefined, null or false", async () => {
    for (const value of [undefined, null, false, 0, ""]) {
      const model = schema(() => ({ value }));
      assertStrictEquals(await start([json(1)]).get(model), value);
      assertEquals(await start([json([1])]).get([model]), [value]);
    }
  });

  it("may refuse a value without an issue", async () => {
    const silent = schema(() => ({ issues: [] }));
    const alone = await refusal(start([json(1)]).get(silent));
    assertEquals(alone.issues, [{ path: [], message: "the schema does not accept the value" }]);
    assertEquals(pathsOf(await refusal(start([json([1])]).get([silent]))), [[0]]);
  });

  it("may report paths of keys, segments and symbols", async () => {
    const path = ["a", { key: 0 }, { key: "b c" }, Symbol("s"), 1];
    const reporting = schema(() => ({ issues: [{ message: "wrong", path }] }));
    const error = await refusal(start([json([null])]).get([reporting]));
    assertEquals(pathsOf(error), [[0, "a", 0, "b c", "Symbol(s)", 1]]);
    assertStringIncludes(error.message, ': [0].a[0]["b c"]["Symbol(s)"][1]: wrong');
  });

  it("may report very many problems: the message has three of them, the error all", async () => {
    const issues = Array.from({ length: 300_000 }, (_, at) => ({ message: "wrong", path: [at] }));
    const reporting = schema(() => ({ issues }));
    const error = await refusal(start([json([1])]).get([reporting]));
    assertEquals(error.issues.length, 300_000);
    assertStringIncludes(
      error.message,
      ": [0][0]: wrong; [0][1]: wrong; [0][2]: wrong; and 299997 more",
    );
  });

  it("has only quoted strings of the body removed from its messages", async () => {
    const withIssue = (message: string, path: string[] = []) =>
      schema(() => ({ issues: [{ message, path }] }));
    const body = { a: "x", b: { c: 'say "hi"' }, empty: "" };
    const cases: readonly (readonly [string, string[], string])[] = [
      ['expected "x", got "x"', ["a"], 'expected "…", got "…"'],
      ['expected "y" or "z", got "x"', ["a"], 'expected "y" or "z", got "…"'],
      ['expected "x"', ["b"], 'expected "x"'], // not the value at that path
      ['got {"c":"say \\"hi\\""}', ["b"], 'got {"c":"…"}'],
      ['got "say "hi""', ["b", "c"], 'got "…"'],
      ['got ""', ["empty"], 'got ""'],
      ['no "toString"', ["toString", "length"], 'no "toString"'],
      ["x is not it", ["a"], "x is not it"],
    ];
    for (const [message, path, shown] of cases) {
      const error = await refusal(start([json(body)]).get(withIssue(message, path)));
      assertEquals(error.issues, [{ path, message: shown }]);
    }
  });
});

describe("a long list", () => {
  /** Counts the microtasks until a result is there that waits for nothing else. */
  async function microtasks(work: unknown): Promise<number> {
    let isSettled = false;
    let count = 0;
    Promise.resolve(work).finally(() => isSettled = true);
    for (; !isSettled; count++) await undefined;
    return count;
  }

  it("is checked without an await for each element, by each library", async () => {
    const long = Array.from({ length: 10_000 }, (_, id) => ({ id, title: "Dune" }));
    for (const { name, book } of libraries) {
      const few = await microtasks(decodeByModel([book], parsed([dune])));
      assertEquals(await microtasks(decodeByModel([book], parsed(long))), few, name);
    }
    const promising = schema((value) => Promise.resolve({ value }));
    assertNotEquals(
      await microtasks(decodeByModel([promising], parsed(long))),
      await microtasks(decodeByModel([promising], parsed([dune]))),
    );
  });

  it("of ten thousand elements is returned completely and in order", async () => {
    const long = Array.from({ length: 10_000 }, (_, id) => ({ id, title: "Dune" }));
    const { get } = start([json(long)]);
    assertEquals(await get([arktypeBook]), long);
  });
});

describe("the places that set the model of errors", () => {
  const places = ["static", "option", "endpoint", "request", "error class"] as const;

  /** Returns the data of a call's error, with a model at each of these places. */
  async function dataOf(has: (place: typeof places[number]) => boolean): Promise<unknown> {
    const at = (place: typeof places[number]) => has(place) ? constant(place) : undefined;
    const from = (place: typeof places[number]) =>
      has(place) ? errorsBy({ model: constant(place) }) : undefined;
    class Declared extends Plain {
      static override readonly errorFrom: ErrorFrom | undefined = from("static");
    }
    class Part extends APIEndpoint<Plain> {
      protected override readonly _errorFrom = from("endpoint");
      read = (options: RequestOptions): Promise<unknown> => this._get("/x", options);
    }
    class Missing extends APIError {
      static override readonly errorModel: unknown = at("error class");
    }
    const option = from("option");
    const options = option === undefined ? {} : { errorFrom: option };
    const { client } = start([json({}, 404)], options, Declared);
    const call = () =>
      new Part(client).read({ errorMap: { 404: Missing }, errorFrom: from("request") });
    return (await assertRejects(call, Missing)).data;
  }

  it("are, from the strongest, the error class, the request, the endpoint, the option and the static", async () => {
    for (let subset = 0; subset < 2 ** places.length; subset++) {
      const has = (place: typeof places[number]) => (subset >> places.indexOf(place) & 1) === 1;
      assertEquals(await dataOf(has), places.filter(has).at(-1) ?? {}, `subset ${subset}`);
    }
  });

  it("include an endpoint, whose model applies to its own calls only", async () => {
    class Part extends APIEndpoint<Plain> {
      protected override readonly _errorFrom = errorsBy({ model: constant("endpoint") });
      read = (): Promise<unknown> => this._get("/x");
    }
    const { client } = start([json({}, 404)], {
      errorFrom: errorsBy({ model: constant("option") }),
    });
    const own = await assertRejects(() => new Part(client).read(), APIError);
    const other = await assertRejects(() => client.read(), APIError);
    assertEquals([own.data, other.data], ["endpoint", "option"]);
  });

  it("may be below a function without a model, which is asked first", async () => {
    const { client } = start([json({}, 404)], {
      errorFrom: errorsBy({ model: constant("option") }),
    });
    class Chosen extends APIError {}
    const errorFrom: ErrorFrom = (response, details) => new Chosen(response, details);
    const error = await assertRejects(() => client.read({ errorFrom }), Chosen);
    assertEquals(error.data, "option");
  });

  it("are also those of a session of generation 1", async () => {
    class Declared extends APISession {
      static override readonly url: string = baseUrl;
      static override readonly errorFrom: ErrorFrom = errorsBy({ model: arktypeBook });
    }
    const session = new Declared({ adapter: scripted(json(dune, 404)) });
    const error = await assertRejects(() => session.get("x"), APIError);
    assertEquals<unknown>(error.data, dune);
  });

  it("include an error class of the SDK, which types its data", async () => {
    const problem = z.object({ code: z.string() });
    type Problem = z.infer<typeof problem>;
    class NoSuchBook extends NotFoundError {
      static override readonly errorModel: unknown = problem;
      declare readonly data: Problem | undefined;
      get code(): string {
        return this.data?.code ?? "unknown";
      }
    }
    class Mapped extends Plain {
      static override readonly errorMap = { 404: NoSuchBook };
    }
    const answers = [json({ code: "gone" }, 404), json({}, 404)];
    const { client } = start(
      answers,
      { errorFrom: errorsBy({ model: constant("option") }) },
      Mapped,
    );
    const found = await assertRejects(() => client.read(), NoSuchBook);
    assertEquals([found.code, found.data?.code], ["gone", "gone"]);
    assert(isErrorWith(found, problem));
    const bare = await assertRejects(() => client.read(), NoSuchBook);
    // The model of the call is not used if that of the class does not match.
    assertEquals([bare.code, bare.data], ["unknown", undefined]);
  });

  it("include an error class that inherits a model or overrides it", async () => {
    class Base extends APIError {
      static override readonly errorModel: unknown = constant("base");
    }
    class Same extends Base {}
    class Own extends Base {
      static override readonly errorModel: unknown = constant("own");
    }
    const { client } = start([404]);
    const data = async (errorClass: typeof APIError) =>
      (await assertRejects(() => client.read({ errorMap: { 404: errorClass } }), APIError)).data;
    assertEquals([await data(Same), await data(Own)], ["base", "own"]);
  });

  it("may all be unset, which leaves the data as JSON without a model", async () => {
    const error = await assertRejects(() => start([json(dune, 404)]).client.read(), APIError);
    assertEquals<unknown>([error.data, Object.keys(error).includes("data")], [dune, false]);
    assertEquals(isErrorWith(error, zodBook), false);
  });
});

describe("isErrorWith", () => {
  /** Returns the error of a call with this model of errors. */
  function failure(model: ResponseModel, body: unknown = dune): Promise<APIError> {
    return assertRejects(
      () => start([json(body, 404)]).client.read({ errorFrom: errorsBy({ model }) }),
      APIError,
    );
  }

  it("returns true for the model that produced the data, and for no other", async () => {
    const error = await failure(zodBook);
    assert(isErrorWith(error, zodBook));
    assertEquals([error.status, error.data], [404, dune]);
    for (const other of [[zodBook], valibotBook, arktypeBook, zodBook.nullable()] as const) {
      assertEquals(isErrorWith(error, other as ResponseModel), false);
    }
  });

  it("returns true even if a hook has changed the request options between the attempts", async () => {
    class Hooked extends Plain {
      protected override _retryRequest(_: Response, _retries: number, options: RequestOptions) {
        return { ...options, params: { page: 2 } };
      }
    }
    for (const { book } of libraries) {
      for (const model of [book, [book]] as const) {
        const body = Array.isArray(model) ? [dune] : dune;
        const { client } = start([503, json(body, 404)], {}, Hooked);
        const error = await assertRejects(
          () => client.read({ errorFrom: errorsBy({ model }) }),
          NotFoundError,
        );
        assert(isErrorWith(error, model));
      }
    }
  });

  it("returns true for any list of the same schema", async () => {
    const error = await failure([zodBook], [dune]);
    assert(isErrorWith(error, [zodBook]));
    assertEquals<unknown>(error.data, [dune]);
    assertEquals([isErrorWith(error, zodBook), isErrorWith(error, [valibotBook])], [false, false]);
  });

  it("returns true for undefined data if the model returned it", async () => {
    const nothing = schema(() => ({ value: undefined }));
    assert(isErrorWith(await failure(nothing), nothing));
  });

  it("returns false for anything else that was caught", async () => {
    const constructed = new APIError(new Response(null, { status: 404 }), { data: dune });
    const invalid = await refusal(start([json({})]).get(zodBook));
    for (
      const caught of [constructed, invalid, new Error("x"), null, undefined, "x", { data: dune }]
    ) {
      assertEquals(isErrorWith(caught, zodBook), false);
    }
    assertEquals(isErrorWith(constructed, undefined as never), false);
  });

  it("returns false if the class of the error changes the data", async () => {
    class Changed extends APIError {
      constructor(response: Response) {
        super(response, { data: "changed" });
      }
    }
    const { client } = start([json(dune, 404)], { errorFrom: errorsBy({ model: zodBook }) });
    const error = await assertRejects(() => client.read({ errorMap: { 404: Changed } }), Changed);
    assertEquals([error.data, isErrorWith(error, zodBook)], ["changed", false]);
  });

  it("returns false for an error that its class has frozen, and keeps the data", async () => {
    class Frozen extends APIError {
      constructor(response: Response, details: ConstructorParameters<typeof APIError>[1]) {
        super(response, details);
        Object.freeze(this);
      }
    }
    const { client } = start([json(dune, 404)], { errorFrom: errorsBy({ model: zodBook }) });
    const error = await assertRejects(() => client.read({ errorMap: { 404: Frozen } }), Frozen);
    assertEquals<unknown>([error.data, isErrorWith(error, zodBook)], [dune, false]);
  });

  it("keeps the model out of errors that are printed or copied", async () => {
    const error = await failure(zodBook);
    assertEquals(Object.keys(error).filter((key) => /model|data/i.test(key)), []);
    assertEquals(Object.getOwnPropertySymbols({ ...error }), []);
    assert(!inspect(error).includes("dataModel"));
  });
});
