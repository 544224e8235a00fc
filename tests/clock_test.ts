import { assert, assertEquals, describe, it } from "#test";
import { systemClock } from "../src/clock.ts";

interface Timers {
  /** What was asked of setTimeout, in milliseconds. */
  readonly asked: number[];
  /** How many timers are running. */
  running(): number;
  /** Runs the timer that is running. */
  fire(): void;
}

/** Takes setTimeout and clearTimeout over while a test runs. */
function withTimers(test: (timers: Timers) => void): void {
  const own = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const asked: number[] = [];
  const running = new Map<number, () => void>();
  const take = {
    setTimeout: (run: () => void, milliseconds: number) => {
      running.set(asked.push(milliseconds), run);
      return asked.length;
    },
    clearTimeout: (timer: number) => void running.delete(timer),
  };
  Object.assign(globalThis, take);
  try {
    test({
      asked,
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

describe("the runtime's own clock", () => {
  it("tells the time of day in milliseconds", () => {
    const before = Date.now();
    const now = systemClock.now();
    assert(before <= now && now <= Date.now());
  });

  it("runs what it is given, once, after some time", async () => {
    let runs = 0;
    await new Promise<void>((resolve) =>
      systemClock.after(0.001, () => {
        runs++;
        resolve();
      })
    );
    assertEquals(runs, 1);
  });

  it("takes seconds, with fractions", () => {
    withTimers(({ asked, fire, running }) => {
      let runs = 0;
      systemClock.after(2.5, () => runs++);
      assertEquals([asked, runs], [[2500], 0]);
      fire();
      assertEquals([runs, running()], [1, 0]);
    });
  });

  it("0 seconds are a timer as well", () => {
    withTimers(({ asked, fire }) => {
      let runs = 0;
      systemClock.after(0, () => runs++);
      fire();
      assertEquals([asked, runs], [[0], 1]);
    });
  });

  // contract: decision-4
  it("a wait longer than a timer can be, 24.8 days, is not over at once", () => {
    withTimers(({ asked, fire, running }) => {
      let runs = 0;
      systemClock.after(60 * DAY, () => runs++);
      fire();
      fire();
      assertEquals(runs, 0);
      fire();
      assertEquals([runs, running()], [1, 0]);
      assertEquals(asked, [LONGEST, LONGEST, 60 * DAY * 1000 - 2 * LONGEST]);
    });
  });

  for (const seconds of [1e9, 1e300, 1e308, Number.MAX_VALUE, Infinity]) {
    // contract: decision-4
    it(`a wait of ${seconds} s is made in parts, and not over after some of them`, () => {
      withTimers(({ asked, fire, running }) => {
        let runs = 0;
        const callOff = systemClock.after(seconds, () => runs++);
        for (let part = 0; part < 50; part++) fire();
        assertEquals([runs, running(), asked.length], [0, 1, 51]);
        assertEquals(new Set(asked), new Set([LONGEST]));
        callOff();
        assertEquals(running(), 0);
      });
    });
  }

  // contract: decision-4
  it("the longest part of a wait is one that the runtime's timer keeps", async () => {
    let runs = 0;
    const long = [LONGEST / 1000, 25 * DAY, 1e9, 1e308, Infinity];
    const callsOff = long.map((seconds) => systemClock.after(seconds, () => runs++));
    // A timer that does not keep its time fires within a millisecond.
    for (let turn = 0; turn < 3; turn++) {
      await new Promise<void>((resolve) => void systemClock.after(0.002, resolve));
    }
    for (const callOff of callsOff) callOff();
    assertEquals(runs, 0);
  });

  it("is called off, also in the middle of a long wait, and calling it off later does nothing", () => {
    withTimers(({ fire, running }) => {
      let runs = 0;
      const callOff = systemClock.after(60 * DAY, () => runs++);
      fire();
      callOff();
      callOff();
      fire();
      assertEquals([runs, running()], [0, 0]);
      const late = systemClock.after(1, () => runs++);
      fire();
      late();
      assertEquals(runs, 1);
    });
  });
});
