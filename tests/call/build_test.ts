import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { firstGeneration } from "../../src/options/generation.ts";
import type { Call } from "../../src/call/call.ts";
import { debugRecord } from "../../src/call/redact.ts";
import { buildCall } from "../../src/call/build.ts";
import type { RequestOptions } from "../../src/options/request_options.ts";
import { resolveSettings } from "../../src/options/resolve.ts";
import type { Settings } from "../../src/options/settings.ts";
import type { Path } from "../../src/http/url.ts";
import { APIError } from "../../src/errors/api_error.ts";
import { RedirectError } from "../../src/errors/redirect_error.ts";
import { TransportError } from "../../src/errors/transport_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { HttpSession } from "../../src/http/http_session.ts";
import { APIClient } from "../../src/client/client.ts";
import { APISession } from "../../src/client/session.ts";
import { defaults, noConversion } from "../support/class_defaults.ts";
import { redirectTo } from "../support/exchanging.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, refusedConnection, scripted } from "../support/scripted.ts";

function settings(
  { url = "https://a.example/v1", basePath = "", restrictedPaths = [], timeout = null }: {
    url?: string;
    basePath?: string;
    restrictedPaths?: readonly string[];
    timeout?: number | null;
  } = {},
): Settings {
  const own = { ...defaults, timeout, restrictedPaths };
  return resolveSettings({}, own, { url, generation: firstGeneration, basePath });
}

async function prepare(
  path: Path,
  options: RequestOptions = {},
  base: Parameters<typeof settings>[0] = {},
  method = "GET",
): Promise<Call> {
  const input = { method, path, options, context: undefined };
  return await buildCall(input, {
    settings: settings(base),
    hooks: { ...noConversion, logger: silentLogger },
  });
}

/** Returns the debug record of a request with TLS verification. */
function recordOf(request: Call): string {
  return debugRecord(request, true);
}

describe("the URL of a request", () => {
  const based = { url: "https://a.example/", basePath: "/rest/2/" };
  const cases: readonly (readonly [string, Path, RequestOptions, object, string])[] = [
    ["rule 2: base URL, base path and path", "users", {}, based, "https://a.example/rest/2/users"],
    ["rule 2: a path with a slash", "/users", {}, based, "https://a.example/rest/2/users"],
    ["rule 2: a number is a segment", 7, {}, based, "https://a.example/rest/2/7"],
    ["rule 3: no base path", "users", {}, {}, "https://a.example/v1/users"],
    ["rule 3: use_base is false", "users", { useBase: false }, based, "https://a.example/users"],
    [
      "rule 2: use_base is true",
      "users",
      { useBase: true },
      based,
      "https://a.example/rest/2/users",
    ],
    ["rule 1: a full URI", "https://b.example/x", {}, based, "https://b.example/x"],
    [
      "rule 1: a full URI, with a query",
      "http://b.example?q=1",
      {},
      based,
      "http://b.example/?q=1",
    ],
    [
      "rule 1: a full URI, even if use_base is true",
      "https://b.example/x",
      { useBase: true },
      based,
      "https://b.example/x",
    ],
    [
      "rule 1: a full URI with dot segments is not below the base",
      "https://b.example/a/../../b",
      {},
      based,
      "https://b.example/b",
    ],
    [
      "two slashes begin a path, since a full URI has a scheme",
      "//b.example/x",
      {},
      based,
      "https://a.example/rest/2/b.example/x",
    ],
    [
      "params are added",
      "users",
      { params: { a: 1, b: [2, 3] } },
      {},
      "https://a.example/v1/users?a=1&b=2&b=3",
    ],
    [
      "params are added to the query of the path",
      "users?x=1#top",
      { params: { a: 1 } },
      {},
      "https://a.example/v1/users?x=1&a=1#top",
    ],
    [
      "params are added to a full URI",
      "https://b.example/x?x=1",
      { params: { a: 1 } },
      {},
      "https://b.example/x?x=1&a=1",
    ],
    ["empty params add nothing", "users", { params: {} }, {}, "https://a.example/v1/users"],
  ];
  for (const [what, path, options, base, url] of cases) {
    // contract: keyword-7, req-1, req-2, req-3, version-2
    it(what, async () => assertEquals((await prepare(path, options, base)).url, url));
  }
});

