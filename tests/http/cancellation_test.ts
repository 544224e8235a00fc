import { assert, assertEquals, assertInstanceOf, assertThrows, describe, it } from "#test";
import { DeadlineExceededError } from "../../src/errors/deadline_exceeded_error.ts";
import { Cancellation } from "../../src/http/cancellation.ts";
import { FakeClock } from "../support/fake_clock.ts";

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
  const cancellation = new Cancellation([signal], deadline, clock);
  return { clock, controller, listeners, cancellation };
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
    it(`an abort ends it with the signal's own reason, whatever it is: ${what}`, () => {
      const { controller, cancellation } = start();
      const interrupts: unknown[] = [];
      cancellation.onAbort((given) => interrupts.push(given));
      cancellation.throwIfEnded();
      controller.abort(reason);
      assertEquals(interrupts, [reason]);
      assert(assertThrows(() => cancellation.throwIfEnded()) === reason);
      assert(cancellation.toAbortError(reason, new Error("failed")) === reason);
    });
  }

  it("an abort without a reason ends it with an AbortError", () => {
    const { controller, cancellation } = start();
    controller.abort();
    const error = assertThrows(() => cancellation.throwIfEnded());
    assertEquals((error as Error).name, "AbortError");
  });

  it("a signal that was aborted before ends it from the start, and gets no listener", () => {
    const { controller, signal, listeners } = countedSignal();
    controller.abort("too late");
    const clock = new FakeClock({ jumps: false });
    const cancellation = new Cancellation([signal], 5, clock);
    assertEquals(assertThrows(() => cancellation.throwIfEnded()), "too late");
    assertEquals(listeners.length, 0);
    cancellation.settle();
    assertEquals(clock.pending, 0);
  });

  it("the deadline ends it with a DeadlineExceededError", () => {
    const { clock, cancellation } = start(5);
    const interrupts: unknown[] = [];
    cancellation.onAbort((given) => interrupts.push(given));
    clock.advance(4.99);
    cancellation.throwIfEnded();
    clock.advance(0.01);
    const error = assertThrows(() => cancellation.throwIfEnded());
    assertInstanceOf(error, DeadlineExceededError);
    assertEquals(error.deadline, 5);
    assertEquals(interrupts, [error]);
    const failed = new Error("failed");
    const explained = cancellation.toAbortError(error, failed);
    assertInstanceOf(explained, DeadlineExceededError);
    assertEquals([explained.deadline, explained.cause], [5, failed]);
    const another = new DeadlineExceededError(5);
    assert(cancellation.toAbortError(another, failed) === another);
  });

  it("tells the seconds that are left until the deadline", () => {
    const { clock, cancellation } = start(5);
    const left = () => [cancellation.deadline, cancellation.remaining];
    assertEquals(left(), [5, 5]);
    clock.advance(1.5);
    assertEquals(left(), [5, 3.5]);
    clock.advance(4);
    assertEquals(left(), [5, -0.5]);
    const free = start().cancellation;
    assertEquals([free.deadline, free.remaining], [undefined, undefined]);
  });

  it("there can be a deadline without a signal", () => {
    const clock = new FakeClock({ jumps: false });
    const cancellation = new Cancellation([], 5, clock);
    clock.advance(5);
    assertThrows(() => cancellation.throwIfEnded(), DeadlineExceededError);
  });

  it("what ends it first is the reason, and interrupts once", () => {
    for (const first of ["abort", "deadline"]) {
      const { clock, controller, cancellation, listeners } = start(5);
      const interrupts: unknown[] = [];
      cancellation.onAbort((given) => interrupts.push(given));
      if (first === "abort") controller.abort("mine");
      clock.advance(5);
      controller.abort("mine");
      clock.advance(5);
      const reason = assertThrows(() => cancellation.throwIfEnded());
      assertEquals(reason === "mine", first === "abort");
      assertEquals(interrupts, [reason]);
      assertEquals([clock.pending, listeners.length], [0, 0]);
    }
  });

  it("interrupts what is under way, not what was before", () => {
    const { controller, cancellation } = start();
    const interrupts: string[] = [];
    cancellation.onAbort(() => interrupts.push("the attempt"));
    cancellation.onAbort(() => interrupts.push("the wait"));
    controller.abort();
    assertEquals(interrupts, ["the wait"]);
  });

  it("interrupts nothing where nothing is under way", () => {
    const { controller, cancellation } = start();
    const interrupts: string[] = [];
    cancellation.onAbort(() => interrupts.push("the attempt"));
    cancellation.onAbort(undefined);
    controller.abort();
    assertEquals(interrupts, []);
  });

  it("one listener stands on the signal for the whole call, however many attempts it has", () => {
    const { listeners, cancellation } = start();
    for (let attempt = 0; attempt < 5; attempt++) {
      cancellation.onAbort(() => {});
      assertEquals(listeners.length, 1);
      cancellation.onAbort(undefined);
      assertEquals(listeners.length, 1);
    }
    cancellation.settle();
    assertEquals(listeners.length, 0);
  });

  it("a call that is over lets go of signal and deadline", () => {
    const { clock, listeners, controller, cancellation } = start(60);
    cancellation.settle();
    assertEquals([clock.pending, listeners.length], [0, 0]);
    controller.abort();
    clock.advance(60);
    cancellation.throwIfEnded();
  });

  it("a call whose body is still read lets go of the signal when it has been read", () => {
    const { clock, listeners, cancellation } = start(60);
    cancellation.onAbort(() => {});
    cancellation.settle();
    assertEquals([clock.pending, listeners.length], [0, 1], "no timer keeps the program alive");
    cancellation.onAbort(undefined);
    assertEquals([clock.pending, listeners.length], [0, 0]);
  });

  it("a call that is ended lets go of signal and deadline", () => {
    const { clock, listeners, controller } = start(60);
    controller.abort();
    assertEquals([clock.pending, listeners.length], [0, 0]);
  });
});
