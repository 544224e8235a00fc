import { createContext, runInContext } from "node:vm";
import {
  afterEach,
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertThrows,
  describe,
  it,
} from "#test";
import { APISession, systemClock, UnexpectedValueError } from "../../mod.ts";
import { deepObject } from "../../src/content/styles/mod.ts";
import { ModelError } from "../../src/errors/model_error.ts";
import { sleep } from "../../src/http/abort.ts";
import {
  attr,
  constrain,
  date,
  dateOnly,
  integer,
  model,
  type StandardSchema,
  string,
  unixSeconds,
} from "../../src/models/mod.ts";
import { withProgress } from "../../src/files/mod.ts";
import { pageNumber, type PagePromise } from "../../src/paging/mod.ts";
import {
  AbstractPage,
  nestedQuery,
  ResourceClient,
  type Stream,
  uploadForm,
} from "../../src/resources/mod.ts";
import { ndjson, sse } from "../../src/streams/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { toBox } from "../../src/box/mod.ts";
import { scripted } from "../support/scripted.ts";

// Packages such as formdata-node, node-fetch, happy-dom and jsdom have classes of their own. The classes
// here have their members, and hide their data in the same way.

/** An iterable list of names and values, as the classes of packages are. */
class PackageList {
  readonly #entries: [string, unknown][] = [];

  append(name: string, value: unknown): void {
    this.#entries.push([name, value]);
  }
  get(name: string): unknown {
    return this.#entries.find(([each]) => each === name)?.[1] ?? null;
  }
  has(name: string): boolean {
    return this.get(name) !== null;
  }
  entries(): IterableIterator<[string, unknown]> {
    return this.#entries.values();
  }
  [Symbol.iterator](): IterableIterator<[string, unknown]> {
    return this.entries();
  }
}

class PackageHeaders extends PackageList {}

class PackageFormData extends PackageList {
  getAll(name: string): unknown[] {
    return [...this].filter(([each]) => each === name).map(([, value]) => value);
  }
}

class PackageParams extends PackageFormData {
  sort(): void {}
  override toString(): string {
    return [...this].map(([name, value]) => `${name}=${value}`).join("&");
  }
}

/** The headers of node-fetch 3, which are search parameters, too. */
class NodeFetchHeaders extends URLSearchParams {
  get [Symbol.toStringTag](): string {
    return "Headers";
  }
}

class PackageBlob {
  readonly #text: string;
  readonly type: string = "image/png";

  constructor(text: string) {
    this.#text = text;
  }
  get size(): number {
    return this.#text.length;
  }
  arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(otherRealm(`Uint8Array.from(${JSON.stringify([...this.#text])},
      (each) => each.charCodeAt(0)).buffer`) as ArrayBuffer);
  }
  slice(): PackageBlob {
    return this;
  }
}

class PackageFile extends PackageBlob {
  readonly name: string = "a.png";
  readonly lastModified: number = 7;
}

/** A signal of a package, or of another realm. */
class PackageSignal extends EventTarget {
  aborted = false;
  reason: unknown = undefined;
  listeners = 0;

  override addEventListener(...args: Parameters<EventTarget["addEventListener"]>): void {
    this.listeners++;
    super.addEventListener(...args);
  }
  abort(reason: unknown): void {
    this.aborted = true;
    this.reason = reason;
    this.dispatchEvent(new Event("abort"));
  }
}

class OnePage extends AbstractPage<unknown> {}

const realm = createContext({});

/** Returns the value of an expression in another realm. */
function otherRealm(expression: string): unknown {
  return runInContext(expression, realm);
}

function filled<L extends { append(name: string, value: unknown): void }>(
  list: L,
  entries: Readonly<Record<string, unknown>>,
): L {
  for (const [name, value] of Object.entries(entries)) list.append(name, value);
  return list;
}

/** Sends a request, and returns the parts of it that fetch receives. */
async function sent(options: object, method = "POST"): Promise<Request> {
  let request: Request | undefined;
  const session = new APISession({
    url: "https://a.example",
    logger: null,
    retries: 0,
    fetch: (url, init) => {
      // A body of another class would be sent as text.
      request = new Request(url, init);
      return Promise.resolve(new Response());
    },
  });
  await (method === "GET" ? session.get("x", options) : session.post("x", options));
  return request!;
}

