/** Reads a web stream chunk by chunk. */

/**
 * Returns an iterator over the chunks of a stream. It cancels the stream if the loop ends early.
 *
 * The stream's own iterator differs in two ways. Not every browser has it, and it waits until the
 * stream is cancelled: a clone of a response, or a branch of `tee()`, is cancelled only when the
 * other one is read to its end or cancelled, too. A loop that is left would hang until then.
 */
export function streamChunks<T>(
  stream: ReadableStream<T>,
): AsyncIterableIterator<T, undefined, unknown> {
  const reader: ReadableStreamDefaultReader<T> = stream.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    return(reason) {
      reader.cancel(reason).catch(() => {});
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
