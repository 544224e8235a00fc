import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  describe,
  it,
} from "#test";
import process from "node:process";
import {
  APIError,
  APISession,
  DeadlineExceededError,
  type LoginRequests,
  NotFoundError,
  type RequestOptions,
  type SessionOptions,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import { ServiceUnavailableError } from "../../src/entries/errors.ts";
import type { Transport } from "../../src/http/mod.ts";
import {
  ContextKey,
  type Middleware,
  type MiddlewareRequest,
  RequestContext,
} from "../../src/middleware/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, refusedConnection, scripted } from "../support/scripted.ts";
import { startSession } from "../support/start_session.ts";
import { turn, until } from "../support/until.ts";

function start(
  answers: readonly Answer[],
  middleware: readonly Middleware[],
  options: SessionOptions = {},
  Session?: new (options: SessionOptions) => APISession,
) {
  return startSession(answers, { middleware, ...options }, Session);
}

/** Returns a middleware that changes the request. */
function changing(change: (request: MiddlewareRequest) => void): Middleware {
  return (request, next) => {
    change(request);
    return next(request);
  };
}

/** Lets the type checker not see that a value is wrong. */
function wrong<T>(value: unknown): T {
  return value as T;
}

/** Returns the body that a scripted transport got, as text. */
async function textOf(body: unknown): Promise<string> {
  return await new Response(body as BodyInit).text();
}

describeGenerations("middleware around an attempt", ({ Session }) => {
  it("runs in the order class, client, call; the first one is outermost", async () => {
    const seen: string[] = [];
    const tracing = (name: string): Middleware => async (request, next) => {
      seen.push(`> ${name}`);
      const response = await next(request);
      seen.push(`< ${name}`);
      return response;
    };
    class Traced extends Session {
      static override readonly middleware: readonly Middleware[] = [tracing("class")];
    }
    const { session } = start([200], [tracing("one"), tracing("two")], {}, Traced);
    await session.get("x", { middleware: [tracing("call")] });
    const order = ["class", "one", "two", "call"];
    const back = order.toReversed();
    assertEquals(seen, [...order.map((name) => `> ${name}`), ...back.map((name) => `< ${name}`)]);
  });

  it("is inherited by copies, which can add to it", async () => {
    const seen: string[] = [];
    const noting = (name: string) => changing(() => void seen.push(name));
    class Noted extends Session {
      static override readonly middleware: readonly Middleware[] = [noting("class")];
    }
    const own = [noting("session")];
    const { session } = start([200], own, {}, Noted);
    own.push(noting("too late"));
    const copy = session.withOptions({ timeout: 5 });
    await copy.get("x");
    assertEquals(seen.splice(0), ["class", "session"]);
    const more = copy.withOptions({ middleware: [noting("copy")] });
    await more.withOptions({ retries: 0 }).get("x");
    assertEquals(seen.splice(0), ["class", "session", "copy"]);
    await session.get("x");
    assertEquals(seen, ["class", "session"]);
  });

  it("gets the request of the call, with the names of headers in lower case", async () => {
    const seen: MiddlewareRequest[] = [];
    const { session } = start([200], [changing((request) => void seen.push({ ...request }))], {
      headers: { "X-Session": "hidden" },
      params: { v: 2 },
    });
    await session.patch("x", { json: { a: 1 }, headers: { "X-Call": "shown" } });
    const [request] = seen;
    assert(request?.context instanceof RequestContext);
    assertEquals({ ...request, context: undefined }, {
      method: "PATCH",
      url: "https://api.example.com/v1/x?v=2",
      headers: { "content-type": "application/json", "x-call": "shown" },
      body: '{"a":1}',
      signal: undefined,
      context: undefined,
      attempt: 1,
    });
  });

  it("runs for each attempt, with its number and one context for the call", async () => {
    const count = new ContextKey<number>("count");
    const seen: (number | undefined)[][] = [];
    const { session } = start(
      [503, refusedConnection(), 200, 200],
      [
        changing(({ context, attempt }) => {
          seen.push([attempt, context.get(count)]);
          context.set(count, attempt);
        }),
      ],
      {},
      Session,
    );
    await session.get("x");
    await session.get("x");
    const expected = [[1, undefined], [2, 1], [3, 2], [1, undefined]];
    assertEquals(seen, expected);
  });

  it("starts each attempt with the request of the call, whatever an earlier one changed", async () => {
    const { session, transport } = start([503, 503, 200], [
      changing((request) => {
        request.headers["x-attempt"] = `${request.headers["x-attempt"] ?? ""}${request.attempt}`;
        request.url += `?attempt=${request.attempt}`;
      }),
    ]);
    await session.get("x", { headers: { "x-attempt": "#" } });
    const seen = transport.calls.map(({ url, init }) => [url.slice(-1), init.headers["x-attempt"]]);
    assertEquals(seen, [["1", "#1"], ["2", "#2"], ["3", "#3"]]);
  });

  it("the option context is the context of the call", async () => {
    const maxAge = new ContextKey<number>("maxAge");
    const context = new RequestContext().set(maxAge, 60);
    const seen: (number | undefined)[] = [];
    const { session } = start([503, 200], [
      changing(({ context }) => void seen.push(context.get(maxAge))),
    ]);
    await session.get("x", { context });
    await session.get("x");
    assertEquals(seen, [60, 60, undefined]);
    const error = await assertRejects(
      () => session.get("x", { context: wrong({}) }),
      UnexpectedValueError,
    );
    assertEquals(error.option, "context");
  });

  it("can answer itself, without a request", async () => {
    const cached: Middleware = () => Promise.resolve(Response.json({ id: 7 }));
    const { session, transport } = start([500], [cached], {}, Session);
    assertEquals(await session.get("x", { convJson: true }), { id: 7 });
    assertEquals(transport.calls, []);
  });

  it("a response with an error status is handled like that of a server", async () => {
    const statuses = [503, 200, 404];
    const answering: Middleware = () =>
      Promise.resolve(new Response("mine", { status: statuses.shift()! }));
    const { session, clock } = start([500], [answering], {}, Session);
    assertEquals((await session.get("x")).status, 200);
    assertEquals(clock.waits, [1]);
    const error = await assertRejects(() => session.get("x"), NotFoundError);
    assertEquals(error.body, "mine");
  });

  it("can convert the response, also one with an error status", async () => {
    const unwrapping: Middleware = async (request, next) => {
      const response = await next(request);
      const { data, status } = await response.json();
      return Response.json(data ?? null, { status: status ?? response.status });
    };
    const wrapped = (value: unknown) => Response.json(value);
    const { session, clock } = start(
      [wrapped({ status: 503 }), wrapped({ data: [1, 2] })],
      [unwrapping],
    );
    assertEquals(await session.get("x", { convJson: true }), [1, 2]);
    assertEquals(clock.waits, [1]);
  });

  it("passes on a response of another realm", async () => {
    const foreign = Object.setPrototypeOf({
      status: 200,
      statusText: "",
      headers: new Headers(),
      body: null,
      bodyUsed: false,
      text: () => Promise.resolve("from afar"),
      clone: () => foreign,
    }, null);
    const { session } = start([() => foreign], [changing(() => {})]);
    assertEquals(await (await session.get("x")).text(), "from afar");
  });

  it("passes the hooks of the contract, and the response of withResponse()", async () => {
    class Hooked extends Session {
      readonly seen: (string | null)[] = [];
      protected override _respErrorCheck(response: Response): Response {
        this.seen.push(response.headers.get("x-by"));
        return response;
      }
    }
    const adding: Middleware = async (request, next) => {
      const response = await next(request);
      return new Response(response.body, { headers: { "x-by": "middleware" } });
    };
    const { session } = start([() => new Response("[1]")], [adding], {}, Hooked);
    const { data, response } = await session.get("x", { convJson: true }).withResponse();
    assertEquals([data, response.headers.get("x-by")], [[1], "middleware"]);
    assertEquals((session as Hooked).seen, ["middleware"]);
  });
});

describe("a middleware that changes the request", () => {
  it("changes the method, which is checked", async () => {
    const { session, transport } = start([200], [changing((request) => request.method = "purge")]);
    await session.post("x", { json: 1 });
    assertEquals(transport.calls[0]?.init.method, "purge");
    for (const method of ["CONNECT", "", "A B", undefined]) {
      const bad = start([200], [changing((request) => request.method = wrong(method))]);
      const error = await assertRejects(() => bad.session.get("x"), UnexpectedValueError);
      assertEquals([error.option, bad.transport.calls], ["request.method", []]);
    }
  });

  it("can pass another object to next", async () => {
    const { session, transport } = start([200], [
      (request, next) => next({ ...request, url: "https://api.example.com/v2/y" }),
    ]);
    await session.get("x");
    assertEquals(transport.calls[0]?.url, "https://api.example.com/v2/y");
  });

  for (
    const url of [
      undefined,
      "",
      "/y",
      "ftp://a.example/",
      "https://u:p@api.example.com/",
      "https://a b/",
    ]
  ) {
    it(`cannot set the url to ${JSON.stringify(url)}`, async () => {
      const { session, transport } = start([200], [
        changing((request) => request.url = wrong(url)),
      ]);
      const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
      assertEquals([error.option, transport.calls], ["request.url", []]);
      assertStringIncludes(error.message, "a full URL that begins with http:// or https://");
      assert(!error.message.includes("static"));
    });
  }

  it("sets headers that win over those of the session and its authentication", async () => {
    const { session, transport } = start([200], [
      changing(({ headers }) => {
        headers["X-Tenant"] = "changed";
        headers["authorization"] = "Signature abc";
        headers["user-agent"] = "mine/1";
      }),
    ], { headers: { "x-tenant": "session" }, auth: ["ada", "countess"] });
    await session.get("x", { headers: { "x-tenant": "call" } });
    const { headers } = transport.calls[0]!.init;
    assertEquals(
      [headers["x-tenant"], headers["authorization"], headers["user-agent"]],
      ["changed", "Signature abc", "mine/1"],
    );
  });

  it("removes headers of the call, the session and its authentication by null", async () => {
    const { session, transport } = start([200], [
      changing(({ headers }) => {
        for (const name of ["x-tenant", "x-call", "authorization", "user-agent"]) {
          headers[name] = null;
        }
      }),
    ], { headers: { "x-tenant": "session" }, auth: ["ada", "countess"] });
    await session.get("x", { headers: { "x-call": "1" } });
    assertEquals({ ...transport.calls[0]!.init.headers }, {});
  });

  it("cannot set headers that frame the message, or that cannot be sent", async () => {
    for (const [name, value] of [["Content-Length", "5"], ["x-a", "a\nb"], ["x y", "1"]] as const) {
      const { session } = start([200], [changing(({ headers }) => headers[name] = value)]);
      const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
      assert(error.option.startsWith("request.headers"), error.option);
    }
    const { session } = start([200], [changing((request) => request.headers = wrong("a: b"))]);
    const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
    assertEquals(error.option, "request.headers");
  });

  const bytes = new TextEncoder().encode("bytes");
  const chunks = async function* () {
    yield bytes;
  };
  const bodies: readonly (readonly [string, MiddlewareRequest["body"], expected: RegExp])[] = [
    ["a string", "text", /^text$/],
    ["bytes", bytes, /^bytes$/],
    ["a Blob", new Blob(["blob"]), /^blob$/],
    ["parameters", new URLSearchParams({ a: "b c" }), /^a=b\+c$/],
    ["a function that opens a stream", chunks, /^bytes$/],
    ["a stream that can be read once", chunks(), /^bytes$/],
    ["nothing", undefined, /^$/],
  ];
  for (const [title, body, expected] of bodies) {
    it(`can replace the body by ${title}`, async () => {
      const texts: string[] = [];
      const adapter: Transport = async (_url, init) => {
        texts.push(await textOf(init.body));
        return new Response();
      };
      const { session } = start([], [changing((request) => request.body = body)], { adapter });
      await session.post("x", { json: { a: 1 } });
      assertMatch(texts.join(), expected);
    });
  }

  it("a new body has its own content type or none, a text keeps that of the earlier body", async () => {
    const form = new FormData();
    form.set("a", "b");
    const rows: readonly (readonly [MiddlewareRequest["body"], string])[] = [
      [form, "multipart/form-data"],
      [new URLSearchParams("a=b"), "application/x-www-form-urlencoded"],
      [new Blob(["a"], { type: "text/csv" }), "text/csv"],
      [undefined, "undefined"],
      ['{"a":2}', "application/json"],
      [new Blob(["a"]), "application/json"],
    ];
    for (const [body, type] of rows) {
      const { session, transport } = start([200], [changing((request) => request.body = body)]);
      await session.post("x", { json: { a: 1 } });
      assertEquals(String(transport.calls[0]!.init.headers["content-type"]).split(";")[0], type);
    }
    const { session, transport } = start([200], [
      changing((request) => {
        request.body = new URLSearchParams("a=b");
        request.headers["content-type"] = "text/x-form";
      }),
    ]);
    await session.post("x", { json: 1 });
    assertEquals(transport.calls[0]!.init.headers["content-type"], "text/x-form");
  });

  it("opens a stream function again for each attempt", async () => {
    const texts: string[] = [];
    const adapter: Transport = async (_url, init) => {
      texts.push(await textOf(init.body));
      return new Response(null, { status: texts.length < 3 ? 503 : 200 });
    };
    let opened = 0;
    const open = () => {
      opened++;
      return chunks();
    };
    const { session } = start([], [changing((request) => request.body = open)], { adapter });
    await session.post("x");
    assertEquals([texts, opened], [["bytes", "bytes", "bytes"], 3]);
  });

  it("can read and wrap the stream function of the call", async () => {
    const texts: string[] = [];
    const adapter: Transport = async (_url, init) => {
      texts.push(await textOf(init.body));
      return new Response();
    };
    const upper: Middleware = (request, next) => {
      const { body } = request;
      assert(typeof body === "function");
      request.body = async function* () {
        for await (const chunk of body()) yield chunk.map((byte) => byte - 32);
      };
      return next(request);
    };
    const { session } = start([], [upper], { adapter });
    await session.post("x", { content: chunks });
    assertEquals(texts, ["BYTES"]);
  });

  it("cannot add a body to a GET, or a value of another type", async () => {
    for (const [body, method] of [["text", "GET"], [5, "POST"], [null, "POST"]] as const) {
      const { session, transport } = start([200], [
        changing((request) => {
          request.method = method;
          request.body = wrong(body);
        }),
      ]);
      const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
      assertEquals([error.option, transport.calls], ["request.body", []]);
    }
    const { session } = start([200], [changing((request) => request.method = "GET")]);
    await assertRejects(() => session.post("x", { json: 1 }), UnexpectedValueError, "has no body");
  });

  it("an error of a stream that it sends ends the call, and is not retried", async () => {
    const mistake = new RangeError("cannot read the file");
    const failing = async function* () {
      yield bytes;
      throw mistake;
    };
    const adapter: Transport = async (_url, init) => {
      attempts++;
      await textOf(init.body);
      return new Response();
    };
    let attempts = 0;
    const own = start([], [changing((request) => request.body = failing)], { adapter });
    assert(await own.session.post("x").catch((error: unknown) => error) === mistake);
    const ofCall = start([], [changing(() => {})], { adapter });
    const content = failing();
    assert(
      await ofCall.session.post("x", { content }).catch((error: unknown) => error) === mistake,
    );
    assertEquals(attempts, 2);
  });
});

describe("a middleware that changes the origin", () => {
  const options: SessionOptions = {
    headers: { "x-api-key": "session-secret" },
    cookies: { sid: "session-cookie" },
    auth: ["ada", "countess"],
    trustedOrigins: ["https://files.example.com"],
  };
  const call: RequestOptions = {
    headers: { "x-token": "call-secret", accept: "text/plain", authorization: "Bearer call" },
  };
  const going = (url: string, headers: Record<string, string> = {}) =>
    changing((request) => {
      request.url = url;
      Object.assign(request.headers, headers);
    });

  it("sends no credentials of the session and the call to an origin that is not trusted", async () => {
    const { session, transport } = start([200], [going("https://evil.example/")], options);
    await session.get("x", call);
    const { "user-agent": _, ...headers } = transport.calls[0]!.init.headers;
    assertEquals(headers, { accept: "text/plain" });
  });

  it("sends the headers that the middleware sets itself", async () => {
    const headers = { "x-token": "mirror-secret", "x-new": "1" };
    const { session, transport } = start(
      [200],
      [going("https://mirror.example/", headers)],
      options,
    );
    await session.get("x", call);
    const { "user-agent": _, ...sent } = transport.calls[0]!.init.headers;
    assertEquals(sent, { accept: "text/plain", ...headers });
  });

  it("does not use the auth of the call for an origin that is not trusted", async () => {
    const { session, transport } = start([200], [going("https://evil.example/")], options);
    await session.get("x", { auth: ["eve", "apple"] });
    assertEquals(transport.calls[0]!.init.headers["authorization"], undefined);
  });

  it("keeps everything for a trusted origin", async () => {
    const { session, transport } = start([200], [going("https://files.example.com/f")], options);
    await session.get("x", { headers: { "x-token": "call-secret" } });
    const { headers } = transport.calls[0]!.init;
    assertEquals(
      [headers["x-token"], headers["x-api-key"], headers["cookie"]],
      ["call-secret", "session-secret", "sid=session-cookie"],
    );
    assertMatch(headers["authorization"]!, /^Basic /);
  });

  it("does not keep credentials from https to http", async () => {
    const { session, transport } = start([200], [going("http://api.example.com/")], {
      ...options,
      adapterPath: "http://",
    });
    await session.get("x", call);
    const { "user-agent": _, ...headers } = transport.calls[0]!.init.headers;
    assertEquals(headers, { accept: "text/plain" });
  });

  it("drops the credentials that were in the URL of the call", async () => {
    const { session, transport } = start([200], [going("https://evil.example/")]);
    await session.get("https://eve:apple@other.example/");
    assertEquals(transport.calls[0]!.init.headers["authorization"], undefined);
  });

  it("messages of transport errors show the URL of the call, not the one with a secret", async () => {
    const { session } = start([refusedConnection()], [going("https://b.example/?key=k-1")], {
      retries: 0,
    });
    const error = await assertRejects(() => session.get("x"), TransportError);
    assertEquals(error.request?.url, "https://api.example.com/v1/x");
    assert(!String(error.stack).includes("k-1"));
  });
});

describe("the signal of a middleware", () => {
  /** A transport that never responds, but ends when its signal aborts. */
  const hanging: Transport = (_url, { signal }) =>
    new Promise((_, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  const url = "https://api.example.com";
  const logger = recordingLogger();

  it("is undefined if nothing can abort the call", async () => {
    const seen: unknown[] = [];
    const { session } = start([200], [changing(({ signal }) => void seen.push(signal))]);
    await session.get("x");
    await session.get("x", { deadline: 5 });
    assertEquals([seen[0], seen[1] instanceof AbortSignal], [undefined, true]);
  });

  it("its own timeout is a TransportError of the kind timeout, and is retried", async () => {
    const signals: AbortSignal[] = [];
    const attempts: number[] = [];
    const limiting: Middleware = (request, next) => {
      attempts.push(request.attempt);
      if (request.attempt === 1) {
        const reason = new DOMException("too slow", "TimeoutError");
        request.signal = AbortSignal.abort(reason);
      }
      return next(request);
    };
    const adapter: Transport = async (url, init) => {
      signals.push(init.signal!);
      return init.signal === undefined ? new Response("ok") : await hanging(url, init);
    };
    const session = new APISession({
      url,
      adapter,
      middleware: [limiting],
      backoff: 0,
      logger,
      clock: fakeClock({ autoAdvance: true }),
    });
    assertEquals((await session.get("x")).status, 200);
    assertEquals([attempts, signals.length], [[1, 2], 1]);
  });

  it("another reason ends the call, also while the transport waits", async () => {
    const controller = new AbortController();
    const { session } = start([], [changing((request) => request.signal = controller.signal)], {
      adapter: hanging,
    });
    const call = session.get("x");
    const rejected = call.catch((error: unknown) => error);
    await turn();
    const reason = new DOMException("the cache has it", "AbortError");
    controller.abort(reason);
    assert(await rejected === reason);
  });

  it("does not replace that of the call, which still aborts the request", async () => {
    const controller = new AbortController();
    const aborted: boolean[] = [];
    const adapter: Transport = (url, init) => {
      init.signal!.addEventListener("abort", () => aborted.push(true));
      return hanging(url, init);
    };
    for (const signal of [new AbortController().signal, undefined]) {
      const { session } = start([], [changing((request) => request.signal = signal)], { adapter });
      const own = new AbortController();
      const call = assertRejects(() => session.get("x", { signal: own.signal }), Error, "enough");
      await turn();
      own.abort(new Error("enough"));
      await call;
    }
    assertEquals([aborted, controller.signal.aborted], [[true, true], false]);
  });

  it("without the signal, the idle timeout still ends the attempt", async () => {
    const { session, clock } = start([], [changing((request) => request.signal = undefined)], {
      adapter: hanging,
      timeout: 5,
      retries: 1,
      finalWait: false,
    });
    const error = await assertRejects(() => session.get("x"), TransportError);
    assertEquals([error.kind, error.retries, clock.pending], ["timeout", 1, 0]);
  });

  it("the deadline ends a middleware that hangs before next, after next, or in between", async () => {
    const never = () => new Promise<never>(() => {});
    const hangs: readonly Middleware[] = [
      never,
      async (request, next) => {
        await next(request);
        return await never();
      },
      async (request, next) => {
        try {
          return await next({ ...request, url: "https://slow.example/" });
        } catch {
          return await never();
        }
      },
    ];
    for (const middleware of hangs) {
      const adapter: Transport = (url, init) =>
        url.includes("slow") ? hanging(url, init) : Promise.resolve(new Response("ok"));
      const { session, clock } = start([], [middleware], { adapter });
      const call = session.get("x", { deadline: 5, retries: 0 });
      await assertRejects(() => call, DeadlineExceededError);
      assertEquals(clock.pending, 0);
    }
  });

  it("a middleware that swallows the abort and responds does not save the call", async () => {
    const saving: Middleware = async (request, next) => {
      try {
        return await next(request);
      } catch {
        return new Response("saved");
      }
    };
    const { session } = start([], [saving], { adapter: hanging });
    const controller = new AbortController();
    const call = assertRejects(
      () => session.get("x", { signal: controller.signal }),
      Error,
      "enough",
    );
    await turn();
    controller.abort(new Error("enough"));
    await call;
  });

  it("a request that is sent after its attempt has ended is not sent", async () => {
    let release = () => {};
    const late: Middleware = async (request, next) => {
      await new Promise<void>((resolve) => release = resolve);
      return await next(request);
    };
    const { session, transport } = start([200], [late]);
    const controller = new AbortController();
    const call = assertRejects(() => session.get("x", { signal: controller.signal }));
    await turn();
    controller.abort();
    await call;
    release();
    await turn();
    assertEquals(transport.calls, []);
  });

  it("must be an AbortSignal", async () => {
    const { session } = start([200], [changing((request) => request.signal = wrong({}))]);
    const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
    assertEquals(error.option, "request.signal");
  });
});

describeGenerations("errors of a middleware", ({ Session }) => {
  it("any error ends the call unchanged, even one that looks like a failed connection", async () => {
    const mistakes = [
      new TypeError("cannot read properties of undefined"),
      new TypeError("fetch failed", { cause: new Error("connection reset") }),
      Object.assign(new Error("no"), { code: "ECONNRESET" }),
      new ServiceUnavailableError(new Response(null, { status: 503 })),
      "failed",
    ];
    for (const mistake of mistakes) {
      for (const isAfter of [false, true]) {
        const failing: Middleware = async (request, next) => {
          if (isAfter) await next(request);
          throw mistake;
        };
        const { session, transport } = start([200], [failing], {}, Session);
        assert(await session.get("x").catch((error: unknown) => error) === mistake);
        assertEquals(transport.calls.length, isAfter ? 1 : 0);
      }
    }
  });

  it("one that is thrown synchronously rejects the call, too", async () => {
    const mistake = new RangeError("no");
    const { session } = start(
      [200],
      [() => {
        throw mistake;
      }],
      {},
      Session,
    );
    const call = session.get("x");
    assert(await call.catch((error: unknown) => error) === mistake);
  });

  it("a TransportError is retried", async () => {
    const breaking: Middleware = (request, next) => {
      if (request.attempt < 3) throw new TransportError("the circuit is open", { kind: "refused" });
      return next(request);
    };
    const { session, transport, clock } = start([200], [breaking], {}, Session);
    assertEquals((await session.get("x")).status, 200);
    assertEquals([transport.calls.length, clock.waits], [1, [1, 1]]);
    const failed = start([200], [breaking], { retries: 1, finalWait: false }, Session);
    const error = await assertRejects(() => failed.session.get("x"), TransportError);
    assertEquals(
      [error.message, error.kind, error.retries],
      ["GET https://api.example.com/v1/x failed: the circuit is open", "refused", 1],
    );
  });

  it("next rejects with a TransportError, which the middleware can handle", async () => {
    const seen: unknown[] = [];
    const failingOver: Middleware = async (request, next) => {
      try {
        return await next(request);
      } catch (error) {
        seen.push(error);
        return new Response("from the cache");
      }
    };
    const { session, clock } = start([refusedConnection()], [failingOver], {}, Session);
    assertEquals(await (await session.get("x")).text(), "from the cache");
    const [error] = seen;
    assertInstanceOf(error, TransportError);
    assertEquals([error.kind, error.request?.method, clock.waits], ["refused", "GET", []]);
  });

  it("the failure of another call inside a middleware is not retried", async () => {
    const other = new APISession({
      url: "https://tokens.example.com",
      adapter: scripted(refusedConnection()),
      retries: 0,
      finalWait: false,
      logger: recordingLogger(),
    });
    const withToken: Middleware = async (request, next) => {
      await other.post("token");
      return await next(request);
    };
    const { session, clock } = start([200], [withToken], {}, Session);
    const error = await assertRejects(() => session.get("x"), TransportError);
    assertEquals([error.request?.url, clock.waits], ["https://tokens.example.com/token", []]);
  });

  it("a body that breaks off while the middleware reads it is a TransportError, and is retried", async () => {
    const broken = () =>
      new Response(
        new ReadableStream({
          pull: (controller) =>
            controller.error(Object.assign(new Error("reset"), { code: "ECONNRESET" })),
        }),
      );
    const reading: Middleware = async (request, next) => {
      const response = await next(request);
      return Response.json(await response.json());
    };
    const { session, transport } = start([broken, () => Response.json(1)], [reading], {}, Session);
    assertEquals(await session.get("x", { convJson: true }), 1);
    assertEquals(transport.calls.length, 2);
  });

  const mistakes: readonly (readonly [string, Middleware, expected: RegExp, requests: number])[] = [
    ["returns nothing", wrong(() => {}), /which returned undefined$/, 0],
    [
      "forgets to return the response",
      wrong(
        (async (request, next) => {
          await next(request);
        }) satisfies (...args: Parameters<Middleware>) => unknown,
      ),
      /which returned undefined$/,
      1,
    ],
    [
      "returns a body",
      wrong(async () => await Promise.resolve({ id: 7 })),
      /returned an object$/,
      0,
    ],
    [
      "calls next twice, one after the other",
      async (request, next) => {
        await next(request);
        return await next(request);
      },
      /calls next\(\) once at most; to retry, use the retry options, but is .* called it twice$/,
      1,
    ],
    [
      "calls next twice at once",
      async (request, next) => {
        const [response] = await Promise.all([next(request), next(request)]);
        return response;
      },
      /which called it twice$/,
      1,
    ],
    [
      "calls next twice and hides the error",
      async (request, next) => {
        const response = await next(request);
        await next(request).catch(() => {});
        return response;
      },
      /which called it twice$/,
      1,
    ],
    [
      "calls next twice and throws another error",
      async (request, next) => {
        await next(request);
        await next(request).catch(() => {
          throw new Error("hidden");
        });
        return new Response();
      },
      /which called it twice$/,
      1,
    ],
    [
      "passes nothing to next",
      wrong((_request: unknown, next: () => unknown) => next()),
      /passes its first parameter to next\(\), or one like it, but is .* passed undefined$/,
      0,
    ],
    [
      "reads the response that it returns",
      async (request, next) => {
        const response = await next(request);
        await response.text();
        return response;
      },
      /whose body has not been read, such as that of next\(\)/,
      1,
    ],
  ];
  for (const [title, middleware, expected, requests] of mistakes) {
    it(`one that ${title} ends the call with an UnexpectedValueError`, async () => {
      const noop: Middleware = (request, next) => next(request);
      const { session, transport } = start(
        [() => new Response("body")],
        [noop, middleware, noop],
        {},
        Session,
      );
      const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
      assertEquals(error.option, "middleware[1]");
      assertMatch(error.message, expected);
      assertEquals(transport.calls.length, requests);
    });
  }

  it("the message names the function", async () => {
    const logging = () => undefined;
    const { session } = start([200], [wrong(logging)], {}, Session);
    const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
    assertMatch(error.message, /but is the function logging, which returned undefined$/);
  });
});

describe("a middleware that does not use the response of next", () => {
  /** A response that remembers if its body was cancelled. */
  function watched(): { response: Response; state: { isCancelled: boolean } } {
    const state = { isCancelled: false };
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(9)),
      cancel() {
        state.isCancelled = true;
      },
    });
    return { response: new Response(body), state };
  }

  const faults: readonly (readonly [string, Middleware])[] = [
    ["throws after it", async (request, next) => {
      await next(request);
      throw new Error("no");
    }],
    ["throws without waiting for it", async (request, next) => {
      void next(request);
      await Promise.resolve();
      throw new Error("no");
    }],
    [
      "returns nothing, without waiting for it",
      wrong(
        (async (request, next) => {
          void next(request);
          await Promise.resolve();
        }) satisfies (...args: Parameters<Middleware>) => unknown,
      ),
    ],
    ["calls it twice", async (request, next) => {
      const [response] = await Promise.all([next(request), next(request)]);
      return response;
    }],
  ];
  for (const [title, middleware] of faults) {
    it(`frees its body if it ${title}`, async () => {
      const { response, state } = watched();
      let isSent = false;
      const adapter: Transport = async () => {
        isSent = true;
        await turn();
        return response;
      };
      const { session } = start([], [(request, next) => next(request), middleware], { adapter });
      await assertRejects(() => session.get("x"));
      assert(isSent);
      await until(() => state.isCancelled);
    });
  }

  it("frees the body of a response that comes after the deadline", async () => {
    const { response, state } = watched();
    let respond = (_: Response) => {};
    const adapter: Transport = () => new Promise((resolve) => respond = resolve);
    const { session } = start([], [changing(() => {})], { adapter });
    await assertRejects(() => session.get("x", { deadline: 5 }), DeadlineExceededError);
    respond(response);
    await until(() => state.isCancelled);
  });

  it("causes no unhandled rejection if next fails and nobody waits for it", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const forgetting: Middleware = (request, next) => {
        void next(request);
        return Promise.resolve(new Response("stale"));
      };
      const { session } = start([refusedConnection()], [
        (request, next) => next(request),
        forgetting,
      ]);
      assertEquals(await (await session.get("x")).text(), "stale");
      for (let turns = 0; turns < 5; turns++) await turn();
      assertEquals(unhandled, []);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});

describeGenerations("middleware and the other parts of a session", ({ Session }) => {
  it("surrounds the requests of the login, too", async () => {
    class Vault extends Session {
      protected override async _authenticate(
        _options: unknown,
        login: LoginRequests,
      ): Promise<void> {
        const { token } = await login.post("login", { convJson: true }) as { token: string };
        this.httpSession.headers.set("authorization", `Bearer ${token}`);
      }
    }
    const seen: string[] = [];
    const { session, transport } = start(
      [() => Response.json({ token: "t-1" }), 200],
      [changing(({ url }) => void seen.push(url.slice(-5)))],
      {},
      Vault,
    );
    await session.get("books");
    assertEquals(seen, ["login", "books"]);
    assertEquals(transport.calls[1]!.init.headers["authorization"], "Bearer t-1");
    await session.close();
  });

  it("surrounds all redirects of an attempt at once", async () => {
    let count = 0;
    const moved = new Response(null, { status: 307, headers: { location: "/v1/y" } });
    const { session, transport } = start(
      [moved, () => new Response("there")],
      [changing(({ headers }) => {
        count++;
        headers["x-signed"] = "1";
      })],
      { followRedirects: true },
      Session,
    );
    const response = await session.get("x");
    assertEquals([await response.text(), response.redirected, count], ["there", true, 1]);
    assertEquals(transport.calls.map(({ init }) => init.headers["x-signed"]), ["1", "1"]);
  });

  it("a one-shot stream that it sends cannot be redirected", async () => {
    const moved = new Response(null, { status: 307, headers: { location: "/v1/y" } });
    const stream = async function* () {
      yield new Uint8Array(1);
    };
    const { session } = start(
      [moved, 200],
      [changing((request) => request.body = stream())],
      { followRedirects: true },
      Session,
    );
    await assertRejects(() => session.post("x"), Error, "a stream that can be read only once");
  });

  it("sends by the custom fetch, the adapter of a URL, and through a challenge", async () => {
    const fetch = scripted(200);
    const mounted = scripted(200);
    const session = new Session({
      url: "https://api.example.com",
      fetch,
      adapters: { "https://files.example.com": mounted },
      auth: {
        async authenticate(_request, send) {
          await send();
          return await send({ headers: { authorization: "Token abc" } });
        },
      },
      middleware: [changing((request) => {
        if (request.url.endsWith("file")) request.url = "https://files.example.com/f";
      })],
    });
    await session.get("x");
    await session.get("file");
    assertEquals(fetch.calls.map(({ init }) => init.headers["authorization"]), [
      undefined,
      "Token abc",
    ]);
    assertEquals([mounted.calls.length, mounted.calls[0]?.url], [1, "https://files.example.com/f"]);
  });

  it("keeps the cookies of its responses", async () => {
    const { session, transport } = start(
      [new Response(null, { headers: { "set-cookie": "sid=7; Path=/" } }), 200],
      [changing(() => {})],
      {},
      Session,
    );
    await session.get("x");
    await session.get("x");
    assertEquals(transport.calls[1]!.init.headers["cookie"], "sid=7");
  });

  it("a hook _retryRequest can add middleware and values to the next attempts", async () => {
    const seen: string[] = [];
    class Hooked extends Session {
      protected override _retryRequest(): RequestOptions {
        return { middleware: [changing(() => void seen.push("hook"))] };
      }
    }
    const { session } = start([503, 200], [changing(() => void seen.push("session"))], {}, Hooked);
    await session.get("x");
    assertEquals(seen, ["session", "session", "hook"]);
  });

  it("the message of proxies beside a custom fetch names middleware", async () => {
    const error = await assertRejects(async () => {
      const session = new Session({
        url: "https://api.example.com",
        fetch: scripted(200),
        proxies: { all: "http://127.0.0.1:9" },
      });
      await session.get("x");
    }, UnexpectedValueError);
    assertEquals(error.option, "proxies");
    assertStringIncludes(error.message, "pass middleware instead of fetch");
  });

  it("an error status has the body that the middleware returned", async () => {
    const explaining: Middleware = async (request, next) => {
      const response = await next(request);
      const text = await response.text();
      return new Response(`explained: ${text}`, { status: response.status });
    };
    const { session } = start(
      [() => new Response("no", { status: 400 })],
      [explaining],
      {},
      Session,
    );
    const error = await assertRejects(() => session.get("x"), APIError);
    assertEquals([error.status, error.body], [400, "explained: no"]);
  });
});
