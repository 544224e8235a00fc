import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertThrows,
  describe,
  it,
} from "#test";
import { DeadlineExceededError } from "../../src/errors/deadline_exceeded_error.ts";
import { AbortScope } from "../../src/http/abort.ts";
import { runAttempt } from "../support/attempts.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { turn } from "../support/until.ts";

/** Creates a signal that records its listeners. */
function countedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners: unknown[] = [];
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners.push(args[1]);
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    const index = listeners.indexOf(args[1]);
    if (index >= 0) listeners.splice(index, 1);
    removeEventListener.apply(signal, args);
  };
  return { controller, signal, listeners };
}

function start(deadline?: number) {
  const clock = fakeClock();
  const { controller, signal, listeners } = countedSignal();
  const scope = new AbortScope([signal], deadline, clock);
  return { clock, controller, listeners, scope };
}

/** Starts an attempt that never ends, and returns a list that gets the reasons that interrupt it. */
function interruptsOf(scope: AbortScope): unknown[] {
  const interrupts: unknown[] = [];
  runAttempt(scope, new Promise(() => {})).catch((reason: unknown) => interrupts.push(reason));
  return interrupts;
}

describe("the signal and the deadline of a call", () => {
  const reasons: readonly (readonly [string, unknown])[] = [
    ["a string", "changed my mind"],
    ["an error", new Error("changed my mind")],
    ["null", null],
    ["zero", 0],
    ["false", false],
  ];
  for (const [what, reason] of reasons) {
    it(`an abort ends the call with the reason of the signal: ${what}`, async () => {
      const { controller, scope } = start();
      const interrupts = interruptsOf(scope);
      scope.throwIfAborted();
      controller.abort(reason);
      await turn();
      assertEquals(interrupts, [reason]);
      assert(assertThrows(() => scope.throwIfAborted()) === reason);
      assert(scope.toAbortError(reason, new Error("failed")) === reason);
    });
  }

  it("an abort without a reason ends the call with an AbortError", () => {
    const { controller, scope } = start();
    controller.abort();
    const error = assertThrows(() => scope.throwIfAborted());
    assertEquals((error as Error).name, "AbortError");
  });

  it("a signal that is already aborted ends the call at once, and gets no listener", () => {
    const { controller, signal, listeners } = countedSignal();
    controller.abort("too late");
    const clock = fakeClock();
    const scope = new AbortScope([signal], 5, clock);
    assertEquals(assertThrows(() => scope.throwIfAborted()), "too late");
    assertEquals(listeners.length, 0);
    scope.settle();
    assertEquals(clock.pending, 0);
  });

  it("the deadline ends the call with a DeadlineExceededError", async () => {
    const { clock, scope } = start(5);
    const interrupts = interruptsOf(scope);
    await clock.advance(4.99);
    scope.throwIfAborted();
    await clock.advance(0.01);
    const error = assertThrows(() => scope.throwIfAborted());
    assertInstanceOf(error, DeadlineExceededError);
    assertEquals(error.deadline, 5);
    await turn();
    assertEquals(interrupts, [error]);
    const failed = new Error("failed");
    const abortError = scope.toAbortError(error, failed);
    assertInstanceOf(abortError, DeadlineExceededError);
    assertEquals([abortError.deadline, abortError.cause], [5, failed]);
    const another = new DeadlineExceededError(5);
    assert(scope.toAbortError(another, failed) === another);
  });

  it("the remaining seconds until the deadline can be read", async () => {
    const { clock, scope } = start(5);
    const left = () => [scope.deadline, scope.remaining];
    assertEquals(left(), [5, 5]);
    await clock.advance(1.5);
    assertEquals(left(), [5, 3.5]);
    await clock.advance(4);
    assertEquals(left(), [5, -0.5]);
    const withoutDeadline = start().scope;
    assertEquals([withoutDeadline.deadline, withoutDeadline.remaining], [undefined, undefined]);
  });

  it("a deadline works without a signal", async () => {
    const clock = fakeClock();
    const scope = new AbortScope([], 5, clock);
    await clock.advance(5);
    assertThrows(() => scope.throwIfAborted(), DeadlineExceededError);
  });

  it("the first of abort and deadline is the reason, and interrupts once", async () => {
    for (const first of ["abort", "deadline"]) {
      const { clock, controller, scope, listeners } = start(5);
      const interrupts = interruptsOf(scope);
      if (first === "abort") controller.abort("mine");
      await clock.advance(5);
      controller.abort("mine");
      await clock.advance(5);
      const reason = assertThrows(() => scope.throwIfAborted());
      assertEquals(reason === "mine", first === "abort");
      await turn();
      assertEquals(interrupts, [reason]);
      assertEquals([clock.pending, listeners.length], [0, 0]);
    }
  });

  it("an abort interrupts the work in progress, not work that has finished", async () => {
    const { controller, scope } = start();
    assertEquals(await scope.waitFor(Promise.resolve("the attempt")), "the attempt");
    const wait = scope.waitFor(new Promise(() => {}));
    controller.abort("the wait");
    assertEquals(await assertRejects(() => wait), "the wait");
  });

  it("an abort interrupts nothing if no work is in progress", async () => {
    const { controller, scope } = start();
    const response = new Response("hello");
    assert(await runAttempt(scope, Promise.resolve(response)) === response);
    controller.abort();
    assertEquals(await response.text(), "hello");
  });

  it("one listener is on the signal during the whole call, no matter how many attempts it takes", async () => {
    const { listeners, scope } = start();
    for (let attempt = 0; attempt < 5; attempt++) {
      const response = runAttempt(scope, Promise.resolve(new Response(null)));
      assertEquals(listeners.length, 1);
      await response;
      assertEquals(listeners.length, 1);
    }
    scope.settle();
    assertEquals(listeners.length, 0);
  });

  it("a call that has finished removes its listener and its deadline timer", async () => {
    const { clock, listeners, controller, scope } = start(60);
    scope.settle();
    assertEquals([clock.pending, listeners.length], [0, 0]);
    controller.abort();
    await clock.advance(60);
    scope.throwIfAborted();
  });

  it("a call whose body is still being read removes its listener at the end of the body", async () => {
    const { clock, listeners, scope } = start(60);
    scope.startAttempt(undefined, (error) => error);
    const response = scope.toResponse(new Response("hello"));
    scope.settle();
    assertEquals([clock.pending, listeners.length], [0, 1], "no timer keeps the program alive");
    assertEquals(await response.text(), "hello");
    assertEquals([clock.pending, listeners.length], [0, 0]);
  });

  it("a call that was aborted removes its listener and its deadline timer", () => {
    const { clock, listeners, controller } = start(60);
    controller.abort();
    assertEquals([clock.pending, listeners.length], [0, 0]);
  });
});
