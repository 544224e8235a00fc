import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
  describe,
  it,
} from "#test";
import {
  APIError,
  APISession,
  type Method,
  type RequestOptions,
  type SessionOptions,
  UnexpectedValueError,
} from "../../mod.ts";
import type { Transport } from "../../src/http/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";

const url = "https://api.example.com/v1";

/** Returns the user agent that a session of this class sends. */
async function agentOf(
  Session: new (options: SessionOptions) => APISession,
  options: SessionOptions = {},
): Promise<string> {
  const adapter = scripted(200);
  await new Session({ url, adapter, ...options }).get("x");
  return adapter.calls[0]!.init.headers["user-agent"]!;
}

describe("a session's options", () => {
  // contract: service-1, attr-1, attrs-1
  it("each attribute is a class-level default and can be overridden in a subclass", async () => {
    const adapter = scripted(200);
    class Library extends APISession {
      static override readonly url: string = "https://library.example.com";
      static override readonly basePath: string = "rest";
      static override readonly adapter: Transport = adapter;
    }
    await new Library().get("books");
    assertEquals(adapter.calls[0]!.url, "https://library.example.com/rest/books");
  });

  // contract: attrs-2, life-1
  it("options of the constructor override those of the class", async () => {
    const adapter = scripted(200);
    class Library extends APISession {
      static override readonly url: string = "https://library.example.com";
      static override readonly basePath: string = "rest";
      static override readonly retries: number = 9;
    }
    const session = new Library({ url, basePath: "", adapter, retries: undefined });
    await session.get("books");
    assertEquals(adapter.calls[0]!.url, "https://api.example.com/v1/books");
  });

  // contract: attrs-1
  it("a subclass of a subclass inherits the options that it does not override", async () => {
    const adapter = scripted(200);
    class Library extends APISession {
      static override readonly url: string = "https://library.example.com";
      static override readonly adapter: Transport = adapter;
    }
    class Branch extends Library {
      static override readonly basePath: string = "branch";
    }
    await new Branch().get("books");
    assertEquals(adapter.calls[0]!.url, "https://library.example.com/branch/books");
  });

  // contract: attr-22, errors-6, reading-16
  it("unknown options throw UnexpectedValueError if errorOnUnexpectedInput is true", () => {
    class Strict extends APISession {
      static override readonly errorOnUnexpectedInput: boolean = true;
      static override readonly optionNames: readonly string[] = ["apiKey"];
    }
    new Strict({ url, apiKey: "k" } as SessionOptions);
    const error = assertThrows(
      () => new Strict({ url, retrys: 3, apiKey: "k", color: "red" } as SessionOptions),
      UnexpectedValueError,
    );
    assertEquals(error.option, "retrys, color");
    assertStringIncludes(error.message, "retrys, color");
    assert(!error.message.includes("red,"), "a value may be a secret");
  });

  // contract: errors-6, reading-16
  it("the names that a class declares are added to those of its ancestors", () => {
    class Strict extends APISession {
      static override readonly errorOnUnexpectedInput: boolean = true;
      static override readonly optionNames: readonly string[] = ["apiKey"];
    }
    class Regional extends Strict {
      static override readonly optionNames: readonly string[] = ["region"];
    }
    class Silent extends Regional {}
    for (const Session of [Regional, Silent]) {
      new Session({ url, apiKey: "k", region: "eu" } as SessionOptions);
      const wrong = { url, apiKey: "k", region: "eu", color: "red" } as SessionOptions;
      const error = assertThrows(() => new Session(wrong), UnexpectedValueError);
      assertEquals(error.option, "color");
      const names = error.expected.replace("one of ", "").split(", ");
      assertEquals([...new Set(names)], names, "each name is listed once");
      assert(names.includes("region") && names.includes("apiKey"));
    }
  });

  // contract: attr-22
  it("unknown options are ignored if errorOnUnexpectedInput is false", async () => {
    const adapter = scripted(200);
    const session = new APISession({ url, adapter, retrys: 3 } as SessionOptions);
    assertEquals((await session.get("x")).status, 200);
  });

  // contract: attr-13, attr-14, reading-16
  it("statics that are not options are unknown options, such as libName and restrictedPaths", () => {
    class Strict extends APISession {
      static override readonly errorOnUnexpectedInput: boolean = true;
    }
    for (const name of ["libName", "libVersion", "restrictedPaths", "baseErrorMap"]) {
      assertThrows(
        () => new Strict({ url, [name]: {} } as SessionOptions),
        UnexpectedValueError,
        name,
      );
    }
  });

  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ["url", undefined, /^set, as the option "url", or in the class with "static override/],
    ["url", "", /^set, as the option "url", or in the class with "static override/],
    ["url", "api.example.com", /full URL/],
    ["url", "/v1", /full URL/],
    ["url", "ftp://api.example.com", /http/],
    ["url", "https://", /full URL/],
    ["url", "https://api.example.com/v1?key=1", /without a query/],
    ["url", "https://api.example.com/#x", /fragment/],
    ["url", 7, /full URL/],
    ["basePath", 7, /a string/],
    ["retries", -1, /at least 0/],
    ["retries", 1.5, /whole number/],
    ["retries", "3", /whole number/],
    ["retries", NaN, /whole number/],
    ["retries", Infinity, /whole number/],
    ["retries", null, /whole number/],
    ["backoff", -0.1, /seconds of at least 0/],
    ["backoff", "1", /seconds/],
    ["backoff", NaN, /seconds/],
    ["backoff", Infinity, /seconds/],
    ["maxRetryAfter", -1, /at least 0/],
    ["timeout", 0, /above 0/],
    ["timeout", "5", /above 0/],
    ["deadline", -5, /above 0/],
    ["finalWait", "no", /true or false/],
    ["errorFunc", "text", /a function/],
    ["adapter", {}, /a function/],
    ["adapterPath", "api", /full URL/],
    ["vendor", "Acme\r\nX-Evil: 1", /without line breaks/],
    ["product", "Łódź", /Latin-1/],
    ["build", 7, /a string/],
    ["logger", {}, /methods debug, info, warn, error/],
    ["clock", {}, /now and after/],
  ];
  for (const [index, [option, value, expected]] of bad.entries()) {
    // contract: attr-1
    it(`${option} is checked, and the error names it, case ${index + 1}`, () => {
      const options = { url, adapter: scripted(200), [option]: value } as SessionOptions;
      const error = assertThrows(() => new APISession(options), UnexpectedValueError);
      assertEquals(error.option, option);
      assertMatch(error.expected, expected);
      assertMatch(error.message, new RegExp(`^"${option}" must be `));
    });
  }

  it("statics are checked like options", () => {
    class Broken extends APISession {
      static override readonly errorMap = { 404: "NotFound" } as never;
    }
    const error = assertThrows(() => new Broken({ url }), UnexpectedValueError);
    assertEquals(error.option, "errorMap.404");
  });

  it("an error never shows a string value, because it may be a secret", () => {
    const error = assertThrows(
      () => new APISession({ url: "hunter2:hunter2@api.example.com" }),
      UnexpectedValueError,
    );
    assert(!`${error.message}${JSON.stringify(error)}${error.stack}`.includes("hunter2"));
  });

  // contract: attr-2
  it("a base path must not have a query, a fragment or dot segments that lead up", () => {
    for (const basePath of ["v1?key=1", "v1#top", ".."]) {
      let thrown: unknown;
      try {
        new APISession({ url: "https://a.example/v1", basePath });
      } catch (error) {
        thrown = error;
      }
      assertInstanceOf(thrown, UnexpectedValueError, basePath);
    }
  });
});

describe("the arguments of a request", () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const locked = new Blob(["x"]).stream();
  locked.getReader();
  const bad: readonly (readonly [string, RequestOptions, string])[] = [
    ["jsn", { jsn: 1 } as RequestOptions, "jsn"],
    ["headers with a line break", { headers: { "x-a": "1\r\nx-b: 2" } }, "headers.x-a"],
    ["headers with a bad name", { headers: { "x a": "1" } }, "headers"],
    ["headers beyond Latin-1", { headers: { "x-a": "€" } }, "headers.x-a"],
    ["headers that are a number", { headers: 7 as never }, "headers"],
    ["params that are a Date", { params: new Date() }, "params"],
    ["a param that is an object", { params: { a: {} as never } }, "params.a"],
    ["json that is circular", { json: circular }, "json.self"],
    ["json with a bigint", { json: { n: 1n } }, "json.n"],
    ["json that is a function", { json: () => 1 }, "json"],
    ["two bodies", { json: 1, content: "1" }, "json, content"],
    ["content that is a number", { content: 7 as never }, "content"],
    ["content that is a locked stream", { content: locked }, "content"],
    ["data that is a number", { data: 7 as never }, "data"],
    ["retryOn that is a number", { retryOn: 500 as never }, "retryOn"],
    ["redactFields that is a string", { redactFields: "a" as never }, "redactFields"],
    ["redactValue that is null", { redactFields: [], redactValue: null as never }, "redactValue"],
    ["useBase that is a string", { useBase: "no" as never }, "useBase"],
    ["convJson that is a string", { convJson: "yes" as never }, "convJson"],
    ["timeout that is negative", { timeout: -1 }, "timeout"],
    ["deadline that is a string", { deadline: "1" as never }, "deadline"],
    ["signal that is a plain object", { signal: {} as never }, "signal"],
  ];
  for (const [name, options, option] of bad) {
    // contract: keyword-3, keyword-9
    it(`are refused by name before any request is sent: ${name}`, async () => {
      const adapter = scripted(200);
      const log = recordingLogger();
      const session = new APISession({ url, adapter, logger: log });
      const error = await assertRejects(() => session.post("x", options), UnexpectedValueError);
      assertEquals([error.option, adapter.calls.length, log.messages().join("\n")], [
        option,
        0,
        "",
      ]);
    });
  }

  it("must have a path that is a string or a number", async () => {
    const adapter = scripted(200);
    const session = new APISession({ url, adapter });
    for (const path of [undefined, null, {}, ["x"], true, NaN]) {
      const error = await assertRejects(() => session.get(path as never), UnexpectedValueError);
      assertEquals([error.option, adapter.calls.length], ["path", 0]);
    }
  });

  it("must not have a body with GET or HEAD, because fetch cannot send it", async () => {
    const session = new APISession({ url, adapter: scripted(200) });
    await assertRejects(() => session.get("x", { json: 1 }), UnexpectedValueError, "GET");
    await assertRejects(() => session.head("x", { content: "1" }), UnexpectedValueError, "HEAD");
  });

  // contract: keyword-9
  it("may include options of fetch, which are passed to the transport", async () => {
    const adapter = scripted(200);
    const session = new APISession({ url, adapter });
    await session.get("x", { cache: "no-store", keepalive: true, credentials: "omit" });
    const { cache, keepalive, credentials } = adapter.calls[0]!.init;
    assertEquals([cache, keepalive, credentials], ["no-store", true, "omit"]);
  });
});

