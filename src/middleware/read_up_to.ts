/** Reads the body of a response, and stops at a limit. */
import { readerOf } from "#transport";
import { joined } from "../http/incoming_response.ts";
import { type BodyFailure, discardBody, responseLike, withBodyError } from "../http/response.ts";
import { listen, unlisten } from "../http/abort.ts";
import type { SentRequest } from "../call/sent_request.ts";

/** A whole body; null for none. */
export type ReadBody = Uint8Array<ArrayBuffer> | null;

/**
 * Reads the body of a response, but not more than a limit. The idle timeout of the request counts.
 *
 * @param response The response
 * @param limit The limit in bytes
 * @param sent The request
 * @returns The body; or, if it is longer, a response whose body begins with the part that was read
 * @throws The error of the body, or the reason of the signal
 */
export async function readUpTo(
  response: Response,
  limit: number,
  sent: SentRequest,
): Promise<ReadBody | Response> {
  if (response.body === null) return null;
  const { signal } = sent;
  const { headers } = response;
  const isEncoded = headers.has("content-encoding");
  if (!isEncoded && Number(headers.get("content-length")) > limit) return response;
  if (signal?.aborted) {
    discardBody(response);
    throw signal.reason;
  }
  const reader = readerOf(response, response.body);
  const chunks: Uint8Array[] = [];
  // Makes a pending read return, even if the source of the body ignores the signal.
  const onAbort = (reason: unknown) => void reader.cancel(reason).catch(() => {});
  signal && listen(signal, onAbort);
  try {
    for (let length = 0; length <= limit;) {
      sent.startIdle();
      const { done, value } = await reader.read();
      sent.stopIdle();
      signal?.throwIfAborted();
      if (done) return joined(chunks);
      length += value!.length;
      chunks.push(value!);
    }
  } finally {
    sent.stopIdle();
    signal && unlisten(signal, onAbort);
  }
  const failure: BodyFailure = {};
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const value = chunks.shift() ?? (await reader.read()).value;
        if (value === undefined) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        failure.reason = { error };
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  return withBodyError(responseLike(response, body), failure);
}
