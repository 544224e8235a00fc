import { assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import {
  APISession,
  DeadlineExceededError,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import { lazyImport } from "../../src/base/lazy_import.ts";
import { fakeClock, mockTransport, replies, silentLogger } from "../../src/testing/mod.ts";
import { turn } from "../support/until.ts";

const session = { url: "https://api.example.com", logger: silentLogger };

describe("a fake clock", () => {
  it("stands still until it is moved, and runs timers in the order of their time", async () => {
    const start = Date.UTC(2027, 5, 1);
    const clock = fakeClock({ start });
    const ran: [string, number][] = [];
    for (const [name, seconds] of [["c", 3], ["a", 1], ["d", 3], ["b", 2.5]] as const) {
      clock.after(seconds, () => ran.push([name, clock.now() - start]));
    }
    await clock.advance(0);
    assertEquals(ran, []);
    await clock.advance(2.5);
    assertEquals(ran, [["a", 1000], ["b", 2500]]);
    assertEquals(clock.now(), start + 2500);
    await clock.advance(10);
    assertEquals(ran.slice(2), [["c", 3000], ["d", 3000]]);
    assertEquals(clock.now(), start + 12_500);
    assertEquals([clock.waits, clock.pending], [[3, 1, 3, 2.5], 0]);
  });

  it("runs no timer that was cancelled", async () => {
    const clock = fakeClock();
    const ran: string[] = [];
    const cancel = clock.after(1, () => ran.push("cancelled"));
    clock.after(1, () => ran.push("other"));
    cancel();
    assertEquals(clock.pending, 1);
    await clock.advance(1);
    cancel();
    assertEquals(ran, ["other"]);
  });

  it("runs timers that start while it moves", async () => {
    const clock = fakeClock();
    const times: number[] = [];
    const start = clock.now();
    void (async () => {
      for (let round = 0; round < 4; round++) {
        await new Promise<void>((resolve) => void clock.after(1, resolve));
        await Promise.resolve();
        times.push(clock.now() - start);
      }
    })();
    await clock.advance(3);
    assertEquals(times, [1000, 2000, 3000]);
    await clock.advance(1);
    assertEquals(times.length, 4);
  });

  it("moves through the retries of a call", async () => {
    const clock = fakeClock();
    const fetch = mockTransport({ "POST /a": replies(503, 503, { ok: true }) });
    const call = new APISession({ ...session, fetch, clock })
      .post("a", { json: { a: 1 }, convJson: true });
    await clock.advance(0.9);
    assertEquals(fetch.calls.length, 1);
    await clock.advance(0.1);
    assertEquals(fetch.calls.length, 2);
    await clock.advance(2);
    assertEquals(await call, { ok: true });
    assertEquals(clock.waits, [1, 2]);
  });

  it("ends a call at its deadline, and an attempt at its timeout", async () => {
    const clock = fakeClock();
    const fetch = mockTransport({ "GET /slow": () => new Promise<Response>(() => {}) });
    const api = new APISession({ ...session, fetch, clock, retries: 0, finalWait: false });
    const late = assertRejects(() => api.get("slow", { deadline: 30 }), DeadlineExceededError);
    await clock.advance(30);
    await late;
    const silent = assertRejects(() => api.get("slow", { timeout: 5 }), TransportError);
    await clock.advance(10);
    await silent;
    assertEquals(clock.pending, 0);
  });

  it("moves by itself with autoAdvance, to the earliest timer first", async () => {
    const clock = fakeClock({ autoAdvance: true });
    const start = clock.now();
    const ran: string[] = [];
    await new Promise<void>((resolve) => {
      clock.after(60, resolve);
      clock.after(1, () => ran.push("earlier"));
    });
    assertEquals([ran, clock.now() - start], [["earlier"], 60_000]);
  });

  it("waits until a part of the toolkit is loaded before it moves", async () => {
    const clock = fakeClock();
    const ran: number[] = [];
    const load = lazyImport(async () => {
      for (let turns = 0; turns < 50; turns++) await turn();
      clock.after(5, () => ran.push(clock.now()));
      return {};
    });
    const start = clock.now();
    const loading = load();
    await clock.advance(10);
    assertEquals(ran, [start + 5000]);
    await loading;
  });

  it("moves while a call sends a stream that waits for it", async () => {
    const clock = fakeClock();
    const fetch = mockTransport({ "POST /a": ({ text }) => ({ text }) });
    const api = new APISession({ ...session, fetch, clock });
    const content = () =>
      new ReadableStream({
        start(controller) {
          clock.after(20, () => {
            controller.enqueue(new TextEncoder().encode("late"));
            controller.close();
          });
        },
      });
    const sent = api.post("a", { content, convJson: true });
    await clock.advance(30);
    assertEquals(await sent, { text: "late" });
  });

  it("leaves timeout and deadline of a request alone that is answered from memory", async () => {
    const clock = fakeClock({ autoAdvance: true });
    const fetch = mockTransport({
      "POST /a": replies(503, 503, async ({ text }) => {
        await Promise.resolve();
        return { text };
      }),
    });
    const api = new APISession({ ...session, fetch, clock });
    // The stream of a Blob takes real time on Node.
    const bytes = new TextEncoder().encode("x".repeat(100_000));
    const result = await api.post("a", {
      content: () =>
        new ReadableStream({
          start(controller) {
            controller.enqueue(bytes);
            controller.close();
          },
        }),
      timeout: 3,
      deadline: 60,
      convJson: true,
    });
    assertEquals(result, { text: "x".repeat(100_000) });
    assertEquals(clock.waits.filter((seconds) => seconds < 3), [1, 2]);
  });

  it("rejects times that are not numbers", async () => {
    assertThrows(() => fakeClock({ start: NaN }), UnexpectedValueError);
    await assertRejects(() => fakeClock().advance(-1), UnexpectedValueError);
    await assertRejects(() => fakeClock().advance(NaN), UnexpectedValueError);
  });
});
