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
  APISession,
  type RequestOptions,
  RestwrightError,
  type RetryOptions,
  type SessionOptions,
  TransportError,
  UnexpectedValueError,
} from "../../../mod.ts";
import { ServiceUnavailableError } from "../../../src/entries/errors.ts";
import type { TransportErrorKind } from "../../../src/errors/transport_error.ts";
import { type BackoffSettings, backoffWait } from "../../../src/call/retry/wait.ts";
import { describeGenerations } from "../../support/generations.ts";
import { refusedConnection, type scripted } from "../../support/scripted.ts";
import { startSession } from "../../support/start_session.ts";

type Backoff = (retry: number) => number;

/** Runs a function while `Math.random` returns one value. */
async function withRandom<T>(value: number, run: () => T | Promise<T>): Promise<T> {
  const { random } = Math;
  Math.random = () => value;
  try {
    return await run();
  } finally {
    Math.random = random;
  }
}

/** Lets the type checker not see that a value is wrong. */
function wrong<T>(value: unknown): T {
  return value as T;
}

describe("backoffWait", () => {
  const usual: BackoffSettings = { backoff: 1, maxBackoff: null, jitter: "none" };
  const rows: readonly (readonly [Partial<BackoffSettings>, retry: number, seconds: number])[] = [
    [{}, 3, 3],
    [{ backoff: 0.5 }, 3, 1.5],
    [{ backoff: (retry) => 2 ** retry }, 3, 8],
    [{ backoff: 10, maxBackoff: 15 }, 1, 10],
    [{ backoff: 10, maxBackoff: 15 }, 2, 15],
    [{ backoff: (retry) => 2 ** retry, maxBackoff: 5 }, 3, 5],
    [{ backoff: 0, jitter: "full" }, 1, 0],
    [{ backoff: 4, jitter: "full" }, 1, 1],
    [{ backoff: 4, jitter: "equal" }, 1, 2.5],
    [{ backoff: 8, jitter: "full", maxBackoff: 4 }, 1, 1],
    [{ backoff: () => 8, jitter: "equal", maxBackoff: 4 }, 1, 2.5],
  ];
  for (const [changes, retry, seconds] of rows) {
    const { backoff = 1, ...others } = changes;
    // The runtimes print a function in different ways.
    const shown = typeof backoff === "function" ? "a function" : String(backoff);
    const title = `${shown} ${JSON.stringify(others)}`;
    it(`${title}, retry ${retry}, random number 0.25: ${seconds} s`, async () => {
      const wait = await withRandom(0.25, () => backoffWait({ ...usual, ...changes }, retry));
      assertEquals(wait, seconds);
    });
  }

  it("stays between 0 and the backoff with full jitter, above a half of it with equal jitter", async () => {
    for (const random of [0, 1 - 2 ** -53]) {
      const waits = await withRandom(
        random,
        () =>
          (["full", "equal", "none"] as const).map((jitter) =>
            backoffWait({ ...usual, backoff: 4, jitter }, 1)
          ),
      );
      const expected = random === 0 ? [0, 2, 4] : [4, 4, 4];
      for (const [index, wait] of waits.entries()) {
        assert(Math.abs(wait - expected[index]!) < 1e-9, `${waits}`);
      }
    }
  });
});

