/** Reads a stream of bytes in chunks, and closes it if the reader stops early. */
import { isUint8Array } from "../base/bytes.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { chunksOf } from "../http/request_body.ts";

/**
 * Yields the chunks of a stream, and closes the stream if the loop ends early.
 *
 * @param content The stream
 * @param option The name of the stream in errors
 * @throws {UnexpectedValueError} If it is not a stream of bytes, or somebody reads it
 */
export async function* byteChunks(
  content: unknown,
  option: string,
): AsyncGenerator<Uint8Array, void> {
  const chunks = chunksOf(content, option);
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const chunk: unknown = next.value;
      if (!isUint8Array(chunk)) {
        throw new UnexpectedValueError(option, "a stream of Uint8Array", chunk);
      }
      yield chunk;
    }
  } finally {
    await chunks.return?.();
  }
}
