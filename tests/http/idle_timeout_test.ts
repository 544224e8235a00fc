import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { TransportError } from "../../src/errors/transport_error.ts";
import { AbortScope } from "../../src/http/abort.ts";
import { exchanging } from "../support/exchanging.ts";
import { runAttempt } from "../support/attempts.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake_clock.ts";
import { failures } from "../support/transport_errors.ts";
import { turn } from "../support/until.ts";

const TIMEOUT = 10;

/** A body whose chunks the test sends. */
class Source {
  readonly body: ReadableStream<Uint8Array>;
  cancelledWith: { readonly reason: unknown } | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor() {
    this.body = new ReadableStream({
      start: (controller) => void (this.#controller = controller),
      cancel: (reason) => void (this.cancelledWith = { reason }),
    });
  }

  send(text: string): void {
    this.#controller?.enqueue(new TextEncoder().encode(text));
  }

  end(): void {
    this.#controller?.close();
  }

  fail(error: unknown): void {
    this.#controller?.error(error);
  }
}

interface Watched {
  readonly clock: FakeClock;
  readonly source: Source;
  readonly answer: (response?: Response) => void;
  readonly response: Promise<Response>;
  readonly signal: () => AbortSignal;
}

/** Starts an attempt that the test answers. */
function start(
  { timeout = TIMEOUT, clock = fakeClock(), scope }: {
    timeout?: number | undefined;
    clock?: FakeClock;
    scope?: AbortScope;
  } = {},
): Watched {
  const attempt = scope ?? new AbortScope([], undefined, clock);
  const signal = attempt.startAttempt(
    timeout,
    (error) => error instanceof TransportError ? error : ["explained", error],
  );
  const source = new Source();
  let resolve: (response: Response) => void;
  const response = runAttempt(
    attempt,
    waiting(attempt, signal, () => {
      return new Promise((done) => void (resolve = done));
    }),
  ).then((answered) => attempt.toResponse(answered));
  response.catch(() => {});
  return {
    clock,
    source,
    answer: (response = new Response(source.body)) => resolve(response),
    response,
    signal: () => signal,
  };
}

/** Waits for the headers of a transport, as an attempt does. */
async function waiting(
  scope: AbortScope,
  signal: AbortSignal,
  transport: () => Promise<Response>,
): Promise<Response> {
  scope.idleTimer?.start(scope);
  try {
    return await transport();
  } finally {
    if (scope.signal === signal) scope.idleTimer?.stop(scope);
  }
}

/** Returns the current state of a request or of reading a body. */
async function stateOf(promise: Promise<unknown>): Promise<string> {
  const pending = turn().then(() => "pending");
  return await Promise.race([
    promise.then(() => "done", (error) => error instanceof TransportError ? error.kind : "failed"),
    pending,
  ]);
}

function countListeners(signal: AbortSignal): () => number {
  let count = 0;
  const { addEventListener, removeEventListener } = signal;
  const listeners = new Set<unknown>();
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    if (!listeners.has(args[1])) count++;
    listeners.add(args[1]);
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    if (listeners.delete(args[1])) count--;
    removeEventListener.apply(signal, args);
  };
  return () => count;
}

