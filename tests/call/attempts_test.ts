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
import {
  APIError,
  APISession,
  DeadlineExceededError,
  NotFoundError,
  type RequestOptions,
  RestwrightError,
  ServerError,
  type SessionOptions,
  TooManyRequestsError,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import {
  BadGatewayError,
  DecodeError,
  type ErrorMap,
  RequestConflictError,
  ServiceUnavailableError,
} from "../../src/entries/errors.ts";
import {
  describeGenerations,
  type SessionClass,
  testedGenerations,
} from "../support/generations.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, refusedConnection, scripted } from "../support/scripted.ts";
import { until } from "../support/until.ts";

/** Returns a function that starts a session with scripted responses, whose waits end at once. */
const starting = (Usual: SessionClass) =>
(
  answers: readonly Answer[],
  options: SessionOptions = {},
  Session: new (options: SessionOptions) => APISession = Usual,
) => {
  const transport = scripted(...answers);
  const clock = fakeClock({ autoAdvance: true });
  const log = recordingLogger();
  const session = new Session({
    url: "https://api.example.com/v1",
    adapter: transport,
    adapterPath: "https://",
    clock,
    logger: log,
    ...options,
  });
  return { session, transport, clock, log };
};

function later(seconds: string): Response {
  return new Response("later", { status: 429, headers: { "retry-after": seconds } });
}

describeGenerations("the attempt loop, when a response is received", ({ Session }) => {
  const start = starting(Session);

  // contract: service-6, attempts-1
  it("status in error map and class retryable: the request is sent again", async () => {
    const { session, transport } = start([503, 200]);
    assertEquals((await session.get("x")).status, 200);
    assertEquals(transport.calls.length, 2);
  });

  // contract: keyword-6, attempts-1
  it("status in error map and status in retry_on: the request is sent again", async () => {
    const { session, transport } = start([409, 500, 200]);
    await session.get("x", { retryOn: [409, 500] });
    assertEquals(transport.calls.length, 3);
  });

  // contract: attempts-2
  it("status in error map, not retryable and not in retry_on: thrown immediately", async () => {
    const { session, transport, clock } = start([404, 200]);
    const error = await assertRejects(() => session.get("x", { retryOn: [409] }), NotFoundError);
    assertEquals(error.retries, 0);
    assertEquals(transport.calls.length, 1);
    assertEquals(clock.waits, []);
  });

  // contract: attempts-3, fault-5
  it("status between 200 and 298 inclusive: succeeded", async () => {
    for (const status of [200, 201, 202, 204, 206, 250, 298]) {
      const { session, transport } = start([status]);
      assertEquals((await session.get("x")).status, status);
      assertEquals(transport.calls.length, 1);
    }
  });

  // contract: attempts-4, errors-4, decision-26, reading-8
  it("status not in error map and outside 200 to 298: APIError, 299 and all 3xx included", async () => {
    for (
      const status of [299, 300, 301, 302, 304, 307, 308, 399, 402, 430, 499, 505, 599, 600, 999]
    ) {
      const { session, transport } = start([status]);
      const error = await assertRejects(() => session.get("x"), APIError);
      assertEquals(error.constructor, APIError);
      assertEquals([error.status, error.response.status], [status, status]);
      assertEquals(transport.calls.length, 1);
    }
  });

  // contract: reading-7
  it("a status that is not in the error map is not retried by retryOn until it is mapped", async () => {
    const unmapped = start([505, 200]);
    await assertRejects(() => unmapped.session.get("x", { retryOn: [505] }), APIError);
    class Mapped extends Session {
      static override readonly errorMap: ErrorMap = { 505: APIError };
    }
    const mapped = start([505, 200], {}, Mapped);
    assertEquals((await mapped.session.get("x", { retryOn: [505] })).status, 200);
  });

  it("a mapped status from 200 to 298 is an error too", async () => {
    class NotReadyError extends APIError {
      static override readonly retryable: boolean = true;
    }
    class Jobs extends Session {
      static override readonly errorMap: ErrorMap = { 202: NotReadyError };
    }
    const { session, transport } = start([202, 200], {}, Jobs);
    assertEquals((await session.get("job")).status, 200);
    assertEquals(transport.calls.length, 2);
  });
});

describeGenerations("the attempt loop, after a wait", ({ Session }) => {
  const start = starting(Session);

  // contract: attr-3, attempts-6, req-4, limit-2
  it("retry counter is at most the retry limit: retries plus 1 attempts are made", async () => {
    for (const retries of [0, 1, 3, 5]) {
      const { session, transport } = start([503], { retries });
      await assertRejects(() => session.get("x"), ServiceUnavailableError);
      assertEquals(transport.calls.length, retries + 1);
    }
  });

  // contract: attempts-7, errors-3, errors-5
  it("retry counter exceeds the retry limit: the most recent error is thrown", async () => {
    const { session } = start([429, refusedConnection(), 502], { retries: 2 });
    const error = await assertRejects(() => session.get("x"), BadGatewayError);
    assertEquals(error.retries, 2);
    const other = start([429, 502, refusedConnection()], { retries: 2 });
    const transportError = await assertRejects(() => other.session.get("x"), TransportError);
    assertEquals([transportError.kind, transportError.retries], ["refused", 2]);
  });

  // contract: req-4, fault-6
  it("retries: 0 makes a single attempt", async () => {
    const { session, transport } = start([503, 200], { retries: 0 });
    await assertRejects(() => session.get("x"), ServiceUnavailableError);
    assertEquals(transport.calls.length, 1);
  });

  // contract: attempts-5, attempts-7, limit-4, decision-2
  it("the last attempt: no wait after an error status, 1 second after a transport exception", async () => {
    const failed = start([503], { retries: 2 });
    await assertRejects(() => failed.session.get("x"), ServiceUnavailableError);
    assertEquals(failed.clock.waits, [1, 2]);
    const single = start([later("3600")], { retries: 0 });
    await assertRejects(() => single.session.get("x"), TooManyRequestsError);
    assertEquals(single.clock.waits, []);
    const refused = start([refusedConnection()], { retries: 2 });
    await assertRejects(() => refused.session.get("x"), TransportError);
    assertEquals(refused.clock.waits, [1, 1, 1]);
  });

  // contract: decision-2
  it("the last attempt: finalWait true waits in both cases, false in neither", async () => {
    const waits = async (finalWait: boolean | undefined, own?: boolean) => {
      class Own extends Session {
        static override readonly finalWait: boolean | undefined = own;
      }
      const failed = start([503], { retries: 1, finalWait }, Own);
      await assertRejects(() => failed.session.get("x"), ServiceUnavailableError);
      const refused = start([refusedConnection()], { retries: 1, finalWait }, Own);
      await assertRejects(() => refused.session.get("x"), TransportError);
      return [failed.clock.waits, refused.clock.waits];
    };
    assertEquals(await waits(true), [[1, 2], [1, 1]]);
    assertEquals(await waits(false), [[1], [1]]);
    assertEquals(await waits(undefined), [[1], [1, 1]]);
    assertEquals(await waits(undefined, true), [[1, 2], [1, 1]]);
    assertEquals(await waits(undefined, false), [[1], [1]]);
    assertEquals(await waits(false, true), [[1], [1]]);
  });
});

describeGenerations("the wait before a retry", ({ Session }) => {
  const start = starting(Session);

  // contract: attr-4, req-7, limit-3
  it("rule 7: the retry count after incrementing, times backoff seconds", async () => {
    const { session, clock } = start([503, 503, 503, 200], { backoff: 0.5 });
    await session.get("x");
    assertEquals(clock.waits, [0.5, 1, 1.5]);
  });

  // contract: req-7
  it("rule 7: the Retry-After header value as a float when present", async () => {
    const { session, clock } = start([later("2.5"), later("0"), later("1e-1"), 200]);
    await session.get("x");
    assertEquals(clock.waits, [2.5, 0.1]);
  });

  // contract: decision-3, fault-4
  it("a Retry-After that is an HTTP-date is respected, and an unreadable one is ignored", async () => {
    const { session, clock } = start([later("Thu, 01 Jan 2026 00:00:07 GMT"), later("soon"), 200]);
    await session.get("x");
    assertEquals(clock.waits, [7, 2]);
  });

  // contract: decision-4
  it("maxRetryAfter is a limit: a longer Retry-After throws the status error at once", async () => {
    const { session, transport, clock } = start([later("60"), later("3600"), 200], {
      maxRetryAfter: 60,
    });
    const error = await assertRejects(() => session.get("x"), TooManyRequestsError);
    assertEquals([transport.calls.length, clock.waits], [2, [60]]);
    assertEquals([error.retries, error.retryAfter], [1, 3600]);
    assertStringIncludes(
      error.message,
      "(not retried: the server asked to wait 3600 s, more than maxRetryAfter (60 s))",
    );
  });

  // contract: decision-4
  it("maxRetryAfter does not limit the backoff, and applies to dates too", async () => {
    const slow = start([503, 200], { maxRetryAfter: 5, backoff: 10 });
    await slow.session.get("x");
    assertEquals(slow.clock.waits, [10]);
    const dated = start([later("Thu, 01 Jan 2026 00:00:07 GMT"), 200], { maxRetryAfter: 5 });
    await assertRejects(() => dated.session.get("x"), TooManyRequestsError, "7 s, more than");
    assertEquals(dated.clock.waits, []);
  });

  // contract: decision-4
  it("maxRetryAfter limits the wait after the last attempt too", async () => {
    const options = { maxRetryAfter: 5, retries: 0, finalWait: true };
    const { session, clock } = start([later("3600")], options);
    const error = await assertRejects(() => session.get("x"), TooManyRequestsError);
    assertEquals([clock.waits, error.message.includes("not retried")], [[], false]);
  });

  // contract: decision-18
  it("a wait that would exceed the deadline throws the error of the attempt at once", async () => {
    const cases: readonly (readonly [Answer, string, number])[] = [
      [503, "ServiceUnavailableError", 1],
      [later("1"), "TooManyRequestsError", 1],
      [later("Thu, 01 Jan 2026 00:01:00 GMT"), "TooManyRequestsError", 60],
      [refusedConnection(), "TransportError", 1],
    ];
    for (const [answer, name, seconds] of cases) {
      const { session, clock, transport } = start([answer, 200], { deadline: 1 });
      const error = await assertRejects(() => session.get("x"), RestwrightError);
      assertStringIncludes(
        error.message,
        `(not retried: the wait of ${seconds} s would exceed the deadline of 1 s)`,
      );
      assertEquals([error.name, transport.calls.length, clock.waits], [name, 1, [1]]);
      const last = start([answer], { deadline: 1, retries: 0, finalWait: true });
      const final = await assertRejects(() => last.session.get("x"), RestwrightError);
      assertEquals([final.message.includes("not retried"), last.clock.waits], [false, [1]]);
    }
  });

  // contract: decision-4
  it("without a limit, waits of up to a year are made, with one warning for an HTTP session", async () => {
    const year = 365 * 24 * 3600;
    const { session, clock, log } = start([later("3600"), later("3601"), later(`${year}`), 200], {
      maxRetryAfter: null,
    });
    await session.get("x");
    const copy = session.withOptions({ vendor: "Acme" });
    await copy.get("x");
    assertEquals(clock.waits, [3600, 3601, year]);
    assertEquals(log.messages("warn").filter((message) => !message.startsWith("{")), [
      "a server asked to wait 3601 s, and the call waits. To throw its error at once, set " +
      '"maxRetryAfter", such as 60',
    ]);
  });

  // contract: decision-4
  it("a wait of more than a year throws the error at once, whatever asks for it", async () => {
    class Patient extends Session {
      protected override _retryWait(): number {
        return 1e9;
      }
    }
    const note = "(not retried: the wait of 1000000000 s is longer than a year)";
    type AnySession = new (options: SessionOptions) => APISession;
    const cases: readonly (readonly [Answer, SessionOptions, AnySession, string])[] = [
      [later("1e9"), { maxRetryAfter: null }, Session, note],
      [later("1e9"), { maxRetryAfter: 1e10 }, Session, note],
      [later("1e308"), { maxRetryAfter: null }, Session, "s is longer than a year)"],
      [later("Fri, 31 Dec 9999 23:59:59 GMT"), { maxRetryAfter: null }, Session, "a year)"],
      [503, { backoff: 1e9 }, Session, note],
      [503, { backoff: () => 1e9 }, Session, note],
      [refusedConnection(), { backoff: () => 1e9 }, Session, note],
      [503, {}, Patient, note],
    ];
    for (const [answer, options, Class, expected] of cases) {
      const { session, clock, transport } = start([answer, 200], options, Class);
      const error = await assertRejects(() => session.get("x"), RestwrightError);
      assertStringIncludes(error.message, expected);
      assertEquals([transport.calls.length, clock.waits], [1, []]);
    }
    const last = start([later("1e9")], { retries: 0, finalWait: true, maxRetryAfter: null });
    await assertRejects(() => last.session.get("x"), TooManyRequestsError);
    assertEquals(last.clock.waits, []);
  });

  // contract: attempts-5, limit-4
  it("a transport-level exception is followed by 1 second, no matter what the backoff is", async () => {
    const { session, clock } = start([refusedConnection(), refusedConnection(), 200], {
      backoff: 30,
    });
    await session.get("x");
    assertEquals(clock.waits, [1, 1]);
  });

  it("backoff: 0 does not wait", async () => {
    const { session, transport, clock } = start([503, 503, 200], { backoff: 0 });
    await session.get("x");
    assertEquals([transport.calls.length, clock.waits], [3, []]);
  });
});

describe("the default of maxRetryAfter", () => {
  // contract: decision-4
  it("is an hour for a client, and no limit for a session", async () => {
    const outcomes = testedGenerations.map(async ({ Session }) => {
      const { session, clock } = starting(Session)([later("3600"), later("3601"), 200]);
      const result = await session.get("x").then(() => "done", (error: Error) => error.name);
      return [result, clock.waits];
    });
    assertEquals(await Promise.all(outcomes), [
      ["done", [3600, 3601]],
      ["TooManyRequestsError", [3600]],
    ]);
  });
});

describeGenerations("a transport-level exception", ({ Session }) => {
  const start = starting(Session);

  // contract: attempts-5, errors-5
  it("is logged as an error and retried", async () => {
    const { session, log, transport } = start([refusedConnection(), 200]);
    await session.get("x");
    assertEquals(transport.calls.length, 2);
    const url = "https://api.example.com/v1/x";
    const error = `GET ${url} failed: connect ECONNREFUSED 127.0.0.1:9`;
    assertEquals(log.json("error"), [{ method: "GET", url, attempt: 1, error }]);
  });

  it("can be a TransportError that an adapter throws", async () => {
    const { session, transport } = start([new TransportError("no radio", { kind: "reset" }), 200]);
    await session.get("x");
    assertEquals(transport.calls.length, 2);
  });

  // contract: decision-14
  it("is distinguished from a bug in an adapter, which is thrown at once", async () => {
    const bug = new TypeError("undefined is not a function");
    const { session, transport, clock, log } = start([bug, 200]);
    const error = await assertRejects(() => session.get("x"), TypeError);
    assert(error === bug);
    assertEquals([transport.calls.length, clock.waits.length, log.messages("error").length], [
      1,
      0,
      0,
    ]);
  });

  // contract: decision-15, fault-3
  it("shows no redacted value in the error line, the error or its cause", async () => {
    const url = "https://api.example.com/v1/x?token=hunter2";
    const failure = new TypeError("fetch failed", {
      cause: new Error(`error sending request for url (${url})`),
    });
    const { session, log } = start([failure], { retries: 0 });
    const error = await assertRejects(
      () => session.get("x?token=hunter2", { redactFields: ["token"] }),
      TransportError,
    );
    for (let link: unknown = error; link instanceof Error; link = link.cause) {
      assert(!`${link.message} ${link.stack}`.includes("hunter2"), link.stack);
    }
    assert(!log.messages().join("\n").includes("hunter2"));
    assertStringIncludes(log.messages("error")[0]!, "token=REDACTED");
  });

  // contract: decision-21
  it("is retried like any other if it occurs in the body of a converted response", async () => {
    const broken = () => {
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.error(new TypeError("terminated")),
      });
      return new Response(body, { headers: { "content-type": "application/json" } });
    };
    const { session, transport } = start([broken, Response.json([1])]);
    assertEquals(await session.get<number[]>("x", { convJson: true }), [1]);
    assertEquals(transport.calls.length, 2);
  });
});

