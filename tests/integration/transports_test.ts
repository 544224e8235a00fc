import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import type { IncomingMessage, ServerResponse } from "node:http";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { gzipSync } from "node:zlib";
import { APIError, APISession, type SessionOptions, TransportError } from "../../mod.ts";
import { ServiceUnavailableError, SessionStateError } from "../../src/entries/errors.ts";
import { detectRuntime } from "../../src/base/runtime.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { bodyOf, startServer, type TestServer } from "../support/server.ts";
import { type Squid, squidMissing, startSquid } from "../support/squid.ts";
import {
  startTlsPeers,
  tlsMissing,
  type TlsPeers,
  withoutProxyVariables,
} from "../support/tls_peers.ts";
import { passUntil } from "../support/pass_until.ts";
import { until } from "../support/until.ts";

/** The request as the server echoes it. */
interface Echo {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly length: number;
  readonly body: string;
}

const MEGABYTE = 1 << 20;

/** The number of requests that have arrived for each path. */
const requestCounts = new Map<string, number>();
const requestsFor = (path: string): number => requestCounts.get(`/${path}`) ?? 0;

/** Answers the requests that arrive through nginx and squid. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "", "http://x");
  requestCounts.set(pathname, (requestCounts.get(pathname) ?? 0) + 1);
  const json = (value: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(200, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify(value));
  };
  switch (pathname) {
    case "/hop":
      return void response.writeHead(302, {
        "Location": "/echo",
        "Set-Cookie": ["a=1; Path=/", "b=2; Path=/"],
      }).end("moved");
    case "/post-hop":
      await bodyOf(request);
      return void response.writeHead(307, { "Location": "/echo" }).end();
    case "/gzip":
      return void response.writeHead(200, { "Content-Encoding": "gzip" })
        .end(gzipSync("compressed"));
    case "/none":
      return void response.writeHead(204).end();
    case "/many":
      response.writeHead(200, { "Content-Length": 4 * MEGABYTE });
      for (let count = 0; count < 4; count++) response.write(new Uint8Array(MEGABYTE).fill(count));
      return void response.end();
    case "/cut":
      response.writeHead(200, { "Content-Length": 100 });
      return void response.write("a part", () => response.destroy());
    case "/begun":
      response.writeHead(200);
      return void response.write("a part");
    case "/never":
      return;
    case "/busy":
      return void response.writeHead(503, { "X-Reason": "busy" }).end("try later");
    case "/odd":
      return void response.writeHead(299, "All M\xf6st Fine").end("odd");
    case "/count": {
      let length = 0;
      for await (const chunk of request) length += chunk.length;
      return json({ length });
    }
    default: {
      const { method = "", headers } = request;
      const body = await bodyOf(request);
      return json({ method, headers, length: body.length, body });
    }
  }
}

describe("every transport", () => {
  const missing = squidMissing() ?? tlsMissing();
  let server: TestServer;
  let peers: TlsPeers;
  let open: Squid;
  let guarded: Squid;
  let undo: () => void;

  before(async () => {
    undo = withoutProxyVariables();
    if (missing !== undefined) return;
    server = await startServer((request, response) => {
      // A client may disconnect while its body is read.
      answer(request, response).catch(() => {});
    });
    peers = await startTlsPeers(server.url);
    open = await startSquid();
    guarded = await startSquid({ user: ["ada", "countess"] });
  });
  after(async () => {
    undo();
    await Promise.all([open?.stop(), guarded?.stop(), peers?.stop()]);
    await server?.stop();
  });

  const ca = () => peers.certificates.authority.pem[0];
  const known = () => guarded.url.replace("//", "//ada:countess@");
  const secure = () => peers.good;

  /** Session options that lead to different transports, depending on the runtime. */
  const routes: readonly (readonly [string, () => SessionOptions])[] = [
    ["https to a private authority", () => ({ url: secure(), ca: ca() })],
    ["https, unverified", () => ({ url: secure(), sslVerify: false })],
    ["https with a client certificate", () => ({
      url: peers.demanding,
      ca: ca(),
      cert: peers.certificates.client.pem,
    })],
    ["https through a proxy", () => ({ url: secure(), ca: ca(), proxies: { all: open.url } })],
    ["https through a proxy with a password", () => ({
      url: secure(),
      ca: ca(),
      proxies: { all: known() },
    })],
    ["https through a proxy, unverified", () => ({
      url: secure(),
      sslVerify: false,
      proxies: { all: open.url },
    })],
    ["http through a proxy", () => ({ url: server.url, proxies: { all: open.url } })],
    ["http through a proxy with a password", () => ({
      url: server.url,
      proxies: { all: known() },
    })],
  ];

  for (const [route, optionsOf] of routes) {
    const test = (
      name: string,
      body: (session: APISession, clock: FakeClock) => Promise<void>,
    ) =>
      it(`${route}: ${name}`, async () => {
        const clock = fakeClock();
        const session = new APISession({
          retries: 0,
          finalWait: false,
          logger: recordingLogger(),
          clock,
          ...optionsOf(),
        });
        try {
          await body(session, clock);
        } finally {
          await session.close();
        }
      }, { ignore: missing });

    const echo = (session: APISession, path = "echo") =>
      session.get<Echo>(path, { convJson: true });

    test("sends the method, headers and JSON", async (session) => {
      const json = { a: ["\u00e9"] };
      const options = { json, headers: { "X-Own": "\xe9" }, convJson: true } as const;
      const methods = {
        POST: () => session.post<Echo>("echo", options),
        PUT: () => session.put<Echo>("echo", options),
        PATCH: () => session.patch<Echo>("echo", options),
      };
      for (const [expected, send] of Object.entries(methods)) {
        const { method, headers, body } = await send();
        assertEquals([method, JSON.parse(body)], [expected, json]);
        assertEquals(headers["content-type"], "application/json");
        assertEquals(headers["x-own"], "\xe9");
        assert(/^Integration\//.test(headers["user-agent"] ?? ""), headers["user-agent"]);
      }
      assertEquals((await session.delete<Echo>("echo", { convJson: true })).method, "DELETE");
    });

    test("sends every kind of body with its type", async (session) => {
      const form = new FormData();
      form.append("file", new Blob(["contents"], { type: "text/x-own" }), "a.txt");
      const rows: readonly (readonly [object, RegExp, string])[] = [
        // Bun's fetch sends no type for a string.
        [{ content: "text" }, /^text\/plain|^$/, "text"],
        [{ content: new TextEncoder().encode("bytes") }, /^$/, "bytes"],
        [{ content: new Blob(["blob"], { type: "text/x-own" }) }, /^text\/x-own$/, "blob"],
        [{ data: { a: "1 2" } }, /^application\/x-www-form-urlencoded/, "a=1+2"],
        [{ data: form }, /^multipart\/form-data; boundary=/, "contents"],
      ];
      for (const [options, type, text] of rows) {
        const { headers, body } = await session.post<Echo>("echo", { ...options, convJson: true });
        assert(type.test(headers["content-type"] ?? ""), `${text}: ${headers["content-type"]}`);
        assert(body.includes(text), `${text}: ${body}`);
      }
    });

    test("uploads a stream chunk by chunk", async (session) => {
      async function* chunks(): AsyncGenerator<Uint8Array> {
        for (let count = 0; count < 64; count++) yield new Uint8Array(MEGABYTE / 16);
        await Promise.resolve();
      }
      const counted = await session.post<Echo>("count", { content: chunks(), convJson: true });
      assertEquals(counted.length, 4 * MEGABYTE);
    });

    test("uploads a Blob with its length, after a 307 too", async (session) => {
      for (const path of ["echo", "post-hop"]) {
        const content = new Blob(["contents"]);
        const { headers, body } = await session.post<Echo>(path, { content, convJson: true });
        assertEquals(
          [headers["content-length"], headers["transfer-encoding"], body],
          ["8", undefined, "contents"],
        );
      }
    });

    test("sends a stream that contains a request as one body, for every method", async (session) => {
      const text = "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n";
      for (const method of ["post", "delete"] as const) {
        const content = new Blob([text]).stream();
        const { body } = await session[method]<Echo>("echo", { content, convJson: true });
        assertEquals(body, text);
        assertEquals((await echo(session)).method, "GET");
      }
    });

    test("rejects with the error of a stream that fails during the upload", async (session) => {
      const failure = new RangeError("no more");
      async function* chunks(): AsyncGenerator<Uint8Array> {
        yield new Uint8Array(8);
        await Promise.resolve();
        throw failure;
      }
      const thrown = await assertRejects(() => session.post("count", { content: chunks() }));
      assert(thrown === failure, String(thrown));
    });

    test("downloads a stream, and allows the reader to cancel early", async (session) => {
      const response = await session.get("many");
      const bytes = new Uint8Array(await response.arrayBuffer());
      assertEquals([bytes.length, bytes[0], bytes.at(-1)], [4 * MEGABYTE, 0, 3]);
      const left = await session.get("begun");
      const reader = left.body!.getReader();
      assertEquals(new TextDecoder().decode((await reader.read()).value), "a part");
      await reader.cancel();
    });

    test("follows redirects and keeps cookies", async (session) => {
      const response = await session.get("hop");
      const { headers, method } = await response.json() as Echo;
      assertEquals([method, headers["cookie"], response.redirected], ["GET", "a=1; b=2", true]);
      assert(response.url.endsWith("/echo"), response.url);
      assertEquals((await echo(session)).headers["cookie"], "a=1; b=2");
      const posted = await session.post<Echo>("post-hop", { json: [1], convJson: true });
      assertEquals([posted.method, posted.body], ["POST", "[1]"]);
    });

    test("decodes gzip", async (session) => {
      assertEquals(await (await session.get("gzip")).text(), "compressed");
    });

    test("handles HEAD, 204 and unusual statuses", async (session) => {
      const head = await session.head("echo");
      assertEquals([head.status, await head.text()], [200, ""]);
      const none = await session.get("none");
      assertEquals([none.status, none.body], [204, null]);
      const error = await assertRejects(() => session.get("busy"), ServiceUnavailableError);
      assertEquals([error.headers.get("x-reason"), error.body], ["busy", "try later"]);
      const odd = await assertRejects(() => session.get("odd"), APIError);
      assertEquals([odd.status, odd.body], [299, "odd"]);
    });

    test("throws a TransportError if the connection is cut", async (session) => {
      const error = await assertRejects(
        () => session.get("cut", { convJson: true }),
        TransportError,
      );
      assert(["reset", "other"].includes(error.kind), error.kind);
    });

    test(
      "throws a TransportError after the timeout, before the headers and after them",
      async (session, clock) => {
        for (const path of ["never", "begun"]) {
          const before = requestsFor(path);
          const get = () => session.get(path, { timeout: 10, convJson: true });
          const failed = assertRejects(get, TransportError);
          await until(() => requestsFor(path) > before);
          await passUntil(clock, failed);
          assertEquals((await failed).kind, "timeout");
        }
      },
    );

    test("rejects with the reason of the signal, before the headers and after them", async (session) => {
      const reason = new RangeError("changed my mind");
      const waiting = new AbortController();
      const before = requestsFor("never");
      const refused = assertRejects(() => session.get("never", { signal: waiting.signal }));
      await until(() => requestsFor("never") > before);
      waiting.abort(reason);
      assert(await refused === reason);
      const reading = new AbortController();
      const response = await session.get("begun", { signal: reading.signal });
      reading.abort(reason);
      assert(await assertRejects(() => response.text()) === reason);
      const signal = AbortSignal.abort(reason);
      assert(await assertRejects(() => session.get("echo", { signal })) === reason);
    });

    test("sets no time limit on Node unless the caller asks for one", async (session) => {
      const limits: unknown[] = [];
      const listen = (event: unknown) => {
        const { headersTimeout, bodyTimeout } = Object(event).request;
        limits.push(headersTimeout, bodyTimeout);
      };
      subscribe("undici:request:create", listen);
      try {
        await echo(session);
      } finally {
        unsubscribe("undici:request:create", listen);
      }
      assertEquals(limits, detectRuntime().name === "Node" ? [0, 0] : []);
    });

    test("sends many requests at once", async (session) => {
      const all = await Promise.all(Array.from({ length: 40 }, () => echo(session)));
      assertEquals(new Set(all.map(({ method }) => method)), new Set(["GET"]));
    });

    if (route.startsWith("https")) {
      test("reuses the connection for later calls", async (session) => {
        const connections = new Set<string | undefined>();
        for (let count = 0; count < 20; count++) {
          connections.add((await echo(session)).headers["x-connection"]);
        }
        // fetch sometimes opens a connection before that of the last body is back in the pool.
        assert(connections.size <= 3, `${connections.size} connections`);
      });
    }

    test("sends nothing after close, and a response that has arrived can still be read", async (session) => {
      const response = await session.get("many");
      await session.close();
      assertEquals((await response.arrayBuffer()).byteLength, 4 * MEGABYTE);
      await assertRejects(() => session.get("echo"), SessionStateError);
    });
  }
});
