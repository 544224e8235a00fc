import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStringIncludes,
  it,
} from "#test";
import {
  APIError,
  type APISession,
  DeadlineExceededError,
  type FailedAttempt,
  NotFoundError,
  type RequestOptions,
  type SessionOptions,
  TooManyRequestsError,
  TransportError,
  UnexpectedValueError,
} from "../../../mod.ts";
import { ForbiddenError, ServiceUnavailableError } from "../../../src/entries/errors.ts";
import { fakeClock } from "../../../src/testing/fake_clock.ts";
import { describeGenerations, type SessionClass } from "../../support/generations.ts";
import { recordingLogger } from "../../../src/testing/recording_logger.ts";
import { type Answer, refusedConnection, scripted } from "../../support/scripted.ts";
import { until } from "../../support/until.ts";

type Decision = boolean | undefined;

/** The hooks of a test. */
interface Hooks {
  should?: (failed: FailedAttempt) => Decision | Promise<Decision>;
  wait?: (failed: FailedAttempt) => number | undefined | Promise<number | undefined>;
}

/** Returns a function that starts a session with scripted responses and with these hooks. */
const starting = (Usual: SessionClass) =>
(
  answers: readonly Answer[],
  { should, wait }: Hooks,
  options: SessionOptions = {},
) => {
  class Hooked extends Usual {}
  if (should) Object.assign(Hooked.prototype, { _shouldRetry: should });
  if (wait) Object.assign(Hooked.prototype, { _retryWait: wait });
  const transport = scripted(...answers);
  const clock = fakeClock({ autoAdvance: true });
  const log = recordingLogger();
  const session: APISession = new Hooked({
    url: "https://api.example.com/v1",
    adapter: transport,
    clock,
    logger: log,
    ...options,
  });
  return { session, transport, clock, log };
};

const limited = () =>
  Response.json({ code: "rate_limit", wait: 4 }, {
    status: 403,
    headers: { "x-ratelimit-remaining": "0" },
  });

/** Counts the text in parentheses at the end of a message. */
function notesIn({ message }: Error): number {
  return message.split("(not retried: ").length - 1;
}

