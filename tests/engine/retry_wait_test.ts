import { assertEquals, describe, it } from "#test";
import { readRetryAfter, retryWait, TRANSPORT_ERROR_WAIT } from "../../src/engine/retry_wait.ts";
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
      assertEquals(retryWait(header, retry, NOW, { backoff, maxRetryAfter }), seconds);
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

describe("reading a Retry-After header", () => {
  const readable: readonly (readonly [string, number])[] = [
    ["0", 0],
    ["120", 120],
    ["1.5", 1.5],
    ["1.", 1],
    [".5", 0.5],
    ["0.0", 0],
    ["007", 7],
    [" 5 ", 5],
    ["31536000000", 31536000000],
    ["Fri, 20 Nov 2026 12:00:30 GMT", 30],
    ["Friday, 20-Nov-26 12:00:30 GMT", 30],
    ["Fri Nov 20 12:00:30 2026", 30],
    ["Thu Dec  3 12:00:00 2026", 13 * 86400],
    ["Thu, 03 Dec 2026 12:00:00 GMT", 13 * 86400],
    ["Fri, 20 Nov 2026 12:00:00 GMT", 0],
    ["Fri, 20 Nov 2026 11:59:59 GMT", 0],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
    ["Sun Nov  6 08:49:37 1994", 0],
    ["Thu, 31 Dec 2026 23:59:60 GMT", (Date.UTC(2027, 0, 1) - NOW) / 1000], // a leap second
    ["Friday, 20-Nov-76 12:00:00 GMT", (Date.UTC(2076, 10, 20, 12) - NOW) / 1000],
    ["Saturday, 20-Nov-77 12:00:00 GMT", 0],
  ];
  for (const [header, seconds] of readable) {
    it(`'${header}' is ${seconds} s`, () => {
      assertEquals(readRetryAfter(header, NOW), seconds);
    });
  }

  const unreadable = [
    "",
    " ",
    "-1",
    "+1",
    "1e3",
    "0x10",
    "1_000",
    "1,5",
    "1 2",
    "5s",
    "5, 10",
    "NaN",
    "Infinity",
    "inf",
    "soon",
    ".",
    "١٢",
    "2026-11-20T12:00:30Z",
    "Fri, 20 Nov 2026 12:00:30",
    "Fri, 20 Nov 2026 12:00:30 UTC",
    "Fri, 20 Nov 2026 12:00:30 +0000",
    "Fri, 20 Foo 2026 12:00:30 GMT",
    "fri, 20 nov 2026 12:00:30 gmt",
    "20 Nov 2026 12:00:30 GMT",
    "Fri, 32 Nov 2026 12:00:30 GMT",
    "Fri, 20 Nov 2026 25:00:30 GMT",
    "Friday, 20-Foo-26 12:00:30 GMT",
    "Fri Foo 20 12:00:30 2026",
    "Fri, 20 Nov 2026 12:00:30 GMT, 5",
  ];
  for (const header of unreadable) {
    it(`'${header}' is unreadable, and falls back to the backoff`, () => {
      assertEquals(readRetryAfter(header, NOW), undefined);
      assertEquals(retryWait(header, 2, NOW, { backoff: 3, maxRetryAfter: undefined }), 6);
    });
  }
});
