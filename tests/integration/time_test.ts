import { afterEach, assert, assertEquals, assertRejects, beforeEach, describe, it } from "#test";
import {
  APISession,
  type Clock,
  DeadlineExceededError,
  NotFoundError,
  type SessionOptions,
  TooManyRequestsError,
  TransportError,
} from "../../mod.ts";
import { ServiceUnavailableError } from "../../src/entries/errors.ts";
import type { Transport } from "../../src/http/mod.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake_clock.ts";
import {
  drop,
  PiecewiseAnswer,
  type RawAnswer,
  type RawServer,
  respond,
  stall,
  startRawServer,
} from "../support/raw_server.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { passUntil } from "../support/pass_until.ts";
import { turn, until } from "../support/until.ts";

const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n";
const chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const whole = { ok: true };
const wholeText = '{"ok": true}';

/** Parts of a response after which a server stalls or closes the connection. */
const points: readonly (readonly [string, string])[] = [
  ["before the headers", ""],
  ["within the status line", "HTTP/1.1 20"],
  ["within the headers", "HTTP/1.1 200 OK\r\nContent-Type: application/js"],
  ["before the body", head],
  ["within the body", `${head}{"ok":`],
  ["within the chunks", `${chunkedHead}5\r\n{"ok"\r\n`],
];

/** The points at which the headers have arrived. */
const bodyPoints = points.slice(3);

/** The runtime's fetch, with counters of the data that has arrived. */
class CountingFetch {
  /** The responses whose headers have arrived. */
  responses = 0;
  /** The bytes of their bodies that have been read. */
  bytes = 0;

  readonly adapter: Transport = async (url, init) => {
    const response = await fetch(url, init);
    this.responses++;
    const { body } = response;
    if (body === null) return response;
    const getReader = body.getReader.bind(body) as () => ReadableStreamDefaultReader<Uint8Array>;
    const counting = () => {
      const reader = getReader();
      const read = reader.read.bind(reader);
      reader.read = async () => {
        const result = await read();
        this.bytes += result.value?.length ?? 0;
        return result;
      };
      return reader;
    };
    Object.defineProperty(body, "getReader", { value: counting });
    return response;
  };
}

/** A server's delay in seconds. It is longer than any test, and no test waits for it. */
const FOREVER = 60;

