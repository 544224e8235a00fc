/** The clock for tests, which a test moves, or which ends each wait at once. */
import { check, checkedFlag, checkedOptions, checkedSeconds } from "../base/checks.ts";
import type { Clock } from "../base/clock.ts";
import { backgroundWork } from "./background_work.ts";

/**
 * A clock that stands still until a test moves it.
 *
 * @category Test doubles
 */
export interface FakeClock extends Clock {
  /** The seconds of each timer so far, in order: waits before retries, deadlines and timeouts. */
  readonly waits: readonly number[];
  /** The number of timers that are running. */
  readonly pending: number;

  /**
   * Moves the clock forward, and runs the timers that become due, in order.
   *
   * Before and after each timer, it waits until pending promises have settled. So the code that
   * waits for one timer can start the next, and all within the time run. A call that fails meanwhile
   * needs a handler before, or the runtime reports an unhandled rejection.
   *
   * @param seconds The seconds; with 0, it only lets pending promises settle
   * @throws {UnexpectedValueError} If it is not a number of at least 0
   */
  advance(seconds: number): Promise<void>;
}

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/** The runtime's own timers. Test runners can replace the global ones. */
const { clearTimeout, setTimeout } = globalThis;

/** Waits until everything that is ready has run: promises, streams, callbacks. */
function settle(): Promise<void> {
  return new Promise((resolve) => void afterTurns(resolve));
}

/** The turns of the event loop that a program has nothing to do before the clock moves. */
const IDLE_TURNS = 3;

/**
 * Runs a function when some turns of the event loop have passed without work in the background: a
 * response that a mock transport made needs more than one on a busy machine.
 *
 * @returns A function that cancels it
 */
function afterTurns(run: () => void): () => void {
  let isCancelled = false;
  let left = IDLE_TURNS;
  const turn = async () => {
    left--;
    if (await backgroundWork()) left = IDLE_TURNS;
    if (isCancelled) return;
    if (left === 0) run();
    else timer = setTimeout(turn, 0);
  };
  let timer = setTimeout(turn, 0);
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
}

const checkedTime: (option: string, value: unknown) => number = check(
  "a time in milliseconds since 1970",
  Number.isFinite,
);

/**
 * Creates a clock for tests, so that they do not wait.
 *
 * With `autoAdvance`, each wait ends at once: use it for retries. A request must then be answered
 * without real waiting, as a mock transport does; otherwise its timeout is over first.
 *
 * @example Test the waits before retries
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { fakeClock, mockTransport, replies } from "@restwright/restwright/testing";
 *
 * const clock = fakeClock({ autoAdvance: true });
 * const fetch = mockTransport({ "GET /books": replies(503, 503, []) });
 * const session = new APISession({ url: "https://api.example.com", fetch, clock });
 *
 * await session.get("books", { convJson: true });
 * console.log(clock.waits); // [1,2]
 * ```
 *
 * @example Test a deadline
 * ```ts
 * import { APISession, DeadlineExceededError } from "@restwright/restwright";
 * import { fakeClock, mockTransport } from "@restwright/restwright/testing";
 *
 * const clock = fakeClock();
 * const fetch = mockTransport({ "GET /slow": () => new Promise(() => {}) });
 * const session = new APISession({ url: "https://api.example.com", fetch, clock });
 *
 * const failed = session.get("slow", { deadline: 30 }).catch((error: unknown) => error);
 * await clock.advance(30);
 * console.log(await failed instanceof DeadlineExceededError); // true
 * ```
 *
 * @param options `autoAdvance` lets the clock move to the next timer by itself, so that each wait ends
 * at once; `start` is the time at the start, in milliseconds since 1970 UTC
 * @throws {UnexpectedValueError} If an option is not valid
 *
 * @category Test doubles
 */
export function fakeClock(options: {
  /**
   * True if the clock moves to the next timer by itself, as soon as the program has nothing else to
   * do. So each wait ends at once. Default: false
   */
  readonly autoAdvance?: boolean;
  /** The time at the start, in milliseconds since 1970 UTC. Default: January 1, 2026 */
  readonly start?: number;
} = {}): FakeClock {
  const { autoAdvance = false, start = Date.UTC(2026, 0, 1) } = checkedOptions(options, [
    "autoAdvance",
    "start",
  ]);
  checkedFlag("autoAdvance", autoAdvance);
  let time = checkedTime("start", start);
  const waits: number[] = [];
  const timers = new Set<Timer>();
  /** Prevents that the clock moves by itself. */
  let stopMove: (() => void) | undefined;

  function earliest(): Timer | undefined {
    // Sorting is stable: of timers that are due together, the first one runs first.
    return [...timers].sort((one, other) => one.due - other.due)[0];
  }

  function remove(timer: Timer): void {
    timers.delete(timer);
    if (timers.size === 0) stopMove?.();
  }

  function run(timer: Timer): void {
    remove(timer);
    time = Math.max(time, timer.due);
    timer.run();
  }

  function moveWhenIdle(): void {
    stopMove?.();
    stopMove = afterTurns(() => {
      const next = earliest();
      if (next !== undefined) run(next);
      if (timers.size > 0) moveWhenIdle();
    });
  }

  return {
    waits,
    get pending() {
      return timers.size;
    },
    now: () => time,
    after(seconds, callback) {
      waits.push(seconds);
      const timer = { due: time + seconds * 1000, run: callback };
      timers.add(timer);
      if (autoAdvance) moveWhenIdle();
      return () => remove(timer);
    },
    async advance(seconds) {
      const end = time + checkedSeconds("seconds", seconds) * 1000;
      await settle();
      for (let next = earliest(); next !== undefined && next.due <= end; next = earliest()) {
        run(next);
        await settle();
      }
      time = Math.max(time, end);
    },
  };
}