describeGenerations("the hook _retryRequest", ({ Session }) => {
  const start = starting(Session);

  class Hooked extends Session {
    readonly seen: { status: number; retries: number; options: RequestOptions }[] = [];
    next: (options: RequestOptions) => RequestOptions | undefined = (options) => options;
    protected override _retryRequest(
      response: Response,
      retries: number,
      options: RequestOptions,
    ): RequestOptions | undefined {
      this.seen.push({ status: response.status, retries, options });
      return this.next(options);
    }
  }

  function hooked(answers: readonly Answer[], options: SessionOptions = {}) {
    const started = start(answers, options, Hooked);
    return { ...started, session: started.session as Hooked };
  }

  // contract: req-8, hook-5
  it("rule 8: receives the response, the retry count and the request options before a retry", async () => {
    const { session } = hooked([503, 429, 200]);
    await session.post("x", { json: { n: 1 } });
    assertEquals(session.seen, [
      { status: 503, retries: 1, options: { json: { n: 1 } } },
      { status: 429, retries: 2, options: { json: { n: 1 } } },
    ]);
  });

  // contract: req-8, decision-8, decision-11
  it("rule 8: returns the options of the next attempt and of all later ones", async () => {
    const { session, transport } = hooked([503, 503, 200]);
    session.next = (options) => {
      session.next = () => undefined;
      return { ...options, json: { n: 2 }, headers: { "x-try": "again" } };
    };
    await session.post("x", { json: { n: 1 } });
    assertEquals(transport.calls.map(({ init }) => init.body), ['{"n":1}', '{"n":2}', '{"n":2}']);
    assertEquals(transport.calls.map(({ init }) => init.headers["x-try"]), [
      undefined,
      "again",
      "again",
    ]);
  });

  // contract: hook-5, decision-8
  it("changes nothing if it returns undefined", async () => {
    const { session, transport } = hooked([503, 200]);
    session.next = () => undefined;
    await session.post("x", { json: { n: 1 } });
    assertEquals(transport.calls.map(({ init }) => init.body), ['{"n":1}', '{"n":1}']);
  });

  // contract: decision-8
  it("receives a copy, so that the caller's objects are not changed", async () => {
    const { session, transport } = hooked([503, 200]);
    session.next = (options) => {
      const json = options.json as { list: number[]; n: number };
      json.list.push(9);
      json.n = 2;
      return options;
    };
    const json = { list: [1], n: 1 };
    await session.post("x", { json });
    assertEquals(json, { list: [1], n: 1 });
    assertEquals(transport.calls[1]!.init.body, '{"list":[1,9],"n":2}');
  });

  // contract: decision-7, fault-1
  it("cannot drop options that shape the request for every attempt", async () => {
    const { session, transport, log } = hooked([503, 503, 200], { basePath: "api" });
    session.next = () => ({ json: { password: "hunter2" } });
    await session.post("x", {
      useBase: false,
      redactFields: ["password"],
      redactValue: "***",
      json: { password: "hunter1" },
    });
    assertEquals(
      transport.calls.map(({ url }) => url),
      Array(3).fill("https://api.example.com/v1/x"),
    );
    assertEquals(log.json("debug").map(({ body }) => body), Array(3).fill({ password: "***" }));
    assert(!log.messages().join("\n").includes("hunter"));
  });

  // contract: decision-9
  it("is not called after a transport error, or if no attempt follows", async () => {
    const { session } = hooked([refusedConnection(), 503], { retries: 1 });
    await assertRejects(() => session.get("x"), ServiceUnavailableError);
    assertEquals(session.seen, []);
  });

  it("stops the call at once with the error that it throws", async () => {
    const { session, transport } = hooked([503, 200]);
    session.next = () => {
      throw new TypeError("fetch failed");
    };
    const error = await assertRejects(() => session.get("x"), TypeError, "fetch failed");
    assertEquals([error.name, transport.calls.length], ["TypeError", 1]);
  });

  it("is named in an error if it returns something else", async () => {
    const { session } = hooked([503, 200]);
    session.next = () => "again" as never;
    const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
    assertEquals(error.option, "_retryRequest");
  });

  // contract: decision-23
  it("can read the response, which can be read again from the error", async () => {
    class Reader extends Session {
      static override readonly retries: number = 1;
      read = "";
      protected override async _retryRequest(
        response: Response,
        _retries: number,
        options: RequestOptions,
      ): Promise<RequestOptions> {
        this.read = await response.text();
        return options;
      }
    }
    const { session } = start([later("0"), later("0")], {}, Reader);
    const error = await assertRejects(() => session.get("x"), TooManyRequestsError);
    assertEquals((session as Reader).read, "later");
    assertEquals([error.body, await error.response.text()], ["later", "later"]);
  });
});

