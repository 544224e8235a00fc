import { isPlain } from "../checks.ts";
import { type APIErrorClass, keepDataModel } from "../errors/api_error.ts";
import { readRetryAfter } from "../errors/retry_after.ts";
import { TransportError } from "../errors/transport_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { AbortScope } from "../http/abort.ts";
import { checkedHeaders } from "../http/headers.ts";
import type { ErrorBody } from "../http/incoming_response.ts";
import { toTransportError } from "../http/transport_failure.ts";
import { definitionOf, type Settings } from "../options/resolve.ts";
import type { RequestOptions, RetryOptions } from "../options/types.ts";
import type { Call } from "./call.ts";
import { checkedModel, decodeErrorBody } from "./decode.ts";
import { answeredUrl, redactorOf } from "./redact.ts";

/** A status that is an error. */
export interface FailedStatus {
  /** The class of the error. */
  readonly errorClass: APIErrorClass;
  /** True if the request is retried. */
  readonly retry: boolean;
}

/** An attempt that failed. */
export interface FailedAttempt {
  /** The error to throw if no attempt follows. */
  readonly error: Error;
  /** The reason for the log. */
  readonly reason: string;
  /** Seconds to wait before the next attempt; undefined if the error is thrown at once. */
  readonly wait: number | undefined;
  /** The request id of the response, if it has one. */
  readonly requestId?: string | undefined;
  /** The response, if there was one. */
  readonly response?: Response;
}

/**
 * Returns the failure of an attempt whose response has an error status.
 *
 * @param failed The class of the error, and if it is retried
 * @param body The response with its body
 * @param call The call
 * @param retries The number of retries so far
 * @param scope Has the deadline that the next wait must not pass
 */
export async function statusFailure(
  { errorClass, retry }: FailedStatus,
  { response, text, bytes }: ErrorBody,
  call: Call,
  retries: number,
  scope: AbortScope | undefined,
): Promise<FailedAttempt> {
  const { settings, summary, options: { responseModel, responseFormat } } = call;
  const format = responseModel === undefined ? undefined : responseFormat;
  const model = checkedModel(`${errorClass.name}.errorModel`, errorClass.errorModel) ??
    settings.errorModel;
  // A body that does not match, or a schema that throws, must not hide the error of the status.
  const decoded = model &&
    await decodeErrorBody(model, { text, bytes, response }, format).catch(() => undefined);
  const requestId = requestIdOf(response, settings);
  const retryAfter = readRetryAfter(response.headers.get("retry-after"), settings.clock.now());
  const wait = retryWait(retryAfter, retries + 1, settings.backoff);
  const next = retry ? nextAttempt(call, retries, wait, retryAfter, scope) : {};
  const redact = redactorOf(call);
  const error = new errorClass(response, {
    retries,
    func: settings.errorFunc,
    request: summary,
    url: answeredUrl(response, call, redact),
    body: text,
    // Without a model, the error itself parses the body when its data is read.
    ...(model && { data: decoded?.value }),
    redact,
    requestId,
    retryAfter,
    note: next.note,
  });
  // A class with its own constructor may set other data, or none.
  if (model && decoded && Object.is(error.data, decoded.value)) keepDataModel(error, model);
  return {
    error,
    reason: `${response.status} ${error.name}`,
    wait: next.wait,
    requestId,
    response,
  };
}

/** Seconds to wait after a transport error (contract, Limits). */
export const TRANSPORT_ERROR_WAIT = 1;

/**
 * Returns the failure of an attempt without a complete response.
 *
 * @param thrown The error of the transport or of the body
 * @param call The call
 * @param retries The number of retries so far
 * @param scope Has the deadline that the next wait must not pass
 * @throws The error itself, if it is a mistake in the program, or the failure of another call, such
 * as a login, which has had its own retries
 */
export function transportFailure(
  thrown: unknown,
  call: Call,
  retries: number,
  scope: AbortScope | undefined,
): FailedAttempt {
  const { summary } = call;
  const { wait, note } = nextAttempt(call, retries, TRANSPORT_ERROR_WAIT, undefined, scope);
  const other = thrown instanceof TransportError ? thrown.request : undefined;
  if (other && (other.method !== summary.method || other.url !== summary.url)) throw thrown;
  const error = toTransportError(thrown, { request: summary, retries, note });
  if (!(error instanceof TransportError)) throw error;
  return { error, reason: `${error.name} (${error.kind})`, wait };
}

/**
 * Returns the wait before the next attempt, or a note with the reason why there is none.
 *
 * The wait after the last attempt has the same limits but needs no note, because no retry was due.
 */
function nextAttempt(
  { body, settings }: Call,
  retries: number,
  wait: number,
  retryAfter: number | undefined,
  scope: AbortScope | undefined,
): { readonly wait?: number; readonly note?: string } {
  const isLast = retries >= settings.retries;
  if (body.kind === "once" && !isLast) {
    return {
      note:
        "the body is a stream that can be read only once; pass a function that opens the stream",
    };
  }
  const note = whyNotRetryable(wait, retryAfter, {
    maxRetryAfter: settings.maxRetryAfter,
    deadline: scope?.deadline,
    remaining: scope?.remaining,
  });
  if (note === undefined) return { wait };
  return isLast ? {} : { note };
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
 * Returns the seconds to wait before a retry after an error status (rule 7).
 *
 * @param retryAfter The seconds of the Retry-After header, if there is one
 * @param retry The number of the retry, from 1
 * @param backoff Seconds, multiplied by the number of the retry
 */
export function retryWait(retryAfter: number | undefined, retry: number, backoff: number): number {
  return retryAfter ?? retry * backoff;
}

/**
 * Returns the reason why a wait is too long, as the end of an error message; undefined if it is not.
 * A wait that ends with the deadline is too long, because no time is left for the retry.
 *
 * @param wait The seconds to wait
 * @param retryAfter The seconds of the Retry-After header, if there is one
 * @param limits The limits
 */
export function whyNotRetryable(
  wait: number,
  retryAfter: number | undefined,
  { maxRetryAfter, deadline, remaining }: WaitLimits,
): string | undefined {
  if (retryAfter !== undefined && retryAfter > (maxRetryAfter ?? Infinity)) {
    return `the server asked to wait ${
      secondsText(retryAfter)
    }, more than maxRetryAfter (${maxRetryAfter} s)`;
  }
  return remaining !== undefined && wait >= remaining
    ? `the wait of ${secondsText(wait)} would exceed the deadline of ${deadline} s`
    : undefined;
}

/** Returns seconds as text, without the noise of floating-point arithmetic. */
function secondsText(seconds: number): string {
  return `${Number(seconds.toFixed(3))} s`;
}

/** Returns the request id of a response. */
export function requestIdOf(
  { headers }: Response,
  { requestIdHeader }: Settings,
): string | undefined {
  return (requestIdHeader && headers.get(requestIdHeader)) ?? undefined;
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
    !definitionOf(name).isContent && returned[name as keyof RequestOptions] === undefined
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
