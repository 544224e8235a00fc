import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, type SessionOptions, UnexpectedValueError } from "../../mod.ts";
import { BearerAuth } from "../../src/auth/mod.ts";
import {
  type CachedResponse,
  type CacheStore,
  etagCache,
  type EtagCacheOptions,
} from "../../src/middleware/mod.ts";
import {
  type MockCall,
  type MockHandler,
  type MockTransport,
  mockTransport,
  silentLogger,
} from "../../src/testing/mod.ts";
import { startServer } from "../support/server.ts";

interface Cached {
  readonly session: APISession;
  readonly mock: MockTransport;
}

/** Creates a session with a cache, and a server that responds to GET and HEAD. */
function cached(respond: MockHandler, options: EtagCacheOptions = {}): Cached {
  const mock = mockTransport({ "GET /*": respond, "HEAD /*": respond, "POST /*": respond });
  const middleware = [etagCache(options)];
  const url = "https://api.example.com";
  return {
    session: new APISession({ url, fetch: mock, middleware, logger: silentLogger }),
    mock,
  };
}

/** Returns 304 if the request has this entity tag, or else the content with it. */
function revalidated(
  { headers }: MockCall,
  etag: string,
  content: unknown,
  others: Record<string, string> = {},
): Response {
  return headers["if-none-match"] === etag
    ? new Response(null, { status: 304, headers: { etag, ...others } })
    : Response.json(content, { headers: { etag, "content-type": "application/json", ...others } });
}

