import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { Arrival } from "../http/arrival.ts";
import { responseLike } from "../http/response.ts";
import type { Face, ResponseCheck } from "./face.ts";
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
  received: Received,
  request: PreparedRequest,
  face: Face,
  trace?: Trace,
): Promise<unknown> {
  const { response, body } = face.respErrorCheck === undefined
    ? received
    : await checked(received, request, face.respErrorCheck);
  const converted = body === undefined
    ? response
    : request.reading.convert(response, body, request);
  // What is at hand is not waited for.
  const value = converted instanceof Promise ? await converted : converted;
  if (trace !== undefined) {
    const isResponse = value instanceof Response;
    Object.assign(trace, isResponse ? { response: value, body: undefined } : { response, body });
  }
  return value;
}

/** What the hook makes of a received response. */
async function checked(
  received: Received,
  request: PreparedRequest,
  respErrorCheck: ResponseCheck,
): Promise<Received> {
  const { response, body } = received;
  if (body === undefined) return received;
  const given = responseLike(response, body);
  const result: unknown = await respErrorCheck(given, withoutTrace(request.options));
  if (!(result instanceof Response)) {
    throw new UnexpectedValueError("_respErrorCheck", "a hook that returns a Response", result);
  }
  // The hook may have read the response that it was given.
  if (result === given) return received;
  if (request.reading.isRaw) return { response: result, body: undefined };
  return { response: result, body: new Uint8Array(await result.arrayBuffer()) };
}
