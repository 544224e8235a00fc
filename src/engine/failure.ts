import { keepDataModel } from "../errors/data_model.ts";
import { readRetryAfter } from "../errors/retry_after.ts";
import { TransportError } from "../errors/transport_error.ts";
import type { Cancellation } from "../http/cancellation.ts";
import type { ErrorBody } from "../http/error_body.ts";
import { toTransportError } from "../http/transport_failure.ts";
import { decodeError } from "./error_data.ts";
import type { PreparedRequest } from "./prepared_request.ts";
import { requestIdOf } from "./request_id.ts";
import { checkedModel } from "./response_model.ts";
import { excessOf, retryWait, TRANSPORT_ERROR_WAIT } from "./retry_wait.ts";
import type { FailedStatus } from "./classify_status.ts";

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

/** The wait that would follow a failed attempt. */
interface PossibleWait {
  /** Its seconds. */
  readonly wait: number;
  /** The seconds that the server asked for, if it did. */
  readonly retryAfter?: number | undefined;
}

/**
 * Decides between the wait for another attempt and an error that is thrown at once.
 *
 * The wait after the last attempt has the same limits, but needs no note: no retry was due.
 *
 * @returns The seconds to wait, or a note for the error that says why it is not retried, or neither
 */
function nextStep(
  { body, settings }: PreparedRequest,
  retries: number,
  { wait, retryAfter }: PossibleWait,
  cancellation: Cancellation | undefined,
): { readonly wait?: number; readonly note?: string } {
  const isLast = retries >= settings.retries;
  if (body.kind === "once" && !isLast) {
    return { note: "the body is a stream that can be read once; give a function that opens one" };
  }
  const { maxRetryAfter } = settings;
  const { deadline, remaining } = cancellation ?? {};
  const note = excessOf(wait, retryAfter, { maxRetryAfter, deadline, remaining });
  if (note === undefined) return { wait };
  return isLast ? {} : { note };
}

/** An attempt that was answered with an error status, and the body of the answer. */
export interface StatusFailure extends FailedStatus {
  /** The body. */
  readonly body: ErrorBody;
}

/**
 * The failure of an attempt that was answered with an error status.
 *
 * @param answer The verdict and the answer's body
 * @param request The request
 * @param retries The retries made so far
 * @param cancellation The deadline that the next wait must not pass, if there is one
 */
export async function statusFailure(
  { errorClass, retry, body }: StatusFailure,
  request: PreparedRequest,
  retries: number,
  cancellation: Cancellation | undefined,
): Promise<Failure> {
  const { response } = body;
  const { settings, summary } = request;
  const model = checkedModel(`${errorClass.name}.errorModel`, errorClass.errorModel) ??
    settings.errorModel;
  // A body that is not what was expected must not hide the error that it came with, nor must a
  // schema that stumbles over it.
  const said = model && await decodeError(body, model, request).catch(() => undefined);
  const requestId = requestIdOf(response, settings);
  const retryAfter = readRetryAfter(response.headers.get("retry-after"), settings.clock.now());
  const possible = { wait: retryWait(retryAfter, retries + 1, settings.backoff), retryAfter };
  const { wait, note } = retry ? nextStep(request, retries, possible, cancellation) : {};
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
    wait,
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
 * @param cancellation The deadline that the next wait must not pass, if there is one
 * @throws What was thrown, where it is a mistake in the program and no failure of the transport, or
 * where it is the failure of another call, such as a login, which has had its own retries
 */
export function transportFailure(
  thrown: unknown,
  request: PreparedRequest,
  retries: number,
  cancellation: Cancellation | undefined,
): Failure {
  const possible = { wait: TRANSPORT_ERROR_WAIT };
  const { wait, note } = nextStep(request, retries, possible, cancellation);
  const { summary } = request;
  const known = thrown instanceof TransportError ? thrown.request : undefined;
  if (known && (known.method !== summary.method || known.url !== summary.url)) throw thrown;
  const error = toTransportError(thrown, { request: summary, retries, note });
  if (!(error instanceof TransportError)) throw error;
  return {
    error,
    reason: `${error.name} (${error.kind})`,
    wait,
  };
}