describeGenerations("the hook _respErrorCheck", ({ Session }) => {
  const start = starting(Session);

  class Checked extends Session {
    check: (response: Response) => Promise<Response> = (response) => Promise.resolve(response);
    readonly received: RequestOptions[] = [];
    protected override _respErrorCheck(
      response: Response,
      options: RequestOptions,
    ): Promise<Response> {
      this.received.push(options);
      return this.check(response);
    }
  }

  function checked(answers: readonly Answer[]) {
    const started = start(answers, {}, Checked);
    return { ...started, session: started.session as Checked };
  }

  // contract: req-9, hook-4
  it("rule 9: on a success status it receives the response and request options", async () => {
    const { session } = checked([404, 200]);
    await assertRejects(() => session.get("x"), NotFoundError);
    assertEquals(session.received, []);
    await session.get("x", { params: { a: 1 } });
    assertEquals(session.received, [{ params: { a: 1 } }]);
  });

  // contract: decision-24
  it("rule 9: it may read the response that the caller reads too", async () => {
    const { session } = checked([Response.json({ ok: true })]);
    session.check = async (response) => {
      assertEquals(await response.json(), { ok: true });
      return response;
    };
    assertEquals(await (await session.get("x")).json(), { ok: true });
    assertEquals(await session.get("x", { convJson: true }), { ok: true });
  });

  // contract: attempts-3, req-9
  it("rule 9: the call continues with the response that it returns", async () => {
    const { session } = checked([Response.json({ data: [1] })]);
    session.check = async (response) => Response.json((await response.json()).data);
    assertEquals(await session.get("x", { convJson: true }), [1]);
    assertEquals(await (await session.get("x")).json(), [1]);
  });

  it("an error that it throws is thrown at once", async () => {
    const { session, transport } = checked([Response.json({ error: "no" }), 200]);
    session.check = (response) => Promise.reject(new ServiceUnavailableError(response));
    await assertRejects(() => session.get("x"), ServiceUnavailableError);
    assertEquals(transport.calls.length, 1);
  });

  // contract: decision-25
  it("keeps url, redirected and type of the response", async () => {
    const { session } = checked([() => {
      const response = new Response("x");
      Object.defineProperty(response, "url", { value: "https://api.example.com/v1/x" });
      return response;
    }]);
    assertEquals((await session.get("x")).url, "https://api.example.com/v1/x");
  });

  it("is named in an error if it returns no response", async () => {
    const { session } = checked([200]);
    session.check = () => Promise.resolve(undefined as never);
    const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
    assertEquals(error.option, "_respErrorCheck");
  });

  // contract: hook-4, fault-12
  it("if it is not overridden, the response is the transport's own", async () => {
    const response = new Response("x");
    const { session } = start([() => response]);
    assert(await session.get("x") === response);
  });
});