describe("the Authorization header from the credentials of a URL", () => {
  const withCredentials = { url: "https://ada:secret@a.example/v1" };
  const cases: readonly (readonly [string, Path, string | undefined])[] = [
    ["is that of the base URL for a path", "users", btoa("ada:secret")],
    ["is not sent to a full URI of another origin", "https://b.example/x", undefined],
    ["is not sent to a full URI with another scheme", "http://a.example/v1/x", undefined],
    ["is not sent to a full URI with another port", "https://a.example:444/x", undefined],
    ["is that of a full URI with credentials", "https://bob:pass@b.example/x", btoa("bob:pass")],
  ];
  /** Returns the request as the HTTP session sends it. */
  async function sent(path: Path, options: RequestOptions = {}) {
    const transport = scripted(200);
    const adapters = { adapter: transport, adapterPath: "https://" };
    const session = new APISession({ ...withCredentials, ...adapters });
    session.httpSession.mount("http://", transport);
    await session.get(path, options);
    const { url, init } = transport.calls[0]!;
    return { url, authorization: init.headers["authorization"] };
  }

  for (const [what, path, basic] of cases) {
    // contract: reading-18
    it(what, async () => {
      const { authorization, url } = await sent(path);
      assertEquals(authorization, basic && `Basic ${basic}`);
      assert(!/secret|pass/.test(url), "no credentials in the URL that is sent");
    });
  }

  it("is replaced by a header of the request, and removed by null", async () => {
    const authorization = async (value: string | null) =>
      (await sent("x", { headers: { Authorization: value } })).authorization;
    assertEquals([await authorization("Bearer a"), await authorization(null)], [
      "Bearer a",
      undefined,
    ]);
  });
});

