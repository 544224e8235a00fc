import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import {
  APIClient,
  APISession,
  type ClientOptions,
  consoleLogger,
  type RequestOptions,
  UnexpectedValueError,
} from "../mod.ts";
import { ApiKeyAuth, SessionTokenAuth } from "../src/auth/mod.ts";
import { toBox } from "../src/box/mod.ts";
import { DigestAuth } from "../src/auth/digest/mod.ts";
import { HttpSession } from "../src/http/mod.ts";
import { redisStore } from "../src/auth/stores/mod.ts";
import { ClientCredentialsAuth, RefreshTokenAuth } from "../src/auth/oauth/mod.ts";
import { saveTo } from "../src/files/mod.ts";
import {
  concurrencyLimit,
  dedupe,
  etagCache,
  rateLimit,
  serverRateLimit,
} from "../src/middleware/mod.ts";
import {
  constrain,
  document,
  element,
  model,
  scalar,
  string,
  toXml,
  union,
} from "../src/models/mod.ts";
import { linkHeader, offset, pageNumber, type PageOptions } from "../src/paging/mod.ts";
import { jsonArray, ndjson, sse, xmlRecords } from "../src/streams/mod.ts";
import { telemetry } from "../src/telemetry/mod.ts";
import {
  fakeClock,
  mockTransport,
  openCassette,
  recordingLogger,
  redactCassette,
} from "../src/testing/mod.ts";

const baseUrl = "https://api.example.com";
const fetch = () => Promise.resolve(Response.json([]));

class Library extends APIClient {
  static override readonly baseUrl: string = baseUrl;

  send(options: object): Promise<unknown> {
    return this._get("/books", options as RequestOptions);
  }
}
class Strict extends Library {
  static override readonly errorOnUnexpectedInput: boolean = true;
}

/** Returns the warnings of a client. */
async function warningsOf(
  options: object,
  Client: new (options: ClientOptions) => Library = Library,
): Promise<string[]> {
  const logger = recordingLogger({ level: "warn" });
  const client = new Client({ fetch, logger, ...options });
  await client.ready;
  return logger.messages();
}

/** Names with their remedies: for a constructor, and for a call if it has no such option. */
const names: readonly (readonly [name: string, ofClient: string, ofCall?: string])[] = [
  // Of a call
  ["okStatuses", "pass it to each call"],
  ["retryOn", "pass it to each call"],
  ["responseModel", "pass it to each call"],
  ["json", "pass it to each call"],
  ["cache", "pass it to each call"],
  ["verify", 'did you mean "sslVerify"?'],
  // Usual elsewhere
  ["maxRetries", 'did you mean "retries"?', 'did you mean "retries"?'],
  [
    "baseURL",
    'did you mean "baseUrl"?',
    'pass "baseUrl" to the constructor of the session or client',
  ],
  [
    "proxy",
    "pass proxies: { all: url }",
    "pass proxies: { all: url } to the constructor of the session or client",
  ],
  ["apiKey", "pass auth: new ApiKeyAuth(key)", "pass auth: new ApiKeyAuth(key)"],
  ["token", "pass auth: new BearerAuth(token)", "pass auth: new BearerAuth(token)"],
  [
    "logLevel",
    'pass logger: consoleLogger({ level: "debug" })',
    'pass logger: consoleLogger({ level: "debug" })',
  ],
  ["throwHttpErrors", "pass okStatuses: [404] to each call", "pass okStatuses: [404]"],
  ["validateStatus", "pass okStatuses: [404] to each call", "pass okStatuses: [404]"],
  ["dispatcher", "pass fetchOptions: { dispatcher }", "pass fetchOptions: { dispatcher }"],
  [
    "agent",
    "pass fetchOptions: { dispatcher }, or the client's proxies, cert and ca",
    "pass fetchOptions: { dispatcher }, or the client's proxies, cert and ca",
  ],
  [
    "idempotencyKey",
    'pass idempotencyHeader: "Idempotency-Key", or the key itself in headers',
    'pass idempotencyHeader: "Idempotency-Key", or the key itself in headers',
  ],
  ["defaultHeaders", 'did you mean "headers"?', 'did you mean "headers"?'],
  ["qs", 'did you mean "params"?', 'did you mean "params"?'],
  ["model", 'pass "responseModel" to each call', 'did you mean "responseModel"?'],
  ["schema", 'pass "responseModel" to each call', 'did you mean "responseModel"?'],
  [
    "responseType",
    "pass convJson: true for JSON, or in a call format: textFormat",
    "pass convJson: true for JSON, or in a call format: textFormat",
  ],
  [
    "responseFormat",
    "pass format: xmlFormat(Model) to each call",
    "pass format: xmlFormat(Model)",
  ],
  [
    "stream",
    "pass format: sse() to each call",
    "pass format: sse()",
  ],
  [
    "errorModel",
    "pass errorFrom: errorsBy({ model })",
    "pass errorFrom: errorsBy({ model })",
  ],
  ["redirect", 'did you mean "followRedirects"?', 'did you mean "followRedirects"?'],
  // Similar
  ["retires", 'did you mean "retries"?', 'did you mean "retries"?'],
  ["errormap", 'did you mean "errorMap"?', 'did you mean "errorMap"?'],
  // Of the other generation, of the constructor, of the class
  ["url", 'did you mean "baseUrl"?', "pass it to the constructor of the session or client"],
  [
    "basePath",
    "pass baseUrl, with the path at its end",
    "pass it to the constructor of the session or client",
  ],
  ["libName", 'set it in the class, with "static override readonly libName"'],
];

