import { check, checkedSeconds, isPlain } from "../checks.ts";
import type { APIError } from "../errors/api_error.ts";
import { withNote } from "../errors/base_error.ts";
import type { RequestSummary } from "../errors/message_text.ts";
import type { TransportError } from "../errors/transport_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { checkedHeaders } from "../http/headers.ts";
import { definitions, type OptionName } from "../options/definitions.ts";
import type { RequestOptions, RetryOptions } from "../options/types.ts";
import { type Failure, nextAttempt, type RetryState } from "./retry.ts";
import { backoffWait, TRANSPORT_ERROR_WAIT } from "./retry_wait.ts";

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

/** Checks the result of `_shouldRetry`. */
const checkedDecision = check(
  "a hook that returns true, false or undefined",
  (value) => value === undefined || typeof value === "boolean",
);

/**
 * Asks the hooks `_shouldRetry` and `_retryWait` about a failure that another attempt could follow.
 *
 * They cannot override what makes a retry impossible: a body that can be sent only once, the
 * deadline, and the budget.
 *
 * @param failure The failure
 * @param hooks The hooks
 * @param state The state of the call
 * @throws {UnexpectedValueError} If a hook returns anything else
 */
export async function askRetryHooks(
  failure: Failure,
  { shouldRetry, retryWait }: RetryDecisionHooks,
  state: RetryState,
): Promise<Failure> {
  const { error, response, isRetryable, retryAfter } = failure;
  const { summary: request, settings } = state.call;
  const attempt = state.retries + 1;
  const failed: FailedAttempt = { request, response, error, attempt };
  const decision = checkedDecision<boolean | undefined>(
    "_shouldRetry",
    await shouldRetry?.(failed),
  );
  if (decision === false) return { ...failure, wait: undefined };
  if (decision === undefined && !isRetryable) return failure;
  const wait = await retryWait?.(failed);
  if (wait !== undefined) checkedSeconds("_retryWait()", wait);
  else if (decision === undefined) return failure;
  const fixed = response === undefined ? TRANSPORT_ERROR_WAIT : undefined;
  const next = nextAttempt(state, {
    isSafe: true,
    wait: wait ?? retryAfter ?? backoffWait(settings, attempt, fixed),
    retryAfter: wait === undefined ? retryAfter : undefined,
    isTimeout: isTimeout(error),
  });
  // The error has been shown to the hooks already.
  if (next.note !== undefined) Reflect.set(error, "message", withNote(error.message, next));
  return { ...failure, wait: next.wait };
}

/** Reports if an attempt failed because there was no data for too long. */
export function isTimeout(error: APIError | TransportError): boolean {
  return "kind" in error && error.kind === "timeout";
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