describe("the options of a request", () => {
  it("are sent with the method in upper case", async () => {
    for (const method of ["get", "Post", "PUT", "patch", "delete", "head", "options"]) {
      assertEquals((await prepare("x", {}, {}, method)).method, method.toUpperCase());
    }
  });

  /**
   * Returns the seconds until an attempt fails as stalled, with the timeouts of the class, the HTTP
   * session and the request. Returns undefined if the attempt waits for the response.
   */
  async function stallsAfter(
    options: RequestOptions,
    own: number | null,
    ofHttpSession?: number,
  ): Promise<number | undefined> {
    class Own extends APISession {
      static override readonly timeout: number | null = own;
    }
    const clock = fakeClock({ autoAdvance: true });
    const begin = clock.now();
    const transport = scripted(() =>
      new Promise((resolve) => clock.after(1000, () => resolve(new Response())))
    );
    const http = new HttpSession({ fetch: transport, timeout: ofHttpSession });
    const session = new Own({ url: "https://a.example/v1", clock, session: http });
    const error = await session.get("x", { ...options, retries: 0, finalWait: false })
      .then(() => undefined, (reason: unknown) => reason);
    const seconds = (clock.now() - begin) / 1000;
    if (error === undefined) {
      assertEquals(seconds, 1000);
      return undefined;
    }
    assert(error instanceof TransportError && error.kind === "timeout");
    return seconds;
  }

  // contract: req-5, decision-19
  it("timeout: the option, else the session's, and null for none", async () => {
    const cases: readonly (readonly [RequestOptions, number | null, number | null | undefined])[] =
      [
        [{}, null, undefined],
        [{}, 30, 30],
        [{ timeout: undefined }, 30, 30],
        [{ timeout: 5 }, 30, 5],
        [{ timeout: null }, 30, null],
      ];
    for (const [options, own, timeout] of cases) {
      assertEquals((await prepare("x", options, { timeout: own })).settings.timeout, timeout);
      assertEquals(await stallsAfter(options, own), timeout ?? undefined);
    }
  });

  it("timeout: the HTTP session's if neither the request nor the session has one", async () => {
    assertEquals(
      [
        await stallsAfter({}, null, 60),
        await stallsAfter({}, 30, 60),
        await stallsAfter({ timeout: 5 }, null, 60),
        await stallsAfter({ timeout: null }, 30, 60),
      ],
      [60, 30, 5, undefined],
    );
  });

  it("maxRedirects: the option, else the session's, and none if redirects are turned off", async () => {
    const most = async (options: RequestOptions) => {
      const transport = scripted(redirectTo("/y"));
      const session = new APISession({ url: "https://a.example/v1", adapter: transport });
      session.httpSession.mount("https://", transport);
      const error = await assertRejects(() => session.get("x", options), Error);
      const followed = transport.calls.length - 1;
      if (error instanceof RedirectError) return followed;
      assert(error instanceof APIError && error.status === 302 && followed === 0);
      return undefined;
    };
    assertEquals(
      [
        await most({}),
        await most({ maxRedirects: 5 }),
        await most({ maxRedirects: 0 }),
        await most({ followRedirects: true }),
        await most({ followRedirects: false }),
        await most({ followRedirects: false, maxRedirects: 5 }),
      ],
      [30, 5, 0, 30, undefined, undefined],
    );
  });

  const badPaths: readonly (readonly [path: string, message: string])[] = [
    [
      "ftp://ada:t0ken@b.example/x?key=t0ken",
      '"path" must be a path below the base URL, or a full URL that begins with http:// or https:// ' +
      '(use the path tag for a value that contains ://), but is "ftp://…@b.example/x?…"',
    ],
    [
      "https://b.example:99999/x",
      '"path" must be a full URL that begins with http:// or https://, with a valid host and port, ' +
      'but is "https://b.example:99999/x"',
    ],
    [
      "users/../../x?key=t0ken",
      '"path" must be a path that does not lead above its base through dot segments (..), ' +
      'but is "users/../../x?…"',
    ],
  ];
  for (const [path, message] of badPaths) {
    // contract: fault-8
    it(`an invalid path is shown in the error without secrets: ${path.slice(0, 12)}`, async () => {
      const session = new APISession({ url: "https://a.example", adapter: scripted(200) });
      const error = await assertRejects(() => session.get(path), UnexpectedValueError);
      assertEquals(error.message, message);
      assert(!`${error.stack}${JSON.stringify(error)}`.includes("t0ken"));
    });
  }

  const bad: readonly (readonly [string, unknown, Readonly<Record<string, unknown>>])[] = [
    ["method", "x", { method: "TRACE" }],
    ["method", "x", { method: "GE T" }],
    ["method", "x", { method: "" }],
    ["method", "x", { method: 7 }],
    ["path", undefined, {}],
    ["path", { users: 7 }, {}],
    ["path", "../x", {}],
    ["path", "ftp://b.example/x", {}],
    ["path", "https://", {}],
    ["params", "x", { params: "a=1" }],
    ["params.a", "x", { params: { a: {} } }],
    ["headers", "x", { headers: { "a b": "c" } }],
    ["headers.a", "x", { headers: { a: "b\r\nc" } }],
    ["json", "x", { json: 1n, method: "POST" }],
    ["json", "x", { json: 1 }],
    ["retryOn", "x", { retryOn: 500 }],
    ["retryOn[1]", "x", { retryOn: [500, "500"] }],
    ["redactFields", "x", { redactFields: "pin" }],
    ["redactFields[0]", "x", { redactFields: [1] }],
    ["redactValue", "x", { redactValue: 7, redactFields: ["pin"] }],
    ["useBase", "x", { useBase: 0 }],
    ["convJson", "x", { convJson: "yes" }],
    ["timeout", "x", { timeout: 0 }],
    ["timeout", "x", { timeout: "5" }],
    ["retryon", "x", { retryon: [500] }],
    ["signal", "x", { signal: {} }],
    ["signal", "x", { signal: false }],
    ["deadline", "x", { deadline: -1 }],
    ["followRedirects", "x", { followRedirects: "yes" }],
    ["followRedirects", "x", { followRedirects: null }],
    ["maxRedirects", "x", { maxRedirects: -1 }],
    ["maxRedirects", "x", { maxRedirects: 1.5 }],
  ];
  for (const [index, [option, path, { method = "GET", ...options }]] of bad.entries()) {
    it(`bad input: ${option} is named in an error before a request is sent (${index + 1})`, async () => {
      const transport = scripted(200);
      const log = recordingLogger();
      class Open extends APISession {
        send(): Promise<unknown> {
          return this._req(method as string, path as Path, options);
        }
      }
      const session = new Open({ url: "https://a.example", adapter: transport, logger: log });
      const error = await assertRejects(() => session.send(), UnexpectedValueError);
      assertEquals(error.option, option);
      assertEquals([transport.calls.length, log.messages().join("\n")], [0, ""]);
    });
  }

  for (const options of [null, 5, "", []]) {
    it(`options that are not an object are refused before a request is sent: ${JSON.stringify(options)}`, async () => {
      const fetch = scripted(200);
      // An override that spreads its options makes an object of any value.
      class Spreading extends APIClient {
        protected override _req(method: string, path: Path, options?: RequestOptions) {
          return super._req(method, path, { ...options, headers: { "X-Own": "1" } });
        }
        put(options: unknown): Promise<unknown> {
          return this._put("x", options as RequestOptions);
        }
      }
      class Plain extends APIClient {
        put(options: unknown): Promise<unknown> {
          return this._put("x", options as RequestOptions);
        }
        direct(options: unknown): Promise<unknown> {
          return this._req("PUT", "x", options as RequestOptions);
        }
      }
      const baseUrl = "https://a.example";
      const plain = new Plain({ baseUrl, fetch });
      const through = new Plain({
        baseUrl,
        fetch,
        callMiddleware: [(request, next) => next({ ...request, options: options as never })],
      });
      const calls = [
        new Spreading({ baseUrl, fetch }).put(options),
        plain.put(options),
        plain.direct(options),
        through.put({}),
        new APISession({ url: baseUrl, fetch }).put("x", options as never),
      ];
      for (const call of calls) {
        const error = await assertRejects(() => call, UnexpectedValueError);
        assertEquals(error.option, "options");
      }
      assertEquals(fetch.calls.length, 0);
    });
  }

  it("an unknown option is reported as unknown", async () => {
    const address = { url: "https://a.example", generation: firstGeneration, basePath: "" };
    const settings = resolveSettings({}, defaults, address);
    const input = { method: "GET", path: "x", options: { jsn: 1 } as never, context: undefined };
    const { message } = await assertRejects(
      async () =>
        await buildCall(input, { settings, hooks: { ...noConversion, logger: silentLogger } }),
      UnexpectedValueError,
    );
    assert(!message.includes("but is a string of"), message);
  });
});

