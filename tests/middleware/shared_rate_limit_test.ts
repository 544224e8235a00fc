import { RateLimiterMemory } from "rate-limiter-flexible";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, UnexpectedValueError } from "../../mod.ts";
import {
  rateLimit,
  RateLimiterError,
  RateLimitWaitError,
  type SharedRateLimitOptions,
} from "../../src/middleware/mod.ts";
import { fakeClock, mockTransport, recordingLogger } from "../../src/testing/mod.ts";
import { until } from "../support/until.ts";

/** A limiter with windows of ten seconds, by a fake clock. */
class Limiter {
  readonly clock = fakeClock();
  /** The points of a window. */
  points = 5;
  /** The keys that it was asked for. */
  readonly keys: string[] = [];
  /** The error of its store. */
  failure: Error | undefined;
  #window = -1;
  #left = 0;

  async consume(key: string): Promise<object> {
    this.keys.push(key);
    await Promise.resolve();
    if (this.failure !== undefined) throw this.failure;
    const seconds = this.clock.now() / 1000;
    const window = Math.floor(seconds / 10);
    if (window !== this.#window) this.#left = this.points;
    this.#window = window;
    if (this.#left-- > 0) return {};
    throw { msBeforeNext: ((window + 1) * 10 - seconds) * 1000 };
  }
}

function limited(options: Partial<SharedRateLimitOptions> = {}) {
  const limiter = new Limiter();
  const { clock } = limiter;
  const start = clock.now();
  const sent: string[] = [];
  const fetch = mockTransport({
    "GET /*": ({ path }) => {
      sent.push(`${path} ${(clock.now() - start) / 1000}`);
      return 204;
    },
  });
  const logger = recordingLogger();
  const middleware = [rateLimit({ limiter, clock, ...options })];
  const url = "https://api.example.com";
  const session = new APISession({ url, fetch, middleware, clock, logger });
  return { limiter, clock, sent, session, logger };
}

const range = (length: number) => Array.from({ length }, (_, at) => at);

describe("a rate limit with a limiter from outside", () => {
  it("sends as many requests as it has points, and the others in order when it has new ones", async () => {
    const { session, clock, sent, limiter } = limited();
    const calls = Promise.all(range(12).map((at) => session.get(`${at}`)));
    await clock.advance(25);
    await calls;
    const expected = range(12).map((at) => `/${at} ${Math.floor(at / 5) * 10}`);
    assertEquals(sent, expected);
    assertEquals(new Set(limiter.keys), new Set(["https://api.example.com"]));
    assertEquals(clock.pending, 0);
  });

  it("does not ask for each request that waits while there are no points", async () => {
    const { session, clock, limiter } = limited();
    const calls = Promise.all(range(200).map((at) => session.get(`${at}`)));
    await clock.advance(9);
    assert(limiter.keys.length <= 20, `${limiter.keys.length} questions`);
    await clock.advance(400);
    await calls;
  });

  it("fails a request that would wait for longer than maxWait, and no other one", async () => {
    const { session, clock, sent } = limited({ maxWait: 15 });
    const results = Promise.allSettled(range(12).map((at) => session.get(`${at}`)));
    await clock.advance(30);
    const failed = (await results).flatMap((each) =>
      each.status === "rejected" ? [each.reason] : []
    );
    assertEquals([sent.length, failed.length], [10, 2]);
    for (const error of failed) {
      assert(error instanceof RateLimitWaitError);
      assertEquals([error.wait, error.maxWait], [10, 15]);
    }
    assertEquals(clock.pending, 0);
  });

  it("lets a call that is aborted leave the queue, and leaves no timer", async () => {
    const { session, clock } = limited();
    await Promise.all(range(5).map((at) => session.get(`${at}`)));
    const controller = new AbortController();
    const aborted = assertRejects(() => session.get("late", { signal: controller.signal }), Error);
    await until(() => clock.pending > 0);
    controller.abort(new Error("enough"));
    await aborted;
    assertEquals(clock.pending, 0);
  });

  it("asks for the key of each request", async () => {
    const { session, limiter } = limited({ key: ({ url }) => new URL(url).pathname });
    await session.get("a");
    await session.get("b");
    assertEquals(limiter.keys, ["/a", "/b"]);
  });

  it("goes on without a limit while the store is away, with one warning", async () => {
    const { session, limiter, logger } = limited();
    const warnings = () => logger.messages().filter((text) => text.includes("limiter"));
    limiter.failure = new TypeError("redis://user:secret@host is away");
    await Promise.all(range(20).map((at) => session.get(`${at}`)));
    const expected =
      "the limiter of rateLimit fails (TypeError): requests are sent without a limit";
    assertEquals(warnings(), [expected]);
    limiter.failure = undefined;
    await session.get("a");
    limiter.failure = new TypeError("away again");
    await session.get("b");
    assertEquals(warnings(), [expected, expected]);
  });

  it("fails the requests while the store is away, if that is wanted", async () => {
    const { session, limiter, logger, sent } = limited({ ifUnavailable: "fail" });
    limiter.failure = new TypeError("away");
    for (const path of ["a", "b"]) {
      const error = await assertRejects(() => session.get(path), RateLimiterError);
      assertEquals(error.cause, limiter.failure);
    }
    assertEquals(sent, []);
    assertEquals(logger.messages().filter((text) => text.includes("limiter")).length, 1);
  });

  it("reports a rejection that means nothing", async () => {
    const limiter = { consume: () => Promise.reject({ retryIn: 5 }) };
    const { session } = limited({ limiter });
    const error = await assertRejects(() => session.get("a"), UnexpectedValueError);
    assertEquals(error.option, "the rejection of limiter.consume()");
  });

  it("takes a limiter of rate-limiter-flexible", async () => {
    const limiter = new RateLimiterMemory({ points: 2, duration: 1000 });
    const { session, sent } = limited({ limiter, maxWait: 0 });
    const results = await Promise.allSettled(range(3).map((at) => session.get(`${at}`)));
    assertEquals(results.map(({ status }) => status), ["fulfilled", "fulfilled", "rejected"]);
    assertEquals(sent.length, 2);
    // Its timer would outlast the test.
    await limiter.delete("https://api.example.com");
  });

  it("bad input: other options are refused", () => {
    const limiter = new Limiter();
    for (
      const options of [
        { limiter: {} },
        { limiter: undefined },
        { limiter, requests: 5, interval: 1 },
        { limiter, ifUnavailable: "wait" },
        { limiter, maxWait: -1 },
        { limiter, burst: 1 },
      ]
    ) assertThrows(() => rateLimit(options as never), UnexpectedValueError);
  });
});
