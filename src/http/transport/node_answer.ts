/** Creates a Response from a response of `node:http`, and decodes gzip. */
import { responseLike } from "../response.ts";
import type { IncomingMessage } from "./node_builtins.ts";
import { headerPairs } from "./tunnel.ts";

/** Statuses whose response has no body (RFC 9110 §15). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Creates a Response from a response of `node:http`. A gzip body is decoded, because the request
 * asks for gzip.
 *
 * @param message The response of `node:http`
 * @param method The method of the request
 * @param url The URL of the request
 * @param done Called when the body has been read to its end, has failed, or was cancelled
 */
export function answerOf(
  message: IncomingMessage,
  method: string,
  url: URL,
  done: () => void,
): Response {
  const headers = new Headers();
  for (const [name, value] of headerPairs(message.rawHeaders)) headers.append(name, value);
  const original = shape(message, url, headers);
  const bytes = bytesOf(message, done);
  if (method === "HEAD" || bodiless.has(original.status)) {
    // A message without a body has to be read to its end, too.
    bytes.pipeTo(new WritableStream()).catch(() => {});
    return responseLike(original, null);
  }
  const isGzip = /^(?:x-)?gzip$/i.test(headers.get("content-encoding") ?? "");
  const body = isGzip ? bytes.pipeThrough(new DecompressionStream("gzip")) : bytes;
  return responseLike(original, body);
}

/** Returns the properties of a response. A `Response` would refuse some statuses. */
function shape(
  { statusCode: status, statusMessage: statusText }: IncomingMessage,
  { href }: URL,
  headers: Headers,
): Response {
  // The URL of a response has no fragment (Fetch Standard §5.5).
  const [url] = href.split("#");
  return { status, statusText, headers, url, redirected: false, type: "default" } as Response;
}

/** Returns the bytes of a message as a stream that reads only as much as its consumer asks for. */
function bytesOf(
  message: IncomingMessage,
  done: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = message[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done: isLast, value } = await chunks.next();
        if (!isLast) return controller.enqueue(new Uint8Array(value));
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      done();
    },
    cancel() {
      done();
      message.destroy();
    },
  }, { highWaterMark: 0 });
}
