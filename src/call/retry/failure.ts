/**
 * Decides if the failure of an attempt is one that is retried:
 *
 * 1. No complete response arrived: it is, unless the program made a mistake or aborted the call, or
 *    another call failed, such as a login.
 * 2. The status is an error: it is if the error is `retryable`, as those of 420, 429 and 501 to 504 are,
 *    or if `retryOn` adds the status, see `statuses.ts`.
 * 3. A success has an error in its body (`errorsInSuccess`, false by default), or a stream begins with an
 *    error: it is if that error is `retryable`.
 *
 * By default, requests of all methods are sent again, those of POST too, because `retryMethods` is null.
 * If it lists methods, requests of others are only sent again if the server cannot have processed them:
 * they were not sent (`isUnsent`), or the status is neither 501 to 504 nor a success.
 *
 * `plan.ts` decides if another attempt follows: by this, the hooks, `retries` (3 by default), the
 * body, the wait and the budget.
 */
import { APIError } from "../../errors/api_error.ts";
import { TransportError, type TransportErrorKind } from "../../errors/transport_error.ts";
import { type ErrorBody, textWithCharset } from "../../http/incoming_response.ts";
import { itemResponse } from "../../http/item_response.ts";
import { responseLike } from "../../http/response.ts";
import { toTransportError } from "../../http/transport_failure.ts";
import type { StreamCall } from "../../content/stream_format.ts";
import type { BufferedResponse, Call, RunningCall } from "../call.ts";
import {
  requestIdOf,
  type ResponseError,
  responseError,
  type SharedDetails,
  sharedDetails,
} from "../response_error.ts";
import { type FailedStatus, mayBeProcessed } from "./statuses.ts";

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
  const format = call.format.bodyFormat;
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
  const text = textWithCharset(body, response);
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
  async errorOf(
    { response, body, isError = false }: Parameters<StreamCall["errorOf"]>[0],
  ): Promise<APIError | undefined> {
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
    isSafe: !mayBeProcessed(response.status) || isRetriedMethod(call),
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

/** Reports if a connection failed before the request was sent. */
function isUnsent(kind: TransportErrorKind): boolean {
  return kind === "dns" || kind === "refused" || kind === "tls" || kind === "proxy";
}

/** Reports if the method may be retried after the server has perhaps processed the request. */
function isRetriedMethod({ method, settings: { retryMethods } }: Call): boolean {
  return retryMethods?.some((each) => each.toUpperCase() === method.toUpperCase()) ?? true;
}
