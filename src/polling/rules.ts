/** The ready rules for the wait between two calls: a fixed time, or a growing one. */
import { check, checkedSeconds } from "../base/checks.ts";
import { PollRule } from "./poll_rule.ts";

/**
 * Waits the same time before each call.
 *
 * @param seconds The seconds
 * @throws {UnexpectedValueError} If it is not a number of at least 0
 *
 * @example `{ until: (job) => job.done, interval: every(5) }`
 *
 * @category Polling
 */
export function every(seconds: number): PollRule {
  checkedSeconds("seconds", seconds);
  return new PollRule(() => seconds);
}

const checkedFirst = /* @__PURE__ */ check(
  "a number of seconds above 0",
  (value) => Number.isFinite(value) && (value as number) > 0,
);

const checkedFactor = /* @__PURE__ */ check(
  "a number of at least 1",
  (value) => Number.isFinite(value) && (value as number) >= 1,
);

/**
 * Waits longer before each call, up to a limit: a short job is noticed soon, and a long one takes few
 * requests.
 *
 * @param settings `first` is the first wait in seconds, by default 1, `max` the longest one, by default
 * 30, and `factor` the growth of each wait, by default 1.5
 * @throws {UnexpectedValueError} If a setting is not valid
 *
 * @example `{ until: (job) => job.done, interval: growing({ max: 60 }) }`
 *
 * @category Polling
 */
export function growing(settings: {
  /** The seconds before the second call. Default: 1 */
  readonly first?: number | undefined;
  /** The number by which each wait is multiplied for the next one, at least 1. Default: 1.5 */
  readonly factor?: number | undefined;
  /** The longest wait in seconds. Default: 30 */
  readonly max?: number | undefined;
} = {}): PollRule {
  const { first = 1, factor = 1.5, max = 30 } = settings;
  checkedFirst("first", first);
  checkedFactor("factor", factor);
  checkedSeconds("max", max);
  return new PollRule((calls) => Math.min(first * factor ** (calls - 1), max));
}