describeGenerations("the result of a call", ({ Session }) => {
  const start = starting(Session);

  // contract: op-1, op-2, op-3, op-4, op-5, req-10-raw
  it("rule 10: by default the raw response object", async () => {
    const { session } = start([Response.json({ a: 1 })]);
    const response = await session.get("x");
    assertInstanceOf(response, Response);
    assertEquals(await response.json(), { a: 1 });
  });

  // contract: service-7, keyword-3, op-1, op-2, op-3, op-4, op-5, req-10-json, reading-3
  it("rule 10: with conv_json true, the body parsed from JSON, whatever its type", async () => {
    const { session } = start([
      new Response("[1,null]", { headers: { "content-type": "text/x" } }),
    ]);
    assertEquals(await session.get("x", { convJson: true }), [1, null]);
  });

  // contract: req-10-empty, reading-5
  it("rule 10: with conv_json set and an empty response body, the value none", async () => {
    const { session } = start([new Response(null, { status: 204 }), new Response(""), 200]);
    for (let call = 0; call < 3; call++) {
      assertEquals(await session.get("x", { convJson: true }), null);
    }
  });

  // contract: reading-3
  it("a body that is not JSON causes a DecodeError with the response, and is not retried", async () => {
    const { session, transport } = start([new Response("<html>", { status: 201 }), 200]);
    const error = await assertRejects(() => session.get("x", { convJson: true }), DecodeError);
    assertEquals([error.status, error.body, await error.response.text()], [
      201,
      "<html>",
      "<html>",
    ]);
    assertEquals(error.request, { method: "GET", url: "https://api.example.com/v1/x" });
    assertInstanceOf(error.cause, SyntaxError);
    assertEquals(transport.calls.length, 1);
  });
});

