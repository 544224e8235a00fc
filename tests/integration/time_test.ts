import { afterEach, assert, assertEquals, assertRejects, describe, it } from "#test";
import {
  APISession,
  type Clock,
  DeadlineExceededError,
  ServiceUnavailableError,
  type SessionOptions,
  systemClock,
  TooManyRequestsError,
  TransportError,
} from "../../mod.ts";
import { FakeClock } from "../support/fake_clock.ts";
import {
  drop,
  type RawAnswer,
  type RawServer,
  respond,
  stall,
  startRawServer,
  trickle,
} from "../support/raw_server.ts";
import { recordingLogger } from "../support/recording_logger.ts";

const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n";
const chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const whole = { ok: true };
const wholeText = '{"ok": true}';

/** Parts of a response after which a server falls silent or goes away. */
const points: readonly (readonly [string, string])[] = [
  ["before the headers", ""],
  ["within the status line", "HTTP/1.1 20"],
  ["within the headers", "HTTP/1.1 200 OK\r\nContent-Type: application/js"],
  ["before the body", head],
  ["within the body", `${head}{"ok":`],
  ["within the chunks", `${chunkedHead}5\r\n{"ok"\r\n`],
];

/** Those where the headers have arrived. */
const bodyPoints = points.slice(3);

/** Real time, ten times as fast. */
const fastClock: Clock = {
  now: () => Date.now(),
  after: (seconds, run) => systemClock.after(seconds / 10, run),
};

/** Milliseconds within which what happens at once has happened, on a busy machine too. */
const AT_ONCE = 1000;

/** Longer than any test: a server's delay that nobody waits for, in seconds. */
const FOREVER = 60;

