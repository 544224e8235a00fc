/** The interface of a format that reads a response while it arrives. */
import type { APIError } from "../errors/api_error.ts";
import type { DecodeErrorDetails } from "../errors/decode_error.ts";
import type { RequestSummary } from "../errors/message_text.ts";
import type { HeadersInput } from "../http/headers.ts";

/**
 * A format that reads a response as a stream of items, while it arrives. It is a value of the request
 * option `format`. Its method `stream` tells it from a {@linkcode ResponseFormat}, which gets the
 * whole body.
 *
 * The call ends when the headers of the response are there: retries, errors by status and
 * authentication are over then. The entry point `streams` has formats that are ready to use.
 *
 * @typeParam T The result of the call, such as `AsyncIterable<Message>`
 *
 * @example The text, as it arrives
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import type { StreamFormat, StreamPromise } from "@restwright/restwright/streams";
 *
 * const pieces: StreamFormat<AsyncGenerator<string>> = {
 *   accept: "text/plain",
 *   async *stream(response) {
 *     yield* response.body!.pipeThrough(new TextDecoderStream());
 *   },
 * };
 * class Server extends APIClient {
 *   static override readonly baseUrl: string = "https://server.example.com";
 *   log(): StreamPromise<string, AsyncGenerator<string>> {
 *     return this._get("/log", { format: pieces });
 *   }
 * }
 * const fetch = () => Promise.resolve(new Response("started"));
 * for await (const text of new Server({ fetch }).log()) console.log(text); // started
 * ```
 *
 * @category Responses
 */
export interface StreamFormat<T> {
  /** The Accept header, if the call sets none. Default: none */
  readonly accept?: string | undefined;
  /** Headers of the request. Those of the call and of `reopen` are merged over them. Default: none */
  readonly headers?: HeadersInput | undefined;
  /**
   * Returns the result of the call.
   *
   * @param response The response, unread. Its body ends with the idle timeout and the signals of the
   * call
   * @param call The call
   */
  stream(response: Response, call: StreamCall): T | Promise<T>;
}

/**
 * A call whose response is read as a stream.
 *
 * @category Responses
 */
export interface StreamCall {
  /** The method and the URL, without credentials and secrets. */
  readonly request: RequestSummary;
  /**
   * Returns the error to throw for an error of the body: a `TransportError` for a lost connection. A
   * mistake, or the reason of an aborted signal, is returned as it is.
   */
  toTransportError(error: unknown): unknown;
  /**
   * Returns the details for a `DecodeError`, with the request id.
   *
   * @param response The response
   * @param body The part of the body that the error is about
   */
  errorDetails(response: Response, body: string): DecodeErrorDetails;
  /** True if each item may report an error, because the option `errorsInSuccess` is set. */
  readonly errorsInItems: boolean;
  /**
   * Returns the error that an item reports, as the option `errorFrom` decides; undefined if it reports
   * none. The secrets of the request are hidden in its message.
   *
   * @param item The response that the item is a part of; `body`, the text of the item, such as its JSON,
   * which becomes the body of the error; and `isError: true` if the item is an error in any case, an
   * `APIError` unless `errorFrom` returns another one
   */
  errorOf(
    item: {
      readonly response: Response;
      readonly body: string;
      readonly isError?: boolean | undefined;
    },
  ): Promise<APIError | undefined>;
  /**
   * Makes the call again after an error of its first item, as after a failed attempt: with the same
   * limits, waits and hooks, but without the deadline. Returns the unread response.
   *
   * @throws The error, if it is not retryable or no attempt is left
   */
  retry(error: APIError): Promise<Response>;
  /**
   * Makes the call again, with other headers merged over its own, and returns the unread response. It
   * has its own retries.
   */
  reopen(headers: HeadersInput): Promise<Response>;
  /** Waits for some seconds by the clock of the session. It rejects if a signal aborts the call. */
  wait(seconds: number): Promise<void>;
  /**
   * Ends the work of `retry`, `reopen` and `wait`, which then reject, and the responses that they have
   * returned. Call it when nobody needs more items.
   */
  end(): void;
  /** The longest wait that the server may ask for, in seconds; null for no limit. */
  readonly maxRetryAfter: number | null;
}

/**
 * The items of a response, which are read while it arrives. Iterate over them once, with `for await`.
 *
 * The body is read only as fast as you iterate. Leaving the loop, by `break` or an error, cancels it.
 *
 * @typeParam T An item
 *
 * @category Responses
 */
export interface ItemStream<T> extends AsyncIterable<T> {
  /** Ends the stream and frees the connection, also while a loop waits for the next item. */
  cancel(): void;
  /**
   * The response, for its headers. Its body is the stream. After a reconnection or a retry, it is the
   * response to the last request.
   */
  readonly response: Response;
  /** The request id from the response header that the option `requestIdHeader` names. */
  readonly requestId: string | undefined;
}
