/** The stream of items that a stream format returns, and the limited reading of its body. */
import { checkedLimit, checkedOptions } from "../base/checks.ts";
import { DecodeError } from "../errors/decode_error.ts";
import { ItemTooLargeError } from "../errors/item_too_large_error.ts";
import { requestText } from "../errors/message_text.ts";
import type { ItemStream, StreamCall } from "../content/stream_format.ts";

/**
 * Options of every stream format.
 *
 * @category Streams
 */
export interface StreamOptions {
  /**
   * The longest item: a line, an event, an element of an array, or an XML record. A longer one throws
   * an `ItemTooLargeError`. In UTF-16 code units; null for no limit
   *
   * @default {16_777_216}
   */
  readonly maxItemLength?: number | null | undefined;
}

/**
 * Checks the options of a stream format, and returns `maxItemLength`, or its default.
 *
 * @param options The options
 * @param ownNames The names of the options that only this format has
 */
export function maxItemLengthOf(
  options: StreamOptions,
  ownNames: readonly string[] = [],
): number {
  const { maxItemLength = 2 ** 24 } = checkedOptions(options, ["maxItemLength", ...ownNames]);
  return checkedLimit("maxItemLength", maxItemLength) ?? Infinity;
}

/** Returns the stream of items that are read from a body. */
export function itemStream<T>(
  items: AsyncGenerator<T, void, undefined>,
  source: StreamSource,
): ItemStream<T> {
  return { cancel: () => source.cancel(), [Symbol.asyncIterator]: () => items };
}

/** The body of a response that is read as a stream. */
export class StreamSource {
  /** The response. */
  response: Response;
  /** True if the consumer needs no more items. */
  isCancelled = false;
  /** The number of items so far, for errors. */
  count = 0;
  readonly #call: StreamCall;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  /**
   * @param response The response, unread
   * @param call The call
   */
  constructor(response: Response, call: StreamCall) {
    this.#call = call;
    this.response = response;
    this.#reader = response.body?.getReader();
  }

  /** Continues with the response to another request. */
  open(response: Response): void {
    this.response = response;
    this.#reader = response.body?.getReader();
    if (this.isCancelled) this.cancel();
  }

  /** Reads the next chunk; undefined at the end. */
  async read(): Promise<Uint8Array | undefined> {
    if (this.isCancelled) return undefined;
    try {
      return (await this.#reader?.read())?.value;
    } catch (error) {
      throw this.#call.toTransportError(error);
    }
  }

  /** Ends the body. It may have ended already. */
  cancel(): void {
    this.isCancelled = true;
    // Not awaited: if the response was cloned, this only settles after the clone was cancelled, too.
    this.#reader?.cancel().catch(() => {});
  }

  /** Returns the subject of an error of the item that is being read. */
  get subject(): string {
    return `item ${this.count + 1} of ${this.wholeSubject}`;
  }

  /** Returns the subject of an error of the whole response. */
  get wholeSubject(): string {
    return `the response to ${requestText(this.#call.request)}`;
  }

  /** Returns the error for an item that is too long. */
  tooLarge(limit: number): ItemTooLargeError {
    return new ItemTooLargeError(limit, this.count, this.#call.request);
  }

  /**
   * Returns the error for a body that is not in the format.
   *
   * @param message The message
   * @param body The part of the body that the error is about
   * @param cause The error of the parser
   */
  decodeError(message: string, body = "", cause?: unknown): DecodeError {
    return new DecodeError(message, { ...this.errorDetails(body), cause });
  }

  /** Returns the details for an error of a part of the body. */
  errorDetails(body: string): ReturnType<StreamCall["errorDetails"]> {
    return this.#call.errorDetails(this.response, body);
  }
}
