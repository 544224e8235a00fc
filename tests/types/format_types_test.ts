/** The result types of calls whose format is a program's own. */
import { assertEquals, describe, it } from "#test";
import {
  type AnyClient,
  APIClient,
  APIEndpoint,
  type APIPromise,
  APISession,
  type CallOptions,
  jsonFormat,
  type LoginRequests,
  type ModelOutput,
  type ResponseFormat,
  type ResponseModel,
  type ResultFormat,
  type SessionOptions,
  textFormat,
  xmlFormat,
} from "../../mod.ts";
import { attr, elements, model, type StandardSchema, string } from "../../src/models/mod.ts";
import { linkHeader, type PagePromise } from "../../src/paging/mod.ts";
import { ndjson } from "../../src/streams/mod.ts";
import { scripted } from "../support/scripted.ts";

// The compiler checks the types in this file. The tests only make these checks part of a run.

/** `true` if two types are identical. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Compiles only if the call resolves to exactly the type. Returns the call. */
function resolves<Expected>(): <Actual>(
  call: Promise<Actual>,
  same: Same<Actual, Expected>,
) => Promise<Actual> {
  return (call) => call;
}

type Rows = readonly (readonly string[])[];

/** A format of an SDK: lines of values with commas between them. */
const csv: ResponseFormat<Rows> = {
  accept: "text/csv",
  read: async (response) => (await response.text()).split("\n").map((line) => line.split(",")),
};
const rows: Rows = [["1", "Emma"], ["2", "Dune"]];

const schema: StandardSchema<number> = {
  "~standard": { version: 1, vendor: "tests", validate: () => ({ value: 7 }) },
};

const options = {
  url: "https://api.example.com",
  adapter: scripted(() => new Response("1,Emma\n2,Dune")),
} satisfies SessionOptions;

class Parsing extends APISession {
  override readonly _convJson = true;
}
class Boxing extends APISession {
  override readonly _box = true;
  override readonly _boxAttrs = { camelCase: true } as const;
}
const some: boolean = Date.now() > 0;
class Wide extends APISession {
  override readonly _box: boolean = some;
  override readonly _convJson: boolean = some;
}

/** A class of endpoints whose format is a parameter. */
class Tables<T, C extends AnyClient = AnyClient> extends APIEndpoint<C> {
  protected override readonly _path: string = "tables";
  readonly #format: ResponseFormat<T>;

