import { assertEquals, describe, it } from "#test";
import {
  type BackoffSettings,
  retryWait,
  TRANSPORT_ERROR_WAIT,
  type WaitLimits,
  type WaitReason,
  whyWaitTooLong,
} from "../../../src/call/retry/wait.ts";
import { readRetryAfter } from "../../../src/errors/retry_after.ts";
import { APISession } from "../../../src/client/session.ts";
import { fakeClock } from "../../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../../src/testing/recording_logger.ts";
import { scripted } from "../../support/scripted.ts";

interface PossibleWait {
  readonly wait: number;
  readonly retryAfter?: number;
}

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);

/** A first attempt that failed with a status, and another attempt is left. */
const usual: WaitReason = {
  ofHook: undefined,
  ofServer: undefined,
  hasResponse: true,
  retry: 1,
  isLast: false,
};
const settings: BackoffSettings = { backoff: 2, maxBackoff: null, jitter: "none" };

describe("the wait before a retry", () => {
  const waits: readonly (readonly [string | null, number, number, number])[] = [
    // header, retry, backoff, seconds
    [null, 1, 1, 1],
    [null, 2, 1, 2],
    [null, 3, 0.5, 1.5],
    [null, 3, 0, 0],
    ["7", 3, 1, 7],
    ["2.5", 3, 1, 2.5],
    ["1e-1", 3, 1, 0.1],
    ["0", 3, 1, 0],
    ["soon", 2, 3, 6],
    ["-1", 2, 3, 6],
    ["", 2, 3, 6],
    ["9".repeat(400), 2, 3, 6],
    ["Fri, 20 Nov 2026 13:00:00 GMT", 1, 1, 3600],
  ];
  for (const [header, retry, backoff, seconds] of waits) {
    const condition = header === null
      ? "without Retry-After"
      : `Retry-After '${header.slice(0, 30)}'`;
    it(`rule 7: ${condition}, retry ${retry}, backoff ${backoff}: ${seconds} s`, () => {
      const reason = { ...usual, ofServer: readRetryAfter(header, NOW), retry };
      assertEquals(retryWait(reason, { ...settings, backoff }, {}).wait, seconds);
    });
  }

  const ordered:
    readonly (readonly [string, Partial<WaitReason>, Partial<BackoffSettings>, number])[] = [
      ["that of the hook before all others", { ofHook: 0, ofServer: 9 }, {}, 0],
      ["that of the server before the backoff", { ofServer: 0 }, {}, 0],
      ["the backoff after a status", { retry: 3 }, {}, 6],
      ["1 s after a transport error", { hasResponse: false, retry: 3 }, {}, 1],
      ["that of a function after a transport error", { hasResponse: false, retry: 3 }, {
        backoff: (retry) => retry * 4,
      }, 12],
      ["1 s after the last transport error", { hasResponse: false, retry: 3, isLast: true }, {
        backoff: (retry) => retry * 4,
      }, 1],
      ["at most maxBackoff", { retry: 3 }, { maxBackoff: 5 }, 5],
    ];
  for (const [what, reason, changes, seconds] of ordered) {
    it(`is ${what}`, () => {
      const { wait } = retryWait({ ...usual, ...reason }, { ...settings, ...changes }, {});
      assertEquals(wait, seconds);
    });
  }

  it("has the limit maxRetryAfter only if the server asks for it", () => {
    const tooLong = (reason: Partial<WaitReason>) =>
      retryWait({ ...usual, ...reason }, settings, { maxRetryAfter: 1 }).tooLong;

    assertEquals(tooLong({ ofHook: 5, ofServer: 5 }), undefined);
    assertEquals(tooLong({}), undefined);
    assertEquals(
      tooLong({ ofServer: 5 }),
      "the server asked to wait 5 s, more than maxRetryAfter (1 s)",
    );
  });

  const maxRetryAfter = 60;
  const limited: readonly (readonly [string, PossibleWait, WaitLimits, string?])[] = [
    ["a year", { wait: 31_536_000, retryAfter: 31_536_000 }, {}],
    [
      "longer than a year",
      { wait: 31_536_001, retryAfter: 31_536_001 },
      { maxRetryAfter: null, deadline: null },
      "the wait of 31536001 s is longer than a year",
    ],
    [
      "longer than a year, but not than maxRetryAfter",
      { wait: 1e9, retryAfter: 1e9 },
      { maxRetryAfter: 1e10 },
      "the wait of 1000000000 s is longer than a year",
    ],
    ["infinite", { wait: Infinity }, {}, "the wait of Infinity s is longer than a year"],
    ["as long as maxRetryAfter", { wait: 60, retryAfter: 60 }, { maxRetryAfter }],
    ["a backoff above maxRetryAfter", { wait: 90 }, { maxRetryAfter }],
    [
      "above maxRetryAfter",
      { wait: 3600, retryAfter: 3600 },
      { maxRetryAfter },
      "the server asked to wait 3600 s, more than maxRetryAfter (60 s)",
    ],
    ["shorter than the remaining time", { wait: 4.9 }, { deadline: 10, remaining: 5 }],
    [
      "as long as the remaining time",
      { wait: 5 },
      { deadline: 10, remaining: 5 },
      "the wait of 5 s would exceed the deadline of 10 s",
    ],
    [
      "0 after the deadline",
      { wait: 0, retryAfter: 0 },
      { deadline: 10, remaining: -0.2 },
      "the wait of 0 s would exceed the deadline of 10 s",
    ],
    [
      "too long by a rounding error",
      { wait: 3 * 0.1 },
      { deadline: 0.2, remaining: 0.1 },
      "the wait of 0.3 s would exceed the deadline of 0.2 s",
    ],
  ];
  for (const [what, { wait, retryAfter }, limits, note] of limited) {
    it(`a wait that is ${what}: ${note ?? "is allowed"}`, () => {
      assertEquals(whyWaitTooLong(wait, retryAfter, limits), note);
    });
  }

  // contract: limit-4
  it("a transport-level exception waits a fixed 1 second, no matter what the backoff is", async () => {
    assertEquals(TRANSPORT_ERROR_WAIT, 1);
    const clock = fakeClock({ autoAdvance: true });
    const lost = new TypeError("fetch failed", { cause: new Error("connection reset") });
    const session = new APISession({
      url: "https://api.example.com",
      adapter: scripted(lost, lost, 503, 200),
      clock,
      logger: recordingLogger(),
      backoff: 10,
    });
    await session.get("x");
    assertEquals(clock.waits, [1, 1, 30]);
  });

  it("rule 7: waits the retry count after incrementing times backoff, or as long as Retry-After requests", async () => {
    const clock = fakeClock({ autoAdvance: true, start: NOW });
    const later = (value: string) =>
      new Response(null, { status: 429, headers: { "Retry-After": value } });
    const session = new APISession({
      url: "https://api.example.com",
      adapter: scripted(
        503,
        later("0.25"),
        later("Fri, 20 Nov 2026 12:01:02 GMT"),
        later("later"),
        later("0"),
        200,
      ),
      clock,
      logger: recordingLogger(),
      retries: 5,
      backoff: 2,
    });
    await session.get("x");
    // 2 + 0.25 s have passed when the date arrives. A value of 0 causes no wait.
    assertEquals(clock.waits, [2, 0.25, 59.75, 8]);
  });
});
