import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, UnexpectedValueError } from "../../mod.ts";
import { SessionTokenAuth } from "../../src/auth/mod.ts";
import { rateLimit, type RateLimitOptions, RateLimitWaitError } from "../../src/middleware/mod.ts";
import {
  type FakeClock,
  fakeClock,
  mockTransport,
  replies,
  silentLogger,
} from "../../src/testing/mod.ts";

interface Limited {
  readonly session: APISession;
  readonly clock: FakeClock;
  /** The seconds since the start at which requests were sent. */
  readonly times: number[];
}

function limited(options: Omit<RateLimitOptions, "clock">): Limited {
  const clock = fakeClock();
  const start = clock.now();
  const times: number[] = [];
  const adapter = mockTransport({
    "GET /*": () => {
      times.push((clock.now() - start) / 1000);
      return 204;
    },
  });
  const url = "https://api.example.com";
  const middleware = [rateLimit({ ...options, clock })];
  return { session: new APISession({ url, fetch: adapter, middleware, clock }), clock, times };
}

describe("a rate limit", () => {
  it("sends a burst at once, and then a request for each new token", async () => {
    const { session, clock, times } = limited({ requests: 4, interval: 2 });
    const calls = Promise.all(Array.from({ length: 7 }, () => session.get("a")));
    await clock.advance(10);
    await calls;
    assertEquals(times, [0, 0, 0, 0, 0.5, 1, 1.5]);
    assertEquals(clock.pending, 0);
  });

  it("counts each HTTP request: after a redirect, and of a login", async () => {
    const clock = fakeClock();
    const start = clock.now();
    const sent: string[] = [];
    const answer = (path: string) => () => {
      sent.push(`${path} ${(clock.now() - start) / 1000}`);
      if (path === "/session") return Response.json("t-1");
      return path === "/a" ? Response.redirect("https://api.example.com/b") : new Response("ok");
    };
    const fetch = mockTransport({
      "POST /session": answer("/session"),
      "GET /a": answer("/a"),
      "GET /b": answer("/b"),
    });
    const middleware = [rateLimit({ requests: 1, interval: 1, clock })];
    const session = new APISession({ url: "https://api.example.com", fetch, middleware, clock });
    session.httpSession.auth = new SessionTokenAuth(session, {
      login: (api) => api.post<string>("session", { convJson: true }),
    });
    const call = session.get("a");
    for (let second = 0; second < 3; second++) await clock.advance(1);
    assertEquals(await (await call).text(), "ok");
    assertEquals(sent, ["/session 0", "/a 1", "/b 2"]);
  });

  it("fills again while nothing is sent, but never beyond the burst", async () => {
    const { session, clock, times } = limited({ requests: 2, interval: 1, burst: 1 });
    await session.get("a");
    await clock.advance(100);
    const calls = Promise.all([session.get("b"), session.get("c"), session.get("d")]);
    await clock.advance(5);
    await calls;
    assertEquals(times, [0, 100, 100.5, 101]);
  });

  it("sends 1,000 requests at the exact rate", async () => {
    const { session, clock, times } = limited({ requests: 3, interval: 1, burst: 1 });
    const calls = Promise.all(Array.from({ length: 1000 }, () => session.get("a")));
    await clock.advance(333.01);
    await calls;
    assertEquals(times.length, 1000);
    assert(Math.abs(times.at(-1)! - 333) < 0.01, `${times.at(-1)}`);
  });

  it("has a bucket for each origin, or for each key", async () => {
    const { session, times, clock } = limited({ requests: 1, interval: 60 });
    await session.get("https://a.example.com/");
    await session.get("https://b.example.com/");
    assertEquals(times, [0, 0]);
    const keyed = limited({ requests: 1, interval: 60, key: ({ url }) => url });
    await keyed.session.get("a");
    await keyed.session.get("b");
    assertEquals(keyed.times, [0, 0]);
    assertEquals(clock.pending, 0);
  });

  it("lets a call that is aborted leave the queue without a token", async () => {
    const { session, clock, times } = limited({ requests: 1, interval: 10 });
    await session.get("a");
    const controller = new AbortController();
    const aborted = session.get("b", { signal: controller.signal })
      .catch((error: Error) => error.message);
    const next = session.get("c");
    await clock.advance(1);
    controller.abort(new Error("enough"));
    assertEquals(await aborted, "enough");
    await clock.advance(9);
    await next;
    assertEquals(times, [0, 10]);
  });

  it("leaves no timer behind if every call that waited is aborted", async () => {
    const { session, clock } = limited({ requests: 1, interval: 3600 });
    await session.get("a");
    const aborted = session.get("b", { deadline: 5 }).catch((error: Error) => error.name);
    await clock.advance(5);
    assertEquals(await aborted, "DeadlineExceededError");
    assertEquals(clock.pending, 0);
  });

  it("counts retries", async () => {
    const clock = fakeClock({ autoAdvance: true });
    const fetch = mockTransport({ "GET /a": replies(503, 503, 204) });
    const middleware = [rateLimit({ requests: 1, interval: 60, clock })];
    const url = "https://api.example.com";
    const start = clock.now();
    await new APISession({ url, fetch, clock, middleware, logger: silentLogger }).get("a");
    assertEquals(clock.now() - start, 120_000);
  });

  it("rejects a call that would wait too long, and does not retry it", async () => {
    const { session, clock, times } = limited({ requests: 1, interval: 10, maxWait: 10 });
    await session.get("a");
    const second = session.get("b");
    const error = await assertRejects(() => session.get("c"), RateLimitWaitError);
    assertEquals([error.wait, error.maxWait, error.name], [20, 10, "RateLimitWaitError"]);
    assert(error.message.includes("in 20 s, which is longer than maxWait (10 s)"), error.message);
    assertEquals(JSON.parse(JSON.stringify(error)).wait, 20);
    await clock.advance(10);
    await second;
    assertEquals(times, [0, 10]);
  });

  it("never waits if maxWait is 0", async () => {
    const { session } = limited({ requests: 1, interval: 10, maxWait: 0 });
    await session.get("a");
    await assertRejects(() => session.get("b"), RateLimitWaitError);
  });

  it("still works if the time of day is set back", async () => {
    let time = 1e12;
    const timers: (() => void)[] = [];
    const clock = {
      now: () => time,
      after(seconds: number, run: () => void) {
        timers.push(() => {
          time += seconds * 1000;
          run();
        });
        return () => {};
      },
    };
    const fetch = mockTransport({ "GET /a": 204 });
    const middleware = [rateLimit({ requests: 1, interval: 5, clock })];
    const session = new APISession({ url: "https://api.example.com", fetch, middleware });
    await session.get("a");
    time -= 3600_000;
    const second = session.get("a");
    await new Promise((resolve) => setTimeout(resolve, 0));
    timers.shift()!();
    assertEquals((await second).status, 204);
  });

  it("rejects options that are not valid", () => {
    const valid = { requests: 1, interval: 1 };
    const cases: readonly (readonly [string, object])[] = [
      ["requests", { ...valid, requests: 0 }],
      ["requests", { interval: 1 }],
      ["interval", { ...valid, interval: 0 }],
      ["interval", { ...valid, interval: Infinity }],
      ["interval", { requests: 1 }],
      ["burst", { ...valid, burst: 0.5 }],
      ["maxWait", { ...valid, maxWait: -1 }],
      ["maxWait", { ...valid, maxWait: "60" }],
      ["key", { ...valid, key: 7 }],
      ["clock", { ...valid, clock: {} }],
    ];
    for (const [name, options] of cases) {
      const error = assertThrows(
        () => rateLimit(options as RateLimitOptions),
        UnexpectedValueError,
      );
      assertEquals(error.option, name);
    }
  });
});
