import { after, assert, assertEquals, before, describe, it } from "#test";
import { context, propagation, type Span, SpanKind, trace } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import {
  APIEndpoint,
  APISession,
  type LoginRequests,
  path,
  type SessionOptions,
} from "../../mod.ts";
import {
  type CallMiddleware,
  dedupe,
  type Middleware,
  RequestContext,
} from "../../src/middleware/mod.ts";
import { telemetry, type TelemetryOptions, urlTemplate } from "../../src/telemetry/mod.ts";
import { mayPropagate } from "../../src/telemetry/traced_attempt.ts";
import { type RecordedTelemetry, recordTelemetry } from "../support/recorded_telemetry.ts";
import type { Answer } from "../support/scripted.ts";
import { startSession } from "../support/start_session.ts";

let recorded: RecordedTelemetry;

function start(
  answers: readonly Answer[],
  options: SessionOptions = {},
  telemetryOptions: TelemetryOptions = {},
  Session?: new (options: SessionOptions) => APISession,
) {
  const callMiddleware = [telemetry({ spans: "attempt", ...telemetryOptions })];
  return startSession(answers, { callMiddleware, ...options }, Session);
}

/** Runs a function in a span with a name, and returns the span. */
async function inSpan(name: string, run: () => unknown): Promise<Span> {
  return await trace.getTracer("tests").startActiveSpan(name, async (span) => {
    try {
      await run();
    } finally {
      span.end();
    }
    return span;
  });
}

/** Returns the CLIENT spans that have ended, with the name of their parent. */
function clientSpans(): { name: string; parent: string | undefined }[] {
  const spans = recorded.spans();
  const nameOf = (id: string | undefined) =>
    spans.find((span) => span.spanContext().spanId === id)?.name;
  return spans.filter(({ kind }) => kind === SpanKind.CLIENT)
    .map(({ name, parentSpanContext }: ReadableSpan) => ({
      name,
      parent: nameOf(parentSpanContext?.spanId),
    }));
}

const redirectTo = (location: string) => new Response("x", { status: 307, headers: { location } });

describe("the parent of a span", () => {
  before(() => {
    recorded = recordTelemetry();
  });
  after(() => recorded.stop());

  it("is the active span of the caller, for each attempt", async () => {
    const { session } = start([503, redirectTo("/v1/b"), 200]);
    await inSpan("caller", () => session.get("a"));
    assertEquals(clientSpans().map(({ parent }) => parent), ["caller", "caller", "caller"]);
  });

  it("is that of each call, if calls run at once", async () => {
    const { session } = start([503, 503, 200]);
    await Promise.all([
      inSpan("one", () => session.get("a")),
      inSpan("two", () => session.get("a")),
    ]);
    assertEquals(clientSpans().map(({ parent }) => parent).sort(), ["one", "one", "two", "two"]);
  });

  it("is that of each call, also if they share a context", async () => {
    const { session } = start([503, 503, 200]);
    const shared = { context: new RequestContext() };
    await Promise.all([
      inSpan("one", () => session.get("a", shared)),
      inSpan("two", () => session.get("a", shared)),
    ]);
    const spans = recorded.spans().filter(({ kind }) => kind === SpanKind.CLIENT);
    const counts = spans.map(({ attributes }) => attributes["http.request.resend_count"] ?? 0);
    assertEquals(counts.sort(), [0, 0, 1, 1]);
  });

  it("is that of the caller where the runtime forgets it across an await", async () => {
    const { session } = start([503, 200]);
    // As in browsers: the active context is known only while synchronous code runs.
    const forgetting: Middleware = (request, next) =>
      context.with(trace.deleteSpan(context.active()), () => next(request));
    await inSpan("caller", () => session.get("a", { middleware: [forgetting] }));
    assertEquals(clientSpans().map(({ parent }) => parent), ["caller", "caller"]);
  });

  it("is a span that a middleware has made around an attempt", async () => {
    const { session } = start([200]);
    const named: Middleware = async (request, next) => {
      let response: Response | undefined;
      await inSpan(`attempt ${request.attempt}`, async () => {
        response = await next(request);
      });
      return response!;
    };
    await inSpan("caller", () => session.get("a", { middleware: [named] }));
    assertEquals(clientSpans().map(({ parent }) => parent), ["attempt 1"]);
  });

  it("is that of the caller for a call that a hook or a schema makes", async () => {
    class Checking extends APISession {
      protected override async _respErrorCheck(response: Response): Promise<Response> {
        if (response.url === "" && !response.headers.has("x-nested")) await this.head("nested");
        return response;
      }
    }
    const nested = () => new Response(null, { headers: { "x-nested": "1" } });
    const { session } = start([() => Response.json(7), nested, nested], {}, {}, Checking);
    const responseModel = {
      "~standard": {
        version: 1 as const,
        vendor: "tests",
        validate: async (value: unknown) => {
          await session.head("nested");
          return { value };
        },
      },
    };
    await inSpan("caller", () => session.get("a", { responseModel }));
    assertEquals(clientSpans(), [
      { name: "GET", parent: "caller" },
      { name: "HEAD", parent: "caller" },
      { name: "HEAD", parent: "caller" },
    ]);
  });

  it("is that of the call that triggers a login, for the requests of the login", async () => {
    class Guarded extends APISession {
      protected override async _authenticate(_options: SessionOptions, login: LoginRequests) {
        await login.post("login");
      }
    }
    const { session } = start([200], {}, {}, Guarded);
    await inSpan("caller", () => session.get("a"));
    assertEquals(clientSpans(), [
      { name: "POST", parent: "caller" },
      { name: "GET", parent: "caller" },
    ]);
  });
});

