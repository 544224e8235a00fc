/** Computes the wait before a retry, and decides if it is too long. */
import { checkedSeconds } from "../../base/checks.ts";
import type { HttpSession } from "../../http/http_session.ts";

/** Seconds to wait after a transport error (contract, Limits). */
export const TRANSPORT_ERROR_WAIT = 1;

/** The longest wait in seconds, whatever the options are: a year. */
const LONGEST_WAIT = 365 * 24 * 3600;

/** Seconds of a Retry-After header above which a session without `maxRetryAfter` is warned. */
const LONG_RETRY_AFTER = 3600;

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
 * A wait that ends with the deadline is too long, because no time is left for the retry. One of more
 * than a year is a mistake or an attack.
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
  if (wait > LONGEST_WAIT) return `the wait of ${secondsText(wait)} is longer than a year`;
  return remaining !== undefined && wait >= remaining
    ? `the wait of ${secondsText(wait)} would exceed the deadline of ${deadline} s`
    : undefined;
}

/** The HTTP sessions with a long wait that has been logged. */
const warned = new WeakSet<HttpSession>();

/**
 * Returns a warning about a wait for a Retry-After header without `maxRetryAfter`, once for each HTTP
 * session; undefined if there is nothing to warn of.
 *
 * @param wait The seconds to wait
 * @param maxRetryAfter The longest wait for a Retry-After header
 * @param http The HTTP session
 */
export function longWaitWarning(
  wait: number,
  maxRetryAfter: number | null | undefined,
  http: HttpSession,
): string | undefined {
  if (wait <= LONG_RETRY_AFTER || typeof maxRetryAfter === "number" || warned.has(http)) return;
  warned.add(http);
  return `a server asked to wait ${secondsText(wait)}, and the call waits. To throw its error at ` +
    `once, set "maxRetryAfter", such as 60`;
}

/** Returns seconds as text, without the noise of floating-point arithmetic. */
function secondsText(seconds: number): string {
  return `${Number(seconds.toFixed(3))} s`;
}