describe("the idle timeout", () => {
  it("fails a request without headers in time, even if the transport ignores the signal", async () => {
    const { clock, response, signal } = start();
    await clock.advance(TIMEOUT - 0.01);
    assertEquals(await stateOf(response), "pending");
    await clock.advance(0.01);
    const error = await assertRejects(() => response, TransportError);
    assertEquals([error.kind, error.message], ["timeout", "no data for 10 s"]);
    assertEquals([signal().aborted, signal().reason], [true, error]);
    assertEquals(clock.pending, 0);
  });

  it("leaves no timer after headers in time and a body that is read at once", async () => {
    const { clock, source, response, answer } = start();
    await clock.advance(TIMEOUT - 0.01);
    answer();
    const text = (await response).text();
    source.send("hello");
    source.end();
    assertEquals(await text, "hello");
    assertEquals(clock.pending, 0);
    await clock.advance(100 * TIMEOUT);
  });

  // contract: decision-17
  it("accepts a trickling body, no matter how long it takes", async () => {
    const { clock, source, response, answer } = start();
    answer();
    const text = (await response).text();
    await turn();
    for (let chunk = 0; chunk < 40; chunk++) {
      await clock.advance(TIMEOUT * 0.99);
      source.send(".");
      await turn();
    }
    source.end();
    assertEquals((await text).length, 40);
    assertEquals(clock.pending, 0);
  });

  // contract: decision-17
  it("fails a stalled body after 1 to 1.25 timeouts, no matter when the silence begins", async () => {
    for (let offset = 0; offset < TIMEOUT; offset += 0.5) {
      const { clock, source, response, answer, signal } = start();
      answer();
      const text = (await response).text();
      text.catch(() => {});
      await turn();
      await clock.advance(offset);
      source.send("hel");
      await turn();
      await clock.advance(TIMEOUT - 0.01);
      assertEquals(await stateOf(text), "pending", `silence from ${offset} s on`);
      await clock.advance(TIMEOUT / 4 + 0.01);
      const error = await assertRejects(() => text, TransportError);
      assertEquals(error.kind, "timeout");
      assertEquals(source.cancelledWith, { reason: error });
      assertEquals(signal().aborted, true);
      assertEquals(clock.pending, 0);
    }
  });

  it("fails a body that stalls before its first chunk", async () => {
    const { clock, response, answer } = start();
    await clock.advance(TIMEOUT / 2);
    answer();
    const text = (await response).text();
    text.catch(() => {});
    await turn();
    await clock.advance(TIMEOUT * 0.99);
    assertEquals(await stateOf(text), "pending");
    await clock.advance(TIMEOUT / 4 + 0.11);
    assertEquals(await stateOf(text), "timeout");
  });

  // contract: decision-17
  it("does not count the time in which the caller does not read, and runs no timer then", async () => {
    const { clock, source, response, answer } = start();
    answer();
    const reader = (await response).body!.getReader();
    await clock.advance(50 * TIMEOUT);
    assertEquals(clock.pending, 0, "the headers have arrived, and nothing reads the body");
    for (let chunk = 0; chunk < 3; chunk++) {
      const read = reader.read();
      await turn();
      await clock.advance(TIMEOUT / 2);
      source.send("a");
      assertEquals((await read).value, new TextEncoder().encode("a"));
      await clock.advance(50 * TIMEOUT);
      assertEquals(clock.pending, 0, "a chunk has arrived, and nothing reads the next one");
    }
    const read = reader.read();
    read.catch(() => {});
    await turn();
    await clock.advance(TIMEOUT * 0.99);
    assertEquals(await stateOf(read), "pending", "silence is counted from this read on");
    await clock.advance(TIMEOUT * 0.3);
    assertEquals(await stateOf(read), "timeout");
  });

  it("cancels the body of a response that arrives too late", async () => {
    const { clock, source, response, answer } = start();
    await clock.advance(TIMEOUT);
    assertEquals(await stateOf(response), "timeout");
    answer();
    await turn();
    assert(source.cancelledWith !== undefined, "nothing will read this body");
    assertEquals(clock.pending, 0);
  });

  it("leaves no timer after a response without a body", async () => {
    const { clock, response, answer } = start();
    const bare = new Response(null, { status: 204 });
    answer(bare);
    assert(await response === bare);
    assertEquals(clock.pending, 0);
  });

  it("leaves no timer after the caller cancels the body, and its source is cancelled", async () => {
    const { clock, source, response, answer } = start();
    answer();
    const reader = (await response).body!.getReader();
    const read = reader.read();
    await turn();
    assertEquals(clock.pending, 1);
    await reader.cancel("enough");
    await read;
    assertEquals(source.cancelledWith, { reason: "enough" });
    assertEquals(clock.pending, 0);
  });

  it("cancels a body whose connection is lost without an error, and any other with its error", async () => {
    for (const [, lost] of failures) {
      const { clock, source, response, answer } = start();
      answer();
      const { body } = await response;
      source.fail(lost);
      await body!.cancel();
      assertEquals(clock.pending, 0);
    }
    const mistake = new Error("a bug of the adapter");
    const { source, response, answer } = start();
    answer();
    const { body } = await response;
    source.fail(mistake);
    assert(await assertRejects(() => body!.cancel()) === mistake);
  });

  it("rejects with the converted error of the transport if the body breaks", async () => {
    const { clock, source, response, answer } = start();
    answer();
    const text = (await response).text();
    source.send("hel");
    const broken = new TypeError("terminated");
    source.fail(broken);
    const error = await assertRejects(() => text);
    assertEquals((error as unknown[])[0], "explained");
    assert((error as unknown[])[1] === broken);
    assertEquals(clock.pending, 0);
  });

  it("leaves no timer if the transport rejects or throws", async () => {
    const mistake = new TypeError("a bug");
    for (
      const answer of [() => Promise.reject(mistake), () => {
        throw mistake;
      }]
    ) {
      const { clock, send } = exchanging({ session: { fetch: answer }, answers: [] });
      assert(await assertRejects(() => send({ timeout: TIMEOUT })) === mistake);
      assertEquals([clock.pending, clock.waits.length], [0, 1]);
    }
  });

  // contract: decision-25
  it("keeps status, headers, url, redirected and type of the response", async () => {
    const { source, response, answer } = start();
    const original = new Response(source.body, {
      status: 203,
      statusText: "Hearsay",
      headers: [["x-id", "7"], ["set-cookie", "a=1"], ["set-cookie", "b=2"]],
    });
    const properties = { url: "https://api.example.com/x", redirected: true, type: "basic" };
    for (const [name, value] of Object.entries(properties)) {
      Object.defineProperty(original, name, { value });
    }
    answer(original);
    const { status, statusText, headers, url, redirected, type, ok } = await response;
    assertEquals([status, statusText, ok], [203, "Hearsay", true]);
    assertEquals(headers.get("x-id"), "7");
    assertEquals(headers.getSetCookie(), ["a=1", "b=2"]);
    assertEquals<unknown>({ url, redirected, type }, properties);
  });

  it("sets no timer if no timeout is set", async () => {
    const clock = fakeClock();
    const scope = new AbortScope([new AbortController().signal], undefined, clock);
    const signal = scope.startAttempt(undefined, (error) => error);
    const send = () => Promise.resolve(new Response("hello"));
    const response = await runAttempt(scope, waiting(scope, signal, send));
    assertEquals(await scope.toResponse(response).text(), "hello");
    assertEquals(clock.waits, []);
  });
});

