import {
  after,
  assert,
  assertEquals,
  assertRejects,
  assertThrows,
  before,
  describe,
  it,
} from "#test";
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import {
  AlwaysOffSampler,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
} from "@opentelemetry/sdk-trace";
import {
  APISession,
  type ClientOptions,
  DeadlineExceededError,
  NotFoundError,
  type SessionOptions,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import { ApiKeyAuth, type Auth } from "../../src/auth/mod.ts";
import { RedirectError, ServiceUnavailableError } from "../../src/entries/errors.ts";
import type { Transport } from "../../src/http/mod.ts";
import type { Middleware } from "../../src/middleware/mod.ts";
import { telemetry, type TelemetryOptions } from "../../src/telemetry/mod.ts";
import { type RecordedTelemetry, recordTelemetry } from "../support/recorded_telemetry.ts";
import { type Answer, refusedConnection } from "../support/scripted.ts";
import { startSession } from "../support/start_session.ts";

let recorded: RecordedTelemetry;

/** Starts a session with telemetry. */
function start(
  answers: readonly Answer[],
  options: SessionOptions & ClientOptions = {},
  telemetryOptions: TelemetryOptions = {},
) {
  const callMiddleware = [telemetry({ spans: "attempt", ...telemetryOptions })];
  return startSession(answers, { callMiddleware, ...options });
}

/** Returns the attributes of the spans of a call, also of one that fails. */
async function attributesOf(call: Promise<Response>): Promise<Record<string, unknown>[]> {
  await call.then((response) => response.text(), () => {});
  return recorded.spans().map(({ attributes }) => ({ ...attributes }));
}

/** Returns one attribute of each span of a call. */
async function each(name: string, call: Promise<Response>): Promise<unknown[]> {
  return (await attributesOf(call)).map((attributes) => attributes[name]);
}

const redirectTo = (location: string) => new Response("x", { status: 302, headers: { location } });

describe("the span of a request", () => {
  before(() => {
    recorded = recordTelemetry();
  });
  after(() => recorded.stop());

  it("is a CLIENT span with the attributes of the conventions, and no others", async () => {
    const { session } = start([200]);
    await session.get("books", { params: { page: 2 } });

    const [span, ...others] = recorded.spans();
    assertEquals(others, []);
    assertEquals([span!.name, span!.kind, span!.status], ["GET", SpanKind.CLIENT, { code: 0 }]);
    assertEquals(span!.instrumentationScope.name, "restwright");
    assertEquals({ ...span!.attributes }, {
      "http.request.method": "GET",
      "server.address": "api.example.com",
      "server.port": 443,
      "url.full": "https://api.example.com/v1/books?page=2",
      "http.response.status_code": 200,
    });
  });

  it("counts how often a request was sent before, for any reason", async () => {
    const auth: Auth = {
      async authenticate(_request, send) {
        const response = await send();
        return response.status === 401 ? await send() : response;
      },
    };
    const answers = [401, 503, redirectTo("/v1/b"), 200];
    const { session } = start(answers, { auth });
    const spans = await attributesOf(session.get("a"));

    assertEquals(spans.map((span) => span["http.request.resend_count"]), [undefined, 1, 2, 3]);
    assertEquals(spans.map((span) => span["http.response.status_code"]), [401, 503, 302, 200]);
    assertEquals(spans.map((span) => span["url.full"]), [
      ...Array(3).fill("https://api.example.com/v1/a"),
      "https://api.example.com/v1/b",
    ]);
    const again = await each("http.request.resend_count", start([200]).session.get("a"));
    assertEquals(again, [undefined]);
  });

  for (const status of [400, 404, 500, 503]) {
    it(`has the status Error and its code as error.type: ${status}`, async () => {
      const { session } = start([status], { retries: 0 });
      await session.get("a").catch(() => {});
      const [span] = recorded.spans();
      assertEquals(span!.status, { code: SpanStatusCode.ERROR });
      assertEquals(span!.attributes["error.type"], String(status));
      assertEquals(span!.events, []);
    });
  }

  for (const status of [204, 304]) {
    it(`has no status, and no error.type: ${status}`, async () => {
      const { session } = start([status]);
      await session.get("a", { okStatuses: [304] });
      const [span] = recorded.spans();
      assertEquals([span!.status, span!.attributes["error.type"]], [{ code: 0 }, undefined]);
    });
  }

  it("has a known method only, and the original one beside it", async () => {
    class Any extends APISession {
      send(method: string): Promise<unknown> {
        return this._req(method, "a");
      }
    }
    const methods = async (options: TelemetryOptions) => {
      const callMiddleware = [telemetry({ spans: "attempt", ...options })];
      const { session } = startSession([200], { callMiddleware }, Any);
      for (const method of ["get", "PURGE", "query", "QUERY"]) await (session as Any).send(method);
      return recorded.spans().map(({ name, attributes }) => [
        name,
        attributes["http.request.method"],
        attributes["http.request.method_original"],
      ]);
    };
    assertEquals(await methods({}), [
      ["GET", "GET", undefined],
      ["HTTP", "_OTHER", "PURGE"],
      ["HTTP", "_OTHER", "query"],
      ["QUERY", "QUERY", undefined],
    ]);
    assertEquals((await methods({ knownMethods: ["PURGE"] })).map(([name]) => name), [
      "HTTP",
      "PURGE",
      "HTTP",
      "HTTP",
    ]);
  });

  const servers: readonly (readonly [url: string, address: string, port: number])[] = [
    ["https://api.example.com", "api.example.com", 443],
    ["http://api.example.com", "api.example.com", 80],
    ["http://127.0.0.1:8080/v1", "127.0.0.1", 8080],
    ["https://[::1]:8443", "::1", 8443],
  ];
  for (const [url, address, port] of servers) {
    it(`has the address and port of the server: ${url}`, async () => {
      const { session } = start([200], { url, adapterPath: `${new URL(url).protocol}//` });
      const [attributes] = await attributesOf(session.get("a"));
      assertEquals([attributes!["server.address"], attributes!["server.port"]], [address, port]);
    });
  }

  it("has further attributes if they are asked for", async () => {
    const optIn = ["url.scheme", "user_agent.original"] as const;
    const { session } = start([200], { headers: { "User-Agent": "Reports/1.0" } }, { optIn });
    const [attributes] = await attributesOf(session.get("a"));
    assertEquals(attributes!["url.scheme"], "https");
    assertEquals(attributes!["user_agent.original"], "Reports/1.0");
  });

  it("has attributes for the sampler: all that are known before the request", async () => {
    const sampled: string[][] = [];
    const sampler: Sampler = {
      shouldSample(_context, _traceId, name, kind, attributes) {
        sampled.push([name, String(kind), ...Object.keys(attributes)]);
        return { decision: SamplingDecision.NOT_RECORD };
      },
      toString: () => "recording",
    };
    await recorded.stop();
    recorded = recordTelemetry(sampler);
    await start([503, 200]).session.get("a");
    await recorded.stop();
    recorded = recordTelemetry();
    const names = ["http.request.method", "server.address", "server.port", "url.full"];
    assertEquals(sampled, [
      ["GET", "2", ...names],
      ["GET", "2", ...names, "http.request.resend_count"],
    ]);
  });
});

describe("the URL of a span", () => {
  before(() => {
    recorded = recordTelemetry();
  });
  after(() => recorded.stop());

  const full = (call: Promise<Response>) => each("url.full", call);

  it("has no user name and password", async () => {
    const { session, transport } = start([200], { url: "https://ada:pass-7d1f@api.example.com" });
    assertEquals(await full(session.get("a")), ["https://api.example.com/a"]);
    assert(transport.calls[0]!.init.headers["authorization"] !== undefined);
  });

  it("hides the values that the log hides", async () => {
    const options = { redactFields: ["token"], redactValue: "hidden" };
    const { session } = start([200], options);
    const params = { page: 1, Token: "t-456789", filter: { token: "t-2" } };
    const [url] = await full(session.get("a", { params, paramsStyle: { objects: "brackets" } }));
    assertEquals(
      decodeURIComponent(String(url)),
      "https://api.example.com/v1/a?page=1&Token=hidden&filter[token]=hidden",
    );
  });

  it("hides the query of a restricted path", async () => {
    class Careful extends APISession {
      static override readonly restrictedPaths = ["secret"];
    }
    const callMiddleware = [telemetry({ spans: "attempt" })];
    const { session } = startSession([200], { callMiddleware }, Careful);
    const call = session.get("secret", { params: { name: "ada" } });
    assertEquals(await full(call), ["https://api.example.com/v1/secret?REDACTED"]);
  });

  it("hides a key that a scheme adds, also if a redirect repeats it", async () => {
    const auth = new ApiKeyAuth("key-7d1f5e", { query: "key" });
    const { session } = start([redirectTo("/v1/b?from=key-7d1f5e"), 200], { auth });
    assertEquals(await full(session.get("a", { params: { page: 1 } })), [
      "https://api.example.com/v1/a?page=1&key=REDACTED",
      "https://api.example.com/v1/b?from=REDACTED&key=REDACTED",
    ]);
  });

  const harmless: readonly (readonly [what: string, headers: Record<string, string>])[] = [
    ["a header with a word of the path", { "X-Tenant": "users" }],
    ["a header with a word of the host", { "X-Env": "example" }],
    ["a header with the whole host", { "X-Host": "api.example.com" }],
    ["a header with a value of the query", { "X-Sort": "name-of-user" }],
    ["a header with an encoded part of the path", { "X-Path": "a b/c" }],
    ["a header with the scheme of the URL", { "X-Proto": "https" }],
    ["credentials with a word of the URL", { "Authorization": "Bearer users" }],
  ];
  for (const [what, headers] of harmless) {
    it(`is that of the call, and not changed by ${what}`, async () => {
      const url = "https://api.example.com/v1/users/7/a%20b%2Fc?sort=name-of-user";
      const { session } = start([200]);
      assertEquals(await full(session.get("users/7/a%20b%2Fc?sort=name-of-user", { headers })), [
        url,
      ]);
    });
  }

  it("keeps the host of a redirect, and the words of the call's own URL", async () => {
    const targets = [
      "https://tenant-9.example.com/users/8",
      "https://api.example.com/v1/archive/users?of=users",
    ];
    for (const target of targets) {
      const { session } = start([redirectTo(target), 200]);
      const headers = { "X-Tenant": "users", "X-Zone": "tenant-9", "X-Env": "example" };
      const [, url] = await full(session.get("users/7", { headers }));
      assertEquals(url, target);
    }
  });

  it("has no secret of the request that a redirect repeats, beside words of the call's own URL", async () => {
    const { session } = start([redirectTo("/v1/users/t-456%2F789/k?x=dC00NTYvNzg5"), 200]);
    const headers = { "X-Tenant": "users", "X-Token": "t-456/789" };
    const [, url] = await full(session.get("users/7", { headers }));
    assertEquals(url, "https://api.example.com/v1/users/REDACTED/k?x=REDACTED");
  });

  it("hides the parameter of a key even if the call's own URL has the same word", async () => {
    const auth = new ApiKeyAuth("users", { query: "key" });
    const { session } = start([redirectTo("/v1/b?key=users&x=1"), 200], { auth });
    assertEquals(await full(session.get("users/7", { params: { page: 1 } })), [
      "https://api.example.com/v1/users/7?page=1&key=REDACTED",
      "https://api.example.com/v1/b?key=REDACTED&x=1",
    ]);
  });

  it("hides the signatures of clouds", async () => {
    const names = [
      "X-Amz-Signature",
      "X-Amz-Credential",
      "X-Amz-Security-Token",
      "AWSAccessKeyId",
      "Signature",
      "sig",
      "X-Goog-Signature",
    ];
    const query = (value: string) => names.map((name) => `${name}=${value}`).join("&");
    const location = `https://files.example.com/f?${query("a%2Fb%3D")}&x=sig#part`;
    const { session } = start([redirectTo(location), 200]);
    const [, url] = await full(session.get("a"));
    assertEquals(url, `https://files.example.com/f?${query("REDACTED")}&x=sig`);
  });
});

describe("the span of a request that fails", () => {
  before(() => {
    recorded = recordTelemetry();
  });
  after(() => recorded.stop());

  it("has the class of the error, its message and the exception, without secrets", async () => {
    const failed = new TypeError(
      "error sending request for url (https://api.example.com/v1/a?token=t-456789): " +
        "client error (Connect): tcp connect error: Connection refused (os error 111)",
    );
    const { session } = start([failed, refusedConnection()], {
      retries: 1,
      redactFields: ["token"],
    });
    await assertRejects(() => session.get("a", { params: { token: "t-456789" } }), TransportError);
    const spans = recorded.spans();
    assertEquals(spans.length, 2);
    for (const { attributes, status, events } of spans) {
      assertEquals(attributes["error.type"], "TransportError");
      assertEquals(attributes["http.response.status_code"], undefined);
      assertEquals(status.code, SpanStatusCode.ERROR);
      const [exception] = events;
      assertEquals([exception!.name, events.length], ["exception", 1]);
      assertEquals(exception!.attributes!["exception.type"], "TransportError");
      assertEquals(exception!.attributes!["exception.message"], status.message);
      const message = "GET https://api.example.com/v1/a?token=REDACTED failed: ";
      assertEquals(status.message!.slice(0, message.length), message);
      assertEquals(JSON.stringify(events).includes("t-456789"), false);
    }
  });

  it("has an error of an adapter as it is", async () => {
    const { session } = start([new RangeError("out of paper")]);
    await assertRejects(() => session.get("a"), RangeError);
    const [span, ...others] = recorded.spans();
    assertEquals([span!.attributes["error.type"], others], ["RangeError", []]);
    assertEquals(span!.status, { code: SpanStatusCode.ERROR, message: "out of paper" });

    const thrown = start([() => Promise.reject("no error")]);
    await thrown.session.get("a").catch(() => {});
    assertEquals(recorded.spans()[0]!.attributes["error.type"], "_OTHER");
  });

  it("has a timeout and a deadline as errors", async () => {
    const never = () => new Promise<Response>(() => {});
    const silent = start([never], { timeout: 1, retries: 0, finalWait: false });
    await assertRejects(() => silent.session.get("a"), TransportError);
    assertEquals(recorded.spans()[0]!.attributes["error.type"], "TransportError");

    const late = start([never], { deadline: 1 });
    await assertRejects(() => late.session.get("a"), DeadlineExceededError);
    assertEquals(recorded.spans()[0]!.attributes["error.type"], "DeadlineExceededError");

    // A middleware that limits one attempt.
    const limit = new AbortController();
    const limiting: Middleware = (request, next) => {
      request.signal = limit.signal;
      return next(request);
    };
    const slow = () => {
      limit.abort(new DOMException("too long", "TimeoutError"));
      return never();
    };
    const options = { middleware: [limiting], retries: 0, finalWait: false };
    await assertRejects(() => start([slow], options).session.get("a"), TransportError);
    assertEquals(recorded.spans()[0]!.attributes["error.type"], "TransportError");
  });

  it("is the error that the call throws if a signal of the caller timed out", async () => {
    for (const place of ["call", "session"] as const) {
      for (const isInBody of [false, true]) {
        const limit = new AbortController();
        const pull = () => limit.abort(new DOMException("too long", "TimeoutError"));
        const answer = () => {
          if (isInBody) return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
          pull();
          return new Promise<Response>(() => {});
        };
        const { signal } = limit;
        const { session } = start([answer], place === "session" ? { signal } : {});
        const options = place === "call" ? { signal } : {};
        const call = session.get("a", { ...options, convJson: true });
        const error = await call.then(() => undefined, (reason: unknown) => reason);
        assertEquals(error, signal.reason);
        const [{ attributes, status, events }] = recorded.spans() as [ReadableSpan];
        assertEquals(
          [attributes["error.type"], status.code, status.message, events.length],
          ["TimeoutError", SpanStatusCode.ERROR, "too long", 1],
        );
      }
    }
  });

  it("is no error if the caller has aborted the call", async () => {
    const controller = new AbortController();
    const { session } = start([() => {
      controller.abort();
      return new Promise<Response>(() => {});
    }]);
    const error = await session.get("a", { signal: controller.signal }).catch((error) => error);
    assertEquals(error.name, "AbortError");
    const [{ status, attributes, events }] = recorded.spans() as [ReadableSpan];
    assertEquals([status, attributes["error.type"], events], [{ code: 0 }, undefined, []]);
  });

  it("is no error of the adapter that ends with the abort", async () => {
    const controller = new AbortController();
    const ending: Transport = (_url, { signal }) =>
      new Promise((_, reject) => {
        signal!.addEventListener("abort", () => reject(new RangeError("stopped")));
        controller.abort(new Error("no longer needed"));
      });
    const { session } = start([], { adapter: ending });
    await session.get("a", { signal: controller.signal }).catch(() => {});
    const [{ status, attributes }] = recorded.spans() as [ReadableSpan];
    assertEquals([status.code, attributes["error.type"]], [0, undefined]);
  });

  it("is that of the last redirect if there are too many", async () => {
    const { session } = start([redirectTo("/v1/b")], { maxRedirects: 2 });
    await assertRejects(() => session.get("a"), RedirectError);
    const spans = recorded.spans();
    assertEquals(spans.map(({ attributes }) => attributes["error.type"]), [
      undefined,
      undefined,
      "RedirectError",
    ]);
    assertEquals(spans.map(({ status }) => status.code), [0, 0, SpanStatusCode.ERROR]);
    assertEquals(spans[2]!.attributes["http.response.status_code"], 302);
  });

  it("is ended once, also if a redirect is not followed", async () => {
    const { session } = start([redirectTo("/v1/b")], { followRedirects: false });
    await session.get("a").catch(() => {});
    assertEquals(recorded.spans().map(({ status }) => status), [{ code: 0 }]);
  });
});

describe("telemetry", () => {
  before(() => {
    recorded = recordTelemetry();
  });
  after(() => recorded.stop());

  it("does not change results and errors", async () => {
    const { session } = start([() => Response.json([7], { headers: { "x-total": "1" } })]);
    assertEquals(await session.get("a", { convJson: true }), [7]);
    const { response } = await session.get("a", { convJson: true }).withResponse();
    assertEquals(response.headers.get("x-total"), "1");
    await assertRejects(() => start([404]).session.get("a"), NotFoundError);
    const failed = start([503], { retries: 2 });
    const error = await assertRejects(() => failed.session.get("a"), ServiceUnavailableError);
    assertEquals(error.retries, 2);
    recorded.spans();
  });

  it("keeps cookies, whose response it wraps", async () => {
    const headers = { "set-cookie": "id=c-1; Path=/" };
    const { session, transport } = start([() => new Response("x", { headers })]);
    // The span of an unread response ends when its memory is freed, perhaps during another test.
    for (const path of ["a", "b"]) assertEquals(await (await session.get(path)).text(), "x");
    assertEquals(transport.calls[1]!.init.headers["cookie"], "id=c-1");
    recorded.spans();
  });

  it("makes one span for a request if two of it are in use", async () => {
    const two = telemetry({ spans: "attempt" });
    const { session } = start([503, 200], {
      callMiddleware: [two, telemetry({ spans: "attempt" })],
    });
    await recorded.durations();
    assertEquals((await attributesOf(session.get("a"))).length, 2);
    assertEquals((await recorded.durations()).map(({ value }) => value.count), [1, 1]);
  });

  it("does nothing where tracing is suppressed", async () => {
    const { session, transport } = start([200]);
    await recorded.durations();
    // In browsers, the active context is forgotten across an await.
    const forgetting: Middleware = (request, next) =>
      context.with(ROOT_CONTEXT, () => next(request));
    await context.with(suppressTracing(context.active()), async () => {
      await session.get("a");
      await session.get("a", { middleware: [forgetting] });
    });
    assertEquals(recorded.spans(), []);
    assertEquals(await recorded.durations(), []);
    assertEquals(transport.calls[0]!.init.headers["traceparent"], undefined);
  });

  it("sends the trace of a span that is not recorded", async () => {
    await recorded.stop();
    recorded = recordTelemetry(new AlwaysOffSampler());
    const { session, transport } = start([200]);
    await session.get("a");
    assert(
      /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/.test(transport.calls[0]!.init.headers["traceparent"]!),
    );
    assertEquals(recorded.spans(), []);
  });

  it("works without an SDK", async () => {
    await recorded.stop();
    const { session, transport } = start([503, () => Response.json([7])]);
    assertEquals(await session.get("a", { convJson: true }), [7]);
    assertEquals(transport.calls[0]!.init.headers["traceparent"], undefined);
    recorded = recordTelemetry();
  });

  const mistakes: readonly (readonly [TelemetryOptions, option: string])[] = [
    [{ spans: "none" as never }, "spans"],
    [{ metrics: 1 as never }, "metrics"],
    [{ propagate: "yes" as never }, "propagate"],
    [{ optIn: ["url.path" as never] }, "optIn[0]"],
    [{ knownMethods: ["G T"] }, "knownMethods[0]"],
  ];
  for (const [options, option] of mistakes) {
    it(`refuses an option that is not valid: ${option}`, () => {
      assertEquals(assertThrows(() => telemetry(options), UnexpectedValueError).option, option);
    });
  }

  it("leaves a wrong list of middleware to the call", async () => {
    const { session } = start([200]);
    const middleware = "no list" as never;
    const error = await assertRejects(() => session.get("a", { middleware }), UnexpectedValueError);
    assertEquals(error.option, "middleware");
  });
});