describe("objects of other realms and packages", () => {
  it("can be headers", async () => {
    for (
      const list of [new PackageHeaders(), new NodeFetchHeaders() as unknown as PackageHeaders]
    ) {
      const { headers } = await sent({ headers: filled(list, { "X-A": "1", "X-B": "2" }) });
      assertEquals([headers.get("x-a"), headers.get("x-b")], ["1", "2"]);
    }
    const pairs = otherRealm('[["X-A", "1"]]');
    assertEquals((await sent({ headers: pairs })).headers.get("x-a"), "1");
  });

  it("can be query parameters and forms without files", async () => {
    const params = filled(new PackageParams(), { a: "1", b: "2" });
    assertEquals((await sent({ params }, "GET")).url, "https://a.example/x?a=1&b=2");
    const paramsStyle = { arrays: "comma" };
    assertEquals((await sent({ params, paramsStyle }, "GET")).url, "https://a.example/x?a=1&b=2");
    assertEquals(await (await sent({ data: params })).text(), "a=1&b=2");
  });

  it("can be nested parameters", async () => {
    const nested = otherRealm("({ by: { min: 1 } })") as Record<string, never>;
    const expected = "https://a.example/x?f%5Bby%5D%5Bmin%5D=1";
    const paramsStyle = { objects: "brackets" };
    assertEquals((await sent({ params: { f: nested }, paramsStyle }, "GET")).url, expected);
    assertEquals((await sent({ params: { f: deepObject(nested) } }, "GET")).url, expected);
  });

  it("can be dates in queries and forms of clients with resources", async () => {
    const at = otherRealm("new Date(0)") as Date;
    const nested = nestedQuery();
    assertEquals(nested({ a: { at } }), [["a[at]", "1970-01-01T00:00:00.000Z"]]);
    const form = await new Response(await uploadForm({ at })).formData();
    assertEquals(form.get("at"), "1970-01-01T00:00:00.000Z");
    const error = await assertRejects(() => sent({ params: { at } }), UnexpectedValueError);
    assertMatch(error.message, /date\.toISOString\(\)/);
  });

  it("can be dates in models", () => {
    const today = otherRealm("new Date(Date.UTC(2026, 10, 20))") as Date;
    const cases = [
      [date, "2026-11-20T00:00:00.000Z"],
      [dateOnly, "2026-11-20"],
      [unixSeconds, Date.UTC(2026, 10, 20) / 1000],
    ] as const;
    for (const [type, written] of cases) {
      class Holder extends model("holder", { value: attr(type) }) {}
      assertEquals(JSON.parse(JSON.stringify(Holder.of({ value: today }))), { value: written });
      const invalid = Holder.of({ value: otherRealm("new Date(NaN)") as Date });
      assertThrows(() => JSON.stringify(invalid), ModelError, "value");
    }
  });

  it("can be constraints of models", () => {
    const minimum = otherRealm("new Date(Date.UTC(2026, 0, 1))") as Date;
    const pattern = otherRealm("/^a+$/") as RegExp;
    class Holder extends model("holder", {
      at: attr(constrain(date, { minimum })),
      name: attr(constrain(string, { pattern })),
    }) {}
    const early = new Date(Date.UTC(2025, 0, 1));
    assertEquals(JSON.parse(JSON.stringify(Holder.of({ at: minimum, name: "aa" }))).name, "aa");
    const write = (at: Date, name: string) => () => JSON.stringify(Holder.of({ at, name }));
    assertThrows(write(early, "aa"), ModelError, "2026-01-01T00:00:00.000Z or later");
    assertThrows(write(minimum, "b"), ModelError, "a match for /^a+$/");
  });

  it("can be boxed", () => {
    const box = toBox(otherRealm("({ a: { b: [{ c: 1 }] } })") as { a: { b: [{ c: number }] } });
    assertEquals(box.a.b[0].c, 1);
  });

  it("can be forms, with the bytes, the names and the types of their files", async () => {
    const data = filled(new PackageFormData(), { a: "1", f: new PackageFile("hello") });
    const form = await (await sent({ data })).formData();
    const file = form.get("f") as File;
    assertEquals(
      [form.get("a"), file.name, file.type, await file.text()],
      ["1", "a.png", "image/png", "hello"],
    );
  });

  it("can be files, alone, in a list, with a name and beside a form", async () => {
    const files = {
      one: new PackageFile("1"),
      many: [new PackageBlob("2"), new PackageFile("3")],
      named: ["b.txt", new PackageBlob("4")],
    };
    const form = await (await sent({
      files,
      data: filled(new PackageFormData(), { a: "5" }),
    })).formData();
    const found: unknown[] = [];
    for (const [name, value] of form) {
      found.push(
        typeof value === "string" ? [name, value] : [name, value.name, await value.text()],
      );
    }
    assertEquals(found, [
      ["a", "5"],
      ["one", "a.png", "1"],
      ["many", "file", "2"],
      ["many", "a.png", "3"],
      ["named", "b.txt", "4"],
    ]);
  });

  it("can be raw content: a Blob, bytes and buffers", async () => {
    const blob = await sent({ content: new PackageBlob("hello") });
    assertEquals([await blob.text(), blob.headers.get("content-type")], ["hello", "image/png"]);
    for (const expression of ["new Uint8Array([65, 66])", "new Uint8Array([65, 66]).buffer"]) {
      assertEquals(await (await sent({ content: otherRealm(expression) })).text(), "AB");
    }
  });

  it("can be a stream without an iterator", async () => {
    const own = new Blob(["hello"]).stream();
    const { cancel, getReader } = {
      cancel: () => own.cancel(),
      getReader: () => own.getReader(),
    };
    assertEquals(
      await (await sent({ content: { cancel, getReader, locked: false } })).text(),
      "hello",
    );
  });

  it("can be the chunks of a stream, even if they share a buffer", async () => {
    async function* chunks() {
      const buffer = otherRealm("new Uint8Array(2)") as Uint8Array;
      for (const text of ["AB", "CD", "EF"]) {
        new TextEncoder().encodeInto(text, buffer);
        yield buffer;
      }
      await Promise.resolve();
    }
    assertEquals(await (await sent({ content: chunks() })).text(), "ABCDEF");
    const content = withProgress(chunks(), () => {});
    assertEquals(await (await sent({ content })).text(), "ABCDEF");
  });

  it("can be the bytes of JSON and XML", async () => {
    class Holder extends model("holder", { value: attr(string) }) {}
    const bytes = (text: string) =>
      otherRealm(`Uint8Array.from(${JSON.stringify([...text])}, (each) => each.charCodeAt(0))`);
    assertEquals(Holder.fromJson(bytes('{"value":"a"}')).value, "a");
    const xml = bytes('<holder value="a"/>') as Uint8Array;
    assertEquals((await Holder.fromXml(xml)).value, "a");
  });

  it("are still refused where they have no meaning", async () => {
    for (
      const options of [{ headers: new Map([["X-A", "1"]]) }, { content: new PackageParams() }]
    ) {
      await assertRejects(() => sent(options), UnexpectedValueError);
    }
  });
});

