import { assert, assertEquals, describe, it } from "#test";
import { systemClock } from "../../src/base/clock.ts";

interface Timers {
  /** The delays that were passed to setTimeout, in milliseconds. */
  readonly delays: number[];
  /** Returns the number of running timers. */
  running(): number;
  /** Runs the timer that is running. */
  fire(): void;
}

/** Replaces setTimeout and clearTimeout while a test runs. */
function withTimers(test: (timers: Timers) => void): void {
  const own = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const delays: number[] = [];
  const running = new Map<number, () => void>();
  const take = {
    setTimeout: (run: () => void, milliseconds: number) => {
      running.set(delays.push(milliseconds), run);
      return delays.length;
    },
    clearTimeout: (timer: number) => void running.delete(timer),
  };
  Object.assign(globalThis, take);
  try {
    test({
      delays,
      running: () => running.size,
      fire() {
        for (const [timer, run] of [...running]) {
          running.delete(timer);
          run();
        }
      },
    });
  } finally {
    Object.assign(globalThis, own);
  }
}

const DAY = 86_400;
const LONGEST = 2 ** 31 - 1;

describe("the system clock", () => {
  it("returns the time of day in milliseconds", () => {
    const before = Date.now();
    const now = systemClock.now();
    assert(before <= now && now <= Date.now());
  });

  it("runs a callback once, after a delay", async () => {
    let runs = 0;
    await new Promise<void>((resolve) =>
      systemClock.after(0.001, () => {
        runs++;
        resolve();
      })
    );
    assertEquals(runs, 1);
  });

  it("accepts fractions of seconds", () => {
    withTimers(({ delays, fire, running }) => {
      let runs = 0;
      systemClock.after(2.5, () => runs++);
      assertEquals([delays, runs], [[2500], 0]);
      fire();
      assertEquals([runs, running()], [1, 0]);
    });
  });

  it("starts a timer for 0 seconds too", () => {
    withTimers(({ delays, fire }) => {
      let runs = 0;
      systemClock.after(0, () => runs++);
      fire();
      assertEquals([delays, runs], [[0], 1]);
    });
  });

  // contract: decision-4
  it("waits longer than 24.8 days, the longest delay of a timer", () => {
    withTimers(({ delays, fire, running }) => {
      let runs = 0;
      systemClock.after(60 * DAY, () => runs++);
      fire();
      fire();
      assertEquals(runs, 0);
      fire();
      assertEquals([runs, running()], [1, 0]);
      assertEquals(delays, [LONGEST, LONGEST, 60 * DAY * 1000 - 2 * LONGEST]);
    });
  });

  for (const seconds of [1e9, 1e300, 1e308, Number.MAX_VALUE, Infinity]) {
    // contract: decision-4
    it(`splits a wait of ${seconds} s into parts, and does not end it early`, () => {
      withTimers(({ delays, fire, running }) => {
        let runs = 0;
        const cancel = systemClock.after(seconds, () => runs++);
        for (let part = 0; part < 50; part++) fire();
        assertEquals([runs, running(), delays.length], [0, 1, 51]);
        assertEquals(new Set(delays), new Set([LONGEST]));
        cancel();
        assertEquals(running(), 0);
      });
    });
  }

  // contract: decision-4
  it("splits long waits into parts that the runtime's timer supports", async () => {
    let runs = 0;
    const long = [LONGEST / 1000, 25 * DAY, 1e9, 1e308, Infinity];
    const cancels = long.map((seconds) => systemClock.after(seconds, () => runs++));
    // A timer whose delay is not supported fires within a millisecond.
    for (let turn = 0; turn < 3; turn++) {
      await new Promise<void>((resolve) => void systemClock.after(0.002, resolve));
    }
    for (const cancel of cancels) cancel();
    assertEquals(runs, 0);
  });

  it("cancels a timer, even in the middle of a long wait, and ignores a late cancellation", () => {
    withTimers(({ fire, running }) => {
      let runs = 0;
      const cancel = systemClock.after(60 * DAY, () => runs++);
      fire();
      cancel();
      cancel();
      fire();
      assertEquals([runs, running()], [0, 0]);
      const late = systemClock.after(1, () => runs++);
      fire();
      late();
      assertEquals(runs, 1);
    });
  });

  it("cancels a timer with the functions of its start, also if fake timers replaced them", () => {
    withTimers(({ running }) => {
      const cancel = systemClock.after(1, () => {});
      withTimers(cancel);
      assertEquals(running(), 0);
    });
  });
});
