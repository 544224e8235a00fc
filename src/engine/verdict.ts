import { APIError, type APIErrorClass } from "../errors/api_error.ts";
import type { ErrorMap } from "../errors/by_status.ts";

/** What a status means for an attempt. */
export type Verdict =
  | { readonly kind: "succeeded" }
  | { readonly kind: "failed"; readonly errorClass: APIErrorClass; readonly retry: boolean };

const succeeded: Verdict = { kind: "succeeded" };

/**
 * Judges a response by its status (the contract's table "Request attempt loop").
 *
 * @param status The response's status
 * @param errorMap The effective error map
 * @param retryOn Mapped statuses that are retried as well
 */
export function judge(status: number, errorMap: ErrorMap, retryOn: readonly number[]): Verdict {
  const errorClass = errorMap[status];
  if (errorClass !== undefined) {
    return { kind: "failed", errorClass, retry: errorClass.retryable || retryOn.includes(status) };
  }
  if (status >= 200 && status <= 298) return succeeded;
  return { kind: "failed", errorClass: APIError, retry: false };
}
