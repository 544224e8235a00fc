/** Asks the hooks of the SDK about a retry, and merges the options that they return. */
import { type Check, check, isPlain } from "../../base/checks.ts";
import type { APIError } from "../../errors/api_error.ts";
import type { RequestSummary } from "../../errors/message_text.ts";
import type { TransportError } from "../../errors/transport_error.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { checkedHeaders } from "../../http/headers.ts";
import { definitions, type OptionName } from "../../options/definitions.ts";
import type { RequestOptions, RetryOptions } from "../../options/request_options.ts";
import type { RunningCall } from "../call.ts";
import type { Failure } from "./failure.ts";
import type { RetryDecision } from "./plan.ts";

/**
 * An attempt that failed, for the hooks `_shouldRetry` and `_retryWait`.
 *
 * @category Requests
 */
export interface FailedAttempt {
  /** The method and the URL, without credentials and secrets. */
  readonly request: RequestSummary;
  /** The response, readable up to 1 MiB; undefined if no complete response arrived. */
  readonly response: Response | undefined;
  /** The error that the call throws if it is not retried. An `APIError` has the text of the body. */
  readonly error: APIError | TransportError;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
}

/** The hooks that decide on a retry; undefined if the SDK does not override them. */
export interface RetryDecisionHooks {
  /** The hook `_shouldRetry`. */
  readonly shouldRetry:
    | ((failed: FailedAttempt) => boolean | undefined | Promise<boolean | undefined>)
    | undefined;
  /** The hook `_retryWait`. */
  readonly retryWait:
    | ((failed: FailedAttempt) => number | undefined | Promise<number | undefined>)
    | undefined;
}

const checkedDecision: Check<boolean | undefined> = check(
  "a hook that returns true, false or undefined",
  (value) => value === undefined || typeof value === "boolean",
);

const checkedWait: Check<number | undefined> = check(
  "a hook that returns a number of seconds of at least 0, or undefined",
  (value) => value === undefined || Number.isFinite(value) && (value as number) >= 0,
);

/**
 * Asks the hooks `_shouldRetry` and `_retryWait` about a failure that another attempt could follow.
 *
 * @param failure The failure
 * @param hooks The hooks
 * @param run The call
 * @throws {UnexpectedValueError} If a hook returns anything else
 */
export async function askRetryHooks(
  { error, response, isRetryable, isSafe }: Failure,
  { shouldRetry, retryWait }: RetryDecisionHooks,
  { call: { summary: request }, retries }: RunningCall,
): Promise<RetryDecision> {
  // Each hook may read the response, as the hook _retryRequest and the caller may do later.
  const failed = (): FailedAttempt => ({
    request,
    response: response?.clone(),
    error,
    attempt: retries + 1,
  });
  const isRetried = checkedDecision("_shouldRetry", await shouldRetry?.(failed()));
  if (retryWait === undefined || !(isRetried ?? (isRetryable && isSafe))) return { isRetried };
  return { isRetried, wait: checkedWait("_retryWait", await retryWait(failed())) };
}

/** Returns the options for the next attempts (rule 8); undefined does not change them. */
export type RetryHook = (
  response: Response,
  retries: number,
  options: RetryOptions,
) => RequestOptions | undefined | Promise<RequestOptions | undefined>;

/**
 * Calls the hook `_retryRequest`, and returns the options for the next attempts (rule 8); undefined
 * if they do not change.
 *
 * @param hook The hook
 * @param response The response that led to the retry
 * @param retries The number of the retry that follows
 * @param options The options so far
 */
export async function optionsFromHook(
  hook: RetryHook,
  response: Response,
  retries: number,
  options: RequestOptions,
): Promise<RequestOptions | undefined> {
  const returned: unknown = await hook(response, retries, hookOptions(options));
  if (returned === undefined) return undefined;
  if (typeof returned === "object" && returned !== null) return nextOptions(options, returned);
  const expected = "a hook that returns the options for the next attempt, or undefined";
  throw new UnexpectedValueError("_retryRequest", expected, returned);
}

/** Returns a copy for the hook, with the headers as a mapping, so that one more is easily added. */
function hookOptions(options: RequestOptions): RetryOptions {
  const { headers, ...others } = copyOptions(options);
  return headers === undefined ? others : { ...others, headers: { ...checkedHeaders(headers) } };
}

/**
 * Merges the options that a hook returned over the earlier ones. An option that it leaves out is
 * removed if it is a part of the request, such as a header. The others stay: a retry goes to the
 * same place, and logs no more than before.
 */
export function nextOptions(before: RequestOptions, returned: RequestOptions): RequestOptions {
  const kept = Object.entries(before).filter(([name]) =>
    !definitions[name as OptionName].isContent &&
    returned[name as keyof RequestOptions] === undefined
  );
  return { ...returned, ...Object.fromEntries(kept) };
}

/**
 * Copies options for a hook, which may change them. Plain objects and arrays are copied at any depth.
 * Bodies, headers and other instances of classes are not.
 */
export function copyOptions(options: RequestOptions): RequestOptions {
  return copyPlain(options, new Map()) as RequestOptions;
}

function copyPlain(value: unknown, copies: Map<object, unknown>): unknown {
  // A schema is compared by its identity, although those of valibot are plain objects.
  if (!isPlain(value) || "~standard" in value) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  const copy: Record<string, unknown> = Array.isArray(value) ? [...value] : Object.setPrototypeOf(
    Object.fromEntries(Object.entries(value)),
    Object.getPrototypeOf(value),
  );
  copies.set(value, copy);
  for (const [key, each] of Object.entries(copy)) copy[key] = copyPlain(each, copies);
  return copy;
}
