import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { type BodyOptions, type Content, prepareBody } from "../../src/content/body.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { type RequestBody, uploadBodyOf } from "../../src/http/request_body.ts";
import { inParts, multipart, withProgress } from "../../src/files/mod.ts";
import { element, model, nullable, number, string } from "../../src/models/mod.ts";
import { APISession, type RetryOptions, TransportError } from "../../mod.ts";
import { ModelError, ServiceUnavailableError } from "../../src/entries/errors.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, refusedConnection, scripted } from "../support/scripted.ts";

function textOf(body: RequestBody): Promise<string> {
  return new Response(uploadBodyOf(body).open()).text();
}

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(new TextEncoder().encode(text));
}

async function* chunksOf(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(chunk);
}

const bytes = new TextEncoder().encode("hello");

class Money {
  readonly cents = 150;
  toJSON(): string {
    return "1.50";
  }
}

class Owner {
  age: number;
  constructor(age: number) {
    this.age = age;
  }
}

describe("the body of a request", () => {
  it("has the kind none if there is no body", () => {
    const body = prepareBody({}, "POST");
    assertEquals(body, { kind: "none" });
    assertEquals(uploadBodyOf(body).open(), undefined);
    assertEquals(prepareBody({ json: undefined, data: undefined, content: undefined }, "GET"), {
      kind: "none",
    });
  });

  const jsons: readonly (readonly [string, unknown, string])[] = [
    ["an object", { a: [1, "b", null] }, '{"a":[1,"b",null]}'],
    ["an array", [], "[]"],
    ["null", null, "null"],
    ["false", false, "false"],
    ["zero", 0, "0"],
    ["an empty string", "", '""'],
    ["a value with a toJSON", new Money(), '"1.50"'],
    ["undefined in an object, which is left out", { a: undefined, b: 1 }, '{"b":1}'],
    ["text beyond ASCII", "€", '"€"'],
  ];
  for (const [what, json, text] of jsons) {
    it(`json is sent as JSON: ${what}`, async () => {
      const body = prepareBody({ json }, "POST");
      assertEquals(body, { kind: "whole", content: text, type: "application/json" });
      assertEquals(await textOf(body), text);
    });
  }

  const unserialisable: readonly (readonly [string, unknown])[] = [
    ["a function", () => 1],
    ["a symbol", Symbol("a")],
    ["an object whose toJSON throws", {
      toJSON() {
        throw new Error("no");
      },
    }],
    ["an object whose toJSON returns undefined", { toJSON: () => undefined }],
  ];
  for (const [what, json] of unserialisable) {
    it(`a body that cannot be serialised is refused before a request is sent: ${what}`, async () => {
      const error = assertThrows(() => prepareBody({ json }, "POST"), UnexpectedValueError);
      assertEquals(error.option, "json");
      const transport = scripted(200);
      const session = new APISession({ url: "https://a.example", adapter: transport });
      await assertRejects(() => session.post("x", { json }), UnexpectedValueError);
      assertEquals(transport.calls.length, 0);
    });
  }

  it("data is sent as a form", async () => {
    const type = "application/x-www-form-urlencoded;charset=UTF-8";
    const body = prepareBody({ data: { a: "b c", d: [1, null, true] } }, "PUT");
    assertEquals(body, { kind: "whole", content: "a=b+c&d=1&d=true", type });
    assertEquals(await textOf(prepareBody({ data: [["a", 1], ["a", 2]] }, "PUT")), "a=1&a=2");
    assertEquals(await textOf(prepareBody({ data: new URLSearchParams("a=1") }, "PUT")), "a=1");
  });

  it("FormData is sent as multipart, and fetch chooses the boundary", async () => {
    const data = new FormData();
    data.set("file", new Blob(["hello"]), "hello.txt");
    const body = prepareBody({ data }, "POST");
    assert(body.kind === "whole" && body.type === undefined);
    const received = await new Response(body.content).formData();
    assertEquals(await (received.get("file") as File).text(), "hello");
  });

  it("data that is not a form is refused", () => {
    for (const data of ["a=1", null, { a: { b: 1 } }]) {
      const error = assertThrows(
        () => prepareBody({ data } as unknown as BodyOptions, "POST"),
        UnexpectedValueError,
      );
      assert(error.option.startsWith("data"), error.option);
    }
  });

  const contents: readonly (readonly [string, Content, RequestBody["kind"]])[] = [
    ["text", "hello", "whole"],
    ["an ArrayBuffer", bytes.slice().buffer, "whole"],
    ["bytes", bytes, "whole"],
    [
      "a part of a buffer",
      new Uint8Array(new TextEncoder().encode("-hello-").buffer, 1, 5),
      "whole",
    ],
    ["a DataView", new DataView(bytes.slice().buffer), "whole"],
    ["a Blob", new Blob(["hello"]), "whole"],
    ["a stream", new Response("hello").body!, "once"],
    ["an async iterable", chunks("hel", "lo"), "once"],
    ["a function that opens a stream", () => new Response("hello").body!, "opened"],
    ["a function that opens an async iterable", () => chunks("hel", "lo"), "opened"],
  ];
  for (const [what, content, kind] of contents) {
    it(`content is sent unchanged: ${what}`, async () => {
      const body = prepareBody({ content }, "POST");
      assertEquals(body.kind, kind);
      assertEquals(await textOf(body), "hello");
    });
  }

  // Browsers define SharedArrayBuffer only for isolated pages.
  const memory = new SharedArrayBuffer(7);
  new Uint8Array(memory).set(new TextEncoder().encode("-hello-"));
  const resizable = new ArrayBuffer(7, { maxByteLength: 16 });
  new Uint8Array(resizable).set(new Uint8Array(memory));
  const unusual: readonly (readonly [string, ArrayBufferLike | ArrayBufferView, string])[] = [
    ["shared memory", memory, "-hello-"],
    ["a view of shared memory", new Uint8Array(memory, 1, 5), "hello"],
    ["a DataView of shared memory", new DataView(memory, 1, 5), "hello"],
    ["a buffer that can be resized", resizable, "-hello-"],
    ["a view of a buffer that can be resized", new Uint8Array(resizable, 1, 5), "hello"],
  ];
  for (const [what, content, text] of unusual) {
    it(`bytes are copied that fetch does not accept: ${what}`, async () => {
      assertEquals(await textOf(prepareBody({ content }, "POST")), text);
      for (const file of [content, ["a.txt", content]] as const) {
        const body = prepareBody({ files: { file } }, "POST");
        assert((await textOf(body)).includes(`\r\n\r\n${text}\r\n`));
      }
      const parts = await Array.fromAsync(inParts(content, 100));
      assertEquals(new TextDecoder().decode(parts[0]!.bytes), text);
      const progress = withProgress(content, () => {});
      assertEquals(await textOf(prepareBody({ content: progress }, "POST")), text);
      const form = await multipart({ file: content }).toBlob().text();
      assert(form.includes(`\r\n\r\n${text}\r\n`), form);
      const streamed = new Uint8Array(ArrayBuffer.isView(content) ? content.buffer : content);
      const chunk = prepareBody({ content: chunksOf(streamed) }, "POST");
      assertEquals(await textOf(chunk), "-hello-");
    });
  }

  it("an empty string is a body", () => {
    assertEquals(prepareBody({ content: "" }, "POST"), { kind: "whole", content: "" });
  });

  it("content that is whole, or opened by a function, can be sent again", async () => {
    for (const content of ["hello", bytes, new Blob(["hello"]), () => chunks("hello")]) {
      const body = prepareBody({ content }, "POST");
      assertEquals([await textOf(body), await textOf(body)], ["hello", "hello"]);
    }
  });

  const locked = new Response("hello").body!;
  locked.getReader();
  const refused: readonly (readonly [string, unknown])[] = [
    ["a number", 7],
    ["null", null],
    ["an object", { a: 1 }],
    ["a list", [bytes]],
    ["a locked stream", locked],
    ["a Request", new Request("https://a.example")],
  ];
  for (const [what, content] of refused) {
    it(`content that cannot be sent is refused: ${what}`, () => {
      const error = assertThrows(
        () => prepareBody({ content: content as Content }, "POST"),
        UnexpectedValueError,
      );
      assertEquals(error.option, "content");
    });
  }

  it("a function that returns something else is refused when it is called", () => {
    const body = prepareBody({ content: (() => "hello") as never }, "POST");
    const error = assertThrows(() => uploadBodyOf(body).open(), UnexpectedValueError);
    assertEquals(error.option, "content");
  });

  for (
    const [options, option] of [
      [{ json: 1, data: {} }, "json, data"],
      [{ json: 1, content: "a" }, "json, content"],
      [{ data: {}, content: "a" }, "data, content"],
      [{ json: 1, data: {}, content: "a" }, "json, data, content"],
      [{ json: null, content: "" }, "json, content"],
    ] as const
  ) {
    it(`only one body option can be passed: not ${option}${options.json === null ? ", empty" : ""}`, () => {
      const error = assertThrows(
        () => prepareBody(options as BodyOptions, "POST"),
        UnexpectedValueError,
      );
      assertEquals(error.option, option);
    });
  }

  for (const method of ["GET", "HEAD"]) {
    it(`${method} accepts no body`, () => {
      for (const options of [{ json: null }, { data: {} }, { content: "" }]) {
        const error = assertThrows(() => prepareBody(options, method), UnexpectedValueError);
        assertEquals(error.option, Object.keys(options)[0]);
      }
    });
  }

  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    it(`${method} accepts a body`, () => {
      assertEquals(prepareBody({ json: 1 }, method).kind, "whole");
    });
  }

  it("an async iterable is ended when its stream is cancelled, so that it can close its resources", async () => {
    const steps: string[] = [];
    async function* file(): AsyncGenerator<Uint8Array> {
      try {
        while (true) yield await Promise.resolve(bytes);
      } finally {
        steps.push("closed");
      }
    }
    const stream = uploadBodyOf(prepareBody({ content: file }, "POST")).open();
    assert(stream instanceof ReadableStream);
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel("enough");
    assertEquals(steps, ["closed"]);
  });
});