describeGenerations("the option backoff", ({ Session }) => {
  it("as a function returns the wait for each retry, after statuses and transport errors", async () => {
    const asked: number[] = [];
    const backoff: Backoff = (retry) => {
      asked.push(retry);
      return 2 ** retry;
    };
    const { session, clock } = startSession(
      [503, refusedConnection(), 429, 200],
      { backoff },
      Session,
    );
    await session.get("x");
    assertEquals([clock.waits, asked], [[2, 4, 8], [1, 2, 3]]);
  });

  it("as a function is not asked if Retry-After decides, or if no retry follows", async () => {
    const waits = [1, 2]; // a table as long as the number of retries
    const asked: number[] = [];
    const backoff: Backoff = (retry) => {
      asked.push(retry);
      return waits[retry - 1]!;
    };
    const later = new Response(null, { status: 429, headers: { "retry-after": "7" } });
    const failed = startSession([later, 503], { backoff, retries: 2 }, Session);
    await assertRejects(() => failed.session.get("x"), ServiceUnavailableError);
    assertEquals([failed.clock.waits, asked], [[7, 2], [2]]);
    const refused = startSession([refusedConnection()], { backoff, retries: 2 }, Session);
    await assertRejects(() => refused.session.get("x"), TransportError);
    assertEquals(refused.clock.waits, [1, 2, 1]);
    const wrongStatus = startSession([404], { backoff: () => NaN }, Session);
    await assertRejects(() => wrongStatus.session.get("x"), Error, "404");
  });

  it("can be a static, and a request option", async () => {
    class Doubling extends Session {
      static override readonly backoff: Backoff = (retry) => 2 ** retry;
      static override readonly maxBackoff: number | null = 3;
    }
    const { session, clock } = startSession([503, 503, 200, 503, 503, 200], {}, Doubling);
    await session.get("x");
    await session.get("x", { backoff: 5, maxBackoff: null });
    assertEquals(clock.waits, [2, 3, 5, 10]);
  });

  for (
    const [title, backoff, actual] of [
      ["NaN", () => NaN, "but is NaN"],
      ["a negative number", () => -1, "but is -1"],
      ["Infinity", () => Infinity, "but is Infinity"],
      ["a string", () => "1", "but is a string of 1 character"],
      ["a promise", () => Promise.resolve(1), "but is an instance of Promise"],
      ["undefined", () => undefined, "but is undefined"],
    ] as const
  ) {
    it(`that returns ${title} ends the call with an UnexpectedValueError`, async () => {
      for (const answer of [503, refusedConnection()]) {
        const { session, transport } = startSession(
          [answer, 200],
          { backoff: wrong(backoff) },
          Session,
        );
        const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
        assertEquals(error.option, "backoff(1)");
        assertStringIncludes(error.message, `a number of seconds of at least 0, ${actual}`);
        assertEquals(transport.calls.length, 1);
      }
    });
  }

  it("that throws ends the call with its error", async () => {
    const mistake = new RangeError("no such retry");
    const backoff = () => {
      throw mistake;
    };
    for (const answer of [503, refusedConnection()]) {
      const { session, transport } = startSession([answer, 200], { backoff }, Session);
      assert(await session.get("x").catch((error: unknown) => error) === mistake);
      assertEquals(transport.calls.length, 1);
    }
  });
});

describe("the options maxBackoff and jitter", () => {
  it("maxBackoff also limits the wait after a transport error, but not Retry-After", async () => {
    const later = new Response(null, { status: 429, headers: { "retry-after": "7" } });
    const { session, clock } = startSession([refusedConnection(), 503, later, 200], {
      maxBackoff: 0.5,
    });
    await session.get("x");
    assertEquals(clock.waits, [0.5, 0.5, 7]);
  });

  it("jitter changes the backoff, but not Retry-After", async () => {
    const later = new Response(null, { status: 429, headers: { "retry-after": "7" } });
    const { session, clock } = startSession([503, refusedConnection(), later, 200], {
      backoff: 4,
      jitter: "equal",
    });
    await withRandom(0.5, () => session.get("x"));
    assertEquals(clock.waits, [3, 0.75, 7]);
  });

  it("a wait is compared with the deadline after the jitter", async () => {
    const options = { backoff: 4, jitter: "full", deadline: 3 } as const;
    const short = startSession([503, 200], options);
    assertEquals((await withRandom(0.5, () => short.session.get("x"))).status, 200);
    const long = startSession([503, 200], options);
    const error = await withRandom(
      0.9,
      () => assertRejects(() => long.session.get("x"), ServiceUnavailableError),
    );
    assertStringIncludes(error.message, "the wait of 3.6 s would exceed the deadline of 3 s");
  });
});