describe("_req", () => {
  class Open extends APISession {
    req(method: string, path: string): Promise<unknown> {
      return this._req(method, path);
    }
  }

  // contract: op-7
  it("accepts the usual methods in any case", async () => {
    const usual: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    for (const method of usual) {
      const adapter = scripted(200);
      const session = new Open({ url, adapter });
      const mixed = method[0] + method.slice(1).toLowerCase();
      for (const written of [method, method.toLowerCase(), mixed]) await session.req(written, "x");
      assertEquals(adapter.calls.map(({ init }) => init.method), [method, method, method]);
    }
  });

  // contract: op-7, reading-35
  it("sends any other method unchanged", async () => {
    const adapter = scripted(200);
    const session = new Open({ url, adapter });
    const methods = ["PURGE", "purge", "FETCH", "M-SEARCH", "__proto__", "!#$%&'*+-.^_`|~0"];
    for (const method of methods) await session.req(method, "x");
    assertEquals(adapter.calls.map(({ init }) => init.method), methods);
  });

  const refused: readonly (readonly [string, unknown])[] = [
    ...["CONNECT", "TRACE", "TRACK", "connect", "Trace", "tRACK"].map((each) =>
      [each, each] as const
    ),
    ["an empty string", ""],
    ["a space inside", "GE T"],
    ["a space at the end", "GET "],
    ["a line break", "GET / HTTP/1.1\r\nX-A: b"],
    ["a line break at the end", "GET\n"],
    ["a separator", "GET,PUT"],
    ["a letter beyond ASCII", "GÉT"],
    ["letters that become ASCII in upper case", "po\u017ft"],
    ["a number", 7],
    ["a list", ["GET"]],
    ["undefined", undefined],
  ];
  for (const [what, method] of refused) {
    // contract: reading-35
    it(`refuses an invalid method before any request is sent: ${what}`, async () => {
      const adapter = scripted(200);
      const session = new Open({ url, adapter });
      const call = () => session.req(method as string, "x");
      const error = await assertRejects(call, UnexpectedValueError);
      assertEquals([error.option, adapter.calls.length], ["method", 0]);
    });
  }

  // contract: service-5, op-1, op-2, op-3, op-4, op-5, op-6
  it("is called by every request method, so that an override sees all requests", async () => {
    const seen: string[] = [];
    class Seen extends APISession {
      protected override _req(
        method: string,
        path: string | number,
        options?: RequestOptions,
      ): Promise<unknown> {
        seen.push(`${method} ${path}`);
        return super._req(method, path, options);
      }
    }
    const session = new Seen({ url, adapter: scripted(200) });
    for (const method of ["get", "post", "put", "patch", "delete", "head"] as const) {
      await session[method](7);
    }
    assertEquals(seen, ["GET 7", "POST 7", "PUT 7", "PATCH 7", "DELETE 7", "HEAD 7"]);
  });
});