describe("a body at a retry", () => {
  function start(...answers: readonly Answer[]) {
    const sent: string[] = [];
    const transport = scripted(...answers);
    const session = new APISession({
      url: "https://a.example",
      adapter: async (url, init) => {
        sent.push(await new Response(init.body as BodyInit).text());
        return await transport(url, init);
      },
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
    });
    return { session, sent };
  }

  it("a one-shot stream cannot be sent again: the error is thrown, and explains why", async () => {
    const note =
      "(not retried: the body is a stream that can be read only once; pass a function that " +
      "opens the stream)";
    const send = async (answer: Answer) => {
      const { session, sent } = start(answer, 200);
      const content = chunks("hel", "lo");
      const error: unknown = await assertRejects(() => session.post("x", { content }), Error, note);
      assertEquals(sent, ["hello"]);
      return error;
    };
    const status = await send(503);
    assert(status instanceof ServiceUnavailableError && status.retries === 0);
    const transport = await send(refusedConnection());
    assert(transport instanceof TransportError && transport.retries === 0);
  });

  it("a one-shot stream is not mentioned in the error if there would be no retry", async () => {
    const transport = scripted(503);
    const session = new APISession({
      url: "https://a.example",
      adapter: transport,
      retries: 0,
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
    });
    const error = await assertRejects(() => session.post("x", { content: chunks("hello") }));
    assert(error instanceof ServiceUnavailableError && !error.message.includes("not retried"));
  });

  it("a function that opens a stream is called for each attempt", async () => {
    const { session, sent } = start(503, refusedConnection(), 200);
    let opened = 0;
    await session.post("x", { content: () => chunks("hello ", String(++opened)) });
    assertEquals(sent, ["hello 1", "hello 2", "hello 3"]);
  });

  it("a mistake in the function that opens the body is not retried", async () => {
    const { session, sent } = start(200);
    const mistake = Object.assign(new Error("no such file"), { code: "ENOENT" });
    let opened = 0;
    const content = () => {
      opened++;
      throw mistake;
    };
    assert(await assertRejects(() => session.post("x", { content })) === mistake);
    assertEquals([opened, sent.length], [1, 0]);
  });

  it("a body is serialised once for all attempts", async () => {
    const { session, sent } = start(503, 503, 200);
    let times = 0;
    await session.post("x", { json: { toJSON: () => ++times } });
    assertEquals(sent, ["1", "1", "1"]);
  });
});