describeGenerations("the debug record of an attempt", ({ Session }) => {
  const start = starting(Session);

  // contract: req-6
  it("rule 6: is a JSON object with method, url, params and body, one before each attempt", async () => {
    const { session, log } = start([503, 200]);
    await session.post("x", { params: { q: "a b" }, json: { n: 1 } });
    const record = {
      method: "POST",
      url: "https://api.example.com/v1/x",
      params: { q: "a b" },
      body: { n: 1 },
    };
    assertEquals(log.json("debug"), [record, record]);
  });

  // contract: req-6
  it("rule 6: params and body each default to an empty mapping", async () => {
    const { session, log } = start([200]);
    await session.get("x");
    assertEquals(log.json("debug"), [
      { method: "GET", url: "https://api.example.com/v1/x", params: {}, body: {} },
    ]);
  });

  // contract: attr-19, keyword-5, req-6-restricted, reading-17
  it("rule 6: for a path in _restricted_paths params and body are replaced", async () => {
    class Guarded extends Session {
      static override readonly restrictedPaths: readonly string[] = ["/auth/login/"];
      static override readonly basePath: string = "rest";
    }
    // Only generation 1 has a base path.
    const base = `https://api.example.com/v1${Session === APISession ? "/rest" : ""}`;
    const full = `${base}/auth/login?otp=hunter2`;
    for (const path of ["auth/login", "/auth/login", "auth/login/?otp=hunter2", full]) {
      const { session, log } = start([200], {}, Guarded);
      await session.post(path, { json: { password: "hunter2" }, params: { otp: "hunter2" } });
      const [record] = log.json("debug");
      assertEquals([record!["params"], record!["body"]], ["REDACTED", "REDACTED"]);
      assert(!log.messages().join("\n").includes("hunter2"), log.messages().join("\n"));
    }
    const { session, log } = start([200], {}, Guarded);
    await session.post("auth/loginfo", { json: { n: 1 }, redactValue: "***" });
    assertEquals(log.json("debug")[0]!["body"], { n: 1 });
  });

  // contract: keyword-4, keyword-5, req-6-redact, decision-10, fault-1, fault-2
  it("rule 6: redact_fields replaces the values of matching keys in both copies", async () => {
    const { session, log, transport } = start([503, 200]);
    const json = { user: "ada", tokens: [{ token: "hunter2", deep: { token: ["hunter2"] } }] };
    await session.post("x?token=hunter2&page=2", {
      json,
      params: { token: "hunter2", list: ["a"] },
      redactFields: ["token"],
      redactValue: "[gone]",
    });
    const record = {
      method: "POST",
      url: "https://api.example.com/v1/x?token=%5Bgone%5D&page=2",
      params: { token: "[gone]", list: ["a"] },
      body: { user: "ada", tokens: [{ token: "[gone]", deep: { token: "[gone]" } }] },
    };
    assertEquals(log.json("debug"), [record, record]);
    assertEquals(json.tokens[0]!.token, "hunter2");
    assertStringIncludes(String(transport.calls[1]!.init.body), "hunter2");
    assert(!log.messages().join("\n").includes("hunter2"));
  });

  it("is built only if the level is enabled", async () => {
    const log = recordingLogger({ level: "info" });
    const { session } = start([200], { logger: log });
    let written = 0;
    const json = { toJSON: () => ++written };
    await session.post("x", { json, redactFields: ["x"] });
    assertEquals([log.messages("debug").length, written], [0, 1]);
  });

  // contract: decision-6
  it("each retry writes one warning record with attempt, reason and wait", async () => {
    const { session, log } = start([later("4"), refusedConnection(), 200]);
    await session.get("x");
    const request = { method: "GET", url: "https://api.example.com/v1/x" };
    assertEquals(log.json("warn"), [
      { ...request, attempt: 1, of: 4, reason: "429 TooManyRequestsError", wait: 4 },
      { ...request, attempt: 2, of: 4, reason: "TransportError (refused)", wait: 1 },
    ]);
  });

  // contract: decision-6
  it("no warning record is written if no attempt follows", async () => {
    const { session, log } = start([503], { retries: 0 });
    await assertRejects(() => session.get("x"), ServiceUnavailableError);
    assertEquals(log.messages("warn"), []);
  });
});

