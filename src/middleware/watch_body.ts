/** Copies a response, and reports when its body is read, ends, fails or is cancelled. */
import { readerOf } from "#transport";
import { type BodyFailure, responseLike, withBodyError } from "../http/response.ts";

/** Functions that follow the body of a response. */
export interface BodyWatch {
  /** Called with each chunk before the reader gets it. */
  readonly onChunk?: (chunk: Uint8Array) => void;
  /**
   * Called once, at the end of the body. The reader waits for a promise, and gets its error.
   *
   * @param isComplete True if the body was read to its end, false if it failed or was cancelled
   * @param failure Has the error of a body that failed
   */
  readonly onEnd: (
    isComplete: boolean,
    failure?: { readonly error: unknown },
  ) => void | Promise<void>;
}

/**
 * Returns a copy of a response that reports what its reader does. Nothing is read ahead. A response
 * without a body ends at once, and is returned as it is.
 */
export async function watchBody(
  response: Response,
  { onChunk, onEnd }: BodyWatch,
): Promise<Response> {
  if (response.body === null) {
    await onEnd(true);
    return response;
  }
  const reader = readerOf(response, response.body);
  const failure: BodyFailure = {};
  let hasEnded = false;
  const end = async (...result: Parameters<typeof onEnd>) => {
    if (hasEnded) return;
    hasEnded = true;
    await onEnd(...result);
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          onChunk?.(value!);
          controller.enqueue(value!);
          return;
        }
        await end(true);
        controller.close();
      } catch (error) {
        failure.reason = { error };
        await end(false, failure.reason);
        controller.error(error);
      }
    },
    async cancel(reason) {
      await end(false);
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  return withBodyError(responseLike(response, body), failure);
}