describe("an unknown option of a constructor", () => {
  for (const [name, remedy] of names) {
    it(`is ignored with a warning if it looks like a mistake: ${name}`, async () => {
      const end = remedy.endsWith("?") ? "" : ".";

      assertEquals(await warningsOf({ [name]: "secret" }), [
        `"${name}" is not an option of the constructor, which ignores it: ${remedy}${end} ` +
        'If Library uses it, declare it in "static optionNames"',
      ]);
    });

    it(`is rejected with the same hint if the class is strict: ${name}`, () => {
      const error = assertThrows(
        () => new Strict({ fetch, [name]: "secret" } as ClientOptions),
        UnexpectedValueError,
      );

      assertEquals(error.message, `"${name}" is not a known option: ${remedy}`);
      assertEquals([error.option, error.expected.slice(0, 7)], [name, "one of "]);
    });

    it(`is no mistake if the class declares it: ${name}`, async () => {
      class Own extends Library {
        static override readonly optionNames: readonly string[] = [name];
      }
      class Derived extends Own {}

      assertEquals(await warningsOf({ [name]: "own" }, Derived), []);
    });
  }

  it("is ignored without a warning if it looks like an option of the SDK, or is undefined", async () => {
    assertEquals(await warningsOf({ tenant: "north", region: 7, toString: 1 }), []);
    assertEquals(await warningsOf({ maxRetries: undefined, url: undefined }), []);
  });

  it("is warned of in both generations, whose base URLs have different names", async () => {
    const logger = recordingLogger();
    const session = new APISession({ url: baseUrl, logger, ...{ baseUrl } });
    await session.ready;

    assertEquals(logger.messages().map((text) => text.split(". ")[0]), [
      '"baseUrl" is not an option of the constructor, which ignores it: did you mean "url"? If ' +
      'APISession uses it, declare it in "static optionNames"',
    ]);
  });

  it("is warned of once for the original, and for the changes of a copy", async () => {
    const logger = recordingLogger();
    const client = new Library({ fetch, logger, ...{ maxRetries: 1 } });
    await client.ready;
    const copy = client.withOptions({ timeout: 5, ...{ okStatuses: [404] } });
    await copy.send({});
    await copy.withOptions({ timeout: 7 }).send({});

    assertEquals(logger.messages("warn").map((text) => text.split('"')[1]), [
      "maxRetries",
      "okStatuses",
    ]);
  });

  it("is not warned of without a logger", async () => {
    await new Library({ fetch, logger: null, ...{ maxRetries: 1 } }).ready;
  });

  it("has each hint in the error of a strict class if there are several", () => {
    const options = { fetch, maxRetries: 1, token: "secret", tenant: 3 };
    const error = assertThrows(() => new Strict(options), UnexpectedValueError);

    assertEquals(
      error.message,
      '"maxRetries, token, tenant" is not a known option: maxRetries: did you mean "retries"?; ' +
        "token: pass auth: new BearerAuth(token)",
    );
  });

  it("is named by the error for a base URL that is missing", () => {
    const missing = (make: () => unknown) =>
      assertThrows(make, UnexpectedValueError).message.replace(/^.*, but is /, "");
    class WithUrl extends APIClient {
      static readonly url: string = baseUrl;
    }
    const options = (name: string) => ({ [name]: baseUrl }) as ClientOptions;

    assertEquals(
      [
        missing(() => new APIClient(options("url"))),
        missing(() => new APISession(options("baseUrl"))),
        missing(() => new APISession(options("baseURL"))),
        missing(() => new WithUrl()),
        missing(() => new APIClient(options("tenant"))),
      ],
      [
        'an empty string. Write "baseUrl" for "url"',
        'an empty string. Write "url" for "baseUrl"',
        'an empty string. Write "url" for "baseURL"',
        'an empty string. Write "baseUrl" for "url"',
        "an empty string",
      ],
    );
  });
});

