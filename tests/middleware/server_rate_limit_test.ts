import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import {
  APIError,
  APISession,
  TooManyRequestsError,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import { BearerAuth } from "../../src/auth/mod.ts";
import {
  type LimitOptions,
  RateLimitWaitError,
  serverRateLimit,
} from "../../src/middleware/mod.ts";
import {
  type FakeClock,
  fakeClock,
  type MockHandler,
  mockTransport,
  replies,
  silentLogger,
} from "../../src/testing/mod.ts";
import { turn } from "../support/until.ts";

interface Limited {
  readonly session: APISession;
  readonly clock: FakeClock;
  /** The seconds since the start at which requests were sent. */
  readonly times: number[];
}

function limited(respond: MockHandler, options: LimitOptions = {}): Limited {
  const clock = fakeClock();
  const start = clock.now();
  const times: number[] = [];
  const fetch = mockTransport({
    "GET /*": (call) => {
      times.push((clock.now() - start) / 1000);
      return respond(call);
    },
  });
  const middleware = [serverRateLimit({ clock, ...options })];
  const url = "https://api.example.com";
  const session = new APISession({ url, fetch, clock, middleware, logger: silentLogger });
  return { session, clock, times };
}

/** Returns a response with headers. */
function withHeaders(headers: Record<string, string>, status = 200): Response {
  return new Response(null, { status, headers });
}

describe("the rate limit of a server", () => {
  it("holds back requests while nothing remains, and then sends as many as the policy allows", async () => {
    let remaining = 3;
    const { session, clock, times } = limited(() => {
      if (clock.now() % 10_000 === 0 && remaining < 0) remaining = 2;
      return withHeaders({
        ratelimit: `"default";r=${Math.max(0, --remaining)};t=10`,
        "ratelimit-policy": '"default";q=2;w=10',
      });
    });
    await session.get("a");
    await session.get("a");
    await session.get("a");
    remaining = 2;
    const calls = Promise.all([1, 2, 3, 4].map(() => session.get("a")));
    await clock.advance(9);
    assertEquals(times, [0, 0, 0]);
    await clock.advance(1);
    assertEquals(times, [0, 0, 0, 10, 10]);
    remaining = 2;
    await clock.advance(10);
    await calls;
    assertEquals(times, [0, 0, 0, 10, 10, 20, 20]);
    assertEquals(clock.pending, 0);
  });

  it("sends no more requests at once than remain", async () => {
    let remaining = 4;
    const { session, clock, times } = limited(() =>
      withHeaders({ "x-ratelimit-remaining": `${--remaining}`, "x-ratelimit-reset": "30" })
    );
    await session.get("a");
    const calls = Promise.all([1, 2, 3, 4, 5].map(() => session.get("a")));
    await clock.advance(0);
    assertEquals(times, [0, 0, 0, 0]);
    remaining = 10;
    await clock.advance(30);
    await calls;
    assertEquals(times, [0, 0, 0, 0, 30, 30]);
  });

  it("sends one request after the reset if the quota is unknown, and waits for its response", async () => {
    const waiting: (() => void)[] = [];
    const { session, clock, times } = limited(async () => {
      if (times.length > 1) await new Promise<void>((resolve) => waiting.push(resolve));
      return withHeaders({
        "x-ratelimit-remaining": times.length === 1 ? "0" : "9",
        "x-ratelimit-reset": "5",
      });
    });
    await session.get("a");
    const calls = Promise.all([1, 2, 3].map(() => session.get("a")));
    await clock.advance(5);
    assertEquals(times, [0, 5]);
    await clock.advance(1);
    assertEquals(times, [0, 5]);
    waiting.shift()!();
    await clock.advance(0);
    assertEquals(times, [0, 5, 6, 6]);
    waiting.forEach((respond) => respond());
    await calls;
  });

  it("lets the next request try if the first one after the reset fails", async () => {
    const lost = new TransportError("lost", { kind: "reset" });
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "5" };
    const { session, clock, times } = limited(() => {
      if (times.length === 1) return withHeaders(headers);
      if (times.length === 2) throw lost;
      return 204;
    });
    await session.get("a");
    const options = { retries: 0, finalWait: false };
    const failed = session.get("a", options).catch((error: Error) => error.name);
    const next = session.get("a");
    await clock.advance(5);
    assertEquals(await failed, "TransportError");
    assertEquals((await next).status, 204);
    assertEquals(times, [0, 5, 5]);
  });

  it("ends if the server does not report it any more", async () => {
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "5" };
    const { session, clock, times } = limited(() =>
      times.length === 1 ? withHeaders(headers) : 204
    );
    await session.get("a");
    const calls = Promise.all([1, 2, 3].map(() => session.get("a")));
    await clock.advance(5);
    await calls;
    assertEquals(times, [0, 5, 5, 5]);
  });

  it("holds back every request for Retry-After, which wins over the other fields", async () => {
    const headers = { "retry-after": "7", ratelimit: '"a";r=5;t=1' };
    const { session, clock, times } = limited(() =>
      times.length === 1 ? withHeaders(headers, 429) : 204
    );
    const first = session.get("a");
    await clock.advance(0);
    const second = session.get("b");
    await clock.advance(6.9);
    assertEquals(times, [0]);
    await clock.advance(0.1);
    assertEquals((await first).status, 204);
    assertEquals((await second).status, 204);
    assertEquals(times, [0, 7, 7]);
  });

  it("keeps Retry-After if the response to an earlier request arrives later", async () => {
    const waiting: (() => void)[] = [];
    const { session, clock, times } = limited(async ({ path }) => {
      if (path === "/early") await new Promise<void>((resolve) => waiting.push(resolve));
      if (path === "/late") return withHeaders({ "retry-after": "7" }, 503);
      return withHeaders({ ratelimit: '"a";r=5;t=1' });
    });
    const early = session.get("early");
    const late = session.get("late", { retries: 0 }).catch((error: Error) => error.name);
    await clock.advance(0);
    assertEquals(await late, "ServiceUnavailableError");
    waiting.shift()!();
    await early;
    const held = session.get("held");
    await clock.advance(6);
    assertEquals(times.length, 2);
    await clock.advance(1);
    await held;
    assertEquals(times, [0, 0, 7]);
  });

  it("uses the report to the newest request if responses overtake each other", async () => {
    const waiting: ((remaining: number) => void)[] = [];
    const { session, clock, times } = limited(async () => {
      const remaining = await new Promise<number>((resolve) => waiting.push(resolve));
      return withHeaders({ ratelimit: `"a";r=${remaining};t=60` });
    });
    const first = session.get("1");
    const second = session.get("2");
    await clock.advance(0);
    waiting[1]!(0);
    await second;
    waiting[0]!(1);
    await first;
    const third = session.get("3");
    await clock.advance(59);
    assertEquals(times, [0, 0]);
    await clock.advance(1);
    waiting[2]!(9);
    await third;
    assertEquals(times, [0, 0, 60]);
  });

  it("waits for the longest of several limits", async () => {
    const field = '"burst";r=0;t=2, "hourly";r=0;t=40, "daily";r=7;t=4000';
    const { session, clock, times } = limited(() => withHeaders({ ratelimit: field }));
    await session.get("a");
    const second = session.get("b");
    await clock.advance(40);
    await second;
    assertEquals(times, [0, 40]);
  });

  it("holds for one origin, or for one key", async () => {
    const headers = { ratelimit: '"a";r=0;t=30' };
    const { session, times } = limited(() => withHeaders(headers));
    await session.get("https://a.example.com/");
    await session.get("https://b.example.com/");
    assertEquals(times, [0, 0]);
    const keyed = limited(() => withHeaders(headers), { key: ({ url }) => new URL(url).pathname });
    await keyed.session.get("a");
    await keyed.session.get("b");
    assertEquals(keyed.times, [0, 0]);
  });

  it("rejects calls that would wait for longer than 60 seconds, or than maxWait", async () => {
    for (const [options, maxWait] of [[{}, 60], [{ maxWait: 5 }, 5]] as const) {
      const field = `"a";r=0;t=${maxWait + 1}`;
      const { session, clock, times } = limited(() => withHeaders({ ratelimit: field }), options);
      await session.get("a");
      const error = await assertRejects(() => session.get("b"), RateLimitWaitError);
      assertEquals([error.wait, error.maxWait], [maxWait + 1, maxWait]);
      assertEquals([times, clock.pending], [[0], 0]);
    }
  });

  it("rejects the calls that wait if the server asks for too long a wait meanwhile", async () => {
    const { session, clock } = limited(({ path }) =>
      withHeaders({ ratelimit: `"a";r=0;t=${path === "/first" ? 5 : 600}` })
    );
    await session.get("first");
    const probe = session.get("probe");
    const failed = [1, 2].map(() => session.get("a").catch((error: unknown) => error));
    await clock.advance(5);
    assertEquals((await probe).status, 200);
    const errors = await Promise.all(failed);
    assert(errors.every((error) => error instanceof RateLimitWaitError && error.wait === 600));
    assert(errors[0] !== errors[1]);
    assertEquals(clock.pending, 0);
  });

  it("has the error of the response that reported it as the cause of a rejected call", async () => {
    const details = { code: "quota", message: "the monthly quota of s3cret-token is used up" };
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "3600" };
    for (const status of [429, 503, 403]) {
      const all = status === 403 ? headers : { "retry-after": "3600" };
      const { session, times } = limited(() => Response.json(details, { status, headers: all }));
      const options = { maxRetryAfter: 60, retries: 0, finalWait: false };
      session.httpSession.auth = new BearerAuth("s3cret-token");
      const first = await assertRejects(() => session.get("a", options), APIError);
      const error = await assertRejects(() => session.get("b"), RateLimitWaitError);
      const { cause } = error;
      assert(cause instanceof APIError && cause.constructor === first.constructor);
      assertEquals([cause.status, cause.data, cause.message], [status, details, first.message]);
      assert(!`${cause.message}${error.message}`.includes("s3cret"), cause.message);
      assertEquals(cause.request, { method: "GET", url: "https://api.example.com/a" });
      assertEquals(times, [0]);
    }
  });

  it("is the cause of a retry that would wait for too long", async () => {
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "3600" };
    const { session, clock } = limited(() => Response.json({ code: 7 }, { status: 429, headers }));
    const failed = session.get("a").catch((error: unknown) => error);
    await clock.advance(60);
    const error = await failed;
    assert(error instanceof RateLimitWaitError && error.cause instanceof TooManyRequestsError);
    assertEquals(error.cause.data, { code: 7 });
  });

  it("rejects the calls that wait when the body of its response has been read", async () => {
    const body = Promise.withResolvers<void>();
    const { session, clock, times } = limited(({ path }) => {
      const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "5" };
      if (path === "/first") return withHeaders(headers);
      const stream = new ReadableStream({
        async pull(controller) {
          await body.promise;
          controller.enqueue(new TextEncoder().encode('{"code":7}'));
          controller.close();
        },
      }, { highWaterMark: 0 });
      return new Response(stream, { status: 429, headers: { "retry-after": "600" } });
    });
    await session.get("first");
    const options = { maxRetryAfter: 60, retries: 0, finalWait: false };
    const probe = session.get("probe", options).catch((error: unknown) => error);
    const waiting = session.get("a").catch((error: unknown) => error);
    await clock.advance(5);
    const late = session.get("b").catch((error: unknown) => error);
    await turn();
    body.resolve();
    assert(await probe instanceof TooManyRequestsError);
    for (const failed of [waiting, late]) {
      const error = await failed;
      assert(error instanceof RateLimitWaitError && error.cause instanceof TooManyRequestsError);
      assertEquals([error.cause.data, error.wait], [{ code: 7 }, 600]);
    }
    assertEquals([times, clock.pending], [[0, 5], 0]);
  });

  it("gives a rejected call no cause if no error reported that nothing remains", async () => {
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "600" };
    const { session } = limited(() => Response.json({}, { headers }));
    await session.get("a", { convJson: true });
    const error = await assertRejects(() => session.get("b"), RateLimitWaitError);
    assertEquals(error.cause, undefined);

    const accepted = limited(() => Response.json({}, { status: 429, headers })).session;
    const response = await accepted.get("a", { okStatuses: [429] });
    const other = await assertRejects(() => accepted.get("b"), RateLimitWaitError);
    assertEquals(other.cause, undefined);
    await response.body?.cancel();

    // An error that leaves one request is not the reason why there are no more.
    const last = { ...headers, "x-ratelimit-remaining": "1" };
    const missing =
      limited(({ path }) =>
        Response.json({}, path === "/first" ? { status: 404, headers: last } : {})
      ).session;
    await assertRejects(() => missing.get("first"), APIError);
    await missing.get("second", { convJson: true });
    const third = await assertRejects(() => missing.get("third"), RateLimitWaitError);
    assertEquals(third.cause, undefined);
  });

  it("is that of the origin that was really asked, also after a redirect", async () => {
    const clock = fakeClock();
    const fetch = mockTransport({
      "GET https://api.example.com/*": () => Response.redirect("https://files.example.com/f"),
      "GET https://files.example.com/*": () =>
        withHeaders({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "600" }),
    });
    const middleware = [serverRateLimit({ clock })];
    const url = "https://api.example.com";
    const session = new APISession({ url, fetch, clock, middleware, logger: silentLogger });
    await session.get("a");
    const response = await session.get("b", { followRedirects: false, okStatuses: [302] });
    assertEquals(response.status, 302);
    await response.body?.cancel();
    await assertRejects(() => session.get("c"), RateLimitWaitError);
    await assertRejects(() => session.get("https://files.example.com/g"), RateLimitWaitError);
    fetch.assertCalled("GET https://files.example.com/*", { times: 1 });
  });

  it("waits without a limit if maxWait is null", async () => {
    const field = '"a";r=0;t=86400';
    const { session, clock, times } = limited(() => withHeaders({ ratelimit: field }), {
      maxWait: null,
    });
    await session.get("a");
    const second = session.get("b");
    await clock.advance(86400);
    await second;
    assertEquals(times, [0, 86400]);
  });

  it("lets a call that is aborted leave the queue, and leaves no timer behind", async () => {
    const { session, clock, times } = limited(() => withHeaders({ ratelimit: '"a";r=0;t=30' }));
    await session.get("a");
    const aborted = session.get("b", { deadline: 3 }).catch((error: Error) => error.name);
    await clock.advance(3);
    assertEquals(await aborted, "DeadlineExceededError");
    assertEquals([times, clock.pending], [[0], 0]);
  });

  it("does not stop a retry that has waited for Retry-After", async () => {
    const clock = fakeClock({ autoAdvance: true });
    const busy = withHeaders({ "retry-after": "3.3" }, 503);
    const fetch = mockTransport({ "GET /a": replies(busy, busy, { id: 7 }) });
    const middleware = [serverRateLimit({ clock })];
    const url = "https://api.example.com";
    const session = new APISession({ url, fetch, clock, middleware, logger: silentLogger });
    assertEquals(await session.get("a", { convJson: true }), { id: 7 });
    fetch.assertDone();
  });

  it("rejects options that are not valid", () => {
    const cases: readonly (readonly [string, object])[] = [
      ["maxWait", { maxWait: -1 }],
      ["maxWait", { maxWait: NaN }],
      ["key", { key: "host" }],
      ["clock", { clock: { now: 7 } }],
    ];
    for (const [name, options] of cases) {
      const error = assertThrows(
        () => serverRateLimit(options as LimitOptions),
        UnexpectedValueError,
      );
      assertEquals(error.option, name);
    }
  });
});
