import { assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, type SessionOptions, UnexpectedValueError } from "../mod.ts";
import { HttpSession } from "../src/http/mod.ts";
import { RedirectError, TooManyRequestsError } from "../src/errors/mod.ts";
import {
  concurrencyLimit,
  dedupe,
  etagCache,
  rateLimit,
  serverRateLimit,
} from "../src/middleware/mod.ts";
import { elements, type Fields, Model } from "../src/models/mod.ts";
import { APIIterator, linkHeader } from "../src/paging/mod.ts";
import { ndjson } from "../src/streams/mod.ts";
import { fakeClock, mockTransport, replies, silentLogger } from "../src/testing/mod.ts";

const url = "https://api.example.com";
const options: SessionOptions = { url, logger: silentLogger };

class Node extends Model {
  declare readonly nodes: Node[];
  static override readonly tag: string = "node";
  static override readonly maxDepth: number | null = 50;
  static override readonly fields: Fields<Node> = { nodes: elements(() => Node) };
}

class Numbers extends APIIterator<number> {
  protected override _getPage(): Promise<void> {
    this.page = this.currentPage++ < 3 ? [1, 2] : [];
    return Promise.resolve();
  }
}

class Lists extends APISession {
  list(limits: object = {}) {
    return this._pages<number>("list", { next: linkHeader(), ...limits });
  }
}

const lists = () => new Lists({ ...options, fetch: mockTransport({ "GET /list": [1, 2] }) });

/** Returns a function that passes an option to a session, and to a call. */
function ofSession(name: string): (limit: number | null) => Promise<unknown> {
  return async (limit) => {
    const fetch = mockTransport({ "GET /a": 204 });
    await new APISession({ ...options, fetch, [name]: limit }).get("a");
    await new APISession({ ...options, fetch }).get("a", { [name]: limit });
  };
}

/** An option of a limit: uses it, and tells if zero is a limit, too. */
type Row = readonly [name: string, use: (limit: number | null) => unknown, isZeroValid: boolean];

const rows: readonly Row[] = [
  ["timeout", ofSession("timeout"), false],
  ["deadline", ofSession("deadline"), false],
  ["maxBackoff", ofSession("maxBackoff"), true],
  ["maxRetryAfter", ofSession("maxRetryAfter"), true],
  ["maxRedirects", ofSession("maxRedirects"), true],
  ["maxResponseBytes", ofSession("maxResponseBytes"), true],
  ["timeout of HttpSession", (timeout) => new HttpSession({ timeout }), false],
  ["maxWait of rateLimit", (maxWait) => rateLimit({ requests: 1, interval: 1, maxWait }), true],
  ["maxWait of serverRateLimit", (maxWait) => serverRateLimit({ maxWait }), true],
  [
    "maxConcurrent of concurrencyLimit",
    (maxConcurrent) => concurrencyLimit({ maxConcurrent }),
    false,
  ],
  ["maxBodyBytes of dedupe", (maxBodyBytes) => dedupe({ maxBodyBytes }), false],
  ["maxBodyBytes of etagCache", (maxBodyBytes) => etagCache({ maxBodyBytes }), false],
  ["maxEntries", (maxEntries) => etagCache({ maxEntries }), false],
  ["maxBytes", (maxBytes) => etagCache({ maxBytes }), false],
  ["maxItemLength", (maxItemLength) => ndjson({ maxItemLength }), false],
  ["maxItems of collect", (maxItems) => lists().list().collect({ maxItems }), false],
  ["maxEmptyPages", (maxEmptyPages) => lists().list({ maxEmptyPages }), false],
  [
    "maxEmptyPages of an iterator",
    (limit) => new Numbers({ api: {}, maxEmptyPages: limit }),
    false,
  ],
  ["maxItems", (maxItems) => new Numbers({ api: {}, maxItems }), false],
  ["maxPages", (maxPages) => new Numbers({ api: {}, maxPages }), false],
  ["maxDepth of JSON", (maxDepth) => Node.fromJson({ nodes: [] }, { maxDepth }), false],
  ["maxDepth of XML", (maxDepth) => Node.fromXml("<node/>", { maxDepth }), false],
];

describe("a limit", () => {
  for (const [name, use, isZeroValid] of rows) {
    it(`can be null or Infinity, for no limit: ${name}`, async () => {
      for (const none of [null, Infinity]) await use(none);
    });

    it(`${isZeroValid ? "can be zero" : "cannot be zero, which would make no sense"}: ${name}`, async () => {
      if (isZeroValid) await use(0);
      else {await assertRejects(
          async () => await use(0),
          UnexpectedValueError,
          "Infinity for no limit",
        );}
    });

    it(`cannot be another number or value: ${name}`, async () => {
      for (const wrong of [-1, NaN, -Infinity, "1", true]) {
        const using = async () => await use(wrong as number);
        await assertRejects(using, UnexpectedValueError, "or null or Infinity for no limit");
      }
    });
  }

  it("is no number of something: those have neither null nor Infinity", () => {
    const make = (count: unknown) => [
      () => new APISession({ ...options, retries: count as number }),
      () => rateLimit({ requests: count as number, interval: 1 }),
      () => rateLimit({ requests: 1, interval: 1, burst: count as number }),
      () => new Numbers({ api: {}, prefetch: count as number }),
    ];
    for (const each of [...make(null), ...make(Infinity)]) assertThrows(each, UnexpectedValueError);
  });
});

