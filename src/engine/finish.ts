import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { IncomingResponse } from "../http/incoming_response.ts";
import { responseLike } from "../http/response.ts";
import type { ClientHooks } from "./client_hooks.ts";
import type { BufferedResponse, PreparedRequest } from "./prepared_request.ts";
import { type CallContext, withoutContext } from "./call_context.ts";

/** Reads the body where a hook or a conversion needs it. */
export async function receive(
  incoming: IncomingResponse,
  request: PreparedRequest,
  hooks: ClientHooks,
): Promise<BufferedResponse> {
  if (hooks.respErrorCheck === undefined) return await request.parser.receive(incoming, request);
  return { response: incoming.response, body: await incoming.bytes() };
}

/** Hands a received response to the hook (rule 9), then formats it (rule 10). */
export async function finish(
  { response, body }: BufferedResponse,
  request: PreparedRequest,
  { respErrorCheck }: ClientHooks,
  context?: CallContext,
): Promise<unknown> {
  if (respErrorCheck !== undefined && body !== undefined) {
    const given = responseLike(response, body);
    const result: unknown = await respErrorCheck(given, withoutContext(request.options));
    if (!(result instanceof Response)) {
      throw new UnexpectedValueError("_respErrorCheck", "a hook that returns a Response", result);
    }
    // The hook may have read the response that it was given.
    if (result !== given) {
      response = result;
      body = request.parser.isRaw ? undefined : new Uint8Array(await result.arrayBuffer());
    }
  }
  const converted = body === undefined ? response : request.parser.convert(response, body, request);
  // What is at hand is not waited for.
  const value = converted instanceof Promise ? await converted : converted;
  if (context !== undefined) {
    const isResponse = value instanceof Response;
    context.response = isResponse ? value : response;
    context.body = isResponse ? undefined : body;
  }
  return value;
}
