import { IncomingResponse, joined } from "../http/incoming_response.ts";
import { responseLike } from "../http/response.ts";
import { classifyStatus } from "../request/attempts.ts";
import type { Call } from "../request/call.ts";
import { statusFailure } from "../request/retry.ts";
import { watchBody } from "./watch_body.ts";

/**
 * A response with an error status that reported a limit. The error of a call that the limit rejects
 * has the error of this response as its cause.
 */
export class LimitCause {
  readonly #response: Response;
  readonly #call: Call;
  readonly #retries: number;
  readonly #chunks: Uint8Array[] = [];
  #isRead = false;
  #error: Promise<Error | undefined> | undefined;

  /**
   * @param response The response
   * @param call Its call
   * @param retries The number of retries of the call so far
   */
  constructor(response: Response, call: Call, retries: number) {
    this.#response = response;
    this.#call = call;
    this.#retries = retries;
  }

  /** True if nobody reads the body any more. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /**
   * Returns a copy of the response that keeps the bytes which its reader gets.
   *
   * @param onRead Called when nobody reads the body any more
   */
  watch(onRead: () => void): Promise<Response> {
    return watchBody(this.#response, {
      onChunk: (chunk) => void this.#chunks.push(chunk.slice()),
      onEnd: () => {
        this.#isRead = true;
        onRead();
      },
    });
  }

  /** Returns the error that the call of the response throws; undefined if it throws none. */
  error(): Promise<Error | undefined> {
    // The function for the message may throw. Its error belongs to the call of the response.
    return this.#error ??= this.#createError().catch(() => undefined);
  }

  async #createError(): Promise<Error | undefined> {
    const failed = classifyStatus(this.#response.status, this.#call.settings);
    if (failed === undefined) return undefined;
    const read = responseLike(this.#response, joined(this.#chunks));
    const body = await new IncomingResponse(read, undefined).errorBody();
    return (await statusFailure(failed, body, this.#call, this.#retries)).error;
  }
}