describe("an attempt that has ended", () => {
  it("does not return a response that arrives later, but cancels it", async () => {
    const { clock, source, response, answer } = start();
    await clock.advance(TIMEOUT);
    await assertRejects(() => response, TransportError);
    answer();
    await turn();
    assert(source.cancelledWith !== undefined);
  });

  it("does not disturb the next attempt with a response that arrives later", async () => {
    const clock = fakeClock();
    const scope = new AbortScope([], undefined, clock);
    const first = start({ clock, scope });
    await clock.advance(TIMEOUT);
    await assertRejects(() => first.response, TransportError);
    const second = start({ clock, scope });
    assert(first.signal() !== second.signal());
    first.answer();
    await turn();
    assertEquals([first.signal().aborted, second.signal().aborted], [true, false]);
    assertEquals(clock.pending, 1, "the second attempt still has its timer");
    await clock.advance(TIMEOUT);
    await assertRejects(() => second.response, TransportError);
    assertEquals(clock.pending, 0);
  });

  it("is not followed by another one after an abort", () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const scope = new AbortScope([controller.signal], undefined, clock);
    controller.abort("changed my mind");
    const begin = () => scope.startAttempt(TIMEOUT, (error) => error);
    assertEquals(assertThrows(begin), "changed my mind");
    assertEquals(clock.pending, 0);
  });

  it("leaves neither timer nor listener once the call is settled", async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const listeners = countListeners(controller.signal);
    const scope = new AbortScope([controller.signal], 60, clock);
    const signal = scope.startAttempt(TIMEOUT, (error) => error);
    await runAttempt(scope, waiting(scope, signal, () => Promise.resolve(new Response(null))));
    scope.settle();
    scope.settle();
    assertEquals([clock.pending, listeners()], [0, 0]);
  });
});

