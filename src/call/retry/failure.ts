/** Decides if a failed attempt is repeated, and after which wait. */
import { APIError, type APIErrorClass } from "../../errors/api_error.ts";
import { TransportError, type TransportErrorKind } from "../../errors/transport_error.ts";
import { type ErrorBody, textWithCharset } from "../../http/incoming_response.ts";
import { itemResponse } from "../../http/item_response.ts";
import { responseLike } from "../../http/response.ts";
import { toTransportError } from "../../http/transport_failure.ts";
import type { Settings } from "../../options/settings.ts";
import type { ItemError } from "../../content/stream_format.ts";
import type { BufferedResponse, Call, RunningCall } from "../call.ts";
import {
  requestIdOf,
  type ResponseError,
  responseError,
  type SharedDetails,
  sharedDetails,
} from "../response_error.ts";
import { backoffWait, TRANSPORT_ERROR_WAIT, whyWaitTooLong } from "./wait.ts";

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

/** The failure of an attempt. */
export interface Failure {
  /** The error to throw if no attempt follows. */
  readonly error: APIError | TransportError;
  /** The reason for the log. */
  readonly reason: string;
  /** True if the rules of the contract and the options retry such a failure. */
  readonly isRetryable: boolean;
  /** False if the server may have processed the request, and its method is not in `retryMethods`. */
  readonly isSafe: boolean;
  /** Seconds that the server asked to wait, as in a Retry-After header. */
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
 * @param run The call
 */
export async function statusFailure(
  { errorClass, isRetriedByOption }: FailedStatus,
  body: ErrorBody,
  { call, retries }: Pick<RunningCall, "call" | "retries">,
): Promise<Failure> {
  const { responseModel, responseFormat } = call.options;
  const format = responseModel === undefined ? undefined : responseFormat;
  const failed = await responseError(body, { call, retries, errorClass, format });
  return responseFailure(failed, body.response, call, isRetriedByOption);
}

/**
 * Returns the failure of an attempt whose response has a success status, but an error in its body (the
 * option `errorsInSuccess`).
 *
 * @param received The response with its body
 * @param run The call
 * @returns The failure; undefined if there is no error, or if the body has not been read
 */
export async function successFailure(
  { response, body }: BufferedResponse,
  { call, retries }: RunningCall,
): Promise<Failure | undefined> {
  if (body === undefined || body.length === 0) return undefined;
  const text = textWithCharset(body, response.headers.get("content-type"));
  const readable = responseLike(response, body);
  const failed = await responseError(
    { response: readable, text, bytes: body },
    { call, retries, errorClass: undefined, place: "the body reports an error" },
  );
  return failed && responseFailure(failed, readable, call);
}

/** Finds the errors that the items of a stream report. */
export class ItemErrors {
  readonly #run: RunningCall;
  /** The response of the last item. A stream that is repeated has another one. */
  #response: Response | undefined;
  #shared: SharedDetails | undefined;

  /** @param run The call */
  constructor(run: RunningCall) {
    this.#run = run;
  }

  /** Returns the error that an item reports; undefined if it reports none. */
  async errorOf({ response, body, isError = false }: ItemError): Promise<APIError | undefined> {
    const { call, retries } = this.#run;
    const failed = {
      call,
      retries,
      errorClass: isError ? APIError : undefined,
      place: "the stream reports an error",
      format: "json",
    } as const;
    if (this.#response !== response) {
      this.#response = response;
      this.#shared = sharedDetails(response, failed);
    }
    const found = await responseError(
      { response: itemResponse(response, body), text: body, bytes: body },
      { ...failed, shared: this.#shared },
    );
    return found?.error;
  }
}

/** Returns the failure of an attempt whose stream began with an item that reports an error. */
export function itemFailure(error: APIError, { call }: RunningCall): Failure {
  return responseFailure({ error, retryAfter: error.retryAfter }, error.response, call);
}

/** Returns the failure of an attempt by the error of its response. */
function responseFailure(
  { error, retryAfter }: ResponseError,
  response: Response,
  call: Call,
  isRetriedByOption = false,
): Failure {
  return {
    error,
    reason: `${response.status} ${error.name}`,
    isRetryable: isRetriedByOption || error.retryable,
    isSafe: !isProcessed(response.status) || isRetriedMethod(call),
    retryAfter,
    requestId: requestIdOf(response, call.settings),
    response,
  };
}

/**
 * Returns the failure of an attempt without a complete response.
 *
 * @param thrown The error of the transport or of the body
 * @param run The call
 * @throws The error itself, if it is a mistake in the program, or the failure of another call, such
 * as a login, which has had its own retries
 */
export function transportFailure(thrown: unknown, { call, retries }: RunningCall): Failure {
  const { summary } = call;
  const other = thrown instanceof TransportError ? thrown.request : undefined;
  if (other && (other.method !== summary.method || other.url !== summary.url)) throw thrown;
  const error = toTransportError(thrown, { request: summary, retries });
  if (!(error instanceof TransportError)) throw error;
  return {
    error,
    reason: `${error.name} (${error.kind})`,
    isRetryable: true,
    isSafe: isUnsent(error.kind) || isRetriedMethod(call),
  };
}

/** Reports if the server may have processed the request before it, or a gateway, failed. */
function isProcessed(status: number): boolean {
  return status >= 501 && status <= 504 || status >= 200 && status <= 299;
}

/** Reports if a connection failed before the request was sent. */
function isUnsent(kind: TransportErrorKind): boolean {
  return kind === "dns" || kind === "refused" || kind === "tls" || kind === "proxy";
}

/** Reports if the method may be retried after the server has perhaps processed the request. */
function isRetriedMethod({ method, settings: { retryMethods } }: Call): boolean {
  return retryMethods?.some((each) => each.toUpperCase() === method.toUpperCase()) ?? true;
}

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
  const retryAfter = decision.wait === undefined ? failure.retryAfter : undefined;
  const wait = decision.wait ?? retryAfter ?? backoffOf(response, run, isLast);
  const tooLong = whyWaitTooLong(wait, retryAfter, {
    maxRetryAfter: settings.maxRetryAfter,
    deadline: scope?.deadline,
    remaining: scope?.remaining,
  });
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

/** Returns the seconds to wait without Retry-After, after a response or a transport error. */
function backoffOf(
  response: Response | undefined,
  { call: { settings }, retries }: RunningCall,
  isLast: boolean,
): number {
  const isFixed = response === undefined && (isLast || typeof settings.backoff === "number");
  return isFixed
    ? backoffWait({ ...settings, backoff: TRANSPORT_ERROR_WAIT }, 1)
    : backoffWait(settings, retries + 1);
}

const ONE_SHOT =
  "the body is a stream that can be read only once; pass a function that opens the stream";

const NO_BUDGET = "retryBudget is used up, because too many requests fail";

/** Reports if an attempt failed because there was no data for too long. */
function isTimeout(error: APIError | TransportError): boolean {
  return "kind" in error && error.kind === "timeout";
}