describe("a cache that revalidates", () => {
  it("sends If-None-Match, and returns the stored body for a 304", async () => {
    const { session, mock } = cached((call) => revalidated(call, '"v1"', { id: 7 }));
    assertEquals(await session.get("a", { convJson: true }), { id: 7 });
    assertEquals(await session.get("a", { convJson: true }), { id: 7 });
    const { response } = await session.get("a", { convJson: true }).withResponse();
    assertEquals([response.status, response.ok, response.statusText], [200, true, ""]);
    assertEquals(response.headers.get("content-type"), "application/json");
    assertEquals(await response.json(), { id: 7 });
    assertEquals(mock.calls.map(({ headers }) => headers["if-none-match"]), [
      undefined,
      '"v1"',
      '"v1"',
    ]);
  });

  it("sends If-Modified-Since if the response has a Last-Modified", async () => {
    const modified = "Thu, 01 Jan 2026 00:00:00 GMT";
    const { session } = cached(({ headers }) =>
      headers["if-modified-since"] === modified
        ? new Response(null, { status: 304 })
        : new Response("text", { headers: { "last-modified": modified } })
    );
    assertEquals(await (await session.get("a")).text(), "text");
    const second = await session.get("a");
    assertEquals([second.status, await second.text()], [200, "text"]);
  });

  it("replaces a stored response that has changed", async () => {
    let version = 1;
    const { session, mock } = cached((call) => revalidated(call, `"v${version}"`, version));
    assertEquals(await session.get("a", { convJson: true }), 1);
    version = 2;
    assertEquals(await session.get("a", { convJson: true }), 2);
    assertEquals(await session.get("a", { convJson: true }), 2);
    assertEquals(mock.calls.map(({ headers }) => headers["if-none-match"]), [
      undefined,
      '"v1"',
      '"v2"',
    ]);
  });

  it("merges the headers of a 304, but not those of the body, and stores no cookies", async () => {
    let round = 0;
    // Cookies are not sent, because a request with another cookie is another request.
    const { session } = cached((call) =>
      revalidated(call, '"v1"', { id: 7 }, {
        date: `Thu, 01 Jan 2026 00:00:0${++round} GMT`,
        "x-count": `${round}`,
        "set-cookie": `round=${round}`,
        ...(round > 1 && { "content-type": "text/html", "content-length": "0" }),
      })
    );
    const options = { cookies: null, convJson: true } as const;
    await session.get("a", options);
    for (const count of ["2", "3"]) {
      const { response: { headers } } = await session.get("a", options).withResponse();
      assertEquals(headers.get("x-count"), count);
      assertEquals(headers.get("date"), `Thu, 01 Jan 2026 00:00:0${count} GMT`);
      assertEquals(headers.get("content-type"), "application/json");
      assertEquals(headers.get("content-length"), null);
      assertEquals(headers.getSetCookie(), [`round=${count}`]);
    }
  });

  it("creates a response with its own bytes for each call", async () => {
    const { session } = cached((call) => revalidated(call, '"v1"', { id: 7 }));
    await session.get("a", { convJson: true });
    const [one, other] = await Promise.all([session.get("a"), session.get("a")]);
    assert(one !== other);
    new Uint8Array(await one.arrayBuffer()).fill(0);
    assertEquals(await other.json(), { id: 7 });
    assertEquals(await session.get("a", { convJson: true }), { id: 7 });
  });

  it("uses a response only for the headers that Vary names", async () => {
    const { session, mock } = cached((call) => {
      const language = call.headers["accept-language"] ?? "en";
      return revalidated(call, '"same"', language, { vary: "Accept-Language, Accept-Encoding" });
    });
    const get = (language?: string) =>
      session.get("a", {
        headers: language === undefined ? {} : { "Accept-Language": language },
        convJson: true,
      });
    assertEquals([await get("en"), await get("en")], ["en", "en"]);
    assertEquals(mock.calls.at(-1)!.headers["if-none-match"], '"same"');
    assertEquals(await get("de"), "de");
    assertEquals(mock.calls.at(-1)!.headers["if-none-match"], undefined);
    assertEquals([await get("de"), await get(), await get("en")], ["de", "en", "en"]);
  });

  const unstored: readonly (readonly [string, Record<string, string>])[] = [
    ["Vary: *", { etag: '"v1"', vary: "*" }],
    ["no-store", { etag: '"v1"', "cache-control": "private, No-Store" }],
    ["no validator", {}],
  ];
  for (const [name, headers] of unstored) {
    it(`does not store a response with ${name}`, async () => {
      const { session, mock } = cached(() => Response.json(7, { headers }));
      await session.get("a", { convJson: true });
      await session.get("a", { convJson: true });
      assertEquals(mock.calls[1]!.headers["if-none-match"], undefined);
    });
  }

  it("does not take a quoted text in Cache-Control for a directive", async () => {
    const headers = { "cache-control": 'private="a, no-store, b"', etag: '"v1"' };
    const { session, mock } = cached(() => Response.json(7, { headers }));
    await session.get("a", { convJson: true });
    await session.get("a", { convJson: true });
    assertEquals(mock.calls[1]!.headers["if-none-match"], '"v1"');
  });

  it("stores no errors, and no other methods", async () => {
    const { session, mock } = cached(({ method, path }) =>
      new Response(method === "HEAD" ? null : "{}", {
        status: path === "/missing" ? 404 : 200,
        headers: { etag: '"v1"' },
      })
    );
    for (let round = 0; round < 2; round++) {
      await assertRejects(() => session.get("missing"));
      await session.post("a", { convJson: true });
      await session.head("a");
    }
    assert(mock.calls.every(({ headers }) => headers["if-none-match"] === undefined));
  });

  const passing: readonly Record<string, string>[] = [
    { "If-None-Match": '"own"' },
    { "If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT" },
    { Range: "bytes=0-5" },
    { "Cache-Control": "no-store" },
  ];
  for (const headers of passing) {
    it(`leaves a call alone that sends ${Object.keys(headers)}`, async () => {
      const { session, mock } = cached((call) =>
        call.headers["if-none-match"] === '"own"'
          ? new Response(null, { status: 304 })
          : Response.json({ id: 7 }, { headers: { etag: '"v1"' } })
      );
      await session.get("a", { convJson: true });
      const response = await session.get("a", { headers, okStatuses: [304] });
      assertEquals(response.status, headers["If-None-Match"] === undefined ? 200 : 304);
      const [name, value] = Object.entries(headers)[0]!;
      assertEquals(mock.calls[1]!.headers[name.toLowerCase()], value);
      const sent = mock.calls[1]!.headers["if-none-match"];
      assertEquals(sent, headers["If-None-Match"]);
    });
  }

  it("stores only bodies that are read to their end, and not too long", async () => {
    const text = "x".repeat(100);
    const { session, mock } = cached(
      ({ path }) => new Response(path === "/long" ? text : "short", { headers: { etag: '"v1"' } }),
      { maxBodyBytes: 99 },
    );
    assertEquals(await (await session.get("long")).text(), text);
    await (await session.get("short")).body?.cancel();
    await session.get("short?unread");
    for (const path of ["long", "short", "short?unread"]) await session.get(path);
    assert(mock.calls.every(({ headers }) => headers["if-none-match"] === undefined));
  });

  it("streams a body without reading ahead", async () => {
    let pulled = 0;
    const chunk = new TextEncoder().encode("chunk");
    const { session } = cached(() =>
      new Response(
        new ReadableStream({
          pull(controller) {
            pulled++;
            controller.enqueue(chunk);
          },
        }, { highWaterMark: 0 }),
        { headers: { etag: '"v1"' } },
      )
    );
    const reader = (await session.get("a")).body!.getReader();
    assertEquals((await reader.read()).value?.length, 5);
    assert(pulled <= 3, `${pulled} chunks`);
    await reader.cancel();
  });

  it("does not store a body that breaks off", async () => {
    let round = 0;
    const { session, mock } = cached(() =>
      new Response(
        new ReadableStream({
          pull(controller) {
            if (++round === 1) return controller.enqueue(new Uint8Array(3));
            controller.error(new TypeError("terminated"));
          },
        }),
        { headers: { etag: '"v1"' } },
      )
    );
    await assertRejects(async () => await (await session.get("a")).text());
    await session.get("a");
    assertEquals(mock.calls[1]!.headers["if-none-match"], undefined);
  });

  it("drops the responses that were used least recently", async () => {
    const { session, mock } = cached((call) => revalidated(call, '"v1"', "x"), { maxEntries: 2 });
    for (const path of ["a", "b", "a", "c", "a", "b"]) await session.get(path, { convJson: true });
    assertEquals(mock.calls.map(({ headers }) => headers["if-none-match"] !== undefined), [
      ...[false, false, true, false, true, false],
    ]);
  });

  it("keeps no more bytes than it may", async () => {
    const body = "x".repeat(500);
    const { session, mock } = cached((call) => revalidated(call, '"v1"', body), { maxBytes: 1800 });
    for (const path of ["a", "b", "c", "b", "a"]) await session.get(path, { convJson: true });
    assertEquals(mock.calls.map(({ headers }) => headers["if-none-match"] !== undefined), [
      ...[false, false, false, true, false],
    ]);
    const small = cached((call) => revalidated(call, '"v1"', body), { maxBytes: 100 });
    for (let round = 0; round < 2; round++) await small.session.get("a", { convJson: true });
    assertEquals(small.mock.calls[1]!.headers["if-none-match"], undefined);
  });

  it("never mixes the responses of sessions, or of calls with another scheme", async () => {
    // The server's entity tags are the same for all users.
    const mock = mockTransport({
      "GET /me": (call) => revalidated(call, '"1"', call.headers["authorization"]),
    });
    const url = "https://api.example.com";
    const options: SessionOptions = { url, fetch: mock, middleware: [etagCache()] };
    const [ada, ben] = ["ada", "ben"].map((user) => new BearerAuth(user));
    const sessions = [ada!, ben!].map((auth) => new APISession({ ...options, auth }));
    for (let round = 0; round < 2; round++) {
      assertEquals(await sessions[0]!.get("me", { convJson: true }), "Bearer ada");
      assertEquals(await sessions[1]!.get("me", { convJson: true }), "Bearer ben");
      assertEquals(await sessions[0]!.get("me", { auth: ben!, convJson: true }), "Bearer ben");
    }
    const copy = sessions[0]!.withOptions({ auth: new BearerAuth("eve") });
    assertEquals(await copy.get("me", { convJson: true }), "Bearer eve");
    assertEquals(mock.calls.filter(({ headers }) => headers["if-none-match"]).length, 3);
  });

  it("works with a server, with redirects and compressed bodies", async () => {
    const gzipped = new Uint8Array(
      await new Response(
        new Blob([JSON.stringify({ id: 7 })]).stream()
          .pipeThrough(new CompressionStream("gzip")),
      ).arrayBuffer(),
    );
    const seen: (string | undefined)[] = [];
    const server = await startServer((request, response) => {
      if (request.url === "/old") {
        response.writeHead(307, { location: "/new" }).end();
        return;
      }
      seen.push(request.headers["if-none-match"]);
      if (request.headers["if-none-match"] === 'W/"v1"') {
        response.writeHead(304, { etag: 'W/"v1"' }).end();
        return;
      }
      response.writeHead(200, {
        "content-type": "application/json",
        "content-encoding": "gzip",
        "content-length": gzipped.length,
        etag: 'W/"v1"',
      });
      response.end(gzipped);
    });
    try {
      const session = new APISession({ url: server.url, middleware: [etagCache()] });
      for (let round = 0; round < 3; round++) {
        const { data, response } = await session.get("old", { convJson: true }).withResponse();
        assertEquals(data, { id: 7 });
        assertEquals([response.url, response.redirected], [`${server.url}/new`, true]);
        assertEquals(await response.json(), { id: 7 });
      }
      assertEquals(seen, [undefined, 'W/"v1"', 'W/"v1"']);
    } finally {
      await server.stop();
    }
  });
});

