import { responseLike } from "../response.ts";
import type { IncomingMessage } from "./node_builtins.ts";
import { headerPairs } from "./tunnel_refusal.ts";

/** Statuses whose response has no body (RFC 9110 §15). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Makes a response of an answer that `node:http` got; gzip is decoded, as it was asked for.
 *
 * @param message The answer
 * @param method The method of the request
 * @param done Called when the last byte is there, or nobody wants it
 */
export function answerOf(message: IncomingMessage, method: string, done: () => void): Response {
  const { statusCode: status, statusMessage: statusText } = message;
  const headers = new Headers();
  for (const [name, value] of headerPairs(message.rawHeaders)) headers.append(name, value);
  const bytes = bytesOf(message, done);
  if (method === "HEAD" || bodiless.has(status)) {
    // The end of a message without a body has to be read all the same.
    bytes.pipeTo(new WritableStream()).catch(() => {});
    return responseLike(shape(status, statusText, headers), null);
  }
  const isGzip = /^(?:x-)?gzip$/i.test(headers.get("content-encoding") ?? "");
  const body = isGzip ? bytes.pipeThrough(new DecompressionStream("gzip")) : bytes;
  return responseLike(shape(status, statusText, headers), body);
}

/** What a response is made like; a status that the constructor refuses is kept. */
function shape(status: number, statusText: string, headers: Headers): Response {
  const missing = { url: "", redirected: false, type: "default" };
  return { status, statusText, headers, ...missing } as Response;
}

/** The bytes of an answer, as fast as they are taken. */
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
