import type { BoxAttrs } from "../box/mod.ts";
import { boxer } from "../box/to_box.ts";
import { type BodyFailure, withBodyError } from "../http/body_error.ts";
import { responseLike } from "../http/response.ts";
import type { PreparedRequest, ResponseParser } from "./prepared_request.ts";

/**
 * Gives a box of what is JSON by its content type; else what is beneath, and null where there is
 * nothing.
 *
 * @param attrs How the box behaves
 * @param json What reads JSON
 * @param fallback What reads what is no JSON
 */
export function boxParser(
  attrs: BoxAttrs | undefined,
  json: ResponseParser,
  fallback: ResponseParser,
): ResponseParser {
  const box = boxer(attrs);
  return {
    async receive(incoming, request) {
      const { response } = incoming;
      if (fallback === json || isBoxed(response, request)) {
        return await json.receive(incoming, request);
      }
      const given = hasLength(response)
        ? incoming.toResponse()
        : await unlessEmpty(incoming.toResponse());
      return given === undefined ? { response, body: "" } : { response: given, body: undefined };
    },
    convert(response, body, request) {
      if (body.length === 0) return null;
      return isBoxed(response, request)
        ? box(json.convert(response, body, request))
        : fallback.convert(response, body, request);
    },
  };
}

/**
 * Whether a box is made of a response: its content type says JSON, with any parameters (RFC 9110
 * §8.3.1), or it is that to a HEAD, which has no body and makes null.
 */
function isBoxed({ headers }: Response, { method }: PreparedRequest): boolean {
  const type = headers.get("content-type") ?? "";
  return method === "HEAD" || /^\s*application\/json\s*(?:;|$)/i.test(type);
}

/** Whether the headers tell that there is a body: a length that counts what fetch will give. */
function hasLength({ headers, body }: Response): boolean {
  return body !== null && !headers.has("content-encoding") &&
    Number(headers.get("content-length")) > 0;
}

/** A response for the caller to read, once it is known that its body has something in it. */
async function unlessEmpty(response: Response): Promise<Response | undefined> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  if (reader === undefined) return undefined;
  let first = await reader.read();
  while (first.value?.length === 0) first = await reader.read();
  if (first.done) return undefined;
  const begun = first.value;
  const failure: BodyFailure = {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(begun),
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        failure.reason = { error };
        throw error;
      });
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  return withBodyError(responseLike(response, body), failure);
}
