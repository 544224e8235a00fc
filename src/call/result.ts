/** Makes the result of a call from its response: the hook `_respErrorCheck`, then the format. */
import { mediaTypeOf } from "../base/media_type.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { IncomingResponse } from "../http/incoming_response.ts";
import { LazyResponse } from "../http/lazy_response.ts";
import { responseLike } from "../http/response.ts";
import { toTransportError } from "../http/transport_failure.ts";
import type { RequestOptions } from "../options/request_options.ts";
import {
  type BufferedResponse,
  type CallContext,
  type RunningCall,
  withoutContext,
} from "./call.ts";

/**
 * Receives a response whose body is searched for an error (the option `errorsInSuccess`): JSON and XML are
 * read, whatever the format is.
 *
 * @param incoming The response
 * @param run The call
 */
export async function receiveReadable(
  incoming: IncomingResponse,
  { call, format }: RunningCall,
): Promise<BufferedResponse> {
  const { response } = incoming;
  const type = mediaTypeOf(response.headers.get("content-type")).format;
  if (type === undefined || response.body === null) return await format.receive(incoming, call);
  // XML can name its encoding itself.
  return await (type === "xml" ? incoming.readBytes() : incoming.readText());
}

/** Looks at a response with a success status (rule 9). */
export type ResponseCheck = (
  response: Response,
  options: RequestOptions,
) => Response | Promise<Response>;

/**
 * Calls the hook `_respErrorCheck` (rule 9), and returns the response that it returned.
 *
 * If the toolkit has not read the body, the hook gets a response whose body is read only if the hook
 * reads it. So a hook does not end streaming.
 */
export async function checkResponse(
  { response, body }: BufferedResponse,
  { call, format, retries }: RunningCall,
  respErrorCheck: ResponseCheck,
): Promise<BufferedResponse> {
  const explain = (error: unknown) => toTransportError(error, { request: call.summary, retries });
  const lazy = body === undefined ? new LazyResponse(response, explain) : undefined;
  const checked = lazy?.response ?? responseLike(response, body!);
  let result: unknown;
  try {
    result = await respErrorCheck(checked, withoutContext(call.options));
    if (!(result instanceof Response)) {
      throw new UnexpectedValueError("_respErrorCheck", "a hook that returns a Response", result);
    }
  } catch (error) {
    lazy?.discard();
    throw error;
  }
  // The hook may have read the response that it got.
  if (result === checked) return { response: lazy?.toResponse() ?? response, body };
  lazy?.discard();
  return await format.receive(new IncomingResponse(result, undefined, call), call);
}

/**
 * Converts a response (rule 10). The result is a promise only if the format waits.
 *
 * @param received The response
 * @param run The call
 * @param context Receives the response for `withResponse`
 */
export function convertResponse(
  received: BufferedResponse,
  run: RunningCall,
  context: CallContext | undefined,
): unknown {
  const { call } = run;
  const converted = run.format.convert(received, run);
  if (context !== undefined) {
    const { url, sent: { isDiverted }, settings: { trust } } = call;
    // The box of a body that is not JSON is the response itself.
    const { response, body } = converted instanceof Response
      ? { response: converted, body: undefined }
      : received;
    context.received = { response, body, url, trust, isDiverted, logger: run.logger };
  }
  return converted;
}