describe("a class Promise of a package", () => {
  const { Promise: own } = globalThis;

  afterEach(() => void (globalThis.Promise = own));

  it("does not change the results of models, schemas and streams", async () => {
    // As with zone.js, the promises of async functions are not instances of it.
    globalThis.Promise = class PackagePromise<T> extends own<T> {} as PromiseConstructor;
    assert(!((async () => {})() instanceof Promise));
    class Holder extends model("holder", { value: attr(integer) }) {}
    const schema: StandardSchema<unknown, number> = {
      "~standard": {
        ...{ version: 1, vendor: "test" },
        validate: async (value) => await own.resolve({ value: Number(value) + 1 }),
      },
    };
    const json = (value: unknown) => () => Response.json(value);
    const headers = { "content-type": "text/event-stream" };
    const fetch = scripted(
      json({ value: 1 }),
      () => new Response('<holder value="2"/>', { headers: { "content-type": "text/xml" } }),
      json([3]),
      json(4),
      () => new Response("5\n"),
      () => new Response("data: 6\n\n", { headers }),
    );
    const session = new APISession({ url: "https://a.example", logger: null, fetch });
    assertEquals((await session.get("x", { responseModel: Holder })).value, 1);
    assertEquals((await session.get("x", { responseModel: Holder })).value, 2);
    assertEquals(await session.get("x", { responseModel: [schema] }), [4]);
    assertEquals(await session.get("x", { responseModel: schema }), 5);
    const items: unknown[] = [];
    for await (const item of session.get("x", { format: ndjson(schema) })) items.push(item);
    const format = sse(schema);
    for await (const { data } of session.get("x", { format })) items.push(data);
    assertEquals(items, [6, 7]);
  });
});

