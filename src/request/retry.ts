import { type APIError, type APIErrorClass, keepDataModel } from "../errors/api_error.ts";
import { readRetryAfter } from "../errors/retry_after.ts";
import { TransportError, type TransportErrorKind } from "../errors/transport_error.ts";
import type { AbortScope } from "../http/abort.ts";
import type { ErrorBody } from "../http/incoming_response.ts";
import { toTransportError } from "../http/transport_failure.ts";
import type { Settings } from "../options/settings.ts";
import type { Call } from "./call.ts";
import { checkedModel, decodeErrorBody } from "./decode.ts";
import { answeredUrl, redactorOf } from "./redact.ts";
import type { RetryBudget } from "./retry_budget.ts";
import { backoffWait, TRANSPORT_ERROR_WAIT, whyWaitTooLong } from "./retry_wait.ts";

/** A status that is an error. */
export interface FailedStatus {
  /** The class of the error. */
  readonly errorClass: APIErrorClass;
  /** True if the request is retried. */
  readonly retry: boolean;
}

/** The state of a call when an attempt has failed. */
export interface RetryState {
  /** The call. */
  readonly call: Call;
  /** The number of retries so far. */
  readonly retries: number;
  /** Has the deadline that the next wait must not pass. */
  readonly scope: AbortScope | undefined;
  /** The budget for retries, if there is one. */
  readonly budget: RetryBudget | undefined;
}

/** The failure of an attempt. */
export interface Failure {
  /** The error to throw if no attempt follows. */
  readonly error: APIError | TransportError;
  /** The reason for the log. */
  readonly reason: string;
  /** True if the rules of the contract and the options retry such a failure. */
  readonly isRetryable: boolean;
  /** Seconds to wait before the next attempt; undefined if the error is thrown at once. */
  readonly wait: number | undefined;
  /** Seconds of the Retry-After header, if there is one. */
  readonly retryAfter?: number | undefined;
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
 * @param state The state of the call
 */
export async function statusFailure(
  { errorClass, retry }: FailedStatus,
  { response, text, bytes }: ErrorBody,
  state: RetryState,
): Promise<Failure> {
  const { call, retries } = state;
  const { settings, summary, options: { responseModel, responseFormat } } = call;
  const format = responseModel === undefined ? undefined : responseFormat;
  const model = checkedModel(`${errorClass.name}.errorModel`, errorClass.errorModel) ??
    settings.errorModel;
  // A body that does not match, or a schema that throws, must not hide the error of the status.
  const decoded = model &&
    await decodeErrorBody(model, { text, bytes, response }, format).catch(() => undefined);
  const requestId = requestIdOf(response, settings);
  const retryAfter = readRetryAfter(response.headers.get("retry-after"), settings.clock.now());
  const isSafe = !isProcessed(response.status) || isRetriedMethod(call);
  const next = retry
    ? nextAttempt(state, {
      isSafe,
      wait: retryAfter ?? backoffWait(settings, retries + 1),
      retryAfter,
    })
    : {};
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
    isRetryable: retry && isSafe,
    wait: next.wait,
    retryAfter,
    requestId,
    response,
  };
}

/**
 * Returns the failure of an attempt without a complete response.
 *
 * @param thrown The error of the transport or of the body
 * @param state The state of the call
 * @throws The error itself, if it is a mistake in the program, or the failure of another call, such
 * as a login, which has had its own retries
 */
export function transportFailure(thrown: unknown, state: RetryState): Failure {
  const { call, retries } = state;
  const { summary, settings } = call;
  const other = thrown instanceof TransportError ? thrown.request : undefined;
  if (other && (other.method !== summary.method || other.url !== summary.url)) throw thrown;
  const error = toTransportError(thrown, { request: summary, retries });
  if (!(error instanceof TransportError)) throw error;
  const isSafe = isUnsent(error.kind) || isRetriedMethod(call);
  const { wait, note } = nextAttempt(state, {
    isSafe,
    wait: backoffWait(settings, retries + 1, TRANSPORT_ERROR_WAIT),
    isTimeout: error.kind === "timeout",
  });
  return {
    error: note === undefined
      ? error
      : toTransportError(thrown, { request: summary, retries, note }) as TransportError,
    reason: `${error.name} (${error.kind})`,
    isRetryable: isSafe,
    wait,
  };
}

/** Reports if the server may have processed the request before it, or a gateway, failed. */
function isProcessed(status: number): boolean {
  return status >= 501 && status <= 504;
}

/** Reports if a connection failed before the request was sent. */
function isUnsent(kind: TransportErrorKind): boolean {
  return kind === "dns" || kind === "refused" || kind === "tls" || kind === "proxy";
}

/** Reports if the method may be retried after the server has perhaps processed the request. */
function isRetriedMethod({ method, settings: { retryMethods } }: Call): boolean {
  return retryMethods?.some((each) => each.toUpperCase() === method.toUpperCase()) ?? true;
}

/** A retry that is considered. */
export interface PlannedRetry {
  /** False if the server may have processed the request, and its method is not in `retryMethods`. */
  readonly isSafe: boolean;
  /** Seconds to wait. */
  readonly wait: number;
  /** Seconds of the Retry-After header, if it decides the wait. */
  readonly retryAfter?: number | undefined;
  /** True if the attempt had no data for too long. Default: false */
  readonly isTimeout?: boolean;
}

/**
 * Returns the wait before the next attempt, or a note with the reason why there is none.
 *
 * The wait after the last attempt has the same limits but needs no note, because no retry was due.
 */
export function nextAttempt(
  { call: { body, method, settings }, retries, scope, budget }: RetryState,
  { isSafe, wait, retryAfter, isTimeout = false }: PlannedRetry,
): { readonly wait?: number; readonly note?: string } {
  const isLast = retries >= settings.retries;
  const tooLong = whyWaitTooLong(wait, retryAfter, {
    maxRetryAfter: settings.maxRetryAfter,
    deadline: scope?.deadline,
    remaining: scope?.remaining,
  });
  if (isLast) return tooLong === undefined ? { wait } : {};
  if (body.kind === "once") {
    return {
      note:
        "the body is a stream that can be read only once; pass a function that opens the stream",
    };
  }
  if (!isSafe) return { note: `${method} is not one of retryMethods` };
  if (tooLong !== undefined) return { note: tooLong };
  return budget?.allows(isTimeout) === false
    ? { note: "retryBudget is used up, because too many requests fail" }
    : { wait };
}

/** Returns the request id of a response. */
export function requestIdOf(
  { headers }: Response,
  { requestIdHeader }: Settings,
): string | undefined {
  return (requestIdHeader && headers.get(requestIdHeader)) ?? undefined;
}