describe("timeouts, deadlines and signals with servers that misbehave", () => {
  const servers: RawServer[] = [];
  let clock: FakeClock;
  let seen: CountingFetch;

  beforeEach(() => {
    clock = fakeClock();
    seen = new CountingFetch();
  });

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

  /** Returns a session whose time the test advances, and which counts the data that arrives. */
  function timed(server: RawServer, options: SessionOptions = {}): APISession {
    return api(server, { clock, adapter: seen.adapter, ...options });
  }

  /** Waits until the client has received everything that a server sends before it stalls. */
  async function partReceived(server: RawServer, part: string): Promise<void> {
    const headers = part.includes("\r\n\r\n") ? 1 : 0;
    await until(() => server.requests === 1 && seen.responses === headers);
  }

  for (const [point, part] of points) {
    it(`a connection that is dropped ${point} is retried if the toolkit reads the body`, async () => {
      const server = await serve(drop(part), drop(part), respond(wholeText));
      const session = api(server, { clock: fakeClock({ autoAdvance: true }) });
      assertEquals(await session.get("x", { convJson: true }), whole);
      assertEquals(server.requests, 3);
    });

    it(`a connection that is always dropped ${point} leads to a TransportError`, async () => {
      const server = await serve(drop(part));
      const session = api(server, { clock: fakeClock({ autoAdvance: true }), retries: 2 });
      const get = () => session.get("x", { convJson: true });
      const error = await assertRejects(get, TransportError);
      assertEquals([error.retries, server.requests], [2, 3]);
      assert(["reset", "other"].includes(error.kind), error.kind);
    });

    // contract: decision-17
    it(`a server that stalls ${point} times out and is retried if the toolkit reads the body`, async () => {
      const server = await serve(stall(part), respond(wholeText));
      const call = timed(server, { timeout: 3 }).get("x", { convJson: true });
      await partReceived(server, part);
      await until(async () => {
        const isRetried = clock.waits.includes(1); // the wait before the retry
        await clock.advance(2);
        return isRetried;
      });
      assertEquals(await call, whole);
      assertEquals(server.requests, 2);
    });

    // contract: limit-5
    it(`a server that stalls ${point} leads to a TransportError and a closed connection`, async () => {
      const server = await serve(stall(part));
      const session = timed(server, { timeout: 10, retries: 0 });
      const get = () => session.get("x", { convJson: true });
      const failed = assertRejects(get, TransportError, "no data for 10 s");
      await partReceived(server, part);
      await passUntil(clock, failed);
      assertEquals((await failed).kind, "timeout");
      await server.hungUp();
    });
  }

  for (const [point, part] of bodyPoints) {
    it(`a connection that is dropped ${point} fails the stream of a raw body`, async () => {
      const server = await serve(drop(part));
      for (const timeout of [null, 5]) {
        const session = timed(server, { timeout });
        const requests = server.requests;
        // If the end arrives together with the headers, the body fails before it is read.
        const response = await session.get("x");
        const error = await assertRejects(() => response.text(), Error);
        // Without a timeout, the body and its error come from the transport unchanged.
        if (timeout !== null) assert(error instanceof TransportError, String(error));
        assertEquals([response.status, server.requests - requests], [200, 1]);
      }
    });

    // contract: decision-17, fault-10
    it(`a server that stalls ${point} fails the stream of a raw body`, async () => {
      const server = await serve(stall(part));
      const response = await timed(server, { timeout: 10 }).get("x");
      const failed = assertRejects(() => response.text(), TransportError, "no data for 10 s");
      await passUntil(clock, failed);
      assertEquals([(await failed).kind, server.requests], ["timeout", 1]);
      await server.hungUp();
    });
  }

  /** Sends a body byte by byte. Before each byte, 70 % of the timeout passes. */
  async function trickle(answer: PiecewiseAnswer, timeout: number): Promise<void> {
    const { bytes } = seen;
    for (const [index, byte] of [...wholeText].entries()) {
      await clock.advance(0.7 * timeout);
      await answer.write(byte);
      await until(() => seen.bytes === bytes + index + 1);
    }
  }

  // contract: decision-17
  it("a body that trickles in is accepted even if it takes longer than the timeout in total", async () => {
    for (const reader of ["the toolkit", "the caller"]) {
      seen = new CountingFetch();
      const answer = new PiecewiseAnswer();
      const session = timed(await serve(answer.answer), { timeout: 10, retries: 0 });
      const call = reader === "the toolkit"
        ? session.get("x", { convJson: true })
        : session.get("x").then((response) => response.json());
      await answer.write(head);
      await until(() => seen.responses === 1);
      await trickle(answer, 10);
      assertEquals(await call, whole);
    }
  });

  it("the body of an error response that trickles in is read completely", async () => {
    const answer = new PiecewiseAnswer();
    const server = await serve(answer.answer);
    const failed = assertRejects(() => timed(server, { timeout: 10 }).get("x"), NotFoundError);
    await answer.write(head.replace("200 OK", "404 Not Found"));
    await until(() => seen.responses === 1);
    await trickle(answer, 10);
    assertEquals((await failed).body, wholeText);
  });

  it("the body of an error response that stalls is kept up to the stall", async () => {
    const status = head.replace("200 OK", "503 Service Unavailable");
    const server = await serve(stall(`${status}{"ok"`));
    const session = timed(server, { timeout: 10, retries: 0 });
    const failed = assertRejects(() => session.get("x"), ServiceUnavailableError);
    await until(() => seen.bytes === 5);
    await passUntil(clock, failed);
    assertEquals((await failed).body, '{"ok"');
    await server.hungUp();
  });

  it("headers that trickle in are accepted if they are complete before the timeout", async () => {
    const answer = new PiecewiseAnswer();
    const server = await serve(answer.answer);
    const call = timed(server, { timeout: 10, retries: 0 }).get("x", { convJson: true });
    for (const piece of ["HTTP/1.1 200 OK\r\n", "Content-Le", "ngth: 12\r\n", "\r\n"]) {
      await answer.write(piece);
      await clock.advance(2);
    }
    await answer.write(wholeText);
    assertEquals(await call, whole);
  });

  it("headers that trickle in do not restart the timeout until they are complete", async () => {
    const answer = new PiecewiseAnswer();
    const server = await serve(answer.answer);
    const get = () => timed(server, { timeout: 10, retries: 0 }).get("x", { convJson: true });
    const failed = assertRejects(get, TransportError, "no data for 10 s");
    for (const piece of ["HTTP/1.1 200 OK\r\n", "Content-Le", "ngth: 12\r\n"]) {
      await answer.write(piece);
      await turn();
      await clock.advance(4);
    }
    await passUntil(clock, failed);
  });

  it("the timeout ignores the time in which the caller does not read a raw body", async () => {
    const answer = new PiecewiseAnswer();
    const server = await serve(answer.answer);
    const call = timed(server, { timeout: 10 }).get("x");
    await answer.write(`${head}{"ok":`);
    const response = await call;
    await clock.advance(60);
    await answer.write(" true}");
    assertEquals(await response.json(), whole);
  });

  it("the deadline ends a call within an attempt", async () => {
    for (const [, part] of points) {
      seen = new CountingFetch();
      const server = await serve(stall(part));
      const session = timed(server, { deadline: 10 });
      const get = () => session.get("x", { convJson: true });
      const failed = assertRejects(get, DeadlineExceededError);
      await partReceived(server, part);
      await clock.advance(9);
      await turn();
      assertEquals(clock.pending, 1);
      await clock.advance(1);
      await failed;
      assertEquals(server.requests, 1);
      await server.hungUp();
    }
  });

  // contract: decision-18
  it("the deadline covers attempts and waits, and its error has the last failure as its cause", async () => {
    const status = "503 Service Unavailable";
    const busy = respond("{}", { status, headers: "Retry-After: 0.1\r\n" });
    const time = fakeClock();
    const server = await serve(busy, busy, () => void time.advance(60)); // the third never answers
    const clock: Clock = {
      now: () => time.now(),
      after(seconds, run) {
        const callOff = time.after(seconds, run);
        if (seconds === 0.1) setTimeout(() => void time.advance(seconds), 0);
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

  // contract: decision-18
  it("a wait that would pass the deadline is skipped, and the status error is thrown", async () => {
    const headers = `Retry-After: ${FOREVER}\r\n`;
    const server = await serve(respond("{}", { status: "429 Too Many Requests", headers }));
    const get = () => api(server, { deadline: FOREVER / 2 }).get("x");
    const error = await assertRejects(get, TooManyRequestsError, "would exceed the deadline");
    assertEquals([error.retryAfter, server.requests], [FOREVER, 1]);
  });

  it("the deadline ends a body that trickles in without end while the toolkit reads it", async () => {
    const answer = new PiecewiseAnswer();
    const server = await serve(answer.answer);
    const get = () => timed(server, { deadline: 10, timeout: 5 }).get("x", { convJson: true });
    const failed = assertRejects(get, DeadlineExceededError);
    await answer.write(chunkedHead);
    for (let chunks = 1; chunks < 10; chunks++) {
      await answer.write("1\r\n1\r\n");
      await until(() => seen.bytes === chunks);
      await clock.advance(1);
    }
    await clock.advance(1);
    await failed;
    await server.hungUp();
  });

  // contract: decision-18
  it("the deadline does not apply once the caller has a raw response", async () => {
    const answer = new PiecewiseAnswer();
    const server = await serve(answer.answer);
    const call = timed(server).get("x", { deadline: 10 });
    await answer.write(head);
    const response = await call;
    await clock.advance(60);
    await answer.write(wholeText);
    assertEquals(await response.json(), whole);
  });

  for (const [point, part] of points) {
    // contract: decision-16
    it(`a signal immediately aborts an attempt that hangs ${point}`, async () => {
      const server = await serve(stall(part));
      const controller = new AbortController();
      const reason = new Error("changed my mind");
      const { signal } = controller;
      const failed = assertRejects(() => timed(server).get("x", { convJson: true, signal }));
      await partReceived(server, part);
      controller.abort(reason);
      assertEquals(await failed, reason);
      await server.hungUp();
      assertEquals(server.requests, 1);
    });
  }

  // contract: decision-5
  it("a signal immediately aborts a wait", async () => {
    const headers = `Retry-After: ${FOREVER}\r\n`;
    const status = "503 Service Unavailable";
    const server = await serve(respond("{}", { status, headers }));
    const controller = new AbortController();
    const { signal } = controller;
    const get = () => timed(server).get("x", { signal });
    const failed = assertRejects(get, DOMException);
    await until(() => clock.pending === 1); // the wait has begun
    controller.abort();
    const error = await failed;
    assertEquals([error.name, error], ["AbortError", signal.reason]);
    assertEquals(server.requests, 1);
  });

  for (const timeout of [null, 30]) {
    // contract: decision-16
    it(`a signal immediately aborts a raw body that is being read, with the timeout ${timeout}`, async () => {
      const server = await serve(stall(`${head}{"ok":`));
      const controller = new AbortController();
      const response = await timed(server, { timeout }).get("x", { signal: controller.signal });
      const reader = response.body!.getReader();
      const { value } = await reader.read();
      assertEquals(new TextDecoder().decode(value), '{"ok":');
      const read = reader.read();
      controller.abort("enough");
      assertEquals(await assertRejects(() => read), "enough");
      await server.hungUp();
    });
  }

  it("a signal that is already aborted keeps the request from being sent", async () => {
    const server = await serve(respond(wholeText));
    const signal = AbortSignal.abort("never");
    assertEquals(await assertRejects(() => api(server).get("x", { signal })), "never");
    assertEquals(server.requests, 0);
  });

  it("cancelling a raw body closes the connection to a server that stalls", async () => {
    const server = await serve(stall(`${head}{"ok":`));
    for (const timeout of [null, 30]) {
      const response = await timed(server, { timeout }).get("x");
      await response.body?.cancel();
      await server.hungUp();
    }
  });
});