  constructor(api: C, format: ResponseFormat<T>) {
    super(api);
    this.#format = format;
  }
  all(options?: CallOptions): APIPromise<T> {
    return this._get({ ...options, format: this.#format });
  }
  one(id: number, options?: CallOptions): Promise<T> {
    return this._get(id, { ...options, format: this.#format });
  }
}

describe("a format of an SDK", () => {
  it("decides the result of each request method of a session, whatever its class declares", async () => {
    for (const session of [new APISession(options), new Parsing(options), new Wide(options)]) {
      assertEquals(await resolves<Rows>()(session.get("x", { format: csv }), true), rows);
    }
    const session = new Boxing(options);
    const calls = [
      resolves<Rows>()(session.get("x", { format: csv }), true),
      resolves<Rows>()(session.post("x", { format: csv, json: {}, timeout: 5 }), true),
      resolves<Rows>()(session.put("x", { format: csv, box: true }), true),
      resolves<Rows>()(session.patch("x", { format: csv, convJson: true }), true),
      resolves<Rows>()(session.delete("x", { format: csv, box: false, convJson: some }), true),
    ];
    assertEquals(await Promise.all(calls), calls.map(() => rows));
  });

  it("decides the result of each method of an endpoint, with and without a path", async () => {
    class Books extends APIEndpoint<Boxing> {
      protected override readonly _path: string = "books";
      calls = () => [
        resolves<Rows>()(this._get({ format: csv }), true),
        resolves<Rows>()(this._get(1, { format: csv }), true),
        resolves<Rows>()(this._post({ format: csv, json: {} }), true),
        resolves<Rows>()(this._put("x", { format: csv }), true),
        resolves<Rows>()(this._patch({ format: csv, box: true }), true),
        resolves<Rows>()(this._delete("x", { format: csv, convJson: false }), true),
        resolves<Rows>()(this._delete({ format: csv, convJson: false }), true),
      ];
    }
    const calls = new Books(new Boxing(options)).calls();
    assertEquals(await Promise.all(calls), calls.map(() => rows));
  });

  it("decides the result in generic classes and in clients", async () => {
    class Library extends APIClient {
      static override readonly baseUrl: string = options.url;
      override readonly _convJson = true;
      readonly tables: Tables<Rows> = new Tables(this, csv);
      read<T>(path: string, format: ResponseFormat<T>): APIPromise<T> {
        return this._get(path, { format });
      }
    }
    const { adapter } = options;
    const library = new Library({ adapter });
    assertEquals(await resolves<Rows>()(library.tables.all(), true), rows);
    assertEquals(await resolves<Rows>()(library.tables.one(7, { timeout: 5 }), true), rows);
    assertEquals(await resolves<Rows>()(library.read("x", csv), true), rows);
  });

  it("decides the result of a login request", async () => {
    const seen: Rows[] = [];
    class Sdk extends Parsing {
      protected override async _authenticate(
        _: SessionOptions,
        login: LoginRequests<this>,
      ): Promise<void> {
        seen.push(await resolves<Rows>()(login.get("auth", { format: csv }), true));
      }
    }
    class Other extends Parsing {
      protected override async _authenticate(
        _: SessionOptions,
        login: LoginRequests,
      ): Promise<void> {
        seen.push(await resolves<Rows>()(login.get("auth", { format: csv }), true));
      }
    }
    await Sdk.open(options);
    await Other.open(options);
    assertEquals(seen, [rows, rows]);
  });

  it("is known to the methods of the promise", async () => {
    const session = new Parsing(options);
    const call = session.get("x", { format: csv });
    const { data } = await call.withResponse();
    assertEquals([data satisfies Rows, await call.map(({ length }) => length)], [rows, 2]);
  });

  it("is a model with the format of its body", async () => {
    class Book extends model("book", { title: attr(string) }) {}
    const adapter = scripted(() => new Response('<list><book title="Emma"/></list>'));
    const session = new APISession({ ...options, adapter });
    const books = resolves<Book[]>()(session.get("x", { format: xmlFormat([Book]) }), true);
    assertEquals((await books)[0]!.title, "Emma");
    void (() => [
      resolves<Book>()(session.get("x", { format: jsonFormat(Book) }), true),
      resolves<number>()(session.get("x", { format: jsonFormat(schema) }), true),
      resolves<number[]>()(session.get("x", { format: jsonFormat([schema]) }), true),
      // @ts-expect-error: a schema cannot read XML
      xmlFormat(schema),
    ]);
  });

  it("can be any value of the option, also in a variable", async () => {
    const read = <T>(format: ResultFormat<T>): APIPromise<T> =>
      new Parsing(options).get("x", { format });
    const some: ResultFormat<Rows> = csv;
    assertEquals(await resolves<Rows>()(read(some), true), rows);
    assertEquals(await resolves<string>()(read(textFormat), true), "1,Emma\n2,Dune");
  });

  it("can be checked by a type argument", async () => {
    const session = new Parsing(options);
    assertEquals(await resolves<Rows>()(session.get<Rows>("x", { format: csv }), true), rows);
    void ((): Promise<number> =>
      // @ts-expect-error: its results are rows
      session.get("x", { format: csv }));
  });

  it("reads pages, unless it is a stream", async () => {
    const next = linkHeader();
    class Book extends model("book", { title: attr(string) }) {}
    class Feed extends model("feed", { books: elements(Book, { tag: "book" }) }) {}
    class Sdk extends Parsing {
      rows(): PagePromise<readonly string[], Rows> {
        return this._pages("x", { next, format: csv });
      }
      books(): PagePromise<Book, Feed> {
        return this._pages("x", { next, items: "books", format: xmlFormat(Feed) });
      }
      cells(): PagePromise<string, Rows> {
        return this._pages("x", { next, items: (body) => body[0]!, format: csv });
      }
      // @ts-expect-error: a stream has no pages
      lines = () => this._pages("x", { next, format: ndjson() });
    }
    const sdk = new Sdk(options);
    assertEquals([await sdk.rows().collect(), await sdk.cells().collect()], [rows, rows[0]]);
    assertEquals(typeof sdk.books, "function");
  });
});

describe("a model that is a type parameter", () => {
  it("decides the result of a generic class", async () => {
    class Reader<M extends ResponseModel> extends APIEndpoint<Boxing> {
      readonly #model: M;
      constructor(api: Boxing, model: M) {
        super(api);
        this.#model = model;
      }
      read(id: number): APIPromise<ModelOutput<M>> {
        return this._get(id, { responseModel: this.#model });
      }
      all(): APIPromise<ModelOutput<M>> {
        return this._get({ responseModel: this.#model });
      }
    }
    const fetch = () => Promise.resolve(Response.json({}));
    const reader = new Reader(new Boxing({ url: options.url, fetch }), schema);
    assertEquals(await resolves<number>()(reader.read(1), true), 7);
    assertEquals(await resolves<number>()(reader.all(), true), 7);
  });
});