describe("an unknown option of a call", () => {
  for (const [name, , remedy] of names.filter(([, , ofCall]) => ofCall !== undefined)) {
    it(`is rejected with a hint: ${name}`, async () => {
      const client = new Library({ fetch });
      const error = await assertRejects(() => client.send({ [name]: 1 }), UnexpectedValueError);

      assertEquals(error.message, `"${name}" is not a known option: ${remedy}`);
    });
  }

  it("is rejected with the names of all options if it looks like none", async () => {
    const client = new Library({ fetch });
    const error = await assertRejects(() => client.send({ tenant: 1 }), UnexpectedValueError);

    assert(error.message.startsWith('"tenant" is not a known option: expected one of adapters, '));
  });
});

class Book extends model("book", { title: element(string) }) {}
class Disc extends model("disc", { title: element(string) }) {}
const Item = document(union([Book, Disc]));
const book = Book.of({ title: "Indigo" });
const session = new APISession({ url: baseUrl, fetch });
const oauth = { tokenUrl: "token", clientId: "a", clientSecret: "b" };
const send = () => Promise.resolve(null);
const limiter = { consume: () => Promise.resolve() };
const cassette = { version: 1, interactions: [] } as const;

class Pages extends APISession {
  list(options: object = {}) {
    return this._pages("books", { next: linkHeader(), ...options } as PageOptions);
  }
}
const pages = new Pages({ url: baseUrl, fetch });

/** A function or class with an options object: the unknown option, and the hint. */
type Factory = readonly [
  name: string,
  make: (options: never) => unknown,
  wrong: string,
  hint?: string,
];

