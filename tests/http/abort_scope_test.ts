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
import { FakeClock } from "../support/fake_clock.ts";
import { turn } from "../support/until.ts";

/** A signal that counts the listeners that stand on it. */
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
  const clock = new FakeClock({ jumps: false });
  const { controller, signal, listeners } = countedSignal();
  const scope = new AbortScope([signal], deadline, clock);
  return { clock, controller, listeners, scope };
}

/** Starts an attempt that never ends, and returns the reasons that interrupt it. */
function interruptsOf(scope: AbortScope): unknown[] {
  const interrupts: unknown[] = [];
  scope.run(new Promise(() => {})).catch((reason: unknown) => interrupts.push(reason));
  return interrupts;
}

describe("what can end a call from outside", () => {
  const reasons: readonly (readonly [string, unknown])[] = [
    ["a text", "changed my mind"],
    ["an error", new Error("changed my mind")],
    ["null", null],
    ["zero", 0],
    ["false", false],
  ];
  for (const [what, reason] of reasons) {
    it(`an abort ends it with the signal's own reason, whatever it is: ${what}`, async () => {
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

  it("an abort without a reason ends it with an AbortError", () => {
    const { controller, scope } = start();
    controller.abort();
    const error = assertThrows(() => scope.throwIfAborted());
    assertEquals((error as Error).name, "AbortError");
  });

  it("a signal that was aborted before ends it from the start, and gets no listener", () => {
    const { controller, signal, listeners } = countedSignal();
    controller.abort("too late");
    const clock = new FakeClock({ jumps: false });
    const scope = new AbortScope([signal], 5, clock);
    assertEquals(assertThrows(() => scope.throwIfAborted()), "too late");
    assertEquals(listeners.length, 0);
    scope.settle();
    assertEquals(clock.pending, 0);
  });

  it("the deadline ends it with a DeadlineExceededError", async () => {
    const { clock, scope } = start(5);
    const interrupts = interruptsOf(scope);
    clock.advance(4.99);
    scope.throwIfAborted();
    clock.advance(0.01);
    const error = assertThrows(() => scope.throwIfAborted());
    assertInstanceOf(error, DeadlineExceededError);
    assertEquals(error.deadline, 5);
    await turn();
    assertEquals(interrupts, [error]);
    const failed = new Error("failed");
    const explained = scope.toAbortError(error, failed);
    assertInstanceOf(explained, DeadlineExceededError);
    assertEquals([explained.deadline, explained.cause], [5, failed]);
    const another = new DeadlineExceededError(5);
    assert(scope.toAbortError(another, failed) === another);
  });

  it("tells the seconds that are left until the deadline", () => {
    const { clock, scope } = start(5);
    const left = () => [scope.deadline, scope.remaining];
    assertEquals(left(), [5, 5]);
    clock.advance(1.5);
    assertEquals(left(), [5, 3.5]);
    clock.advance(4);
    assertEquals(left(), [5, -0.5]);
    const free = start().scope;
    assertEquals([free.deadline, free.remaining], [undefined, undefined]);
  });

  it("there can be a deadline without a signal", () => {
    const clock = new FakeClock({ jumps: false });
    const scope = new AbortScope([], 5, clock);
    clock.advance(5);
    assertThrows(() => scope.throwIfAborted(), DeadlineExceededError);
  });

  it("what ends it first is the reason, and interrupts once", async () => {
    for (const first of ["abort", "deadline"]) {
      const { clock, controller, scope, listeners } = start(5);
      const interrupts = interruptsOf(scope);
      if (first === "abort") controller.abort("mine");
      clock.advance(5);
      controller.abort("mine");
      clock.advance(5);
      const reason = assertThrows(() => scope.throwIfAborted());
      assertEquals(reason === "mine", first === "abort");
      await turn();
      assertEquals(interrupts, [reason]);
      assertEquals([clock.pending, listeners.length], [0, 0]);
    }
  });

  it("interrupts what is under way, not what was before", async () => {
    const { controller, scope } = start();
    assertEquals(await scope.waitFor(Promise.resolve("the attempt")), "the attempt");
    const wait = scope.waitFor(new Promise(() => {}));
    controller.abort("the wait");
    assertEquals(await assertRejects(() => wait), "the wait");
  });

  it("interrupts nothing where nothing is under way", async () => {
    const { controller, scope } = start();
    const response = new Response("hello");
    assert(await scope.run(Promise.resolve(response)) === response);
    controller.abort();
    assertEquals(await response.text(), "hello");
  });

  it("one listener stands on the signal for the whole call, however many attempts it has", async () => {
    const { listeners, scope } = start();
    for (let attempt = 0; attempt < 5; attempt++) {
      const response = scope.run(Promise.resolve(new Response(null)));
      assertEquals(listeners.length, 1);
      await response;
      assertEquals(listeners.length, 1);
    }
    scope.settle();
    assertEquals(listeners.length, 0);
  });

  it("a call that is over lets go of signal and deadline", () => {
    const { clock, listeners, controller, scope } = start(60);
    scope.settle();
    assertEquals([clock.pending, listeners.length], [0, 0]);
    controller.abort();
    clock.advance(60);
    scope.throwIfAborted();
  });

  it("a call whose body is still read lets go of the signal when it has been read", async () => {
    const { clock, listeners, scope } = start(60);
    scope.startAttempt(undefined, (error) => error);
    const response = scope.toResponse(new Response("hello"));
    scope.settle();
    assertEquals([clock.pending, listeners.length], [0, 1], "no timer keeps the program alive");
    assertEquals(await response.text(), "hello");
    assertEquals([clock.pending, listeners.length], [0, 0]);
  });

  it("a call that is ended lets go of signal and deadline", () => {
    const { clock, listeners, controller } = start(60);
    controller.abort();
    assertEquals([clock.pending, listeners.length], [0, 0]);
  });
});