describe("the User-Agent", () => {
  // contract: attr-13, attr-14, hook-1, agent-1, reading-10
  it("has the shape of the contract", async () => {
    class Sdk extends APISession {
      static override readonly libName: string = "directory-sdk";
      static override readonly libVersion: string = "4.5.6";
    }
    const agent = await agentOf(Sdk, { vendor: "Acme", product: "Sync", build: "78" });
    assertMatch(
      agent,
      /^Integration\/1\.0 \(Acme; Sync; Build\/78\) directory-sdk\/4\.5\.6 \(restwright\/\d+\.\d+\.\d+; (Deno|Node|Bun)\/\d+\.\d+\.\d+; [\w-]+\/[\w-]+\)$/,
    );
  });

  // contract: attr-10, attr-11, attr-12
  it("has unknown as vendor, product and build by default", async () => {
    assertStringIncludes(
      await agentOf(APISession),
      "(unknown; unknown; Build/unknown) restwright/",
    );
  });
});

describe("an adapter", () => {
  // contract: attr-9, hook-1
  it("is mounted at the base URL, a slash and the base path by default", async () => {
    const adapter = scripted(200);
    const session = new APISession({ url, basePath: "api", adapter });
    // URLs outside of its prefix use fetch, which is looked up at each call, so that a mock works.
    const mock = scripted(200);
    const { fetch } = globalThis;
    globalThis.fetch = mock as unknown as typeof fetch;
    try {
      await session.get("x");
      await session.get("x", { useBase: false });
    } finally {
      globalThis.fetch = fetch;
    }
    assertEquals(adapter.calls.map((call) => call.url), [`${url}/api/x`]);
    assertEquals(mock.calls.map((call) => call.url), [`${url}/x`]);
  });

  // contract: attr-9
  it("is mounted at adapterPath, if there is one", async () => {
    const adapter = scripted(200);
    const session = new APISession({ url, basePath: "api", adapter, adapterPath: "HTTPS://" });
    await session.get("x", { useBase: false });
    await session.get("https://elsewhere.example.com/y");
    assertEquals(adapter.calls.map((call) => call.url), [
      "https://api.example.com/v1/x",
      "https://elsewhere.example.com/y",
    ]);
  });

  // contract: attr-8
  it("has the shape of fetch: the URL, and an init with method, headers and body", async () => {
    const adapter = scripted(200);
    await new APISession({ url, adapter }).post("x", { json: [1] });
    const { init } = adapter.calls[0]!;
    assertEquals([init.method, init.body, init.redirect], ["POST", "[1]", "manual"]);
    assertEquals(init.headers["content-type"], "application/json");
  });
});