describe("the debug record of an attempt", () => {
  const record = async (...args: Parameters<typeof prepare>): Promise<Record<string, unknown>> =>
    JSON.parse(recordOf(await prepare(...args)));

  it("rule 6: is a JSON object with method, url, params and body, in this order", async () => {
    const options = { params: { b: 2 }, json: { c: 3 } };
    assertEquals(
      recordOf(await prepare("x?a=1", options, {}, "post")),
      '{"method":"POST","url":"https://a.example/v1/x?a=1","params":{"b":2},"body":{"c":3}}',
    );
  });

  it("rule 6: params and body default to an empty mapping", async () => {
    assertEquals(await record("x"), {
      method: "GET",
      url: "https://a.example/v1/x",
      params: {},
      body: {},
    });
  });

  it("rule 6: the body comes from the json option, not from data or content", async () => {
    for (const options of [{ data: { pin: 1 } }, { content: "pin" }]) {
      assertEquals(await record("x", options, {}, "POST"), {
        method: "POST",
        url: "https://a.example/v1/x",
        params: {},
        body: {},
      });
    }
  });

  it("a json of null, false or zero is shown unchanged", async () => {
    for (const json of [null, false, 0, "", []]) {
      assertEquals((await record("x", { json }, {}, "POST"))["body"], json);
    }
  });

  it("contains no headers and no credentials", async () => {
    const headers = { "x-key": "secret" };
    const text = recordOf(
      await prepare("x", { headers }, { url: "https://ada:secret@a.example" }),
    );
    assert(!text.includes("secret"), text);
    const full = recordOf(await prepare("https://ada:secret@b.example/x"));
    assert(!full.includes("secret"), full);
  });

  const restricted: readonly (readonly [string, Path, object, RequestOptions?])[] = [
    ["as it is listed", "auth/login", {}],
    ["with slashes around it", "/auth/login/", {}],
    ["with a query", "auth/login?pin=1", {}],
    ["with a fragment", "auth/login#top", {}],
    ["in another case", "Auth/LOGIN", {}],
    ["with repeated slashes", "auth///login", {}],
    ["with slashes before it", "//auth/login", {}],
    ["below a base path", "auth/login", { basePath: "rest" }],
    ["below a base path, in another case", "REST//AUTH/login", {
      basePath: "rest",
    }, { useBase: false }],
    ["without the base path", "auth/login", { basePath: "rest" }, { useBase: false }],
    ["as a full URI below the base", "https://a.example/v1/auth/login", {}],
    ["as a full URI below the base path", "https://a.example/v1/rest/auth/login", {
      basePath: "rest",
    }],
    ["as a full URI in another spelling", "HTTPS://A.EXAMPLE:443/v1/auth/login?pin=1", {}],
    ["as a full URI with credentials", "https://ada:pin@a.example/v1/auth/login", {}],
  ];
  for (const [how, path, base, options = {}] of restricted) {
    it(`rule 6: a restricted path hides params and body: ${how}`, async () => {
      const all = { ...options, params: { pin: 1 }, json: { pin: 2 } };
      const own = { ...base, restrictedPaths: ["auth/login"] };
      const request = await prepare(path, all, own, "POST");
      const text = recordOf(request);
      const shown = JSON.parse(text);
      assertEquals([shown.params, shown.body], ["REDACTED", "REDACTED"]);
      assert(!text.includes("pin"), text);
      assert(!request.summary.url.includes("pin="), request.summary.url);
    });
  }

  for (
    const [what, listed, basePath = ""] of [
      ["with slashes", "/auth/login/"],
      ["with the base path", "rest/auth/login", "rest"],
      ["with the path of the base URL", "/v1/auth/login"],
      ["as a full URI", "https://a.example/v1/auth/login"],
      ["as a full URI in another case", "HTTPS://A.example//V1/Auth/Login"],
      ["in another case", "/Auth/Login"],
      ["with repeated slashes", "auth//login"],
    ] as const
  ) {
    // contract: reading-17
    it(`rule 6: a restricted path can be listed ${what}`, async () => {
      const shown = await record("auth/login", { params: { pin: 1 } }, {
        basePath,
        restrictedPaths: [listed],
      });
      assertEquals(shown["params"], "REDACTED");
    });
  }

  for (const path of ["auth", "auth/login/7", "x/auth/login", "auth/loginx", "x?next=auth/login"]) {
    it(`a path that is not listed is shown: ${path}`, async () => {
      const shown = await record(path, { params: { pin: 1 } }, { restrictedPaths: ["auth/login"] });
      assertEquals(shown["params"], { pin: 1 });
    });
  }

  it("rule 6: the redact value of the request is used for a restricted path too", async () => {
    const shown = await record("login", { redactValue: "***" }, { restrictedPaths: ["login"] });
    assertEquals(shown["body"], "***");
  });
});