describe("time, against servers that misbehave", () => {
  const servers: RawServer[] = [];

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  async function serve(...answers: RawAnswer[]): Promise<RawServer> {
    const server = await startRawServer(...answers);
    servers.push(server);
    return server;
  }

  function api({ url }: RawServer, options: SessionOptions = {}): APISession {
    return new APISession({ url, finalWait: false, logger: recordingLogger(), ...options });
  }

  async function elapsed(work: () => Promise<unknown>): Promise<number> {
    const begin = performance.now();
    await work();
    return performance.now() - begin;
  }

  for (const [point, part] of points) {
    it(`a connection that is dropped ${point} is retried where the toolkit reads`, async () => {
      const server = await serve(drop(part), drop(part), respond(wholeText));
      const session = api(server, { clock: new FakeClock() });
      assertEquals(await session.get("x", { convJson: true }), whole);
      assertEquals(server.requests, 3);
    });

    it(`a connection that is always dropped ${point} ends in a TransportError`, async () => {
      const server = await serve(drop(part));
      const session = api(server, { clock: new FakeClock(), retries: 2 });
      const get = () => session.get("x", { convJson: true });
      const error = await assertRejects(get, TransportError);
      assertEquals([error.retries, server.requests], [2, 3]);
      assert(["reset", "other"].includes(error.kind), error.kind);
    });

    it(`a server that stalls ${point} is given up and retried where the toolkit reads`, async () => {
      const server = await serve(stall(part), respond(wholeText));
      const session = api(server, { clock: fastClock, timeout: 1 });
      assertEquals(await session.get("x", { convJson: true }), whole);
      assertEquals(server.requests, 2);
    });

    it(`a server that stalls ${point} ends in a TransportError, and is hung up on`, async () => {
      const server = await serve(stall(part));
      const session = api(server, { timeout: 0.1, retries: 0 });
      const get = () => session.get("x", { convJson: true });
      const error = await assertRejects(get, TransportError, "no data for 0.1 s");
      assertEquals(error.kind, "timeout");
      await server.hungUp();
    });
  }

  for (const [point, part] of bodyPoints) {
    it(`a connection that is dropped ${point} is raised from the stream of a raw body`, async () => {
      const server = await serve(drop(part));
      for (const timeout of [null, 5]) {
        const session = api(server, { timeout });
        const requests = server.requests;
        // Where the end is seen with the headers, the body has failed before it is read.
        const response = await session.get("x");
        const error = await assertRejects(() => response.text(), Error);
        // Unwatched, the body is the transport's own, and so is its error.
        if (timeout !== null) assert(error instanceof TransportError, String(error));
        assertEquals([response.status, server.requests - requests], [200, 1]);
      }
    });

    it(`a server that stalls ${point} is raised from the stream of a raw body`, async () => {
      const server = await serve(stall(part));
      const response = await api(server, { timeout: 0.1 }).get("x");
      const error = await assertRejects(() => response.text(), TransportError, "no data for 0.1 s");
      assertEquals([error.kind, server.requests], ["timeout", 1]);
      await server.hungUp();
    });
  }

  it("a body that trickles passes where the timeout is shorter than its whole", async () => {
    const pieces = [head, ...wholeText];
    const server = await serve(trickle(pieces, 40));
    const session = api(server, { timeout: 0.25, retries: 0 });
    const took = await elapsed(async () => {
      const both = await Promise.all([
        session.get("x", { convJson: true }),
        session.get("x").then((response) => response.json()),
      ]);
      assertEquals(both, [whole, whole]);
    });
    assert(took > 400, `${took} ms`);
  });

  it("an error's body that trickles is read whole", async () => {
    const status = head.replace("200 OK", "404 Not Found");
    const server = await serve(trickle([status, ...wholeText], 30));
    const session = api(server, { timeout: 0.25 });
    const error = await assertRejects(() => session.get("x"));
    assertEquals((error as { body?: string }).body, wholeText);
  });

  it("an error's body that stalls is kept as far as it came", async () => {
    const status = head.replace("200 OK", "503 Service Unavailable");
    const server = await serve(stall(`${status}{"ok"`));
    const session = api(server, { timeout: 0.1, retries: 0 });
    const error = await assertRejects(() => session.get("x"), ServiceUnavailableError);
    assertEquals(error.body, '{"ok"');
    await server.hungUp();
  });

  it("headers that trickle pass where they are whole before the timeout", async () => {
    const pieces = ["HTTP/1.1 200 OK\r\n", "Content-Le", "ngth: 12\r\n", "\r\n", wholeText];
    const server = await serve(trickle(pieces, 40));
    assertEquals(await api(server, { timeout: 1, retries: 0 }).get("x", { convJson: true }), whole);
  });

  it("headers that trickle are silence until they are whole", async () => {
    const server = await serve(trickle([...head, wholeText], 40));
    const get = () => api(server, { timeout: 0.2, retries: 0 }).get("x", { convJson: true });
    await assertRejects(get, TransportError, "no data for 0.2 s");
  });

  it("time in which the caller does not read a raw body does not count", async () => {
    const server = await serve(trickle([`${head}{"ok":`, " true}"], 20));
    const response = await api(server, { timeout: 0.1 }).get("x");
    await new Promise((resolve) => setTimeout(resolve, 300));
    assertEquals(await response.json(), whole);
  });

  it("the deadline ends a call within an attempt", async () => {
    for (const [, part] of points) {
      const server = await serve(stall(part));
      const session = api(server, { deadline: 0.1 });
      const took = await elapsed(() =>
        assertRejects(() => session.get("x", { convJson: true }), DeadlineExceededError)
      );
      assert(took > 80 && took < 100 + AT_ONCE, `${took} ms`);
      assertEquals(server.requests, 1);
      await server.hungUp();
    }
  });

  it("the deadline spans attempts and waits, and says what failed last", async () => {
    const status = "503 Service Unavailable";
    const busy = respond("{}", { status, headers: "Retry-After: 0.1\r\n" });
    const time = new FakeClock({ jumps: false });
    const server = await serve(busy, busy, () => time.advance(60)); // the third never answers
    const clock: Clock = {
      now: () => time.now(),
      after(seconds, run) {
        const callOff = time.after(seconds, run);
        if (seconds === 0.1) setTimeout(() => time.advance(seconds), 0);
        return callOff;
      },
    };
    const get = () => api(server, { retries: 100, clock }).get("x", { deadline: 60 });
    const error = await assertRejects(get, DeadlineExceededError);
    assertEquals([error.deadline, server.requests, time.waits], [60, 3, [60, 0.1, 0.1]]);
    assert(error.cause instanceof ServiceUnavailableError);
    assertEquals(error.cause.retries, 1);
    await server.hungUp();
  });

  it("a wait that would pass the deadline is not made: the status error is thrown", async () => {
    const headers = `Retry-After: ${FOREVER}\r\n`;
    const server = await serve(respond("{}", { status: "429 Too Many Requests", headers }));
    const get = () => api(server, { deadline: FOREVER / 2 }).get("x");
    const error = await assertRejects(get, TooManyRequestsError, "would pass the deadline");
    assertEquals([error.retryAfter, server.requests], [FOREVER, 1]);
  });

  it("the deadline ends a body that trickles on and on while the toolkit reads", async () => {
    const server = await serve(trickle([chunkedHead, ...Array(200).fill("1\r\n1\r\n")], 20));
    const get = () => api(server, { deadline: 0.2, timeout: 5 }).get("x", { convJson: true });
    const took = await elapsed(() => assertRejects(get, DeadlineExceededError));
    assert(took < 200 + AT_ONCE, `${took} ms`);
    await server.hungUp();
  });

  it("the deadline is over once a raw response is handed over", async () => {
    const server = await serve(trickle([head, ...wholeText], 25));
    const response = await api(server).get("x", { deadline: 0.15 });
    assertEquals(await response.json(), whole);
  });

  for (const [point, part] of points) {
    it(`a signal aborts at once an attempt that hangs ${point}`, async () => {
      const server = await serve(stall(part));
      const controller = new AbortController();
      const reason = new Error("changed my mind");
      const get = api(server).get("x", { convJson: true, signal: controller.signal });
      setTimeout(() => controller.abort(reason), 50);
      const took = await elapsed(async () => assertEquals(await assertRejects(() => get), reason));
      assert(took < AT_ONCE, `${took} ms`);
      await server.hungUp();
      assertEquals(server.requests, 1);
    });
  }

  it("a signal aborts a wait at once", async () => {
    const headers = `Retry-After: ${FOREVER}\r\n`;
    const status = "503 Service Unavailable";
    const server = await serve(respond("{}", { status, headers }));
    const controller = new AbortController();
    const { signal } = controller;
    const clock: Clock = {
      now: () => systemClock.now(),
      after(seconds, run) {
        if (seconds === FOREVER) setTimeout(() => controller.abort(), 0); // the wait has begun
        return systemClock.after(seconds, run);
      },
    };
    const took = await elapsed(async () => {
      const get = () => api(server, { clock }).get("x", { signal });
      const error = await assertRejects(get, DOMException);
      assertEquals([error.name, error], ["AbortError", signal.reason]);
    });
    assert(took < FOREVER * 1000, `${took} ms`);
    assertEquals(server.requests, 1);
  });

  for (const timeout of [null, 30]) {
    it(`a signal aborts at once a raw body that is read, with the timeout ${timeout}`, async () => {
      const server = await serve(stall(`${head}{"ok":`));
      const controller = new AbortController();
      const response = await api(server, { timeout }).get("x", { signal: controller.signal });
      const reader = response.body!.getReader();
      const { value } = await reader.read();
      assertEquals(new TextDecoder().decode(value), '{"ok":');
      const read = reader.read();
      controller.abort("enough");
      const took = await elapsed(async () =>
        assertEquals(await assertRejects(() => read), "enough")
      );
      assert(took < AT_ONCE, `${took} ms`);
      await server.hungUp();
    });
  }

  it("a signal that is aborted before sends nothing", async () => {
    const server = await serve(respond(wholeText));
    const signal = AbortSignal.abort("never");
    assertEquals(await assertRejects(() => api(server).get("x", { signal })), "never");
    assertEquals(server.requests, 0);
  });

  it("a raw body that is cancelled hangs up on a server that stalls", async () => {
    const server = await serve(stall(`${head}{"ok":`));
    for (const timeout of [null, 30]) {
      const response = await api(server, { timeout }).get("x");
      await response.body?.cancel();
      await server.hungUp();
    }
  });
});