describe("a signal of another realm or package", () => {
  it("aborts a call with its reason", async () => {
    const signal = new PackageSignal();
    const session = new APISession({
      url: "https://a.example",
      logger: null,
      fetch: (_url, init) => {
        assert(init.signal instanceof AbortSignal);
        signal.abort(new Error("enough"));
        return Promise.withResolvers<Response>().promise;
      },
    });
    await assertRejects(() => session.get("x", { signal: signal as never }), Error, "enough");
    await assertRejects(() => session.get("x", { signal: signal as never }), Error, "enough");
  });

  it("can be that of a client, which adds one listener for all calls", async () => {
    const signal = new PackageSignal();
    const options = { url: "https://a.example", logger: null, signal: signal as never };
    const fetch = () => Promise.resolve(new Response());
    for (
      const session of [
        new APISession({ ...options, fetch }),
        new APISession({ ...options, fetch }),
      ]
    ) {
      for (let call = 0; call < 3; call++) await session.get("x");
    }
    assertEquals(signal.listeners, 1);
  });

  it("can be that of a stream that reconnects", async () => {
    const signal = new PackageSignal() as never;
    const headers = { "content-type": "text/event-stream" };
    const fetch = scripted(() => new Response("data: 1\n\n", { headers }));
    const clock = fakeClock({ autoAdvance: true });
    const session = new APISession({ url: "https://a.example", logger: null, clock, fetch });
    const read: string[] = [];
    for await (const { data } of session.get("x", { format: sse({ reconnect: true }), signal })) {
      if (read.push(data) === 2) break;
    }
    assertEquals([read, fetch.calls.length], [["1", "1"], 2]);
  });

  it("can be that of a stream and a list of a client with resources", async () => {
    const signal = new PackageSignal();
    const options = { signal: signal as never };
    const body = '{"id":1}\n';
    const fetch = scripted(() => new Response(body), () => Response.json([1]));
    const client = new ResourceClient({ baseURL: "https://a.example", fetch });
    const lines = await client.get<Stream<unknown>>("/x", { ...options, stream: true });
    lines.controller.abort();
    const page = await client.getAPIList("/x", OnePage, options);
    assertEquals(page.getPaginatedItems(), [1]);
  });

  it("can end a list whose next page has a signal of its own", async () => {
    const signal = new PackageSignal();
    class Numbers extends APISession {
      all(): PagePromise<number> {
        return this._pages<number>("n", { next: pageNumber("page"), signal: signal as never });
      }
    }
    const fetch = scripted(() => Response.json([1]));
    const session = new Numbers({ url: "https://a.example", logger: null, fetch });
    const page = await session.all();
    const next = await page.nextPage({ signal: new AbortController().signal });
    assertEquals(next.items, [1]);
    signal.abort(new Error("enough"));
    const late = () => next.nextPage({ signal: new AbortController().signal });
    await assertRejects(late, Error, "enough");
  });

  it("ends a wait", async () => {
    const signal = new PackageSignal();
    const waiting = sleep(1000, systemClock, signal as never);
    signal.abort(new Error("enough"));
    await assertRejects(() => waiting, Error, "enough");
  });

  it("is refused if it is not a signal", async () => {
    const session = new APISession({ url: "https://a.example", fetch: () => Promise.reject() });
    const get = () => session.get("x", { signal: new AbortController() as never });
    await assertRejects(get, UnexpectedValueError, "an AbortSignal, or null");
  });
});
