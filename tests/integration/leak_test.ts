import { afterEach, assert, assertEquals, beforeEach, describe, it } from "#test";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { APIError, APISession, type Clock, systemClock } from "../../mod.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { portOf } from "../support/server.ts";
import { until } from "../support/until.ts";

const REQUESTS = 4_000;
const IN_FLIGHT = 50;

/**
 * The highest number of connections that a test accepts. On Deno and Node, fetch sometimes opens a
 * connection while the one of a body that was just read is not yet back in the pool. A leak would
 * show in thousands of connections.
 */
const CONNECTIONS = 2 * IN_FLIGHT;

/** The system's clock, with counters of its timers. */
class CountingClock implements Clock {
  pending = 0;
  armed = 0;

  now(): number {
    return systemClock.now();
  }

  after(seconds: number, run: () => void): () => void {
    this.pending++;
    this.armed++;
    let isPending = true;
    const over = () => {
      if (isPending) this.pending--;
      isPending = false;
    };
    const callOff = systemClock.after(seconds, () => {
      over();
      run();
    });
    return () => {
      over();
      callOff();
    };
  }
}

/** Returns a signal, and functions that count its listeners. */
function countedSignal(): { signal: AbortSignal; left: () => number; added: () => number } {
  const { signal } = new AbortController();
  const listeners = new Set<unknown>();
  let added = 0;
  const { addEventListener, removeEventListener } = signal;
  // Node uses these methods, too, if it is passed a signal.
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    added++;
    listeners.add(args[1]);
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners.delete(args[1]);
    removeEventListener.apply(signal, args);
  };
  return { signal, left: () => listeners.size, added: () => added };
}

/** A server with keep-alive that counts its connections. */
class CountingServer {
  /** The number of connections so far. */
  accepted = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(answer: (request: IncomingMessage, response: ServerResponse) => void) {
    this.#server = createServer({ keepAlive: true, keepAliveTimeout: 60_000 }, answer);
    this.#server.on("connection", (socket: Socket) => {
      this.accepted++;
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  /** The number of open connections. */
  get open(): number {
    return this.#sockets.size;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  start(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

/** Runs `work` the given number of times, with `IN_FLIGHT` runs at a time. */
async function run(times: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < times; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
}

describe("leaks of requests that share one signal", () => {
  const large = "x".repeat(2 ** 20);
  let server: CountingServer;
  let clock: CountingClock;
  let session: APISession;

  beforeEach(async () => {
    server = new CountingServer(({ url }, response) => {
      const path = url?.slice(1);
      if (path === "large") return void response.end(large);
      response.writeHead(Number(path), { "content-type": "application/json" });
      response.end('{"ok":true}');
    });
    await server.start();
    clock = new CountingClock();
    const options = { retries: 0, finalWait: false, clock, logger: silentLogger };
    session = new APISession({ url: server.url, ...options });
  });

  afterEach(async () => {
    await server?.stop();
  });

  // contract: fault-11
  it("4,000 requests, half of them failing, leave no listener, timer or connection", async () => {
    // The first call loads the modules that the others need.
    await session.get("200", { timeout: 60, deadline: 60, convJson: true });
    const { signal, left, added } = countedSignal();
    const ended = { succeeded: 0, failed: 0 };
    await run(REQUESTS, async (index) => {
      const path = [200, 404, 200, 503][index % 4]!;
      // Every third call has a timeout, every fifth has a deadline, and half of them are raw.
      const timeout = index % 3 === 0 ? 60 : null;
      const deadline = index % 5 === 0 ? 60 : null;
      const convJson = index % 8 < 4;
      const options = { signal, timeout, deadline };
      try {
        if (convJson) await session.get(path, { ...options, convJson: true });
        else await (await session.get(path, options)).json();
        ended.succeeded++;
      } catch (error) {
        if (!(error instanceof APIError)) throw error;
        ended.failed++;
      }
    });
    assertEquals(ended, { succeeded: REQUESTS / 2, failed: REQUESTS / 2 });
    assertEquals({ listeners: left(), timers: clock.pending }, { listeners: 0, timers: 0 });
    // All calls that are in flight share one listener.
    assert(added() > 0 && added() < REQUESTS / 10, `${added()} listeners`);
    assert(clock.armed > REQUESTS / 4);
    assert(server.accepted <= CONNECTIONS, `${server.accepted} connections`);
  });

  it("raw bodies that are cancelled before they are read leave no listener, timer or connection", async () => {
    const { signal, left, added } = countedSignal();
    await run(1000, async (index) => {
      const path = index % 2 === 0 ? "large" : "200";
      const timeout = index % 3 === 0 ? 60 : null;
      const response = await session.get(path, { signal, timeout, deadline: 60 });
      await response.body?.cancel();
    });
    assertEquals({ listeners: left(), timers: clock.pending }, { listeners: 0, timers: 0 });
    assert(added() > 0 && added() < 100, `${added()} listeners`);
    await until(() => server.open <= CONNECTIONS);
  });

  it("a raw body that is never read leaves no deadline and no timeout running", async () => {
    const response = await session.get("200", { deadline: 60, timeout: 60 });
    assertEquals([clock.armed, clock.pending], [2, 0]);
    await response.body?.cancel();
  });

  it("calls that the signal aborts leave no listener, timer or connection", async () => {
    let open = 0;
    const stalled = new CountingServer((_request, response) => {
      open++;
      response.on("close", () => open--);
      response.write("{");
    });
    await stalled.start();
    try {
      const controller = new AbortController();
      const calls = Array.from(
        { length: IN_FLIGHT },
        (_, index) =>
          session.get(`${stalled.url}/x`, {
            signal: controller.signal,
            convJson: true,
            timeout: 60,
            deadline: index % 2 === 0 ? 60 : null,
          }),
      );
      await until(() => open === IN_FLIGHT);
      controller.abort("over");
      const ended = await Promise.allSettled(calls);
      assertEquals(ended.filter(({ status }) => status === "rejected").length, IN_FLIGHT);
      assertEquals(clock.pending, 0);
      await until(() => open === 0);
    } finally {
      await stalled.stop();
    }
  });
});
