import { keepDataModel } from "../errors/data_model.ts";
import type { RequestSummary } from "../errors/request_summary.ts";
import { TransportError } from "../errors/transport_error.ts";
import type { ErrorBody } from "../http/error_body.ts";
import { toTransportError } from "../http/transport_failure.ts";
import { type PreparedRequest, summaryOf } from "./request.ts";
import type { ResponseModel } from "./response_model.ts";
import { retryWait, TRANSPORT_ERROR_WAIT } from "./retry_wait.ts";
import type { EngineSettings } from "./settings.ts";
import type { Verdict } from "./verdict.ts";

/** An attempt that failed. */
export interface Failure {
  /** What is raised where no attempt follows. */
  readonly error: Error;
  /** Why, as the log tells it. */
  readonly reason: string;
  /** Seconds to wait before the next attempt; undefined where the error is raised at once. */
  readonly wait: number | undefined;
  /** The id that the response gave the request, if it did. */
  readonly requestId: string | undefined;
  /** The response, where there was one. */
  readonly response: Response | undefined;
}

const READ_ONCE = "the body is a stream that can be read once; give a function that opens one";

/** Why a request that should be sent again cannot be; undefined where it can. */
function obstacle(request: PreparedRequest, retries: number, limit: number): string | undefined {
  return request.body.kind === "once" && retries < limit ? READ_ONCE : undefined;
}

/** An attempt that was answered with an error status, and the body of the answer. */
export type StatusFailure = Extract<Verdict, { kind: "failed" }> & { readonly body: ErrorBody };

/** What the body of an error response says. */
export interface ErrorData {
  /** What the model made of it. */
  readonly value: unknown;
  /** The model. */
  readonly model: ResponseModel;
}

/**
 * The failure of an attempt that was answered with an error status.
 *
 * @param answer The verdict and the answer's body
 * @param request The request
 * @param retries The retries made so far
 * @param settings The session's settings
 * @param said What its body says, by a model
 */
export function statusFailure(
  { errorClass, retry, body: { response, text } }: StatusFailure,
  request: PreparedRequest,
  retries: number,
  settings: EngineSettings,
  said?: ErrorData,
): Failure {
  const requestId = requestIdOf(response, settings);
  const note = retry ? obstacle(request, retries, settings.retries) : undefined;
  const error = new errorClass(response, {
    retries,
    func: settings.errorFunc,
    request: summaryOf(request),
    body: text,
    data: said?.value,
    requestId,
    note,
  });
  // A class with a constructor of its own may make other data of it, or none.
  if (said !== undefined && Object.is(error.data, said.value)) keepDataModel(error, said.model);
  const wait = () =>
    retryWait(response.headers.get("retry-after"), retries + 1, settings.clock.now(), settings);
  return {
    error,
    reason: `${response.status} ${error.name}`,
    wait: retry && note === undefined ? wait() : undefined,
    requestId,
    response,
  };
}

/**
 * The failure of an attempt that got no whole response.
 *
 * @param thrown What the transport or the reading of the body rejected with
 * @param request The request
 * @param retries The retries made so far
 * @param settings The session's settings
 * @throws What was thrown, where it is a mistake in the program and no failure of the transport, or
 * where it is the failure of another call, such as a login, which has had its own retries
 */
export function transportFailure(
  thrown: unknown,
  request: PreparedRequest,
  retries: number,
  settings: EngineSettings,
): Failure {
  const note = obstacle(request, retries, settings.retries);
  const summary = summaryOf(request);
  if (thrown instanceof TransportError && isOfAnother(thrown, summary)) throw thrown;
  const error = toTransportError(thrown, { request: summary, retries, note });
  if (!(error instanceof TransportError)) throw error;
  const wait = note === undefined ? TRANSPORT_ERROR_WAIT : undefined;
  const reason = `${error.name} (${error.kind})`;
  return { error, reason, wait, requestId: undefined, response: undefined };
}

function isOfAnother({ request }: TransportError, { method, url }: RequestSummary): boolean {
  return request !== undefined && (request.method !== method || request.url !== url);
}

/** The id that a response gives its request. */
export function requestIdOf(
  { headers }: Response,
  { requestIdHeader }: EngineSettings,
): string | undefined {
  return requestIdHeader === undefined ? undefined : headers.get(requestIdHeader) ?? undefined;
}
