/** Reads a web stream chunk by chunk. */

/**
 * Returns an iterator over the chunks of a stream. It cancels the stream if the loop ends early, and
 * releases the lock at the end.
 *
 * The stream's own iterator differs in two ways. Not every browser has it, and it waits until the
 * stream is cancelled: a clone of a response, or a branch of `tee()`, is cancelled only when the
 * other one is read to its end or cancelled, too. A loop that is left would hang until then.
 */
export function streamChunks<T>(
  stream: ReadableStream<T>,
): AsyncIterableIterator<T, undefined, unknown> {
  const reader: ReadableStreamDefaultReader<T> = stream.getReader();
  let isOver = false;
  const end = (): IteratorReturnResult<undefined> => {
    isOver = true;
    reader.releaseLock();
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
      // A released reader has nothing to cancel.
      reader.cancel(reason).catch(() => {});
      return Promise.resolve(end());
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