for (const none of [null, Infinity]) {
  describe(`${none} as a limit`, () => {
    it("turns off the time limits of the class and of the HTTP session", async () => {
      class Hasty extends APISession {
        static override readonly timeout: number = 30;
        static override readonly deadline: number = 60;
      }
      const clock = fakeClock();
      const fetch = mockTransport({ "GET /a": 204 });
      const hasty = new Hasty({ ...options, fetch, clock });
      await hasty.get("a", { timeout: none, deadline: none });
      assertEquals(clock.waits, []);
      await hasty.get("a");
      assertEquals(clock.waits.includes(60), true);

      const session = new HttpSession({ timeout: 30, fetch });
      const calm = fakeClock();
      await new APISession({ ...options, clock: calm, session, timeout: none }).get("a");
      assertEquals(calm.waits, []);
      await new APISession({ ...options, clock: calm, session }).get("a");
      assertEquals(calm.waits, [30]);
    });

    it("follows any number of redirects", async () => {
      const hop = () => new Response(null, { status: 302, headers: { location: "/a" } });
      const fetch = mockTransport({
        "GET /a": replies(...Array.from({ length: 50 }, hop), 204),
      });
      const session = new APISession({ ...options, fetch, maxRedirects: none });
      assertEquals((await session.get("a")).status, 204);

      const limited = new APISession({ ...options, fetch: () => Promise.resolve(hop()) });
      await assertRejects(() => limited.get("a"), RedirectError, "more than 30 redirects");
    });

    it("waits for a long Retry-After, and reads a long body", async () => {
      const headers = { "retry-after": "7200" };
      const fetch = mockTransport({
        "GET /a": replies(new Response(null, { status: 429, headers }), { long: "x".repeat(100) }),
      });
      const clock = fakeClock({ autoAdvance: true });
      const limits = { maxRetryAfter: none, maxResponseBytes: none };
      const session = new APISession({ ...options, fetch, clock, convJson: true, ...limits });
      assertEquals<unknown>(await session.get("a"), { long: "x".repeat(100) });
      assertEquals(clock.waits, [7200]);
    });

    it("sends any number of requests at a time", async () => {
      let running = 0;
      const { promise, resolve } = Promise.withResolvers<void>();
      const fetch = async () => {
        if (++running === 20) resolve();
        await promise;
        return Response.json([]);
      };
      const middleware = [concurrencyLimit({ maxConcurrent: none })];
      const session = new APISession({ ...options, fetch, middleware });
      await Promise.all(Array.from({ length: 20 }, () => session.get("a", { convJson: true })));
      assertEquals(running, 20);
    });

    it("keeps any number of responses", async () => {
      const fetch = mockTransport({
        "GET /a": ({ headers }) =>
          headers["if-none-match"]
            ? new Response(null, { status: 304 })
            : Response.json([], { headers: { etag: '"v"' } }),
      });
      const middleware = [etagCache({ maxEntries: none, maxBytes: none, maxBodyBytes: none })];
      const session = new APISession({ ...options, fetch, middleware, convJson: true });
      for (let page = 0; page <= 1000; page++) await session.get("a", { params: { page } });
      await session.get("a", { params: { page: 0 } });
      assertEquals(fetch.calls.at(-1)!.headers["if-none-match"], '"v"');
    });

    it("reads all elements and pages of a list", async () => {
      const numbers = new Numbers({ api: {}, maxItems: none, maxPages: none });
      assertEquals([numbers.maxItems, numbers.maxPages], [null, null]);
      assertEquals(await Array.fromAsync(numbers), [1, 2, 1, 2, 1, 2]);
      assertEquals(await lists().list().collect({ maxItems: none }), [1, 2]);
    });

    it("reads documents of any depth", async () => {
      class Deep extends Node {
        static override readonly maxDepth: number | null = none;
        static override readonly fields: Fields<Node> = { nodes: elements(() => Deep) };
      }
      const json = `${'{"nodes":['.repeat(100)}${"]}".repeat(100)}`;
      const xml = `${"<node>".repeat(100)}${"</node>".repeat(100)}`;
      const depthOf = (node: Node): number =>
        node.nodes.length === 0 ? 1 : 1 + depthOf(node.nodes[0]!);
      assertEquals(depthOf(Deep.fromJson(json)), 100);
      assertEquals(depthOf(await Deep.fromXml(xml)), 100);
      assertEquals(depthOf(Node.fromJson(json, { maxDepth: none })), 100);
      assertEquals(depthOf(await Node.fromXml(xml, { maxDepth: none })), 100);
      assertThrows(() => Node.fromJson(json), Error, "at most 50 levels");
    });
  });
}

describe("zero as a limit", () => {
  const busy = (seconds: number) =>
    new Response(null, { status: 429, headers: { "retry-after": `${seconds}` } });

  it("never waits for a Retry-After, but retries at once if the header is 0", async () => {
    const clock = fakeClock({ autoAdvance: true });
    const fetch = mockTransport({ "GET /a": replies(busy(1), busy(0), 204) });
    const session = new APISession({ ...options, fetch, clock, maxRetryAfter: 0 });
    const message = "more than maxRetryAfter (0 s)";
    await assertRejects(() => session.get("a"), TooManyRequestsError, message);
    assertEquals((await session.get("a")).status, 204);
    assertEquals([clock.waits, fetch.calls.length], [[], 3]);
  });

  it("makes retries without a wait, as maxBackoff", async () => {
    const clock = fakeClock({ autoAdvance: true });
    const fetch = mockTransport({ "GET /a": replies(503, 503, 204) });
    await new APISession({ ...options, fetch, clock, maxBackoff: 0 }).get("a");
    assertEquals([clock.waits, fetch.calls.length], [[], 3]);
  });
});