describe("json that would lose data", () => {
  const cyclic: Record<string, unknown> = { list: [{}] };
  (cyclic["list"] as Record<string, unknown>[])[0]!["owner"] = cyclic;
  const call = new APISession({ url: "https://a.example", adapter: scripted(200) }).get("x");
  class Tagged {
    get [Symbol.toStringTag](): string {
      return "Tagged";
    }
  }

  type Row = readonly [string, unknown, string, string];
  const form = new FormData();
  form.set("a", "1");
  const refused: readonly Row[] = [
    ["a FormData", form, "json", 'a FormData as the option "data"'],
    ["an empty FormData in an object", { a: new FormData() }, "json.a", 'the option "data"'],
    ["URLSearchParams", new URLSearchParams("a=1"), "json", 'URLSearchParams as the option "data"'],
    ["Headers", new Headers({ a: "1" }), "json", "a plain object"],
    ["NaN", { items: [{}, { n: NaN }] }, "json.items[1].n", "a finite number"],
    ["Infinity", [1, Infinity], "json[1]", "a finite number"],
    ["-Infinity alone", -Infinity, "json", "a finite number"],
    ["a boxed NaN", { n: new Number(NaN) }, "json.n", "a finite number"],
    ["an invalid date", { due: new Date(NaN) }, "json.due", "a valid date"],
    ["a Map", { a: { map: new Map([["b", 1]]) } }, "json.a.map", "Object.fromEntries"],
    ["a Blob alone", new Blob(["a"]), "json", 'a Blob as the option "content"'],
    ["a stream alone", new ReadableStream(), "json", 'a ReadableStream as the option "content"'],
    ["a Set", { set: new Set([1]) }, "json.set", "[...set]"],
    ["a WeakMap", { a: new WeakMap() }, "json.a", "a plain object"],
    ["a promise", { book: Promise.resolve(1) }, "json.book", "await"],
    ["a promise alone", Promise.resolve(1), "json", "await"],
    ["a call that is not awaited", { book: call }, "json.book", "await"],
    ["a thenable", { book: { then: () => {} } }, "json.book", "await"],
    ["a regular expression", { a: /b/ }, "json.a", "a plain object"],
    ["an error", { a: new Error("b") }, "json.a", "a plain object"],
    ["a symbol object", { a: Object(Symbol("b")) }, "json.a", "a plain object"],
    ["an iterator", { a: [1].values() }, "json.a", "a plain object"],
    ["a Blob", [new Blob(["b"])], "json[0]", "a plain object"],
    ["a stream", { a: new Blob(["b"]).stream() }, "json.a", "a plain object"],
    ["a response", { a: new Response("b") }, "json.a", "a plain object"],
    ["an empty object of a class with a tag", { a: new Tagged() }, "json.a", "a plain object"],
    ["an ArrayBuffer", { a: bytes.slice().buffer }, "json.a", "Base64"],
    ["bytes", { a: { b: bytes } }, "json.a.b", "Base64"],
    ["no bytes", { a: new Uint8Array() }, "json.a", "Base64"],
    ["a DataView", { a: new DataView(new ArrayBuffer(1)) }, "json.a", "Base64"],
    ["undefined in a list", { a: [1, undefined] }, "json.a[1]", "or null"],
    ["a hole in a list", { a: [1, , 3] }, "json.a[1]", "or null"],
    ["a function in a list", { a: [[() => 1]] }, "json.a[0][0]", "or null"],
    ["a symbol in a list", [Symbol("a")], "json[0]", "or null"],
    [
      "a toJSON in a list that returns undefined",
      [{ toJSON: () => undefined }],
      "json[0]",
      "or null",
    ],
    ["a toJSON that returns NaN", { a: { toJSON: () => NaN } }, "json.a", "a finite number"],
    [
      "a toJSON that returns a Map",
      { a: { toJSON: () => [new Map()] } },
      "json.a[0]",
      "fromEntries",
    ],
    ["a bigint", { id: [1n] }, "json.id[0]", "no bigint"],
    ["a boxed bigint", { id: Object(1n) }, "json.id", "no bigint"],
    ["bigints as bytes", { a: new BigInt64Array(1) }, "json.a", "Base64"],
    ["a cycle", cyclic, "json.list[0].owner", "does not contain itself"],
    ["a loss under an odd key", { "a b": { "": NaN } }, 'json["a b"][""]', "a finite number"],
    ["a loss next to an intended null", { a: null, b: {}, c: NaN }, "json.c", "a finite number"],
    ["a loss in an object of a class", { a: new Owner(NaN) }, "json.a.age", "a finite number"],
  ];
  for (const [what, json, option, expected] of refused) {
    // contract: decision-28
    it(`is refused before a request is sent, with its path: ${what}`, async () => {
      const adapter = scripted(200);
      const session = new APISession({ url: "https://a.example", adapter });
      const error = await assertRejects(() => session.post("x", { json }), UnexpectedValueError);
      assertEquals(error.option, option);
      assert(error.expected.includes(expected), error.expected);
      assert(error.message.startsWith(`"${option}" must be ${error.expected}, but is `));
      assertEquals(adapter.calls.length, 0);
    });
  }

  const shared = { n: null };
  const accepted: readonly (readonly [string, unknown, string])[] = [
    ["an intended null", { a: null, b: [null] }, '{"a":null,"b":[null]}'],
    ["an empty object", { a: {}, b: [{}] }, '{"a":{},"b":[{}]}'],
    ["an empty object without a prototype", { a: Object.create(null) }, '{"a":{}}'],
    ["an empty object of a class", { a: new (class Empty {})() }, '{"a":{}}'],
    ["strings that look like a loss", ["null", "{}", '{"0":'], '["null","{}","{\\"0\\":"]'],
    ["an object with the key 0", { a: { 0: "b" } }, '{"a":{"0":"b"}}'],
    [
      "properties that are undefined, functions or symbols",
      { a: undefined, b: () => 1, c: Symbol("c"), d: null },
      '{"d":null}',
    ],
    ["only such properties", { a: { b: undefined, c: () => 1 } }, '{"a":{}}'],
    ["dates", { a: new Date(0), b: null }, '{"a":"1970-01-01T00:00:00.000Z","b":null}'],
    ["a toJSON next to null", { a: new Money(), b: null }, '{"a":"1.50","b":null}'],
    ["a toJSON that returns null", { a: { toJSON: () => null } }, '{"a":null}'],
    ["a toJSON that returns undefined", { a: { toJSON: () => undefined }, b: null }, '{"b":null}'],
    [
      "a toJSON of a function",
      { a: Object.assign(() => {}, { toJSON: () => null }) },
      '{"a":null}',
    ],
    [
      "a toJSON that receives its key",
      { a: [{ toJSON: (key: string) => [key, null] }] },
      '{"a":[["0",null]]}',
    ],
    [
      "boxed scalars",
      { a: new Number(1), b: new String(""), c: new Boolean(false), d: null },
      '{"a":1,"b":"","c":false,"d":null}',
    ],
    ["fields of a class", { a: new Owner(36), b: null }, '{"a":{"age":36},"b":null}'],
    ["an object in two places", { a: shared, b: shared }, '{"a":{"n":null},"b":{"n":null}}'],
    ["an array without a prototype", Object.setPrototypeOf([null], null), "[null]"],
  ];
  for (const [what, json, text] of accepted) {
    // contract: decision-28
    it(`is distinguished from intended values: ${what}`, () => {
      const body = prepareBody({ json }, "POST");
      assertEquals(body, { kind: "whole", content: text, type: "application/json" });
    });
  }

  it("is found at any depth", () => {
    const deep = (json: unknown, depth: number): unknown => {
      for (let level = 0; level < depth; level++) json = { a: [json] };
      return json;
    };
    assertEquals(prepareBody({ json: deep(null, 300) }, "POST").kind, "whole");
    for (const depth of [300, 100_000]) {
      const error = assertThrows(
        () => prepareBody({ json: deep(NaN, depth) }, "POST"),
        UnexpectedValueError,
      );
      assert(error.option.startsWith("json.a[0].a[0]") && error.option.endsWith(".a[0]"));
      assert(error.option.length < 200, "a long path is shortened");
    }
  });

  // contract: decision-28
  it("is refused in the options that _retryRequest returns too", async () => {
    class Library extends APISession {
      protected override _retryRequest(
        _response: Response,
        _retries: number,
        options: RetryOptions,
      ): RetryOptions {
        return { ...options, json: { at: new Map() } };
      }
    }
    const adapter = scripted(503, 200);
    const session = new Library({ url: "https://a.example", adapter, backoff: 0 });
    const error = await assertRejects(
      () => session.post("x", { json: { at: 1 } }),
      UnexpectedValueError,
    );
    assertEquals([error.option, adapter.calls.length], ["json.at", 1]);
  });

  it("is checked by the model if the body contains one", () => {
    class Author
      extends model("author", { name: element(string), born: element(nullable(number)) }) {}
    let written = 0;
    class Counted extends Author {
      override toJSON(): Record<string, unknown> {
        written++;
        return super.toJSON();
      }
    }
    const author = new Counted({ name: "Ada", born: null });
    const body = prepareBody({ json: { author } }, "POST");
    assertEquals(body.kind === "whole" && body.content, '{"author":{"name":"Ada","born":null}}');
    assertEquals(written, 1);
    Object.assign(author, { born: NaN });
    assertThrows(() => prepareBody({ json: [author] }, "POST"), ModelError, "born");
  });

  it("does not affect the params in a debug record", async () => {
    const logger = recordingLogger();
    const session = new APISession({ url: "https://a.example", adapter: scripted(200), logger });
    await session.get("x", { params: { n: NaN } });
    assertEquals(logger.json("debug")[0]?.["params"], { n: null });
  });
});
