/**
 * Decides by the status if an attempt has failed, and if its request may be sent again.
 *
 * A status is an error if the error map has it, or if it is not one of 200 to 298. A status in `okStatuses`
 * never is.
 *
 * By default, the statuses 420, 429, 501, 502, 503 and 504 are retried (contract, decision-1): those whose
 * class in `src/errors/status_errors.ts` has a `static retryable` of true. The option `retryOn` adds other
 * statuses of the error map.
 */
import { APIError, type APIErrorClass } from "../../errors/api_error.ts";
import type { Settings } from "../../options/settings.ts";

/** A status that is an error. */
export interface FailedStatus {
  /** The class of the error, unless its content chooses another one. */
  readonly errorClass: APIErrorClass;
  /** True if the option `retryOn` retries the request, whatever the error is. */
  readonly isRetriedByOption: boolean;
}

/**
 * Returns the error of a status (the contract's table "Request attempt loop"); undefined for a
 * success.
 *
 * @param status The status
 * @param settings The error map, other statuses that are a success, and those that are retried
 */
export function classifyStatus(
  status: number,
  { errorMap, okStatuses, retryOn }: Pick<Settings, "errorMap" | "okStatuses" | "retryOn">,
): FailedStatus | undefined {
  if (okStatuses?.includes(status)) return undefined;
  const errorClass = errorMap[status];
  if (errorClass !== undefined) {
    return { errorClass, isRetriedByOption: retryOn?.includes(status) ?? false };
  }
  const isSuccess = status >= 200 && status <= 298;
  return isSuccess ? undefined : { errorClass: APIError, isRetriedByOption: false };
}

/** Reports if the server may have processed the request before it, or a gateway, failed. */
export function mayBeProcessed(status: number): boolean {
  return status >= 501 && status <= 504 || status >= 200 && status <= 299;
}