describeGenerations("the body of a request", ({ Session }) => {
  const start = starting(Session);

  // contract: decision-11
  it("is serialised once for all attempts", async () => {
    let written = 0;
    const { session, transport } = start([503, 503, 200]);
    await session.post("x", { json: { toJSON: () => ({ written: ++written }) } });
    assertEquals(written, 1);
    assertEquals(transport.calls.map(({ init }) => init.body), Array(3).fill('{"written":1}'));
  });

  // contract: decision-12
  it("is not sent again if it is a one-shot stream: the error is thrown and explains why", async () => {
    for (const answer of [503, refusedConnection()]) {
      const { session, transport, clock } = start([answer, 200]);
      const content = new Blob(["once"]).stream();
      const error = await assertRejects(() => session.put("x", { content }), RestwrightError);
      assertMatch(error.message, /not retried: the body is a stream that can be read only once/);
      assertEquals([transport.calls.length, clock.waits], [1, []]);
    }
  });

  // contract: decision-12
  it("is opened again for each attempt if a function opens it", async () => {
    const sent: string[] = [];
    const { session } = start([503, 200]);
    const content = () => {
      sent.push("opened");
      return new Blob(["again"]).stream();
    };
    await session.put("x", { content });
    assertEquals(sent, ["opened", "opened"]);
  });

  it("is not sent if the function that opens it throws: its error is unchanged", async () => {
    const { session, transport } = start([200]);
    const missing = Object.assign(new Error("no such file"), { code: "ENOENT" });
    const content = () => {
      throw missing;
    };
    const error = await assertRejects(() => session.put("x", { content }), Error);
    assert(error === missing);
    assertEquals(transport.calls.length, 0);
  });
});

