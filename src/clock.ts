/**
 * The time that waits, timeouts and deadlines are measured by.
 *
 * A session takes another one as its `clock` option, so that an SDK's tests of its own retries need
 * not wait.
 *
 * @example A clock on which every wait is over at once
 * ```ts
 * import { APISession, type Clock } from "@restwright/restwright";
 *
 * const impatient: Clock = {
 *   now: () => Date.now(),
 *   after(_seconds, run) {
 *     const timer = setTimeout(run, 0);
 *     return () => clearTimeout(timer);
 *   },
 * };
 * new APISession({ url: "https://api.example.com", clock: impatient });
 * ```
 */
export interface Clock {
  /** The time of day, in milliseconds since 1970 UTC. */
  now(): number;
  /**
   * Runs a function once after some time.
   *
   * @param seconds How long to wait; it may be longer than `setTimeout` can hold
   * @param run What to run then
   * @returns What calls it off; calling it later does nothing
   */
  after(seconds: number, run: () => void): () => void;
}

/** The longest time that `setTimeout` keeps: a longer one fires at once (2^31 - 1 ms, 24.8 days). */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The runtime's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(seconds, run) {
    let left = seconds * 1000;
    let timer: ReturnType<typeof setTimeout>;
    const arm = () => {
      const slice = Math.min(left, LONGEST_TIMER);
      left -= slice;
      timer = setTimeout(left > 0 ? arm : run, slice);
    };
    arm();
    return () => clearTimeout(timer);
  },
};
