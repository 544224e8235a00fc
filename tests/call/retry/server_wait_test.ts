import { assert, assertEquals, describe, it } from "#test";
import { APIClient, APIError, APISession } from "../../../mod.ts";
import type { Transport } from "../../../src/http/mod.ts";
import { serverRateLimit } from "../../../src/middleware/mod.ts";
import { fakeClock, recordingLogger } from "../../../src/testing/mod.ts";

const START = Date.UTC(2026, 10, 20, 12);
const seconds = START / 1000;
/** The backoff of the tests, which no header asks for. */
const BACKOFF = 7;

class Client extends APIClient {
  static override readonly baseUrl: string = "https://api.example.com";
  get(path: string): Promise<unknown> {
    return this._get(path);
  }
}
class Session extends APISession {
  static override readonly url: string = "https://api.example.com";
}

type Fields = Readonly<Record<string, string>>;

/** Headers of a 429; the wait that they ask for in each generation, and in a client by the reset. */
const table: readonly {
  readonly name: string;
  readonly headers: Fields;
  readonly asked?: number;
  readonly reset?: number;
}[] = [
  { name: "no header", headers: {} },
  { name: "Retry-After in seconds", headers: { "retry-after": "2.5" }, asked: 2.5 },
  { name: "a Retry-After of 0", headers: { "retry-after": "0" }, asked: 0 },
  {
    name: "Retry-After as a date",
    headers: { "retry-after": "Fri, 20 Nov 2026 12:00:30 GMT" },
    asked: 30,
  },
  { name: "retry-after-ms", headers: { "retry-after-ms": "1500" }, asked: 1.5 },
  { name: "x-ms-retry-after-ms", headers: { "x-ms-retry-after-ms": "250.5" }, asked: 0.2505 },
  {
    name: "Retry-After before milliseconds",
    headers: { "retry-after": "3", "retry-after-ms": "1500", "x-ms-retry-after-ms": "1" },
    asked: 3,
  },
  {
    name: "a Retry-After that cannot be read, and milliseconds",
    headers: { "retry-after": "soon", "retry-after-ms": "-1", "x-ms-retry-after-ms": "40" },
    asked: 0.04,
  },
  { name: "milliseconds that cannot be read", headers: { "retry-after-ms": "9, 9" } },
  { name: "milliseconds without an end", headers: { "retry-after-ms": "1e400" } },
  {
    name: "Retry-After before a reset",
    headers: { "retry-after-ms": "1500", "x-ratelimit-reset": "60", "ratelimit-reset": "9" },
    asked: 1.5,
  },
  {
    name: "a reset in seconds",
    headers: { "ratelimit-remaining": "0", "ratelimit-reset": "60" },
    reset: 60,
  },
  {
    name: "a reset as a time in seconds",
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${seconds + 90}` },
    reset: 90,
  },
  {
    name: "a reset as a time in milliseconds",
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${START + 1500}` },
    reset: 1.5,
  },
  { name: "a reset without the remaining number", headers: { "ratelimit-reset": "60" }, reset: 60 },
  {
    name: "a reset with a remaining number below 0",
    headers: { "x-ratelimit-remaining": "-1", "x-ratelimit-reset": "60" },
    reset: 60,
  },
  {
    name: "a reset while requests remain",
    headers: { "x-ratelimit-remaining": "5", "x-ratelimit-reset": "60" },
  },
  {
    name: "a reset in the past",
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${seconds - 90}` },
  },
  { name: "a reset that cannot be read", headers: { "x-ratelimit-reset": "soon" } },
];

/** Returns a transport whose first response has the headers and the status. */
function once(headers: Fields, status: number): Transport {
  let calls = 0;
  return () => Promise.resolve(new Response(null, calls++ === 0 ? { status, headers } : {}));
}

/** Sends requests of a client, and returns the waits and the seconds of the error. No wait takes 0 s. */
async function measure(Api: typeof Client | typeof Session, headers: Fields, status = 429) {
  const options = () => ({
    fetch: once(headers, status),
    clock: fakeClock({ autoAdvance: true, start: START }),
    logger: recordingLogger(),
    backoff: BACKOFF,
  });
  const retried = options();
  await new Api(retried).get("/a");

  const error = await Promise.resolve(new Api({ ...options(), retries: 0 }).get("/a"))
    .catch((error: unknown) => error);
  assert(error instanceof APIError);

  const limited = options();
  const middleware = [serverRateLimit({ clock: limited.clock, maxWait: null })];
  const api = new Api({ ...limited, retries: 0, middleware });
  await Promise.resolve(api.get("/a")).catch(() => {});
  await api.get("/a");

  return {
    loop: retried.clock.waits,
    error: error.retryAfter,
    middleware: limited.clock.waits,
  };
}

describe("the wait that a server asks for", () => {
  for (const { name, headers, asked, reset } of table) {
    // contract: decision-3
    it(`is the same in the attempt loop, the error and serverRateLimit of a client: ${name}`, async () => {
      const wait = asked ?? reset;
      assertEquals(await measure(Client, headers), {
        loop: [wait ?? BACKOFF].filter((each) => each > 0),
        error: wait,
        middleware: wait ? [wait] : [],
      });
    });

    // The middleware is there to obey the limits of a server.
    it(`is not the reset in the attempt loop and the error of a session: ${name}`, async () => {
      const wait = asked ?? reset;
      assertEquals(await measure(Session, headers), {
        loop: [asked ?? BACKOFF].filter((each) => each > 0),
        error: asked,
        middleware: wait ? [wait] : [],
      });
    });
  }

  it("is the same for a 503, which has no reset", async () => {
    for (const Api of [Client, Session]) {
      const found = await measure(Api, { "retry-after-ms": "1500" }, 503);
      assertEquals(found, { loop: [1.5], error: 1.5, middleware: [1.5] });
      const { loop, error } = await measure(Api, { "x-ratelimit-reset": "60" }, 503);
      assertEquals([loop, error], [[BACKOFF], undefined]);
    }
  });

  it("is limited by maxRetryAfter, also if it is a reset", async () => {
    const reset = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${seconds + 4000}` };
    const far = [reset, { "retry-after-ms": "4000000" }];
    for (const headers of far) {
      const clock = fakeClock({ autoAdvance: true, start: START });
      const options = { clock, logger: recordingLogger() };
      const error = await new Client({ ...options, fetch: once(headers, 429) }).get("/a")
        .catch((error: unknown) => error);
      assert(error instanceof APIError);
      assertEquals([error.retryAfter, error.retries, clock.waits], [4000, 0, []]);
      assert(error.message.includes("wait 4000 s, more than maxRetryAfter (3600 s)"));
      await new Client({ ...options, maxRetryAfter: 4000, fetch: once(headers, 429) }).get("/a");
      assertEquals(clock.waits, [4000]);
    }
  });

  it("is not changed by maxBackoff and jitter", async () => {
    const clock = fakeClock({ autoAdvance: true, start: START });
    const fetch = once({ "ratelimit-reset": "60" }, 429);
    const options = { clock, logger: recordingLogger(), maxBackoff: 1, jitter: "full" } as const;
    await new Client({ ...options, fetch }).get("/a");
    assertEquals(clock.waits, [60]);
  });
});