describeGenerations("an unread body", ({ Session }) => {
  const start = starting(Session);

  // contract: decision-13
  it("is cancelled before the wait if it belongs to an error and is longer than 1 MiB", async () => {
    const order: string[] = [];
    const endless = () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull: (controller) => controller.enqueue(new Uint8Array(2 ** 18)),
          cancel: () => void order.push("cancelled"),
        }),
        { status: 503 },
      );
    const clock = fakeClock({ autoAdvance: true });
    const { session } = start([endless, 200], {
      clock: {
        now: () => clock.now(),
        after: (seconds, run) => {
          order.push("wait");
          return clock.after(seconds, run);
        },
      },
    });
    await session.get("x");
    assertEquals(order, ["cancelled", "wait"]);
  });
});

describeGenerations("ending a call early", ({ Session }) => {
  const start = starting(Session);

  // contract: decision-5, decision-16
  it("a wait ends at once when the signal aborts, with its reason, and is not retried", async () => {
    const clock = fakeClock();
    const { session, transport } = start([later("60"), 200], { clock });
    const abort = new AbortController();
    const call = session.get("x", { signal: abort.signal });
    const reason = new Error("enough");
    await until(() => clock.pending === 1);
    abort.abort(reason);
    assert(await assertRejects(() => call, Error) === reason);
    assertEquals([transport.calls.length, clock.pending], [1, 0]);
  });

  // contract: decision-16
  it("an attempt ends at once, even if the transport ignores its signal", async () => {
    const abort = new AbortController();
    const { session, transport } = start([() => new Promise<Response>(() => {})]);
    const call = session.get("x", { signal: abort.signal });
    await until(() => transport.calls.length === 1);
    abort.abort();
    const error = await assertRejects(() => call, Error);
    assertEquals(error.name, "AbortError");
  });

  it("the reason is thrown instead of the status if the body of an error has not arrived yet", async () => {
    const abort = new AbortController();
    const reason = new Error("enough");
    const stalled = () => {
      const pull = () => abort.abort(reason);
      const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
      return new Response(body, { status: 404 });
    };
    const { session, transport } = start([stalled, 200]);
    const call = session.get("x", { signal: abort.signal });
    assert(await assertRejects(() => call, Error) === reason);
    assertEquals(transport.calls.length, 1);
  });

  // contract: decision-16
  it("a signal that is already aborted sends nothing", async () => {
    const { session, transport } = start([200]);
    const signal = AbortSignal.abort(new Error("before"));
    await assertRejects(() => session.get("x", { signal }), Error, "before");
    assertEquals(transport.calls.length, 0);
  });

  // contract: decision-18
  it("the deadline limits the whole call, including waits, and the cause is the last error", async () => {
    const { session, transport } = start([503], { retries: 10, deadline: 7 });
    // Waits of 1, 2 and 3 seconds are within the deadline. The next wait of 4 seconds is not.
    await assertRejects(() => session.get("x"), ServiceUnavailableError, "the wait of 4 s");
    assertEquals(transport.calls.length, 4);
    const silent = () => new Promise<Response>(() => {});
    const slow = start([503, refusedConnection(), silent], { deadline: 7 });
    const error = await assertRejects(() => slow.session.get("x"), DeadlineExceededError);
    assertInstanceOf(error.cause, TransportError);
    assertEquals([error.deadline, slow.transport.calls.length], [7, 3]);
  });

  // contract: decision-19
  it("deadline and timeout can be set per call, and null removes those of the session", async () => {
    const { session } = start([503, 503, 503, 200], { deadline: 2 });
    await assertRejects(() => session.get("x"), ServiceUnavailableError, "deadline of 2 s");
    const other = start([503, 503, 503, 200], { deadline: 2 });
    assertEquals((await other.session.get("x", { deadline: null })).status, 200);
    const { session: unlimited } = start([503, 503, 503, 200]);
    await assertRejects(
      () => unlimited.get("x", { deadline: 2 }),
      ServiceUnavailableError,
      "deadline of 2 s",
    );
  });

  // contract: fault-11
  it("leaves no listener and no timer, no matter how the call ends", async () => {
    for (const answers of [[200], [404], [503, 200], [refusedConnection(), 200]] as Answer[][]) {
      const { signal, listeners } = countedSignal();
      const { session, clock } = start(answers, { timeout: 5, deadline: 60 });
      await session.get("x", { signal }).catch(() => {});
      assertEquals([listeners(), clock.pending], [0, 0]);
    }
  });
});

