import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/** A raw body that can be sent once: its chunks are bytes. */
export type BodyStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** What fetch sends as it is: the web has a name for it, `BodyInit`, which Node's types lack. */
type FetchBody = NonNullable<RequestInit["body"]>;

/** The body of a request, ready to be sent. */
export type RequestBody =
  | { readonly kind: "none" }
  | { readonly kind: "whole"; readonly content: FetchBody; readonly type?: string }
  | { readonly kind: "once"; readonly content: BodyStream }
  | { readonly kind: "opened"; readonly open: () => BodyStream };

/** What raw content can be, as errors say it. */
export const contentKinds =
  "a text, bytes, a Blob, a stream that nobody reads yet, or a function that opens one";

/** Whether a body can be sent again. */
export function isReplayable(body: RequestBody): boolean {
  return body.kind !== "once";
}

/** Whether its bytes are known before it is sent; it is fetch that writes a form of parts. */
export function isReadableBefore(body: RequestBody): boolean {
  return body.kind === "whole" ? !(body.content instanceof FormData) : isReplayable(body);
}

/** The bytes that fetch sends for a body, in chunks; it is opened when the first is asked for. */
export async function* chunksOf(open: () => FetchBody | undefined): AsyncGenerator<Uint8Array> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = new Response(open()).body
    ?.getReader();
  try {
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      yield read.value;
    }
  } finally {
    await reader?.cancel();
  }
}

/** Whether something is a stream that nobody reads yet. */
export function isFreeStream(content: unknown): content is BodyStream {
  if (content instanceof ReadableStream) return !content.locked;
  return typeof content === "object" && content !== null && Symbol.asyncIterator in content;
}

/**
 * The source of a body while it is sent, once or several times.
 *
 * It remembers why the caller's stream failed: fetch rejects with that in ways that look like a
 * failure of the transport, and it is none.
 */
export class BodySource {
  readonly #body: RequestBody;
  #failure: { readonly error: unknown } | undefined;

  /** @param body The body */
  constructor(body: RequestBody) {
    this.#body = body;
  }

  /** Why the caller's stream, or the function that opens it, failed; undefined where it did not. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** What fetch is given, for one sending. */
  open(): FetchBody | undefined {
    const body = this.#body;
    if (body.kind === "none") return undefined;
    if (body.kind === "whole") return body.content;
    return streamOf(this.#chunks(body), (error) => this.#fail(error));
  }

  #chunks(body: Extract<RequestBody, { kind: "once" | "opened" }>): AsyncIterator<Uint8Array> {
    try {
      const content: unknown = body.kind === "once" ? body.content : body.open();
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
