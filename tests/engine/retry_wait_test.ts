import { assertEquals, describe, it } from "#test";
import { retryWait, TRANSPORT_ERROR_WAIT } from "../../src/engine/retry_wait.ts";
import { readRetryAfter } from "../../src/errors/retry_after.ts";
import { APISession } from "../../src/session.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { recordingLogger } from "../support/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);

describe("the wait before a retry", () => {
  const waits: readonly (readonly [string | null, number, number, number | undefined, number])[] = [
    // header, retry, backoff, maxRetryAfter, seconds
    [null, 1, 1, undefined, 1],
    [null, 2, 1, undefined, 2],
    [null, 3, 0.5, undefined, 1.5],
    [null, 3, 0, undefined, 0],
    ["7", 3, 1, undefined, 7],
    ["2.5", 3, 1, undefined, 2.5],
    ["0", 3, 1, undefined, 0],
    ["soon", 2, 3, undefined, 6],
    ["-1", 2, 3, undefined, 6],
    ["", 2, 3, undefined, 6],
    ["3600", 1, 1, 30, 30],
    ["10", 1, 1, 30, 10],
    ["30", 1, 1, 30, 30],
    [null, 90, 1, 30, 90],
    ["soon", 90, 1, 30, 90],
    ["Fri, 20 Nov 2026 13:00:00 GMT", 1, 1, 30, 30],
    ["Fri, 20 Nov 2026 13:00:00 GMT", 1, 1, undefined, 3600],
  ];
  for (const [header, retry, backoff, maxRetryAfter, seconds] of waits) {
    const given = header === null ? "without Retry-After" : `Retry-After '${header}'`;
    const capped = maxRetryAfter === undefined ? "" : `, at most ${maxRetryAfter}`;
    it(`rule 7: ${given}, retry ${retry}, backoff ${backoff}${capped}: ${seconds} s`, () => {
      const asked = readRetryAfter(header, NOW);
      assertEquals(retryWait(asked, retry, { backoff, maxRetryAfter }), seconds);
    });
  }

  it("a transport-level exception waits a fixed 1 second, whatever the backoff", async () => {
    assertEquals(TRANSPORT_ERROR_WAIT, 1);
    const clock = new FakeClock();
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

  it("rule 7: the retry count after incrementing, times backoff, and Retry-After in its place", async () => {
    const clock = new FakeClock({ start: NOW });
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
    // 2 + 0.25 s have passed when the date comes; 0 is no wait.
    assertEquals(clock.waits, [2, 0.25, 59.75, 8]);
  });
});
