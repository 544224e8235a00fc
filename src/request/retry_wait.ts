import { checkedSeconds } from "../checks.ts";

/** Seconds to wait after a transport error (contract, Limits). */
export const TRANSPORT_ERROR_WAIT = 1;

/** The settings of waits without Retry-After. */
export interface BackoffSettings {
  /** Seconds to wait before a retry, multiplied by its number, or a function. */
  readonly backoff: number | ((retry: number) => number);
  /** The longest wait in seconds; null for no limit. */
  readonly maxBackoff: number | null;
  /** The random part of the waits: all of it, a half, or none. */
  readonly jitter: "none" | "full" | "equal";
}

/**
 * Returns the seconds to wait before a retry if the response has no Retry-After (rule 7).
 *
 * @param settings The settings
 * @param retry The number of the retry, from 1
 * @throws {UnexpectedValueError} If the function returns no valid wait
 */
export function backoffWait(
  { backoff, maxBackoff, jitter }: BackoffSettings,
  retry: number,
): number {
  const planned = typeof backoff === "function"
    ? checkedSeconds(`backoff(${retry})`, backoff(retry))
    : retry * backoff;
  const wait = Math.min(planned, maxBackoff ?? Infinity);
  if (jitter === "full") return wait * Math.random();
  return jitter === "equal" ? wait / 2 * (1 + Math.random()) : wait;
}

/** The limits of a wait, in seconds. */
export interface WaitLimits {
  /** The longest wait for a Retry-After header. Default: no limit */
  readonly maxRetryAfter?: number | null | undefined;
  /** The deadline of the call. Default: none */
  readonly deadline?: number | null | undefined;
  /** The seconds that are left until the deadline; undefined without one. */
  readonly remaining?: number | undefined;
}

/**
 * Returns the reason why a wait is too long, as the end of an error message; undefined if it is not.
 * A wait that ends with the deadline is too long, because no time is left for the retry.
 *
 * @param wait The seconds to wait
 * @param retryAfter The seconds of the Retry-After header, if there is one
 * @param limits The limits
 */
export function whyWaitTooLong(
  wait: number,
  retryAfter: number | undefined,
  { maxRetryAfter, deadline, remaining }: WaitLimits,
): string | undefined {
  if (retryAfter !== undefined && retryAfter > (maxRetryAfter ?? Infinity)) {
    return `the server asked to wait ${
      secondsText(retryAfter)
    }, more than maxRetryAfter (${maxRetryAfter} s)`;
  }
  return remaining !== undefined && wait >= remaining
    ? `the wait of ${secondsText(wait)} would exceed the deadline of ${deadline} s`
    : undefined;
}

/** Returns seconds as text, without the noise of floating-point arithmetic. */
function secondsText(seconds: number): string {
  return `${Number(seconds.toFixed(3))} s`;
}
