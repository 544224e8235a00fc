/** Cuts the content of an upload into parts of the same size. */
import { checkedOptions, checkedSignal } from "../base/checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { listen, unlisten } from "../http/abort.ts";
import { type BodyStream, chunksOf } from "../http/request_body.ts";
import { type Content, prepareContent } from "../content/body.ts";
import { byteChunks } from "./chunks.ts";

/**
 * A part of the content of an upload.
 *
 * @category Files
 */
export interface ContentPart {
  /** The number of the part, from 0. */
  readonly index: number;
  /** The position of its first byte in the content. */
  readonly start: number;
  /** The bytes. Only the last part can be empty, if the whole content is. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True for the last part. */
  readonly isLast: boolean;
}

/**
 * Cuts content into parts of the same size, for an API that takes a large file in several requests.
 * Only the last part can be shorter. Empty content is one part without bytes.
 *
 * The content is read only as fast as you iterate: in memory, there is one part, and a chunk of the
 * next. Leaving the loop closes the stream. As a part is whole, its request has a Content-Length, and
 * can be retried.
 *
 * @param content The content: text, bytes, a Blob, a stream, or a function that opens a stream
 * @param size The bytes of a part
 * @param options `signal` ends the loop with its reason and closes the stream, also while the stream
 * sends nothing
 * @throws {UnexpectedValueError} If an argument is invalid, or the stream has chunks of something else
 * than bytes
 *
 * @example
 * ```ts
 * import { inParts } from "@restwright/restwright/files";
 *
 * for await (const { index, bytes, isLast } of inParts(new Blob(["hello"]), 3)) {
 *   console.log(index, bytes.length, isLast); // 0 3 false, then 1 2 true
 * }
 * ```
 *
 * @category Files
 */
export function inParts(
  content: Content,
  size: number,
  options: { readonly signal?: AbortSignal | null | undefined } = {},
): AsyncGenerator<ContentPart, void> {
  if (!Number.isSafeInteger(size) || size < 1) {
    throw new UnexpectedValueError("size", "a whole number of bytes above 0", size);
  }
  const signal = checkedSignal("signal", checkedOptions(options, ["signal"]).signal);
  const body = prepareContent(content);
  const stream = body.kind === "once"
    ? body.content
    : body.kind === "opened"
    ? body.open()
    : new Blob([body.content as BlobPart]).stream();
  return cut(signal === undefined ? stream : untilAborted(stream, signal), size);
}

async function* cut(content: BodyStream, size: number): AsyncGenerator<ContentPart, void> {
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let index = 0;
  const take = (isLast: boolean): ContentPart => {
    const part = { index, start: index * size, bytes: joined(chunks, length), isLast };
    chunks = [];
    length = 0;
    index++;
    return part;
  };
  for await (const chunk of byteChunks(content, "content")) {
    for (let rest = chunk; rest.length > 0;) {
      if (length === size) yield take(false);
      // Copied, because the stream may use its buffer again for the next chunk.
      const piece = new Uint8Array(rest.subarray(0, size - length));
      chunks.push(piece);
      length += piece.length;
      rest = rest.subarray(piece.length);
    }
  }
  yield take(true);
}

/** Yields the chunks of a stream until the signal is aborted. */
async function* untilAborted(
  content: BodyStream,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const chunks = chunksOf(content);
  const read = () => {
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Uint8Array>>();
    if (signal.aborted) reject(signal.reason);
    else {
      listen(signal, reject);
      chunks.next().then(resolve, reject).finally(() => unlisten(signal, reject));
    }
    return promise;
  };
  try {
    for (let next = await read(); !next.done; next = await read()) yield next.value;
  } finally {
    // A generator closes only after its current chunk, which may never come.
    const closed = Promise.resolve(chunks.return?.()).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (!signal.aborted) await closed;
  }
}

function joined(
  chunks: readonly Uint8Array<ArrayBuffer>[],
  length: number,
): Uint8Array<ArrayBuffer> {
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(length);
  let position = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, position);
    position += chunk.length;
  }
  return bytes;
}
