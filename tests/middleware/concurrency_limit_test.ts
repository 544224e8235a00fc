import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import {
  APISession,
  type SessionOptions,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import { BearerAuth } from "../../src/auth/mod.ts";
import type { Transport } from "../../src/http/mod.ts";
import { concurrencyLimit, type Middleware } from "../../src/middleware/mod.ts";
import { fakeClock, mockTransport, replies, silentLogger } from "../../src/testing/mod.ts";
import { startServer } from "../support/server.ts";
import { turn, until } from "../support/until.ts";

/** A transport whose responses a test sends. */
interface Held {
  readonly fetch: Transport;
  /** The paths of the requests so far. */
  readonly paths: string[];
  /** Responds to the request with a path. */
  respond(path: string, response?: Response): void;
}

function held(): Held {
  const paths: string[] = [];
  const waiting = new Map<string, (response: Response) => void>();
  return {
    paths,
    fetch: (url, { signal }) => {
      const { pathname } = new URL(url);
      paths.push(pathname);
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      waiting.set(pathname, resolve);
      signal?.addEventListener("abort", () => reject(signal.reason));
      return promise;
    },
    respond: (path, response = new Response(null, { status: 204 })) => waiting.get(path)!(response),
  };
}

function sessionWith(middleware: readonly Middleware[], options: SessionOptions): APISession {
  return new APISession({
    url: "https://api.example.com",
    logger: silentLogger,
    middleware,
    ...options,
  });
}

describe("a concurrency limit", () => {
  it("sends only so many requests at once, and the others in order", async () => {
    const { fetch, paths, respond } = held();
    const session = sessionWith([concurrencyLimit(2)], { fetch });
    const calls = ["a", "b", "c", "d"].map((path) => session.get(path));
    await turn();
    assertEquals(paths, ["/a", "/b"]);

    respond("/b");
    await calls[1];
    await turn();
    assertEquals(paths, ["/a", "/b", "/c"]);

    ["/a", "/c"].forEach((path) => respond(path));
    await Promise.all([calls[0], calls[2]]);
    await turn();
    respond("/d");
    await calls[3];
    assertEquals(paths, ["/a", "/b", "/c", "/d"]);
  });

  it("counts a request until its body has been read or cancelled", async () => {
    const { fetch, paths, respond } = held();
    const session = sessionWith([concurrencyLimit(1)], { fetch });
    const first = session.get("a");
    const second = session.get("b");
    const third = session.get("c", { convJson: true });
    await turn();
    respond("/a", new Response("text"));
    const response = await first;
    await turn();
    assertEquals(paths, ["/a"]);

    assertEquals(await response.text(), "text");
    await turn();
    assertEquals(paths, ["/a", "/b"]);

    respond("/b", new Response("text"));
    await (await second).body?.cancel();
    await turn();
    assertEquals(paths, ["/a", "/b", "/c"]);
    respond("/c", Response.json({ id: 7 }));
    assertEquals(await third, { id: 7 });
  });

  it("has a limit for each origin, or for each key", async () => {
    const { fetch, paths } = held();
    const session = sessionWith([concurrencyLimit(1)], { fetch });
    for (const host of ["a", "a", "b"]) {
      session.get(`https://${host}.example.com/${host}`).catch(() => {});
    }
    await turn();
    assertEquals(paths, ["/a", "/b"]);

    const other = held();
    const key = ({ method }: { method: string }) => method;
    const keyed = sessionWith([concurrencyLimit({ maxConcurrent: 1, key })], {
      fetch: other.fetch,
    });
    const sent = [keyed.get("a"), keyed.get("b"), keyed.post("c")];
    sent.forEach((call) => call.catch(() => {}));
    await turn();
    assertEquals(other.paths, ["/a", "/c"]);
  });

  it("counts the requests after redirects for their own origin, and needs no second place", async () => {
    const { fetch, paths, respond } = held();
    const session = sessionWith([concurrencyLimit(1)], { fetch });
    const moved = (location: string) =>
      new Response("moved", { status: 307, headers: { location } });
    const first = session.get("a");
    const second = session.get("e");
    await turn();
    respond("/a", moved("/b"));
    await turn();
    // The request of the other call was first in the queue.
    respond("/e");
    await second;
    await turn();
    respond("/b", moved("https://files.example.com/c"));
    await turn();
    const third = session.get("d");
    await turn();
    assertEquals(paths, ["/a", "/e", "/b", "/c", "/d"]);
    ["/c", "/d"].forEach((path) => respond(path));
    await Promise.all([first, third]);
  });

  it("gives the function for the key the request as it is sent", async () => {
    const seen: unknown[] = [];
    const session = sessionWith([
      concurrencyLimit({
        maxConcurrent: 1,
        key: ({ method, url, headers, attempt }) => {
          seen.push([method, url, headers["authorization"], attempt]);
          return url;
        },
      }),
    ], {
      auth: new BearerAuth("t-1"),
      fetch: (url) =>
        Promise.resolve(
          url.endsWith("/a")
            ? Response.redirect("https://files.example.com/b", 303)
            : new Response(null, { status: 204 }),
        ),
    });
    await session.post("a");
    assertEquals(seen, [
      ["POST", "https://api.example.com/a", "Bearer t-1", 1],
      ["GET", "https://files.example.com/b", undefined, 1],
    ]);
  });

  it("lets a call that is aborted leave the queue, and frees the place of one that is sent", async () => {
    const { fetch, paths, respond } = held();
    const session = sessionWith([concurrencyLimit(1)], { fetch });
    const controllers = [new AbortController(), new AbortController()];
    const first = session.get("a", { signal: controllers[0]!.signal });
    const second = session.get("b", { signal: controllers[1]!.signal });
    const third = session.get("c");
    await turn();
    controllers[1]!.abort(new Error("enough"));
    await assertRejects(() => second, Error, "enough");
    controllers[0]!.abort(new Error("enough, too"));
    await assertRejects(() => first, Error, "enough, too");
    await turn();
    assertEquals(paths, ["/a", "/c"]);
    respond("/c");
    assertEquals((await third).status, 204);
  });

  it("loses no place if a call is aborted at the moment when it would get one", async () => {
    const { fetch, paths, respond } = held();
    const session = sessionWith([concurrencyLimit(1)], { fetch });
    const controller = new AbortController();
    const { signal } = controller;
    const sent = session.get("a", { signal }).catch((error: Error) => error.message);
    // The same signal aborts the request that is sent and the one that waits.
    const waiting = session.get("b", { signal }).catch((error: Error) => error.message);
    const next = session.get("c");
    await turn();
    controller.abort(new Error("enough"));
    assertEquals([await sent, await waiting], ["enough", "enough"]);
    await turn();
    assertEquals(paths, ["/a", "/c"]);
    respond("/c");
    assertEquals((await next).status, 204);
  });

  it("frees the place of a call that is aborted, even if the transport ignores its signal", async () => {
    const paths: string[] = [];
    const fetch: Transport = (url) => {
      paths.push(new URL(url).pathname);
      return paths.length === 1 ? new Promise(() => {}) : Promise.resolve(new Response("ok"));
    };
    const session = sessionWith([concurrencyLimit(1)], { fetch });
    const clock = fakeClock();
    const limited = sessionWith([concurrencyLimit(1)], { fetch, clock });
    const failed = limited.get("a", { deadline: 5 }).catch((error: Error) => error.name);
    const second = limited.get("b");
    await clock.advance(5);
    assertEquals(await failed, "DeadlineExceededError");
    assertEquals(await (await second).text(), "ok");
    assertEquals(await (await session.get("c")).text(), "ok");
  });

  it("frees the place while a call waits for its retry, and after a failure", async () => {
    const lost = new TransportError("lost", { kind: "reset" });
    const mock = mockTransport({ "GET /a": replies(503, lost, 204), "GET /b": 204 });
    const clock = fakeClock();
    const session = sessionWith([concurrencyLimit(1)], { fetch: mock, clock });
    const retried = session.get("a");
    await clock.advance(0);
    assertEquals((await session.get("b")).status, 204);
    await clock.advance(10);
    assertEquals((await retried).status, 204);
    assertEquals(mock.calls.map(({ path }) => path), ["/a", "/b", "/a", "/a"]);
  });

  it("frees the place if another middleware throws after the response", async () => {
    const mock = mockTransport({ "GET /a": { id: 7 } });
    let calls = 0;
    const failing: Middleware = async (request, next) => {
      const response = await next(request);
      if (++calls === 1) throw new RangeError("a mistake");
      return response;
    };
    const session = sessionWith([failing, concurrencyLimit(1)], { fetch: mock });
    await assertRejects(() => session.get("a"), RangeError, "a mistake");
    assertEquals(await session.get("a", { convJson: true }), { id: 7 });
  });

  it("keeps the URL and the status of a response, and streams its body", async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(203, { "content-type": "text/plain" });
      response.write("first ");
      response.end("second");
    });
    try {
      const options = { url: server.url, middleware: [concurrencyLimit(1)] };
      const response = await new APISession(options).get("a");
      assertEquals([response.status, response.url], [203, `${server.url}/a`]);
      assertEquals(await response.text(), "first second");
    } finally {
      await server.stop();
    }
  });

  it("never has more requests at a server than it allows", async () => {
    const waiting: (() => void)[] = [];
    const server = await startServer((_request, response) => {
      waiting.push(() => void response.setHeader("content-type", "application/json").end("{}"));
    });
    try {
      const options = { url: server.url, middleware: [concurrencyLimit(3)] };
      const session = new APISession(options);
      const calls = Array.from({ length: 12 }, () => session.get("a", { convJson: true }));
      for (let round = 0; round < 4; round++) {
        await until(() => waiting.length >= 3);
        await turn();
        assertEquals(waiting.length, 3);
        waiting.splice(0).forEach((respond) => respond());
      }
      assertEquals((await Promise.all(calls)).length, 12);
    } finally {
      await server.stop();
    }
  });

  it("rejects options that are not valid", async () => {
    for (const value of [0, -1, 1.5, -Infinity, NaN, "2", undefined]) {
      const maxConcurrent = value as number;
      for (const options of [maxConcurrent, { maxConcurrent }]) {
        const create = () => concurrencyLimit(options);
        assertThrows(create, UnexpectedValueError, '"maxConcurrent"');
      }
    }
    const key = "host" as unknown as () => string;
    assertThrows(() => concurrencyLimit({ maxConcurrent: 1, key }), UnexpectedValueError, '"key"');
    const wrong = (() => 7) as unknown as () => string;
    const session = sessionWith([concurrencyLimit({ maxConcurrent: 1, key: wrong })], {
      fetch: mockTransport({ "GET /a": 204 }),
    });
    const error = await assertRejects(() => session.get("a"), UnexpectedValueError);
    assert(error.message.includes('"the result of key" must be a string, but is 7'));
  });
});