describeGenerations("the option retryMethods", ({ Session }) => {
  const retryMethods = ["GET", "put"];
  const statuses: readonly (readonly [number, isRetried: boolean])[] = [
    [420, true],
    [429, true],
    [501, false],
    [502, false],
    [503, false],
    [504, false],
  ];
  for (const [status, isRetried] of statuses) {
    it(`a POST is ${isRetried ? "" : "not "}retried after ${status}`, async () => {
      const { session, transport, clock } = startSession([status, 200], { retryMethods }, Session);
      const call = session.post("x", { json: 1 });
      if (isRetried) {
        assertEquals((await call).status, 200);
        return;
      }
      const error = await assertRejects(() => call);
      assertMatch(String(error), /\(not retried: POST is not one of retryMethods\)$/);
      assertEquals([transport.calls.length, clock.waits], [1, []]);
    });
  }

  const kinds: readonly (readonly [TransportErrorKind, isRetried: boolean])[] = [
    ["dns", true],
    ["refused", true],
    ["tls", true],
    ["proxy", true],
    ["reset", false],
    ["timeout", false],
    ["other", false],
  ];
  for (const [kind, isRetried] of kinds) {
    it(`a POST is ${isRetried ? "" : "not "}retried after a transport error of kind ${kind}`, async () => {
      const lost = new TransportError("it failed", { kind });
      const { session, transport } = startSession([lost, 200], { retryMethods }, Session);
      const call = session.post("x");
      if (isRetried) {
        assertEquals((await call).status, 200);
        return;
      }
      const error = await assertRejects(() => call, TransportError);
      assertMatch(error.message, /\(not retried: POST is not one of retryMethods\)$/);
      assertEquals([error.kind, transport.calls.length], [kind, 1]);
    });
  }

  it("a method of the list is retried, in any case", async () => {
    const lost = new TransportError("lost", { kind: "reset" });
    const { session, transport } = startSession([503, lost, 200], { retryMethods }, Session);
    await session.put("x");
    assertEquals(transport.calls.length, 3);
  });

  it("an empty list retries no method, null all, and a request option wins", async () => {
    const none = startSession([503, 200, 503, 200], { retryMethods: [] }, Session);
    await assertRejects(() => none.session.get("x"), ServiceUnavailableError, "GET is not one of");
    none.transport.calls.length = 0;
    assertEquals((await none.session.post("x", { retryMethods: null })).status, 200);
  });

  it("a status that only retryOn retries does not depend on it", async () => {
    const { session, transport } = startSession([500, 200], { retryMethods }, Session);
    await session.post("x", { retryOn: [500] });
    assertEquals(transport.calls.length, 2);
  });

  it("there is no note on the last attempt, nor for an error that is never retried", async () => {
    const last = startSession([503], { retryMethods, retries: 0 }, Session);
    const error = await assertRejects(() => last.session.post("x"), ServiceUnavailableError);
    assert(!error.message.includes("not retried"));
    const notFound = startSession([404], { retryMethods: [] }, Session);
    const other = await assertRejects(() => notFound.session.get("x"), RestwrightError);
    assert(!other.message.includes("not retried"));
  });

  it("is copied, so that later changes have no effect", async () => {
    const methods = ["GET"];
    const { session } = startSession([503, 200], { retryMethods: methods }, Session);
    methods.length = 0;
    assertEquals((await session.get("x")).status, 200);
  });
});

describeGenerations("the option idempotencyHeader", ({ Session }) => {
  const options = { idempotencyHeader: "Idempotency-Key", backoff: 0 };
  const keysOf = ({ calls }: ReturnType<typeof scripted>) =>
    calls.map(({ init }) => init.headers["idempotency-key"]);
  const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

  it("adds a key to a POST and a PATCH: the same for all attempts, another for each call", async () => {
    const { session, transport } = startSession([503, refusedConnection(), 200], options, Session);
    await session.post("x");
    await session.patch("x", { json: 1 });
    const [first, second, third, other] = keysOf(transport);
    assertMatch(first!, UUID);
    assertEquals([second, third], [first, first]);
    assertMatch(other!, UUID);
    assert(other !== first);
  });

  it("adds no key to other methods", async () => {
    const { session, transport } = startSession([200], options, Session);
    await session.get("x");
    await session.put("x", { json: 1 });
    await session.delete("x");
    await session.head("x");
    assertEquals(keysOf(transport), [undefined, undefined, undefined, undefined]);
  });

  it("adds one to any method as the option of a single request", async () => {
    const { session, transport } = startSession([503, 200], { backoff: 0 }, Session);
    await session.put("x", { json: 1, idempotencyHeader: "Idempotency-Key" });
    await session.get("x", { idempotencyHeader: "Idempotency-Key" });
    const [first, second, other] = keysOf(transport);
    assertMatch(first!, UUID);
    assertEquals(second, first);
    assertMatch(other!, UUID);
    assert(other !== first);
  });

  it("a header of the call wins, in any case; null leaves it out", async () => {
    const { session, transport } = startSession([503, 200], options, Session);
    await session.post("x", { headers: { "IDEMPOTENCY-key": "mine" } });
    assertEquals(keysOf(transport), ["mine", "mine"]);
    const without = startSession([200], options, Session);
    await without.session.post("x", { headers: { "idempotency-key": null } });
    assertEquals(keysOf(without.transport), [undefined]);
  });

  it("a header of the session is replaced, because it would be the same for all calls", async () => {
    const headers = { "Idempotency-Key": "fixed" };
    const { session, transport } = startSession([200], { ...options, headers }, Session);
    await session.post("x");
    assertMatch(keysOf(transport)[0]!, UUID);
  });

  it("is off by default, and can be a static and a request option", async () => {
    class Shop extends Session {
      static override readonly idempotencyHeader: string | null = "X-Request-Key";
    }
    const { session, transport } = startSession([200], {}, Shop);
    await session.post("x");
    await session.post("x", { idempotencyHeader: null });
    const plain = startSession([200], {}, Session);
    await plain.session.post("x");
    const sent = transport.calls.map(({ init }) => "x-request-key" in init.headers);
    assertEquals(sent, [true, false]);
    assertEquals(keysOf(plain.transport), [undefined]);
  });

  const hooks: readonly (readonly [
    title: string,
    given: string | null | undefined,
    change: (options: RetryOptions) => RequestOptions | undefined,
    expected: (first: string | undefined) => (string | undefined)[],
  ])[] = [
    ["changes nothing", undefined, () => undefined, (key) => [key, key, key]],
    ["drops all options", undefined, () => ({}), (key) => [key, key, key]],
    ["drops a given key", "mine", () => ({}), () => ["mine", "mine", "mine"]],
    ["drops a null", null, () => ({}), () => [undefined, undefined, undefined]],
    [
      "sets another key",
      undefined,
      (before) => ({ ...before, headers: { "Idempotency-Key": "other" } }),
      (key) => [key, "other", "other"],
    ],
    [
      "adds another header",
      undefined,
      (before) => ({ ...before, headers: { ...before.headers, "x-retry": "1" } }),
      (key) => [key, key, key],
    ],
  ];
  for (const [title, given, change, expected] of hooks) {
    it(`a hook _retryRequest that ${title} keeps the rule`, async () => {
      class Hooked extends Session {
        protected override _retryRequest(
          _response: Response,
          _retries: number,
          before: RetryOptions,
        ): RequestOptions | undefined {
          return change(before);
        }
      }
      const { session, transport } = startSession([503, 503, 200], options, Hooked);
      await session.post("x", {
        json: 1,
        ...(given !== undefined && { headers: { "idempotency-key": given } }),
      });
      const keys = keysOf(transport);
      assertEquals(keys, expected(keys[0]));
    });
  }

  it("refuses the names of headers that frame a message", () => {
    for (const idempotencyHeader of ["Content-Length", "host", "a b", "", 5]) {
      const error = assertThrows(
        () =>
          new APISession({ url: "https://a.example", idempotencyHeader: wrong(idempotencyHeader) }),
        UnexpectedValueError,
      );
      assertEquals(error.option, "idempotencyHeader");
    }
  });
});