describeGenerations("a timeout", ({ Session }) => {
  const start = starting(Session);

  // contract: attr-15, req-5, limit-5
  it("counts as a transport-level exception, which is logged and retried", async () => {
    const silent = () => new Promise<Response>(() => {});
    const { session, transport, log } = start([silent, 200], { timeout: 4 });
    assertEquals((await session.get("x")).status, 200);
    assertEquals(transport.calls.length, 2);
    assertEquals(
      log.json("error").map(({ error }) => error),
      ["GET https://api.example.com/v1/x failed: no data for 4 s"],
    );
  });

  // contract: decision-17, fault-10
  it("applies until the end of a body that is converted", async () => {
    const stalled = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode("[")),
        }),
      );
    const { session, transport } = start([stalled, Response.json([2])], { timeout: 4 });
    assertEquals(await session.get("x", { convJson: true }), [2]);
    assertEquals(transport.calls.length, 2);
  });

  // contract: decision-17, fault-10
  it("is thrown by the stream that the caller reads", async () => {
    const stalled = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode("part")),
        }),
      );
    const { session, transport } = start([stalled], { timeout: 4 });
    const response = await session.get("x");
    const error = await assertRejects(() => response.text(), TransportError);
    assertEquals([error.kind, transport.calls.length], ["timeout", 1]);
  });
});

describeGenerations("errors of a session", ({ Session }) => {
  const start = starting(Session);

  // contract: attr-23, errors-1, reading-15
  it("error_func is passed to every error object built from a response", async () => {
    const errorFunc: SessionOptions["errorFunc"] = (response, { retries, request, body }) =>
      `${response.status} ${retries} ${request?.method} ${body}`;
    const { session } = start([later("0"), new Response("gone", { status: 410 })], { errorFunc });
    const error = await assertRejects(() => session.get("x"), APIError);
    assertEquals(error.message, "410 1 GET gone");
    const retried = start([later("0")], { errorFunc, retries: 2 });
    const last = await assertRejects(() => retried.session.get("x"), TooManyRequestsError);
    assertEquals(last.message, "429 2 GET later");
  });

  // contract: attr-20, attrs-3, errors-7
  it("rule 7: overriding _error_map replaces single entries", async () => {
    class OddError extends APIError {}
    class Odd extends Session {
      static override readonly errorMap: ErrorMap = { 404: OddError };
    }
    await assertRejects(() => start([404], {}, Odd).session.get("x"), OddError);
    await assertRejects(() => start([409], {}, Odd).session.get("x"), RequestConflictError);
  });

  // contract: attr-21, errors-7
  it("rule 7: overriding _base_error_map removes all preset mappings", async () => {
    class Bare extends Session {
      static override readonly baseErrorMap: ErrorMap = { 500: ServerError };
    }
    await assertRejects(() => start([500], {}, Bare).session.get("x"), ServerError);
    const { session, transport } = start([503, 200], {}, Bare);
    const error = await assertRejects(() => session.get("x"), APIError);
    assertEquals([error.constructor, transport.calls.length], [APIError, 1]);
  });
});

/** Creates a signal that counts its listeners. */
function countedSignal() {
  const { signal } = new AbortController();
  let count = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    count++;
    return addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    count--;
    return removeEventListener.apply(signal, args);
  };
  return { signal, listeners: () => count };
}