describe("ending a request early", () => {
  function cancellable(deadline?: number) {
    const clock = fakeClock();
    const controller = new AbortController();
    const listeners = countListeners(controller.signal);
    const scope = new AbortScope([controller.signal], deadline, clock);
    const watched = start({ clock, scope });
    return { ...watched, clock, controller, listeners, scope };
  }

  it("an abort before the headers rejects the call at once with its reason", async () => {
    const { clock, controller, scope, listeners, response, signal } = cancellable();
    controller.abort("changed my mind");
    assertEquals(await assertRejects(() => response), "changed my mind");
    assertEquals([signal().aborted, signal().reason], [true, "changed my mind"]);
    scope.settle();
    assertEquals([clock.pending, listeners()], [0, 0]);
  });

  it("an abort while the body is read rejects the read at once, and cancels the source", async () => {
    const { clock, controller, scope, listeners, response, answer, source } = cancellable();
    answer();
    const text = (await response).text();
    scope.settle();
    source.send("hel");
    await turn();
    assertEquals(listeners(), 1, "the call is over, its body is not");
    controller.abort("changed my mind");
    assertEquals(await assertRejects(() => text), "changed my mind");
    assertEquals(source.cancelledWith, { reason: "changed my mind" });
    assertEquals([clock.pending, listeners()], [0, 0]);
  });

  it("an abort before the body is read rejects the read", async () => {
    const { controller, scope, listeners, response, answer, source } = cancellable();
    answer();
    const received = await response;
    scope.settle();
    controller.abort("changed my mind");
    assertEquals(await assertRejects(() => received.text()), "changed my mind");
    assertEquals(source.cancelledWith, { reason: "changed my mind" });
    assertEquals(listeners(), 0);
  });

  it("an abort after the last byte changes nothing, and finds no listener", async () => {
    const { clock, controller, scope, listeners, response, answer, source } = cancellable(
      60,
    );
    answer();
    const text = (await response).text();
    scope.settle();
    source.send("hello");
    source.end();
    assertEquals(await text, "hello");
    assertEquals([clock.pending, listeners()], [0, 0]);
    controller.abort();
  });

  it("the deadline ends a body that trickles while the call reads it", async () => {
    const { clock, scope, listeners, response, answer, source } = cancellable(25);
    answer();
    const text = (await response).text();
    text.catch(() => {});
    for (let chunk = 0; chunk < 4; chunk++) {
      await clock.advance(6);
      source.send(".");
      await turn();
    }
    assertEquals(await stateOf(text), "pending");
    await clock.advance(1);
    const error = await assertRejects(() => text, Error);
    assertEquals(error.name, "DeadlineExceededError");
    scope.settle();
    assertEquals([clock.pending, listeners()], [0, 0]);
  });

  it("a body that breaks leaves no listener and no timer", async () => {
    const { clock, scope, listeners, response, answer, source } = cancellable(60);
    answer();
    const text = (await response).text();
    scope.settle();
    source.fail(new TypeError("terminated"));
    await assertRejects(() => text);
    assertEquals([clock.pending, listeners()], [0, 0]);
  });

  it("a body that the caller cancels leaves no listener and no timer", async () => {
    const { clock, scope, listeners, response, answer } = cancellable(60);
    answer();
    const received = await response;
    scope.settle();
    await received.body!.cancel();
    assertEquals([clock.pending, listeners()], [0, 0]);
  });
});
