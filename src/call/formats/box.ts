/** The format of the option `box`: boxes of JSON, and all other responses as another format has them. */
import type { BoxAttrs } from "../../box/mod.ts";
import { mediaTypeOf } from "../../base/media_type.ts";
import { boxer } from "../../box/to_box.ts";
import { type BodyFailure, responseLike, withBodyError } from "../../http/response.ts";
import type { Call, Format } from "../call.ts";
import { parsedFormat } from "./json.ts";

/**
 * Returns the format that converts JSON to a box; null if the body is empty.
 *
 * @param attrs The settings of boxes
 * @param fallback The format of a body whose content type is not JSON
 */
export function boxFormat(attrs: BoxAttrs | undefined, fallback: Format): Format {
  const box = boxer(attrs);
  const { defaultHeaders } = fallback;
  return {
    ...(defaultHeaders && { defaultHeaders }),
    async receive(incoming, call) {
      const { response } = incoming;
      if (fallback === parsedFormat || isBoxed(response, call)) {
        return await parsedFormat.receive(incoming, call);
      }
      const result = hasLength(response)
        ? incoming.toResponse()
        : await unlessEmpty(incoming.toResponse());
      return result === undefined ? { response, body: "" } : { response: result, body: undefined };
    },
    convert(received, run) {
      if (received.body?.length === 0) return null;
      return received.body !== undefined && isBoxed(received.response, run.call)
        ? box(parsedFormat.convert(received, run))
        : fallback.convert(received, run);
    },
  };
}

/**
 * Reports if a response is converted to a box: its content type is JSON, with any parameters
 * (RFC 9110 §8.3.1), or it is the response to a HEAD, which has no body and becomes null.
 */
function isBoxed({ headers }: Response, { method }: Call): boolean {
  return method === "HEAD" ||
    mediaTypeOf(headers.get("content-type")).essence === "application/json";
}

/** Reports if the headers show that there is a body: with a length that no encoding changes. */
function hasLength({ headers, body }: Response): boolean {
  return body !== null && !headers.has("content-encoding") &&
    Number(headers.get("content-length")) > 0;
}

/** Returns a response for the caller; undefined if its body is empty. */
async function unlessEmpty(response: Response): Promise<Response | undefined> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  if (reader === undefined) return undefined;
  let first = await reader.read();
  while (first.value?.length === 0) first = await reader.read();
  if (first.done) return undefined;
  const firstChunk = first.value;
  const failure: BodyFailure = {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(firstChunk),
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