describeGenerations("the hook _shouldRetry", ({ Session }) => {
  const start = starting(Session);

  it("true retries an error status that is not retryable, with the backoff", async () => {
    const { session, transport, clock } = start([limited, limited, 200], { should: () => true });
    assertEquals((await session.get("x")).status, 200);
    assertEquals([transport.calls.length, clock.waits], [3, [1, 2]]);
  });

  it("true retries a status that is in no error map, and respects its Retry-After", async () => {
    const odd = new Response(null, { status: 499, headers: { "retry-after": "9" } });
    const { session, clock } = start([odd, 200], { should: () => true });
    await session.get("x");
    assertEquals(clock.waits, [9]);
  });

  it("false throws the error of a retryable failure at once, without a note", async () => {
    for (const answer of [503, refusedConnection()]) {
      const { session, transport, clock } = start([answer, 200], { should: () => false });
      const error = await assertRejects(() => session.get("x"));
      assert(error instanceof ServiceUnavailableError || error instanceof TransportError);
      assertEquals([notesIn(error), transport.calls.length, clock.waits], [0, 1, []]);
    }
  });

  it("undefined leaves the decision to the contract", async () => {
    const should = () => undefined;
    const retried = start([503, refusedConnection(), 200], { should });
    await retried.session.get("x");
    assertEquals(retried.clock.waits, [1, 1]);
    const failed = start([404, 200], { should });
    await assertRejects(() => failed.session.get("x"), NotFoundError);
    assertEquals(failed.transport.calls.length, 1);
  });

  it("can be asynchronous, and runs with the session as this", async () => {
    const seen: unknown[] = [];
    const should = async function (this: unknown): Promise<boolean> {
      seen.push(this);
      await Promise.resolve();
      return true;
    };
    const { session } = start([limited, 200], { should });
    assertEquals((await session.get("x")).status, 200);
    assertEquals(seen, [session]);
  });

  it("gets the request, the response, the error with its body, and the attempt", async () => {
    const seen: FailedAttempt[] = [];
    const bodies: unknown[] = [];
    const { session } = start([limited, refusedConnection(), 200], {
      should: async (failed) => {
        seen.push(failed);
        const { error, response } = failed;
        if (error instanceof APIError) bodies.push(JSON.parse(error.body), await response?.json());
        return true;
      },
    }, { params: { token: "t-1" }, redactFields: ["token"] });
    await session.post("x");
    const [first, second] = seen as [FailedAttempt, FailedAttempt];
    const request = { method: "POST", url: "https://api.example.com/v1/x?token=REDACTED" };
    assertEquals([first.request, first.attempt, first.response?.status], [request, 1, 403]);
    assertInstanceOf(first.error, ForbiddenError);
    assertEquals(bodies, [{ code: "rate_limit", wait: 4 }, { code: "rate_limit", wait: 4 }]);
    assertEquals([second.request, second.attempt, second.response], [request, 2, undefined]);
    assertInstanceOf(second.error, TransportError);
    assertEquals(second.error.kind, "refused");
  });

  it("is not asked after the last attempt, nor about a success", async () => {
    let asked = 0;
    const should = () => {
      asked++;
      return true;
    };
    const { session, transport } = start([503, 503, 200], { should }, { retries: 1 });
    await assertRejects(() => session.get("x"), ServiceUnavailableError);
    await session.get("x");
    assertEquals([asked, transport.calls.length], [1, 3]);
    await assertRejects(
      () => start([404], { should }, { retries: 0 }).session.get("x"),
      NotFoundError,
    );
    assertEquals(asked, 1);
  });

  it("cannot retry a body that can be sent only once: the message has the reason once", async () => {
    for (const should of [() => true, () => undefined]) {
      for (const answer of [503, refusedConnection()]) {
        const { session, transport } = start([answer, 200], { should });
        const content = new Blob(["a"]).stream();
        const error = await assertRejects(() => session.post("x", { content }), Error);
        assertStringIncludes(error.message, "(not retried: the body is a stream that can be read");
        assertEquals([notesIn(error), transport.calls.length], [1, 1]);
      }
    }
  });

  it("true wins over retryMethods", async () => {
    const { session } = start([503, 200], { should: () => true }, { retryMethods: [] });
    assertEquals((await session.post("x")).status, 200);
    const undecided = start([503, 200], { should: () => undefined }, { retryMethods: [] });
    const error = await assertRejects(() => undecided.session.post("x"), ServiceUnavailableError);
    assertEquals(notesIn(error), 1);
  });

  it("true does not win over the deadline and maxRetryAfter", async () => {
    const should = () => true;
    const late = start([limited, 200], { should }, { deadline: 0.5 });
    const error = await assertRejects(() => late.session.get("x"), ForbiddenError);
    assertStringIncludes(error.message, "the wait of 1 s would exceed the deadline of 0.5 s");
    const busy = new Response(null, { status: 429, headers: { "retry-after": "90" } });
    const long = start([busy, 200], { should }, { maxRetryAfter: 60 });
    const other = await assertRejects(() => long.session.get("x"), TooManyRequestsError);
    assertEquals(notesIn(other), 1);
  });

  it("that takes too long is ended by the deadline, and by the signal", async () => {
    const should = () => new Promise<boolean>(() => {});
    const { session } = start([503], { should }, { deadline: 5 });
    const error = await assertRejects(() => session.get("x"), DeadlineExceededError);
    assertEquals(error.cause, undefined);
    let isAsked = false;
    const aborted = start([503], {
      should: () => {
        isAsked = true;
        return should();
      },
    });
    const controller = new AbortController();
    const call = assertRejects(
      () => aborted.session.get("x", { signal: controller.signal }),
      Error,
      "enough",
    );
    await until(() => isAsked);
    controller.abort(new Error("enough"));
    await call;
  });

  it("that throws ends the call with its error", async () => {
    const mistake = new TypeError("cannot read properties of undefined");
    const should = () => {
      throw mistake;
    };
    for (const answer of [503, 404, refusedConnection()]) {
      const { session, transport } = start([answer, 200], { should });
      assert(await session.get("x").catch((error: unknown) => error) === mistake);
      assertEquals(transport.calls.length, 1);
    }
  });

  it("that throws a TransportError ends the call, too", async () => {
    const should = () => Promise.reject(new TransportError("the status page is down"));
    const { session, transport } = start([503, 200], { should });
    await assertRejects(() => session.get("x"), TransportError, "the status page is down");
    assertEquals(transport.calls.length, 1);
  });

  for (const value of ["yes", 1, null, {}]) {
    it(`that returns ${JSON.stringify(value)} ends the call with an UnexpectedValueError`, async () => {
      const should = (() => value) as unknown as () => boolean;
      const { session, transport } = start([503, 200], { should });
      const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
      assertEquals(error.option, "_shouldRetry");
      assertStringIncludes(error.message, "a hook that returns true, false or undefined, but is");
      assertEquals(transport.calls.length, 1);
    });
  }
});

