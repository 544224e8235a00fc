import { keepDataModel } from "../errors/data_model.ts";
import { readRetryAfter } from "../errors/retry_after.ts";
import { TransportError } from "../errors/transport_error.ts";
import type { ErrorBody } from "../http/error_body.ts";
import { toTransportError } from "../http/transport_failure.ts";
import { onDemand, withPart } from "../on_demand.ts";
import type { PreparedRequest } from "./prepared_request.ts";
import { requestIdOf } from "./request_id.ts";
import { checkedModel, type ResponseModel } from "./response_model.ts";
import { retryWait, TRANSPORT_ERROR_WAIT } from "./retry_wait.ts";
import type { Verdict } from "./verdict.ts";

/** What decodes the bodies of error responses. */
const errorData = onDemand(() => import("./error_data.ts"));

/** Gives what the bodies of error responses are decoded with by a model, as far as that is known. */
export function errorDecoding(model: ResponseModel): unknown {
  return withPart(errorData(), ({ decodingOf }) => decodingOf(model));
}

/** An attempt that failed. */
export interface Failure {
  /** What is raised where no attempt follows. */
  readonly error: Error;
  /** Why, as the log tells it. */
  readonly reason: string;
  /** Seconds to wait before the next attempt; undefined where the error is raised at once. */
  readonly wait: number | undefined;
  /** The id that the response gave the request, if it did. */
  readonly requestId?: string | undefined;
  /** The response, where there was one. */
  readonly response?: Response;
}

/** Why a request that should be sent again cannot be; undefined where it can. */
function obstacle({ body, settings }: PreparedRequest, retries: number): string | undefined {
  return body.kind === "once" && retries < settings.retries
    ? "the body is a stream that can be read once; give a function that opens one"
    : undefined;
}

/** An attempt that was answered with an error status, and the body of the answer. */
export interface StatusFailure extends Verdict {
  /** The body. */
  readonly body: ErrorBody;
}

/**
 * The failure of an attempt that was answered with an error status.
 *
 * @param answer The verdict and the answer's body
 * @param request The request
 * @param retries The retries made so far
 */
export async function statusFailure(
  { errorClass, retry, body }: StatusFailure,
  request: PreparedRequest,
  retries: number,
): Promise<Failure> {
  const { response } = body;
  const { settings, summary } = request;
  const model = checkedModel(`${errorClass.name}.errorModel`, errorClass.errorModel) ??
    settings.errorModel;
  // A body that is not what was expected must not hide the error that it came with, nor must a
  // schema that stumbles over it.
  const said = model && await Promise.resolve(errorData())
    .then(({ decodeError }) => decodeError(body, model, request))
    .catch(() => undefined);
  const requestId = requestIdOf(response, settings);
  const retryAfter = readRetryAfter(response.headers.get("retry-after"), settings.clock.now());
  const note = retry ? obstacle(request, retries) : undefined;
  const error = new errorClass(response, {
    retries,
    func: settings.errorFunc,
    request: summary,
    body: body.text,
    data: said?.value,
    requestId,
    retryAfter,
    note,
  });
  // A class with a constructor of its own may make other data of it, or none.
  if (model && said && Object.is(error.data, said.value)) keepDataModel(error, model);
  return {
    error,
    reason: `${response.status} ${error.name}`,
    wait: retry && note === undefined ? retryWait(retryAfter, retries + 1, settings) : undefined,
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
 * @throws What was thrown, where it is a mistake in the program and no failure of the transport, or
 * where it is the failure of another call, such as a login, which has had its own retries
 */
export function transportFailure(
  thrown: unknown,
  request: PreparedRequest,
  retries: number,
): Failure {
  const note = obstacle(request, retries);
  const { summary } = request;
  const known = thrown instanceof TransportError ? thrown.request : undefined;
  if (known && (known.method !== summary.method || known.url !== summary.url)) throw thrown;
  const error = toTransportError(thrown, { request: summary, retries, note });
  if (!(error instanceof TransportError)) throw error;
  return {
    error,
    reason: `${error.name} (${error.kind})`,
    wait: note === undefined ? TRANSPORT_ERROR_WAIT : undefined,
  };
}
