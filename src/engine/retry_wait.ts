/** What the wait before a retry is made of. */
export interface RetryWaitOptions {
  /** Seconds, multiplied by the number of the retry. */
  readonly backoff: number;
  /** The longest wait that a Retry-After header can ask for, in seconds. */
  readonly maxRetryAfter?: number | null | undefined;
}

/** Seconds to wait after a transport-level exception (contract, Limits): fixed. */
export const TRANSPORT_ERROR_WAIT = 1;

/**
 * Returns the seconds to wait before a retry caused by an error status (rule 7).
 *
 * @param retryAfter The seconds that the server asked for, if it did
 * @param retry The number of the retry, from 1
 */
export function retryWait(
  retryAfter: number | undefined,
  retry: number,
  { backoff, maxRetryAfter }: RetryWaitOptions,
): number {
  return retryAfter === undefined
    ? retry * backoff
    : Math.min(retryAfter, maxRetryAfter ?? Infinity);
}