const factories: readonly Factory[] = [
  ["ApiKeyAuth", (options) => new ApiKeyAuth("k", options), "in", "expected one of header, query"],
  [
    "ClientCredentialsAuth",
    (options: object) => new ClientCredentialsAuth(session, { ...oauth, ...options }),
    "scopes",
    'did you mean "scope"?',
  ],
  [
    "ClientCredentialsAuth",
    (options: object) => new ClientCredentialsAuth(session, { ...oauth, ...options }),
    "refreshToken",
  ],
  [
    "RefreshTokenAuth",
    (options: object) => new RefreshTokenAuth(session, { ...oauth, refreshToken: "r", ...options }),
    "audience",
  ],
  ["redisStore", (options: object) => redisStore(send, { key: "a", ...options }), "prefix"],
  ["rateLimit", (options: object) => rateLimit({ limiter, ...options }), "requests"],
  [
    "DigestAuth",
    (options) => new DigestAuth("a", "b", options),
    "integrety",
    'did you mean "integrity"?',
  ],
  [
    "SessionTokenAuth",
    (options: object) =>
      new SessionTokenAuth(session, { login: () => Promise.resolve("t"), ...options }),
    "headers",
    'did you mean "header"?',
  ],
  [
    "rateLimit",
    (options: object) => rateLimit({ requests: 1, interval: 1, ...options }),
    "intervall",
    'did you mean "interval"?',
  ],
  ["serverRateLimit", serverRateLimit, "maxWaits", 'did you mean "maxWait"?'],
  [
    "concurrencyLimit",
    (options: object) => concurrencyLimit({ maxConcurrent: 1, ...options }),
    "maxConcurren",
    'did you mean "maxConcurrent"?',
  ],
  ["dedupe", dedupe, "maxBytes"],
  ["etagCache", etagCache, "maxEntry"],
  ["sse", sse, "untill", 'did you mean "until"?'],
  ["ndjson", ndjson, "maxItemLengths", 'did you mean "maxItemLength"?'],
  ["jsonArray", (options) => jsonArray("/rows", options), "pointer"],
  ["xmlRecords", (options) => xmlRecords(Book, options), "charset"],
  [
    "saveTo",
    (options) => saveTo(new WritableStream(), options),
    "onProgres",
    'did you mean "onProgress"?',
  ],
  ["telemetry", telemetry, "span", 'did you mean "spans"?'],
  ["consoleLogger", consoleLogger, "levels", 'did you mean "level"?'],
  ["recordingLogger", recordingLogger, "logLevel"],
  ["fakeClock", fakeClock, "autoadvance", 'did you mean "autoAdvance"?'],
  ["openCassette", (options) => openCassette(cassette, options), "modes", 'did you mean "mode"?'],
  [
    "redactCassette",
    (options) => redactCassette(cassette, options),
    "secret",
    'did you mean "secrets"?',
  ],
  [
    "assertCalled",
    (options) => mockTransport({}).assertCalled("GET /a", options),
    "body",
    'did you mean "json"?',
  ],
  ["HttpSession", (options) => new HttpSession(options), "header", 'did you mean "headers"?'],
  ["offset", (options) => offset("offset", options), "totals", 'did you mean "total"?'],
  ["pageNumber", (options) => pageNumber("page", options), "limit"],
  ["_pages", (options) => pages.list(options), "maxEmptyPage", 'did you mean "maxEmptyPages"?'],
  ["collect", (options) => pages.list().collect(options), "limit", "expected one of maxItems"],
  [
    "nextPage",
    async (options) => await (await pages.list()).nextPage(options),
    "signals",
    'did you mean "signal"?',
  ],
  ["element", (options) => element(string, options), "optinal", 'did you mean "optional"?'],
  ["constrain", (options) => constrain(string, options), "maxlength", 'did you mean "maxLength"?'],
  ["model", (options) => model("book", {}, options), "namespaces", 'did you mean "namespace"?'],
  [
    "scalar",
    (options: object) =>
      scalar({ expected: "a", parse: (text) => text, format: (text: string) => text, ...options }),
    "expects",
  ],
  ["fromJson", (options) => Book.fromJson({ title: "" }, options), "depth"],
  ["fromXml", (options) => Book.fromXml("<book/>", options), "at"],
  ["streamXml", (options) => Book.streamXml("<book/>", options).next(), "path"],
  ["toJson", (options) => book.toJsonString(options), "indents", 'did you mean "indent"?'],
  ["toJSON", (options) => book.toJSON(options), "indent"],
  ["toXml", (options) => toXml(book, options), "indents", 'did you mean "indent"?'],
  ["fromJson of a document", (options) => Item.fromJson({ book: { title: "" } }, options), "depth"],
  ["fromXml of a document", (options) => Item.fromXml("<book/>", options), "depth"],
  [
    "toJson of a document",
    (options) => Item.toJsonString(book, options),
    "onli",
    'did you mean "only"?',
  ],
  ["toBox", (options) => toBox({}, options), "camelcase", 'did you mean "camelCase"?'],
];

describe("an unknown option of a function or class of the toolkit", () => {
  for (const [name, make, wrong, hint] of factories) {
    it(`is rejected: ${wrong} of ${name}`, async () => {
      const error = await assertRejects(
        async () => await make({ [wrong]: "query" } as never),
        UnexpectedValueError,
      );
      const shown = error.message.replace(/"(?:boxAttrs\.)?(\w+)" is not/, '"$1" is not');

      assert(
        shown.startsWith(`"${wrong}" is not a known option: ${hint ?? "expected one of "}`),
        error.message,
      );
    });
  }

  for (const options of [null, 7, "debug"]) {
    it(`cannot be in something else than an object: ${options}`, () => {
      const error = assertThrows(() => consoleLogger(options as never), UnexpectedValueError);

      assertEquals([error.option, error.expected], ["options", "an object"]);
    });
  }
});
