import { assertEquals, assertInstanceOf, describe, it } from "#test";
import { APISession, type CallOptions, type SessionOptions } from "../../mod.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { ClientCredentialsAuth } from "../../src/auth/oauth/mod.ts";
import { isLikelyMilliseconds } from "../../src/options/likely_mistakes.ts";
import { type Middleware, rateLimit, serverRateLimit } from "../../src/middleware/mod.ts";
import { fakeClock, mockTransport, recordingLogger, replies } from "../../src/testing/mod.ts";
import type { FailedAttempt } from "../../mod.ts";

const url = "https://api.example.com";

describe("a time that was probably meant in milliseconds", () => {
  const rows: readonly (readonly [option: string, likely: number[], unlikely: number[]])[] = [
    [
      "deadline",
      [1000, 2000, 5000, 30_000, 60_000, 90_000, 900_000, 3_600_000, 86_400_000],
      [0, 0.5, 60, 999, 1500, 1800, 3600, 7200, 18_000, 86_400],
    ],
    ["interval", [1000, 60_000, 900_000, 3_600_000], [1, 60, 900, 3600, 18_000, 86_400, 604_800]],
    ["timeout", [1000, 5000, 30_000, 10_001, 36_000], [0.5, 30, 1800, 3600, 7200, 9999]],
    ["backoff", [200, 250, 300, 500, 1000], [0, 1, 30, 60, 180]],
  ];
  for (const [option, likely, unlikely] of rows) {
    it(`is recognized by its size, for ${option}`, () => {
      for (const seconds of likely) {
        assertEquals(isLikelyMilliseconds(option, seconds), true, `${seconds}`);
      }
      for (const seconds of unlikely) {
        assertEquals(isLikelyMilliseconds(option, seconds), false, `${seconds}`);
      }
    });
  }

  it("is a finite number", () => {
    for (const value of [null, undefined, Infinity, NaN, "5000", () => 5000]) {
      assertEquals(isLikelyMilliseconds("timeout", value), false);
    }
  });
});

/** Returns the warning about an option. */
function warningOf(option: string, milliseconds: number): string {
  return `"${option}" is ${milliseconds} seconds: times are in seconds, not in milliseconds. ` +
    `Pass ${milliseconds / 1000} for ${milliseconds / 1000} seconds`;
}

/** Returns the warnings of a session after two calls. */
async function warningsOf(options: SessionOptions, call: CallOptions = {}): Promise<string[]> {
  const logger = recordingLogger({ level: "warn" });
  const fetch = mockTransport({ "GET /books": [] });
  const session = new APISession({ url, fetch, logger, ...options });
  await session.get("books", call);
  await session.get("books", call);
  return logger.messages();
}

describe("a warning about milliseconds", () => {
  const rows: readonly (readonly [option: keyof CallOptions, seconds: number])[] = [
    ["timeout", 30_000],
    ["deadline", 60_000],
    ["backoff", 500],
    ["maxBackoff", 8000],
    ["maxRetryAfter", 60_000],
  ];
  for (const [option, seconds] of rows) {
    it(`is logged once for ${option} of a session or a class, and for each call`, async () => {
      const warning = warningOf(option, seconds);
      class Slow extends APISession {
        static override readonly url: string = url;
      }
      Object.defineProperty(Slow, option, { value: seconds });
      const logger = recordingLogger({ level: "warn" });
      const slow = new Slow({ logger });
      await slow.ready;

      assertEquals(logger.messages(), [warning]);
      assertEquals(await warningsOf({ [option]: seconds }), [warning]);
      assertEquals(await warningsOf({}, { [option]: seconds }), [warning, warning]);
    });
  }

  it("is logged for the changes of withOptions, but not again for other options", async () => {
    const logger = recordingLogger({ level: "warn" });
    const session = new APISession({ url, logger, timeout: 30_000 });
    await session.ready;
    await session.withOptions({ deadline: 60_000 }).withOptions({ retries: 0 }).ready;

    assertEquals(logger.messages(), [warningOf("timeout", 30_000), warningOf("deadline", 60_000)]);
  });

  it("is logged for the timeout of an HTTP session, by the session that uses it", async () => {
    const session = new HttpSession({ timeout: 30_000 });

    assertEquals(await warningsOf({ session, fetch: mockTransport({ "GET /books": [] }) }), [
      warningOf("timeout", 30_000),
    ]);
  });

  it("is logged by the logger of a call, if it has one", async () => {
    const logger = recordingLogger({ level: "warn" });

    assertEquals(await warningsOf({}, { timeout: 30_000, logger }), []);
    assertEquals(logger.messages().length, 2);
  });

  it("is logged for a function or a hook that returns milliseconds, with the first retry", async () => {
    class Hooked extends APISession {
      protected override _retryWait(failed: FailedAttempt): number {
        return 4000 * failed.attempt;
      }
    }
    for (
      const [Session, options, warning] of [
        [
          APISession,
          { backoff: (retry: number) => 300 * 2 ** (retry - 1) },
          warningOf("backoff", 300),
        ],
        [Hooked, {}, warningOf("_retryWait", 4000)],
        [APISession, { backoff: (retry: number) => 2 ** retry }, undefined],
      ] as const
    ) {
      const logger = recordingLogger({ level: "warn" });
      const clock = fakeClock({ autoAdvance: true });
      const fetch = mockTransport({ "GET /books": replies(503, 503, []) });
      await new Session({ url, fetch, clock, logger, ...options }).get("books");
      const warnings = logger.messages().filter((text) => !text.startsWith("{"));

      assertEquals(warnings, warning === undefined ? [] : [warning]);
    }
  });

  const limits: readonly (readonly [string, () => Middleware, string[]])[] = [
    [
      "the interval and maxWait of rateLimit",
      () => rateLimit({ requests: 10, interval: 1000, maxWait: 5000 }),
      [warningOf("interval", 1000), warningOf("maxWait", 5000)],
    ],
    [
      "maxWait of serverRateLimit",
      () => serverRateLimit({ maxWait: 60_000 }),
      [warningOf("maxWait", 60_000)],
    ],
    ["an hour and no limit", () => rateLimit({ requests: 10, interval: 3600, maxWait: null }), []],
  ];
  for (const [title, make, warnings] of limits) {
    it(`is logged with the first request for ${title}: ${warnings.length}`, async () => {
      assertEquals(await warningsOf({ middleware: [make()] }), warnings);
    });
  }

  it("is logged for expiryMargin of OAuth, when the scheme is created", () => {
    const logger = recordingLogger({ level: "warn" });
    const session = new APISession({ url, logger });
    const options = { tokenUrl: "token", clientId: "a", clientSecret: "b" };
    const scheme = new ClientCredentialsAuth(session, { ...options, expiryMargin: 30_000 });

    assertInstanceOf(scheme, ClientCredentialsAuth);
    assertEquals(logger.messages(), [warningOf("expiryMargin", 30_000)]);
  });
});
