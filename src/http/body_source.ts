import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { BodyStream, RequestBody, UploadBody } from "./request_body.ts";

/** What raw content can be, as errors say it. */
export const contentKinds =
  "a text, bytes, a Blob, a stream that nobody reads yet, or a function that opens one";

/** A body whose stream can be read once. */
export function oneShotBody(content: BodyStream): RequestBody {
  return { kind: "once", content, source: () => chunkSource(() => content) };
}

/** A body whose stream is opened for each sending. */
export function openedBody(open: () => BodyStream): RequestBody {
  return { kind: "opened", open, source: () => chunkSource(open) };
}

/** Whether something is a stream that nobody reads yet. */
export function isUnlockedStream(content: unknown): content is BodyStream {
  if (content instanceof ReadableStream) return !content.locked;
  return typeof content === "object" && content !== null && Symbol.asyncIterator in content;
}

/**
 * The source of a body of chunks.
 *
 * It remembers why the caller's stream failed: fetch rejects with that in ways that look like a
 * failure of the transport, and it is none.
 *
 * @param open Opens the stream, for each sending
 */
function chunkSource(open: () => unknown): UploadBody {
  let failure: UploadBody["failure"];
  const fail = (error: unknown): never => {
    failure = { error };
    throw error;
  };
  return {
    get failure() {
      return failure;
    },
    open() {
      try {
        return streamOf(chunksOf(open()), fail);
      } catch (error) {
        return fail(error);
      }
    },
  };
}

/** The chunks of what should be a stream that nobody reads yet. */
function chunksOf(content: unknown): AsyncIterator<Uint8Array> {
  if (!isUnlockedStream(content)) throw new UnexpectedValueError("content", contentKinds, content);
  return content instanceof ReadableStream ? readerOf(content) : content[Symbol.asyncIterator]();
}

/** A stream's reader as an iterator, which not every browser makes of a stream. */
function readerOf(stream: ReadableStream<Uint8Array>): AsyncIterator<Uint8Array> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    async return(reason) {
      await reader.cancel(reason);
      return { done: true, value: undefined };
    },
  };
}

/** A stream of chunks that tells when their source fails, and fails with it. */
function streamOf(
  chunks: AsyncIterator<Uint8Array>,
  onFailure: (error: unknown) => never,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        onFailure(error);
      }
    },
    async cancel(reason) {
      await chunks.return?.(reason);
    },
  });
}