describe("the place of a span", () => {
  before(() => {
    recorded = recordTelemetry();
  });
  after(() => recorded.stop());

  it("is inside of all middleware: a shared request has one span", async () => {
    const { session } = start([() => Response.json([7])], { middleware: [dedupe()] });
    const call = () => session.get("a", { convJson: true });
    await Promise.all([call(), call()]);
    assertEquals(clientSpans().length, 1);
  });

  it("is active while an adapter runs, and spans of the adapter are suppressed", async () => {
    let active: Span | undefined;
    const { session } = start([async () => {
      active = trace.getActiveSpan();
      await inSpan("fetch", () => {});
      return new Response();
    }]);
    await session.get("a");
    const [span, ...others] = recorded.spans();
    assertEquals([active?.spanContext().spanId, others], [span!.spanContext().spanId, []]);
  });
});

describe("trace context", () => {
  before(() => {
    recorded = recordTelemetry();
  });
  after(() => recorded.stop());

  /** Returns the headers of the requests of a call in a span with baggage. */
  async function headersOf(
    answers: readonly Answer[],
    options: SessionOptions = {},
    telemetryOptions: TelemetryOptions = {},
    url = "a",
  ) {
    const { session, transport } = start(answers, options, telemetryOptions);
    const baggage = propagation.createBaggage({ tenant: { value: "t-9" } });
    await context.with(
      propagation.setBaggage(context.active(), baggage),
      () => inSpan("caller", () => session.get(url)),
    );
    return transport.calls.map(({ init }) => init.headers);
  }

  it("names the span of each request as the parent of the server's", async () => {
    const sent = await headersOf([503, 200]);
    const spans = recorded.spans().filter(({ kind }) => kind === SpanKind.CLIENT);
    const expected = spans.map((span) => {
      const { traceId, spanId } = span.spanContext();
      return `00-${traceId}-${spanId}-01`;
    });
    assertEquals(sent.map((headers) => headers["traceparent"]), expected);
    assertEquals(sent.map((headers) => headers["baggage"]), ["tenant=t-9", "tenant=t-9"]);
    assert(new Set(expected).size === 2);
  });

  it("is sent to the origin of the session and to trusted ones", async () => {
    const options = { trustedOrigins: ["https://files.example.com"] };
    const sent = await headersOf([redirectTo("https://files.example.com/b"), 200], options);
    assertEquals(sent.map((headers) => headers["traceparent"] !== undefined), [true, true]);
    recorded.spans();
  });

  it("is absent after a redirect to an origin that is not trusted, and stays so", async () => {
    const answers = [
      redirectTo("https://other.example.com/b"),
      redirectTo("https://api.example.com/v1/c"),
      200,
    ];
    const sent = await headersOf(answers);
    for (const name of ["traceparent", "tracestate", "baggage"]) {
      const isSent = sent.map((headers) => headers[name] !== undefined);
      assertEquals(isSent, [name !== "tracestate", false, false], name);
    }
    assertEquals(recorded.spans().length, 4);
  });

  it("is absent for a full URL of another origin, and for http where the session uses https", async () => {
    for (const url of ["https://other.example.com/a", "http://api.example.com/v1/a"]) {
      const adapterPath = `${new URL(url).protocol}//`;
      const [headers] = await headersOf([200], { adapterPath }, {}, url);
      assertEquals([headers!["traceparent"], headers!["baggage"]], [undefined, undefined]);
    }
    recorded.spans();
  });

  it("is absent after a middleware has changed the origin", async () => {
    const changing: Middleware = (request, next) => {
      request.url = "https://other.example.com/a";
      return next(request);
    };
    const [headers] = await headersOf([200], { middleware: [changing] });
    assertEquals(headers!["traceparent"], undefined);
    assertEquals(recorded.spans()[0]!.attributes["server.address"], "other.example.com");
  });

  it("replaces that of the caller's headers", async () => {
    const traceparent = "00-00000000000000000000000000000001-0000000000000002-01";
    const [headers] = await headersOf([200], { headers: { traceparent } });
    assert(headers!["traceparent"] !== traceparent);
    recorded.spans();
  });

  it("has names in lower case, as other headers have", async () => {
    propagation.disable();
    propagation.setGlobalPropagator({
      inject: (_context, carrier, setter) => setter.set(carrier, "X-B3-TraceId", "b3"),
      extract: (active) => active,
      fields: () => ["X-B3-TraceId"],
    });
    const { session, transport } = start([200], { headers: { "x-b3-traceid": "old" } });
    await session.get("a");
    const { headers } = transport.calls[0]!.init;
    assertEquals([headers["x-b3-traceid"], headers["X-B3-TraceId"]], ["b3", undefined]);
    await recorded.stop();
    recorded = recordTelemetry();
  });

  it("is sent beside the headers of a middleware around each request", async () => {
    const marking: Middleware = (request, next) => {
      request.network = (_sent, send) => send({ "x-mark": "1" });
      return next(request);
    };
    const [headers] = await headersOf([200], { middleware: [marking] });
    assertEquals([headers!["x-mark"], headers!["traceparent"] !== undefined], ["1", true]);
    assertEquals(recorded.spans().length, 2);
  });

  it("is absent if it is turned off", async () => {
    const [headers] = await headersOf([200], {}, { propagate: false });
    assertEquals([headers!["traceparent"], headers!["baggage"]], [undefined, undefined]);
    recorded.spans();
  });

  const page = "https://www.example.com";
  type Rule = [
    url: string,
    isTrusted: boolean,
    propagate: boolean | undefined,
    origin: string | undefined,
    expected: boolean,
  ];
  const rules: readonly Readonly<Rule>[] = [
    ["https://api.example.com/a", true, undefined, undefined, true],
    ["https://api.example.com/a", false, true, undefined, false],
    ["https://api.example.com/a", true, false, undefined, false],
    ["https://api.example.com/a", true, undefined, page, false],
    ["https://api.example.com/a", true, true, page, true],
    ["https://www.example.com/a", true, undefined, page, true],
    ["https://www.example.com/a", true, false, page, false],
  ];
  for (const [url, isTrusted, propagate, origin, expected] of rules) {
    const place = origin === undefined ? "a server" : `a page of ${origin}`;
    it(`follows trust, the option and the page: ${url}, ${isTrusted}, ${propagate}, ${place}`, () => {
      assertEquals(mayPropagate({ url, isTrusted }, propagate, origin), expected);
    });
  }
});

