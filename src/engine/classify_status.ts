import { APIError, type APIErrorClass } from "../errors/api_error.ts";
import type { ErrorMap } from "../errors/by_status.ts";

/** What the status of a failed attempt means. */
export interface FailedStatus {
  /** The class of its error. */
  readonly errorClass: APIErrorClass;
  /** Whether it is worth another attempt. */
  readonly retry: boolean;
}

/**
 * Judges a response by its status (the contract's table "Request attempt loop").
 *
 * @param status The response's status
 * @param errorMap The effective error map
 * @param retryOn Mapped statuses that are retried as well
 * @returns Why the attempt failed; undefined for a success
 */
export function classifyStatus(
  status: number,
  errorMap: ErrorMap,
  retryOn: readonly number[] = [],
): FailedStatus | undefined {
  const errorClass = errorMap[status];
  if (errorClass !== undefined) {
    return { errorClass, retry: errorClass.retryable || retryOn.includes(status) };
  }
  return status >= 200 && status <= 298 ? undefined : { errorClass: APIError, retry: false };
}
