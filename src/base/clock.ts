/** The clock that delays, timeouts and deadlines use, and the one of the runtime. */

/**
 * A clock that measures delays, timeouts and deadlines.
 *
 * Pass your own as the session's `clock` option. For tests, the entry point `testing` has one.
 *
 * @example A clock on which every wait ends at once, for tests of retries
 * ```ts
 * import { APISession, type Clock } from "@restwright/restwright";
 * import { fakeClock } from "@restwright/restwright/testing";
 *
 * const clock: Clock = fakeClock({ autoAdvance: true });
 * new APISession({ url: "https://api.example.com", clock });
 * ```
 *
 * @category Sessions and clients
 */
export interface Clock {
  /** Returns the time of day, in milliseconds since 1970 UTC. */
  now(): number;
  /**
   * Runs a function once after some time.
   *
   * @param seconds The delay; it may be longer than `setTimeout` supports
   * @param run The function to run then
   * @returns A function that cancels the timer; calling it later does nothing
   */
  after(seconds: number, run: () => void): () => void;
}

/**
 * The longest delay that `setTimeout` supports (2^31 - 1 ms, 24.8 days). A longer one fires at
 * once.
 */
export const LONGEST_TIMER: number = 2 ** 31 - 1;

/**
 * The runtime's own clock.
 *
 * @category Sessions and clients
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(seconds, run) {
    let left = seconds * 1000;
    let timer: ReturnType<typeof setTimeout>;
    let clear: typeof clearTimeout;
    const arm = () => {
      // Fake timers may replace both functions meanwhile, and warn of a timer that is not theirs.
      clear = clearTimeout;
      const slice = Math.min(left, LONGEST_TIMER);
      left -= slice;
      timer = setTimeout(left > 0 ? arm : run, slice);
    };
    arm();
    return () => clear(timer);
  },
};
