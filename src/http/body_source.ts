import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { BodyStream, FetchBody, RequestBody, Source } from "./request_body.ts";

/** What raw content can be, as errors say it. */
export const contentKinds =
  "a text, bytes, a Blob, a stream that nobody reads yet, or a function that opens one";

/** A body whose stream can be read once. */
export function onceBody(content: BodyStream): RequestBody {
  return { kind: "once", content, source: () => new BodySource(() => content) };
}

/** A body whose stream is opened for each sending. */
export function openedBody(open: () => BodyStream): RequestBody {
  return { kind: "opened", open, source: () => new BodySource(open) };
}

/** Whether something is a stream that nobody reads yet. */
export function isFreeStream(content: unknown): content is BodyStream {
  if (content instanceof ReadableStream) return !content.locked;
  return typeof content === "object" && content !== null && Symbol.asyncIterator in content;
}

/**
 * The source of a body of chunks.
 *
 * It remembers why the caller's stream failed: fetch rejects with that in ways that look like a
 * failure of the transport, and it is none.
 */
export class BodySource implements Source {
  readonly #open: () => unknown;
  #failure: { readonly error: unknown } | undefined;

  /** @param open Opens the stream, for each sending */
  constructor(open: () => unknown) {
    this.#open = open;
  }

  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  open(): FetchBody {
    return streamOf(this.#chunks(), (error) => this.#fail(error));
  }

  #chunks(): AsyncIterator<Uint8Array> {
    try {
      const content = this.#open();
      if (!isFreeStream(content)) throw new UnexpectedValueError("content", contentKinds, content);
      return content instanceof ReadableStream
        ? readerOf(content)
        : content[Symbol.asyncIterator]();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  #fail(error: unknown): void {
    this.#failure = { error };
  }
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

/** A stream of chunks that tells when their source fails. */
function streamOf(
  chunks: AsyncIterator<Uint8Array>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        onFailure(error);
        throw error;
      }
    },
    async cancel(reason) {
      await chunks.return?.(reason);
    },
  });
}
