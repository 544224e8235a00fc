import {
  afterEach,
  assert,
  assertEquals,
  assertStrictEquals,
  beforeEach,
  describe,
  it,
} from "#test";
import { systemClock } from "../../../src/base/clock.ts";
import { FittingReader, idleTimerFor } from "../../../src/http/transport/receive.ts";

/** An interval whose time the test passes. */
class FakeInterval {
  isRunning = true;
  keepsAlive = true;

  readonly check: () => void;
  readonly delay: number;

  constructor(check: () => void, delay: number) {
    this.check = check;
    this.delay = delay;
  }

  ref(): void {
    this.keepsAlive = true;
  }

  unref(): void {
    this.keepsAlive = false;
  }
}

/** An attempt that counts how often it was ended. */
class Waiting {
  ends = 0;

  onIdle(): void {
    this.ends++;
  }
}

describe("the idle timer that attempts share", () => {
  const { setInterval: realSet, clearInterval: realClear } = globalThis;
  const TIMEOUT = 8;
  let intervals: FakeInterval[];

  /** Replaces `setInterval` as a test framework does: with another function each time. */
  function replaceTimers(): void {
    globalThis.setInterval = ((check: () => void, delay: number) => {
      const interval = new FakeInterval(check, delay);
      intervals.push(interval);
      return interval;
    }) as unknown as typeof realSet;
    globalThis.clearInterval = (interval: unknown) => {
      (interval as FakeInterval).isRunning = false;
    };
  }

  /** Passes the time of some checks. */
  function pass(checks: number): void {
    for (let check = 0; check < checks; check++) {
      for (const interval of intervals) if (interval.isRunning) interval.check();
    }
  }

  function running(): FakeInterval[] {
    return intervals.filter(({ isRunning }) => isRunning);
  }

  function timer() {
    return idleTimerFor(TIMEOUT, systemClock);
  }

  beforeEach(() => {
    intervals = [];
    replaceTimers();
  });
  afterEach(() => {
    // Ends the attempts that still wait, then the interval.
    pass(6);
    const left = running().length;
    globalThis.setInterval = realSet;
    globalThis.clearInterval = realClear;
    assertEquals(left, 0);
  });

  it("checks four times within a timeout", () => {
    timer();
    assertEquals(intervals.map(({ delay }) => delay), [TIMEOUT * 1000 / 4]);
  });

  it("ends an attempt at the fifth check, once", () => {
    const waiting = new Waiting();
    timer().start(waiting);
    pass(4);
    assertEquals(waiting.ends, 0);
    pass(1);
    assertEquals(waiting.ends, 1);
    pass(5);
    assertEquals(waiting.ends, 1);
  });

  it("measures each wait from its own start", () => {
    const [early, late] = [new Waiting(), new Waiting()];
    timer().start(early);
    pass(3);
    timer().start(late);
    pass(2);
    assertEquals([early.ends, late.ends], [1, 0]);
    pass(2);
    assertEquals(late.ends, 0);
    pass(1);
    assertEquals(late.ends, 1);
  });

  it("does not end an attempt that got its data, and measures its next wait anew", () => {
    const waiting = new Waiting();
    const idle = timer();
    idle.start(waiting);
    pass(4);
    idle.stop(waiting);
    idle.start(waiting);
    pass(4);
    assertEquals(waiting.ends, 0);
    pass(1);
    assertEquals(waiting.ends, 1);
  });

  it("measures the others if one of them gets its data, whichever it is", () => {
    const all = Array.from({ length: 4 }, () => new Waiting());
    for (const got of all) {
      const idle = timer();
      for (const each of all) {
        each.ends = 0;
        idle.start(each);
      }
      idle.stop(got);
      idle.stop(got);
      pass(5);
      assertEquals(all.map(({ ends }) => ends), all.map((each) => each === got ? 0 : 1));
    }
  });

  it("measures the last wait of an attempt, also if it began with another timer", () => {
    const waiting = new Waiting();
    const [idle, other] = [timer(), idleTimerFor(TIMEOUT * 2, systemClock)];
    for (const first of [idle, other]) {
      waiting.ends = 0;
      first.start(waiting);
      pass(3);
      idle.start(waiting);
      other.stop(waiting);
      pass(4);
      assertEquals(waiting.ends, 0);
      pass(1);
      assertEquals(waiting.ends, 1);
      pass(5);
      assertEquals(waiting.ends, 1);
    }
  });

  it("ends its interval with the functions of its start, also if fake timers replaced them", () => {
    timer();
    const foreign: unknown[] = [];
    globalThis.clearInterval = (interval: unknown) => void foreign.push(interval);
    pass(1);
    assertEquals([foreign, running()], [[], []]);
  });

  it("is one interval for all attempts with the same timeout", () => {
    const idle = timer();
    assertStrictEquals(timer(), idle);
    idle.start(new Waiting());
    timer().start(new Waiting());
    assertEquals(intervals.length, 1);
    assert(idleTimerFor(TIMEOUT * 2, systemClock) !== idle);
    assertEquals(intervals.length, 2);
  });

  it("keeps the program alive only while an attempt waits", () => {
    const [one, other] = [new Waiting(), new Waiting()];
    const idle = timer();
    const keepsAlive = () => intervals[0]?.keepsAlive;
    assertEquals(keepsAlive(), false);
    idle.start(one);
    idle.start(other);
    idle.stop(one);
    assertEquals(keepsAlive(), true);
    idle.stop(other);
    assertEquals(keepsAlive(), false);
  });

  it("ends at the first check at which no attempt waits", () => {
    const waiting = new Waiting();
    const idle = timer();
    idle.start(waiting);
    pass(1);
    assertEquals(running().length, 1);
    idle.stop(waiting);
    pass(1);
    assertEquals(running().length, 0);
    assert(timer() !== idle);
  });

  it("measures again after it ended, for a body that is read late", () => {
    const idle = timer();
    pass(1);
    assertEquals(running().length, 0);
    const waiting = new Waiting();
    idle.start(waiting);
    assertStrictEquals(timer(), idle);
    assertEquals(running().map(({ keepsAlive }) => keepsAlive), [true]);
    pass(5);
    assertEquals(waiting.ends, 1);
  });

  it("measures with the timers that a test framework has put in place", () => {
    const [before, after] = [new Waiting(), new Waiting()];
    const idle = timer();
    idle.start(before);
    const abandoned = intervals;
    intervals = [];
    replaceTimers();
    idle.start(after);
    assertEquals(running().map(({ keepsAlive }) => keepsAlive), [true]);
    pass(5);
    assertEquals([before.ends, after.ends], [1, 1]);
    // The old interval ends itself if it still runs.
    abandoned[0]?.check();
    assertEquals(abandoned[0]?.isRunning, false);
  });

  it("measures with timers that return a number", () => {
    let check: (() => void) | undefined;
    globalThis.setInterval = ((callback: () => void) => {
      check = callback;
      return 7;
    }) as unknown as typeof realSet;
    globalThis.clearInterval = () => check = undefined;
    const waiting = new Waiting();
    timer().start(waiting);
    for (let count = 0; count < 5; count++) check?.();
    assertEquals(waiting.ends, 1);
    check?.();
    assertEquals(check, undefined);
  });
});

describe("the reader of a body with buffers that fit", () => {
  /** Fills each buffer with this number of bytes, as a slow server does. */
  function readerOf(length: number) {
    const sizes: number[] = [];
    return {
      sizes,
      read({ buffer, byteLength }: ArrayBufferView) {
        sizes.push(byteLength);
        const value = new Uint8Array(buffer as ArrayBuffer, 0, length);
        return Promise.resolve({ done: false, value });
      },
      cancel: () => Promise.resolve(),
    } as unknown as ReadableStreamBYOBReader & { readonly sizes: readonly number[] };
  }

  it("keeps no large buffer for a small chunk", async () => {
    for (const announced of [1_000_000, NaN]) {
      const reader = new FittingReader(readerOf(100), announced);
      for (let count = 0; count < 3; count++) {
        const { value } = await reader.read();
        assertEquals([value!.length, value!.buffer.byteLength], [100, 100]);
      }
    }
  });

  it("does not copy a chunk that fills its buffer", async () => {
    const inner = readerOf(100);
    const { value } = await new FittingReader(inner, 100).read();
    assertEquals([value!.length, value!.buffer.byteLength, inner.sizes], [100, 100, [100]]);
  });
});
