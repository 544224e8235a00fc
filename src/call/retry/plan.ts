/** Decides if a failed attempt is repeated, and takes its tokens from the budget. */
import type { APIError } from "../../errors/api_error.ts";
import type { TransportError } from "../../errors/transport_error.ts";
import type { Call, RunningCall } from "../call.ts";
import type { Failure } from "./failure.ts";
import { retryWait } from "./wait.ts";

/** The results of the hooks `_shouldRetry` and `_retryWait`; undefined if they leave it open. */
export interface RetryDecision {
  /** True if the request is retried. */
  readonly isRetried?: boolean | undefined;
  /** Seconds to wait. */
  readonly wait?: number | undefined;
}

/** The next attempt, or the reason why there is none. */
export interface RetryPlan {
  /** Seconds to wait before the next attempt, or after the last one; undefined to throw at once. */
  readonly wait?: number;
  /** The tokens that the retry took from the budget. */
  readonly tokens?: number | undefined;
  /** The reason why a failure that could be retried is not. */
  readonly note?: string;
}

/**
 * Decides on the next attempt, and takes its tokens from the budget.
 *
 * The wait after the last attempt has the same limits but needs no note, because no retry was due.
 *
 * @param failure The failure
 * @param run The call
 * @param decision The results of the hooks
 * @throws {UnexpectedValueError} If the function `backoff` returns no valid wait
 */
export function planRetry(
  failure: Failure,
  run: RunningCall,
  decision: RetryDecision = {},
): RetryPlan {
  const { error, isRetryable, response } = failure;
  const { call: { settings }, retries, scope, budget } = run;
  if (!(decision.isRetried ?? isRetryable)) return {};
  const isLast = retries >= settings.retries;
  // "Before a retry" (rule 7) is not after the last attempt; "every such exception" is.
  if (isLast && !(settings.finalWait ?? response === undefined)) return {};
  const obstacle = isLast ? undefined : whyNotRepeated(failure, run.call, decision);
  if (obstacle !== undefined) return { note: obstacle };
  const { wait, tooLong } = retryWait(
    {
      ofHook: decision.wait,
      ofServer: failure.retryAfter,
      hasResponse: response !== undefined,
      retry: retries + 1,
      isLast,
    },
    settings,
    {
      maxRetryAfter: settings.maxRetryAfter,
      deadline: scope?.deadline,
      remaining: scope?.remaining,
    },
  );
  if (isLast) return tooLong === undefined ? { wait } : {};
  if (tooLong !== undefined) return { note: tooLong };
  if (budget === undefined) return { wait };
  const tokens = budget.take(isTimeout(error));
  return tokens === undefined ? { note: NO_BUDGET } : { wait, tokens };
}

/** Returns the reason why a request cannot be sent again; undefined if it can. */
function whyNotRepeated(
  { isSafe }: Failure,
  { body, method }: Call,
  { isRetried }: RetryDecision,
): string | undefined {
  if (body.kind === "once") return ONE_SHOT;
  return isRetried === undefined && !isSafe ? `${method} is not one of retryMethods` : undefined;
}

const ONE_SHOT =
  "the body is a stream that can be read only once; pass a function that opens the stream";

const NO_BUDGET = "retryBudget is used up, because too many requests fail";

/** Reports if an attempt failed because there was no data for too long. */
function isTimeout(error: APIError | TransportError): boolean {
  return "kind" in error && error.kind === "timeout";
}
