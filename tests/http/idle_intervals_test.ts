import { afterEach, assert, assertEquals, beforeEach, describe, it } from "#test";
import { recordIntervals } from "../support/idle_intervals.ts";

describe("the intervals that a test leaves behind", () => {
  const { setInterval: realSet, clearInterval: realClear } = globalThis;
  /** The value that the next call of `setInterval` returns. */
  let next: unknown;
  const cleared: unknown[] = [];

  beforeEach(() => {
    cleared.length = 0;
    globalThis.setInterval = (() => next) as unknown as typeof realSet;
    globalThis.clearInterval = (interval: unknown) => void cleared.push(interval);
  });
  afterEach(() => {
    globalThis.setInterval = realSet;
    globalThis.clearInterval = realClear;
  });

  /** Creates an interval while they are recorded, and returns it. */
  function leaveBehind(interval: unknown): unknown {
    const stop = recordIntervals();
    next = interval;
    const create = globalThis.setInterval;
    const created: unknown = create(() => {}, 1000);
    stop();
    return created;
  }

  it("are cleared if they do not keep the program alive", () => {
    const interval = { hasRef: () => false };
    assert(leaveBehind(interval) === interval);
    assert(cleared.length === 1 && cleared[0] === interval);
  });

  it("are left to the sanitizer otherwise", () => {
    leaveBehind({ hasRef: () => true });
    leaveBehind(7);
    assertEquals(cleared, []);
  });

  it("are recorded until the recording ends", () => {
    const before = globalThis.setInterval;
    const stop = recordIntervals();
    assert(globalThis.setInterval !== before);
    stop();
    assert(globalThis.setInterval === before);
  });
});