describe("the session's logger", () => {
  // contract: life-2, reading-11
  it("is named after the module and class", () => {
    const written: string[] = [];
    const { warn } = console;
    console.warn = (message: string) => void written.push(message);
    try {
      class Directory extends APISession {
        static override readonly libName: string = "directory-sdk";
        warn(): void {
          this._log.warn("look here");
        }
      }
      new Directory({ url }).warn();
    } finally {
      console.warn = warn;
    }
    assertEquals(written.length, 1);
    assertMatch(written[0]!, /directory-sdk\.Directory\b.*look here/);
  });

  it("can be any object with the four methods, even without isLevelEnabled", async () => {
    const { debug, info, warn, error, json } = (() => {
      const log = recordingLogger();
      return { debug: log.debug, info: log.info, warn: log.warn, error: log.error, json: log.json };
    })();
    const session = new APISession({
      url,
      adapter: scripted(404),
      logger: { debug, info, warn, error },
    });
    await assertRejects(() => session.get("x"), APIError);
    assertEquals(json("debug").length, 1);
  });
});

describeGenerations("the options of a session or client", ({ Session }) => {
  function start(answers: readonly Answer[], options: SessionOptions = {}) {
    const fetch = scripted(...answers);
    const quiet = { clock: fakeClock({ autoAdvance: true }), logger: recordingLogger() };
    return { api: new Session({ url, fetch, ...quiet, ...options }), fetch };
  }

  it("headers are copied, so that later changes have no effect", async () => {
    const headers: Record<string, string> = { "x-a": "1" };
    const { api, fetch } = start([200], { headers });
    headers["x-a"] = "2";
    await api.get("x");
    assertEquals(fetch.calls[0]!.init.headers["x-a"], "1");
  });

  it("params are copied, so that later changes have no effect", async () => {
    const params: Record<string, string> = { locale: "en" };
    const { api, fetch } = start([200], { params });
    params["locale"] = "de";
    await api.get("x");
    assertEquals(fetch.calls.map(({ url }) => url), [`${url}/x?locale=en`]);
  });

  it("adapters are copied, so that later changes have no effect", async () => {
    const own = scripted(201);
    const adapters: Record<string, Transport> = { [url]: own };
    const { api } = start([200], { adapters });
    delete adapters[url];
    assertEquals((await api.get("x")).status, 201);
  });

  it("params are not added to a link that has them", async () => {
    const { api, fetch } = start([200], { params: { locale: "en" } });
    await api.get(`${url}/x?locale=en&page=2`);
    assertEquals(fetch.calls.map(({ url }) => url), [`${url}/x?locale=en&page=2`]);
  });
});
