import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { Arrival } from "../http/arrival.ts";
import { responseLike } from "../http/response.ts";
import type { Face } from "./face.ts";
import type { PreparedRequest, Received } from "./prepared_request.ts";
import { type Trace, withoutTrace } from "./trace.ts";

/** Reads the body where a hook or a conversion needs it. */
export async function receive(
  arrival: Arrival,
  request: PreparedRequest,
  face: Face,
): Promise<Received> {
  if (face.respErrorCheck === undefined) return await request.reading.receive(arrival, request);
  return { response: arrival.response, body: await arrival.bytes() };
}

/** Hands a received response to the hook (rule 9), then formats it (rule 10). */
export async function deliver(
  { response, body }: Received,
  request: PreparedRequest,
  { respErrorCheck }: Face,
  trace?: Trace,
): Promise<unknown> {
  if (respErrorCheck !== undefined && body !== undefined) {
    const given = responseLike(response, body);
    const result: unknown = await respErrorCheck(given, withoutTrace(request.options));
    if (!(result instanceof Response)) {
      throw new UnexpectedValueError("_respErrorCheck", "a hook that returns a Response", result);
    }
    // The hook may have read the response that it was given.
    if (result !== given) {
      response = result;
      body = request.reading.isRaw ? undefined : new Uint8Array(await result.arrayBuffer());
    }
  }
  const converted = body === undefined
    ? response
    : request.reading.convert(response, body, request);
  // What is at hand is not waited for.
  const value = converted instanceof Promise ? await converted : converted;
  if (trace !== undefined) {
    const isResponse = value instanceof Response;
    trace.response = isResponse ? value : response;
    trace.body = isResponse ? undefined : body;
  }
  return value;
}
