/** The response that a hook gets: reads its body only if the hook does, and can read it again. */
import { type BodyFailure, discardBody, responseLike, withBodyError } from "./response.ts";

/**
 * A response for a hook. Its body is read only if the hook reads it, and can be read again afterwards.
 *
 * It keeps the chunks that the hook has read. `clone()` and `tee()` would also keep those of a body
 * that the hook does not read.
 */
export class LazyResponse {
  /** The response for the hook. */
  readonly response: Response;
  readonly #original: Response;
  readonly #explain: (error: unknown) => unknown;
  readonly #failure: BodyFailure = {};
  readonly #chunks: Uint8Array[] = [];
  /** Reads the original body. The hook has begun to read if it is set. */
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  /**
   * @param original The response, whose body nobody has read
   * @param explain Returns the error to throw for an error of the transport
   */
  constructor(original: Response, explain: (error: unknown) => unknown) {
    this.#original = original;
    this.#explain = explain;
    this.response = original.body === null ? original : this.#withBody(async (controller) => {
      const { done, value } = await this.#read();
      if (done) return controller.close();
      this.#chunks.push(value);
      controller.enqueue(value);
    });
  }

  /** Returns the response for the caller: all of it, also the part that the hook has read. */
  toResponse(): Response {
    if (this.#reader === undefined) return this.#original;
    let next = 0;
    return this.#withBody(async (controller) => {
      const kept = this.#chunks[next++];
      const { done, value } = kept === undefined
        ? await this.#read()
        : { done: false, value: kept };
      if (done) controller.close();
      else controller.enqueue(value);
    }, (reason) => this.#reader?.cancel(reason));
  }

  /** Frees the connection of a response that nobody needs. */
  discard(): void {
    if (this.#reader === undefined) discardBody(this.#original);
    else this.#reader.cancel().catch(() => {});
  }

  async #read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    try {
      return await (this.#reader ??= this.#original.body!.getReader()).read();
    } catch (error) {
      this.#failure.reason = { error: this.#explain(error) };
      throw this.#failure.reason.error;
    }
  }

  #withBody(
    pull: (controller: ReadableStreamDefaultController<Uint8Array>) => Promise<void>,
    cancel: (reason: unknown) => void | Promise<void> = () => {},
  ): Response {
    const body = new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 });
    return withBodyError(responseLike(this.#original, body), this.#failure);
  }
}
