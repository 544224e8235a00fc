/** Reads a web stream chunk by chunk. */

/**
 * Returns an iterator over the chunks of a stream. It cancels the stream if the loop ends early.
 *
 * The stream's own iterator differs in two ways. Not every browser has it, and it waits until the
 * stream is cancelled: a clone of a response, or a branch of `tee()`, is cancelled only when the
 * other one is read to its end or cancelled, too. A loop that is left would hang until then.
 *
 * @param stream The stream
 * @param keepsLock True to leave the stream locked at the end, so that nobody can read it again
 */
export function streamChunks<T>(
  stream: ReadableStream<T>,
  keepsLock: boolean = false,
): AsyncIterableIterator<T, undefined, unknown> {
  const reader: ReadableStreamDefaultReader<T> = stream.getReader();
  let isOver = false;
  const end = (): IteratorReturnResult<undefined> => {
    isOver = true;
    if (!keepsLock) reader.releaseLock();
    return { done: true, value: undefined };
  };
  return {
    async next() {
      if (isOver) return { done: true, value: undefined };
      try {
        const { done, value } = await reader.read();
        return done ? end() : { done, value };
      } catch (error) {
        end();
        throw error;
      }
    },
    return(reason) {
      reader.cancel(reason).catch(() => {});
      return Promise.resolve(end());
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
