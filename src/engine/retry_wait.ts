/** Seconds to wait after a transport-level exception (contract, Limits): fixed. */
export const TRANSPORT_ERROR_WAIT = 1;

/** The limits of a wait, in seconds. */
export interface WaitLimits {
  /** The longest wait that a Retry-After header can ask for. Default: none */
  readonly maxRetryAfter?: number | null | undefined;
  /** The deadline of the call. Default: none */
  readonly deadline?: number | null | undefined;
  /** The seconds that are left until the deadline; undefined without one. */
  readonly remaining?: number | undefined;
}

/**
 * Returns the seconds to wait before a retry caused by an error status (rule 7).
 *
 * @param retryAfter The seconds that the server asked for, if it did
 * @param retry The number of the retry, from 1
 * @param backoff Seconds, multiplied by the number of the retry
 */
export function retryWait(retryAfter: number | undefined, retry: number, backoff: number): number {
  return retryAfter ?? retry * backoff;
}

/**
 * Returns why a wait is too long to be made, as the end of an error message; undefined if it is not.
 *
 * A wait that ends with the deadline is too long: no time is left for the retry.
 *
 * @param wait The seconds to wait
 * @param retryAfter The seconds that the server asked for, if it did
 * @param limits The limits
 */
export function excessOf(
  wait: number,
  retryAfter: number | undefined,
  { maxRetryAfter, deadline, remaining }: WaitLimits,
): string | undefined {
  if (retryAfter !== undefined && retryAfter > (maxRetryAfter ?? Infinity)) {
    return `the server asked to wait ${
      shown(retryAfter)
    }, more than maxRetryAfter (${maxRetryAfter} s)`;
  }
  return remaining !== undefined && wait >= remaining
    ? `the wait of ${shown(wait)} would pass the deadline of ${deadline} s`
    : undefined;
}

/** Returns seconds as text, without the noise of floating-point arithmetic. */
function shown(seconds: number): string {
  return `${Number(seconds.toFixed(3))} s`;
}