describe("options of the retry policy that are not valid", () => {
  const rows: readonly (readonly [option: string, value: unknown, named?: string])[] = [
    ["backoff", NaN],
    ["backoff", -1],
    ["backoff", "1"],
    ["backoff", null],
    ["maxBackoff", -1],
    ["maxBackoff", -Infinity],
    ["maxBackoff", "8"],
    ["jitter", "some"],
    ["jitter", true],
    ["jitter", null],
    ["retryMethods", "GET"],
    ["retryMethods", ["GET", "A B"], "retryMethods[1]"],
    ["retryMethods", [5], "retryMethods[0]"],
    ["retryMethods", new Array(1), "retryMethods[0]"],
    ["retryBudget", 500],
    ["retryBudget", null],
    ["middleware", () => {}],
    ["middleware", [null], "middleware[0]"],
    ["middleware", new Array(1), "middleware[0]"],
    ["callMiddleware", null],
    ["callMiddleware", [() => {}, "x"], "callMiddleware[1]"],
  ];
  for (const [option, value, named = option] of rows) {
    // The runtimes print a function in different ways.
    const nameOf = (each: unknown) => typeof each === "function" ? "a function" : String(each);
    const shown = Array.isArray(value) ? `[${value.map(nameOf)}]` : nameOf(value);
    it(`${option}: ${shown} is refused at every level`, async () => {
      const options = wrong<SessionOptions>({ [option]: value });
      const error = assertThrows(
        () => new APISession({ url: "https://api.example.com", ...options }),
        UnexpectedValueError,
      );
      assertEquals(error.option, named);
      class Own extends APISession {}
      Object.defineProperty(Own, option, { value });
      const ofClass = assertThrows(
        () => new Own({ url: "https://api.example.com" }),
        UnexpectedValueError,
      );
      assertEquals(ofClass.option, named);
      const { session, transport } = startSession([200]);
      const ofCall = await assertRejects(
        () => session.get("x", wrong<RequestOptions>({ [option]: value })),
        UnexpectedValueError,
      );
      assertEquals(ofCall.option, option === "callMiddleware" ? option : named);
      assertEquals(transport.calls, []);
      const derived = assertThrows(() => session.withOptions(options), UnexpectedValueError);
      assertInstanceOf(derived, UnexpectedValueError);
      assertEquals(derived.option, named);
    });
  }
});