describe("the template of a span", () => {
  before(() => {
    recorded = recordTelemetry();
  });
  after(() => recorded.stop());

  /** Returns the names and templates of the spans of a call. */
  async function namesOf(
    call: (session: APISession) => Promise<unknown>,
    options: SessionOptions = {},
    answers: readonly Answer[] = [200],
  ) {
    await call(start(answers, options).session);
    return recorded.spans().map(({ name, attributes }) => {
      const template = attributes["url.template"];
      assertEquals(name, template === undefined ? "GET" : `GET ${template}`);
      return template;
    });
  }

  class Files extends APIEndpoint<APISession> {
    protected override readonly _path: string = path`users/${"ada"}/files`;
    read(name: string): Promise<unknown> {
      return this._get(path`${name}/content`, { params: { full: true } });
    }
    one(id: number): Promise<unknown> {
      return this._get(id);
    }
  }

  it("is that of the path tag, below the path of the base URL", async () => {
    const id = "a/b";
    const get = (session: APISession) => session.get(path`/users/${id}`, { params: { page: 2 } });
    assertEquals(await namesOf(get), ["/v1/users/{}"]);
    assertEquals(await namesOf(get, { basePath: "/rest/" }), ["/v1/rest/users/{}"]);
    const withoutBase = (session: APISession) => session.get(path`users/${id}`, { useBase: false });
    assertEquals(await namesOf(withoutBase, { basePath: "rest" }), ["/v1/users/{}"]);
    assertEquals(await namesOf((session) => session.get(path`users?id=${id}`)), [
      "/v1/users?id={}",
    ]);
  });

  it("is that of endpoints, with a number as a value", async () => {
    assertEquals(await namesOf((session) => new Files(session).read("a b")), [
      "/v1/users/{}/files/{}/content",
    ]);
    assertEquals(await namesOf((session) => new Files(session).one(7)), ["/v1/users/{}/files/{}"]);
    const placed = (session: APISession) => new Files(session, path`teams/${7}`).one(7);
    assertEquals(await namesOf(placed), ["/v1/teams/{}/users/{}/files/{}"]);
  });

  it("is that of a full URL, without its origin", async () => {
    const call = (session: APISession) => session.get(path`https://x.example.com/u/${7}#part`);
    assertEquals(await namesOf(call), ["/u/{}"]);
  });

  it("is not there for a plain path, which may contain ids", async () => {
    assertEquals(await namesOf((session) => session.get("accounts/7")), [undefined]);
  });

  it("is that of all attempts, but not that of a redirect's target", async () => {
    const call = (session: APISession) => session.get(path`users/${7}`);
    const answers = [503, redirectTo("/v1/users/8"), 200];
    assertEquals(await namesOf(call, {}, answers), ["/v1/users/{}", "/v1/users/{}", undefined]);
  });

  it("is not there if a middleware has changed the path", async () => {
    const changing: CallMiddleware = (call, next) => next({ ...call, path: "other/7" });
    const callMiddleware = [telemetry({ spans: "attempt" }), changing];
    const call = (session: APISession) => session.get(path`users/${7}`);
    assertEquals(await namesOf(call, { callMiddleware }), [undefined]);
    const moving: Middleware = (request, next) => {
      request.url = "https://api.example.com/v2/accounts/7";
      return next(request);
    };
    assertEquals(await namesOf(call, { middleware: [moving] }), [undefined]);
    const moved = (session: APISession) => session.get(path`users/${7}`, { middleware: [moving] });
    assertEquals(await namesOf(moved), [undefined]);
    const full = (session: APISession) => session.get(path`https://api.example.com/accounts/${7}`);
    assertEquals(await namesOf(full, { middleware: [moving] }), [undefined]);
  });

  it("can be set for a call", async () => {
    const call = (session: APISession) => {
      const template = new RequestContext().set(urlTemplate, "/v1/users/{id}");
      return session.get(path`users/${7}`, { context: template });
    };
    assertEquals(await namesOf(call), ["/v1/users/{id}"]);
  });
});