describeGenerations("the hook _retryWait", ({ Session }) => {
  const start = starting(Session);

  it("returns the seconds to wait, after statuses and transport errors alike", async () => {
    const seen: number[] = [];
    const { session, clock } = start([503, refusedConnection(), 503, 200], {
      wait: ({ attempt }) => {
        seen.push(attempt);
        return attempt * 10;
      },
    });
    await session.get("x");
    assertEquals([clock.waits, seen], [[10, 20, 30], [1, 2, 3]]);
  });

  it("0 does not wait, and undefined falls through to Retry-After or the backoff", async () => {
    const later = new Response(null, { status: 503, headers: { "retry-after": "7" } });
    const waits = [0, undefined, undefined, undefined];
    const { session, clock } = start([503, later, 503, refusedConnection(), 200], {
      wait: () => waits.shift(),
    }, { retries: 4 });
    await session.get("x");
    assertEquals(clock.waits, [7, 3, 1]);
  });

  it("can read the wait from the body, after _shouldRetry has read it", async () => {
    const read = async (response: Response | undefined) => (await response!.json()).wait;
    const { session, clock } = start([limited, 200], {
      should: async ({ response }) => await read(response) === 4,
      wait: ({ response }) => read(response),
    });
    await session.get("x");
    assertEquals(clock.waits, [4]);
  });

  it("hooks that read the response leave it readable for _retryRequest and the caller", async () => {
    const texts: string[] = [];
    class Reading extends Session {
      protected override async _shouldRetry({ response }: FailedAttempt): Promise<undefined> {
        texts.push(await response!.text());
      }
      protected override async _retryRequest(response: Response): Promise<undefined> {
        texts.push(await response.text());
      }
    }
    const session = new Reading({
      url: "https://api.example.com",
      adapter: scripted(() => new Response("busy", { status: 503 }), limited),
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
    });
    const error = await assertRejects(() => session.get("x"), ForbiddenError);
    const body = '{"code":"rate_limit","wait":4}';
    assertEquals(texts, ["busy", "busy", body]);
    assertEquals(await error.response.text(), body);
  });

  it("is asked only if the request is retried", async () => {
    let asked = 0;
    const wait = () => {
      asked++;
      return 1;
    };
    await assertRejects(() => start([404], { wait }).session.get("x"), NotFoundError);
    const refused = start([503], { wait, should: () => false });
    await assertRejects(() => refused.session.get("x"), ServiceUnavailableError);
    const unsafe = start([503], { wait }, { retryMethods: [] });
    await assertRejects(() => unsafe.session.get("x"), ServiceUnavailableError, "retryMethods");
    const last = start([503], { wait }, { retries: 0 });
    await assertRejects(() => last.session.get("x"), ServiceUnavailableError);
    assertEquals(asked, 0);
    const other = start([404, 200], { wait, should: () => true });
    assertEquals((await other.session.get("x")).status, 200);
    assertEquals(asked, 1);
  });

  it("wins over a Retry-After above maxRetryAfter", async () => {
    const later = () => new Response(null, { status: 429, headers: { "retry-after": "3600" } });
    const { session, clock } = start([later, 200], { wait: () => 5 }, { maxRetryAfter: 60 });
    assertEquals((await session.get("x")).status, 200);
    assertEquals(clock.waits, [5]);
  });

  it("does not win over the deadline: the message has the reason once", async () => {
    const later = () => new Response(null, { status: 429, headers: { "retry-after": "3600" } });
    const options = { maxRetryAfter: 60, deadline: 5 };
    const { session } = start([later, 200], { wait: () => 30 }, options);
    const error = await assertRejects(() => session.get("x"), TooManyRequestsError);
    assertStringIncludes(error.message, "the wait of 30 s would exceed the deadline of 5 s");
    assertEquals(notesIn(error), 1);
  });

  it("replaces the function backoff, which is not called then", async () => {
    const backoff = () => NaN;
    const { session, clock } = start([503, 200], { wait: () => 2 }, { backoff });
    await session.get("x");
    assertEquals(clock.waits, [2]);
  });

  it("is not limited by maxBackoff and has no jitter", async () => {
    const options = { maxBackoff: 1, jitter: "full" } as const;
    const { session, clock } = start([503, 200], { wait: () => 30 }, options);
    await session.get("x");
    assertEquals(clock.waits, [30]);
  });

  for (const value of [NaN, -1, Infinity, "5", null]) {
    it(`that returns ${value} ends the call with an UnexpectedValueError`, async () => {
      const wait = (() => value) as unknown as () => number;
      for (const answer of [503, refusedConnection()]) {
        const { session, transport } = start([answer, 200], { wait });
        const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
        assertEquals([error.option, transport.calls.length], ["_retryWait", 1]);
      }
    });
  }

  it("that throws ends the call with its error", async () => {
    const mistake = new RangeError("no");
    const { session } = start([503, 200], { wait: () => Promise.reject(mistake) });
    assert(await session.get("x").catch((error: unknown) => error) === mistake);
  });
});

describeGenerations("the hooks of a session with retries", ({ Session }) => {
  it("the log has the reason and the wait of a retry that a hook decided on", async () => {
    const start = starting(Session);
    const { session, log } = start([limited, 200], { should: () => true, wait: () => 3 });
    await session.get("x");
    const [record] = log.json("warn");
    assertEquals([record?.["reason"], record?.["wait"]], ["403 ForbiddenError", 3]);
  });

  it("the record of a transport error that is not retried has the reason", async () => {
    const start = starting(Session);
    const { session, log } = start([new TransportError("lost", { kind: "reset" })], {}, {
      retryMethods: [],
    });
    await assertRejects(() => session.get("x"), TransportError);
    assertStringIncludes(String(log.json("error")[0]?.["error"]), "not one of retryMethods");
  });

  it("an option that a hook _retryRequest returns holds for the later waits", async () => {
    class Changing extends Session {
      protected override _retryRequest(): RequestOptions {
        return { backoff: 10, jitter: "none" };
      }
    }
    const clock = fakeClock({ autoAdvance: true });
    const session = new Changing({
      url: "https://api.example.com",
      adapter: scripted(503, 503, 200),
      clock,
      logger: recordingLogger(),
    });
    await session.get("x");
    assertEquals(clock.waits, [1, 20]);
  });
});