/** Creates a session whose attempts fail, with a logger that records. */
function failing(...answers: readonly Answer[]) {
  const log = recordingLogger();
  const session = new APISession({
    url: "https://a.example/v1",
    adapter: scripted(...answers),
    clock: fakeClock({ autoAdvance: true }),
    logger: log,
  });
  return { session, log };
}

describe("the record of a retry", () => {
  // contract: decision-6
  it("has method, URL, attempt, reason and wait, redacted like the rest", async () => {
    const { session, log } = failing(
      503,
      new Response(null, { status: 503, headers: { "retry-after": "1.5" } }),
      200,
    );
    await session.get("x?pin=1", {
      params: { pin: 2, page: 3 },
      redactFields: ["pin"],
      redactValue: "***",
    });
    const retry = { of: 4, reason: "503 ServiceUnavailableError" };
    const shown = { method: "GET", url: "https://a.example/v1/x?pin=***&pin=***&page=3" };
    assertEquals(log.json("warn"), [
      { ...shown, ...retry, attempt: 1, wait: 1 },
      { ...shown, ...retry, attempt: 2, wait: 1.5 },
    ]);
  });
});

describe("the record of a transport error", () => {
  // contract: decision-15
  it("has method, URL, attempt and error, redacted like the rest", async () => {
    const { session, log } = failing(refusedConnection());
    const error = await assertRejects(
      () => session.get("x?pin=1", { redactFields: ["pin"], retries: 1 }),
      TransportError,
    );
    const shown = { method: "GET", url: "https://a.example/v1/x?pin=REDACTED" };
    assertEquals(log.json("error").map(({ error: _, ...record }) => record), [
      { ...shown, attempt: 1 },
      { ...shown, attempt: 2 },
    ]);
    assertEquals(log.json("error")[1]!["error"], error.message);
    assert(error.message.includes("ECONNREFUSED"), error.message);
    assert(!log.messages().join("\n").includes("pin=1"), log.messages().join("\n"));
  });
});

describe("the request of an error", () => {
  it("has the method, and the URL with its params", async () => {
    const base = { url: "https://ada:secret@a.example" };
    const { summary } = await prepare("x", { params: { a: 1 } }, base);
    assertEquals(summary, { method: "GET", url: "https://a.example/x?a=1" });
  });
});

describe("preparing a request", () => {
  it("does not change the caller's options", async () => {
    const options = Object.freeze({
      params: Object.freeze({ a: Object.freeze([1]) }),
      json: Object.freeze({ pin: 1 }),
      headers: Object.freeze({ "X-Key": "a" }),
      redactFields: Object.freeze(["pin"]),
      retryOn: Object.freeze([500]),
    });
    const request = await prepare("x", options, {}, "POST");
    recordOf(request);
    assertEquals(options.json, { pin: 1 });
    assert(request.options === options);
    assertThrows(() => Object.assign(options, { json: 2 }), TypeError);
  });
});