describe("a store of the program for the cache", () => {
  const respond: MockHandler = (call) => revalidated(call, '"v1"', { id: 7 });

  it("can be a Map, and outlives the session with copies of its responses", async () => {
    const store = new Map<string, CachedResponse>();
    await cached(respond, { store }).session.get("a", { convJson: true });
    const copy = new Map(structuredClone([...store]));
    const { session, mock } = cached(respond, { store: copy });
    assertEquals(await session.get("a", { convJson: true }), { id: 7 });
    assertEquals(mock.calls[0]!.headers["if-none-match"], '"v1"');
  });

  it("can be asynchronous: a call waits until its response is stored", async () => {
    const entries = new Map<string, CachedResponse>();
    const store: CacheStore = {
      get: (key) => Promise.resolve(entries.get(key) ?? undefined),
      async set(key, response) {
        await Promise.resolve();
        entries.set(key, response);
      },
    };
    const { session } = cached(respond, { store });
    assertEquals(await session.get("a", { convJson: true }), { id: 7 });
    assertEquals(entries.size, 1);
    assertEquals(await session.get("a", { convJson: true }), { id: 7 });
  });

  it("fails the call with its error", async () => {
    const failing = (method: "get" | "set"): CacheStore => ({
      get: () => undefined,
      set: () => undefined,
      [method]: () => Promise.reject(new RangeError(`${method} failed`)),
    });
    const reading = cached(respond, { store: failing("get") });
    await assertRejects(() => reading.session.get("a"), RangeError, "get failed");
    assertEquals(reading.mock.calls.length, 0);
    const writing = cached(respond, { store: failing("set") }).session;
    await assertRejects(() => writing.get("a", { convJson: true }), RangeError, "set failed");
  });

  it("is for one session only", async () => {
    const store = new Map<string, CachedResponse>();
    const fetch = mockTransport({ "GET /a": respond });
    const options = { url: "https://api.example.com", fetch, middleware: [etagCache({ store })] };
    const session = new APISession(options);
    await session.get("a", { convJson: true });
    await session.withOptions({ timeout: 5 }).get("a", { convJson: true });
    const other = new APISession(options);
    const error = await assertRejects(() => other.get("a"), UnexpectedValueError);
    assert(error.message.includes("create an etagCache with its own store for each"));
    assertEquals(fetch.calls.length, 2);
  });

  it("is used after a redirect, and not for requests over another transport", async () => {
    const store = new Map<string, CachedResponse>();
    const { session, mock } = cached(respond, { store });
    session.httpSession.mount("https://files.example.com", (_url, { headers }) =>
      Promise.resolve(
        headers["if-none-match"] === undefined
          ? new Response("file", { headers: { etag: '"f"' } })
          : new Response(null, { status: 304 }),
      ));
    for (let round = 0; round < 2; round++) {
      assertEquals(await (await session.get("https://files.example.com/f")).text(), "file");
    }
    assertEquals(store.size, 1);
    const unverified = session.withOptions({ fetch: mock.bind(null) });
    for (let round = 0; round < 2; round++) await unverified.get("a", { convJson: true });
    assertEquals([store.size, mock.calls.length], [1, 2]);
    assert(mock.calls.every(({ headers }) => headers["if-none-match"] === undefined));
  });

  it("fails the call, without a retry, even if its error looks like a failed connection", async () => {
    const { session, mock } = cached(respond, {
      store: { get: () => Promise.reject(new TypeError("fetch failed")), set: () => {} },
    });
    await assertRejects(() => session.get("a"), TypeError, "fetch failed");
    assertEquals(mock.calls.length, 0);
  });

  it("must return a response", async () => {
    const whole = { url: "", headers: [["a", "b"]], vary: {}, body: new Uint8Array() };
    const cases: readonly (readonly [unknown, string])[] = [
      [7, ""],
      ["x", ""],
      [{}, ".url"],
      [[], ".url"],
      [{ ...whole, url: 7 }, ".url"],
      [{ ...whole, headers: [["a"]] }, ".headers"],
      [{ ...whole, vary: undefined }, ".vary"],
      // As JSON changes it.
      [{ ...whole, body: { 0: 65 } }, ".body"],
    ];
    for (const [value, field] of cases) {
      const store = { get: () => value, set: () => {} } as unknown as CacheStore;
      const { session } = cached(respond, { store });
      const error = await assertRejects(() => session.get("a"), UnexpectedValueError);
      assertEquals(error.option, `the result of store.get()${field}`);
    }
    const store = { get: () => null, set: () => {} } as unknown as CacheStore;
    assertEquals(await cached(respond, { store }).session.get("a", { convJson: true }), { id: 7 });
  });

  it("is refused with other options that are not valid", () => {
    const store = new Map<string, CachedResponse>();
    const cases: readonly (readonly [string, object])[] = [
      ["store", { store: {} }],
      ["store", { store: { get: () => {} } }],
      ["maxEntries", { maxEntries: 0 }],
      ["maxBytes", { maxBytes: 1.5 }],
      ["maxBodyBytes", { maxBodyBytes: "1" }],
      ["maxEntries", { store, maxEntries: 5 }],
      ["maxBytes", { store, maxBytes: 5 }],
    ];
    for (const [name, options] of cases) {
      const error = assertThrows(() => etagCache(options), UnexpectedValueError);
      assertEquals(error.option, name);
    }
  });
});
