/**
 * Decides the wait before a retry. The first of these counts:
 *
 * 1. The seconds of the hook `_retryWait`.
 * 2. The `retryAfter` of an error that `errorFrom` returns, or else of the response: the header
 *    `Retry-After`, or else `retry-after-ms` or `x-ms-retry-after-ms`, or else, after a 429 in an
 *    `APIClient`, the reset of the rate limit if no requests remain.
 * 3. After a transport error: 1 second, unless `backoff` is a function.
 * 4. The backoff.
 *
 * A wait that is too long ends the call.
 */
import { checkedSeconds } from "../../base/checks.ts";
import { readRateLimit, readWait } from "../../errors/retry_after.ts";
import type { HttpSession } from "../../http/http_session.ts";
import type { Settings } from "../../options/settings.ts";

/** Seconds to wait after a transport error (contract, Limits). */
export const TRANSPORT_ERROR_WAIT = 1;

/** The longest wait in seconds, whatever the options are: a year. */
const LONGEST_WAIT = 365 * 24 * 3600;

/** Seconds of a Retry-After header above which a session without `maxRetryAfter` is warned. */
const LONG_RETRY_AFTER = 3600;

/**
 * Returns the seconds that a response asks to wait: those of its headers, or else until the reset of its
 * rate limit; undefined if it asks for none.
 *
 * @param response The response
 * @param settings The clock, and if a 429 waits for the reset: it does in the second generation of the
 * interface, see `src/options/generation.ts`
 */
export function askedWait(
  response: Response,
  { clock, waitsForReset }: Pick<Settings, "clock" | "waitsForReset">,
): number | undefined {
  const { status, headers } = response;
  const now = clock.now();
  const asked = readWait(headers, now);
  if (asked !== undefined || !waitsForReset || status !== 429) return asked;
  const { remaining, reset = 0 } = readRateLimit(response, now) ?? {};
  // A reset in the past is that of a clock that is wrong: the backoff is the better wait.
  return remaining === 0 && reset > 0 ? reset : undefined;
}

/** A failed attempt, as far as the wait after it depends on it. */
export interface WaitReason {
  /** The seconds of the hook `_retryWait`; undefined if it leaves them open. */
  readonly ofHook: number | undefined;
  /** The seconds that the server asked for, if it did. */
  readonly ofServer: number | undefined;
  /** False after a transport error. */
  readonly hasResponse: boolean;
  /** The number of the retry, from 1. */
  readonly retry: number;
  /** True if no attempt follows. */
  readonly isLast: boolean;
}

/** A wait, and the reason why it is too long. */
export interface RetryWait {
  /** The seconds to wait. */
  readonly wait: number;
  /** The reason why they are too many, as the end of an error message; undefined if they are not. */
  readonly tooLong: string | undefined;
}

/**
 * Returns the seconds to wait after a failed attempt, and the reason if they are too many.
 *
 * @param reason The failed attempt
 * @param settings The settings of the backoff
 * @param limits The limits of the wait
 * @throws {UnexpectedValueError} If the function `backoff` returns no valid wait
 */
export function retryWait(
  { ofHook, ofServer, hasResponse, retry, isLast }: WaitReason,
  settings: BackoffSettings,
  limits: WaitLimits,
): RetryWait {
  if (ofHook !== undefined) {
    return { wait: ofHook, tooLong: whyWaitTooLong(ofHook, undefined, limits) };
  }
  const isFixed = !hasResponse && (isLast || typeof settings.backoff === "number");
  const wait = ofServer ??
    (isFixed
      ? backoffWait({ ...settings, backoff: TRANSPORT_ERROR_WAIT }, 1)
      : backoffWait(settings, retry));
  return { wait, tooLong: whyWaitTooLong(wait, ofServer, limits) };
}

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
