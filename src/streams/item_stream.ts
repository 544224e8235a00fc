/** The stream of items that a stream format returns, and the limited reading of its body. */
import { checkedLimit, checkedOptions } from "../base/checks.ts";
import { addNote } from "../errors/base_error.ts";
import { DecodeError } from "../errors/decode_error.ts";
import { ItemTooLargeError } from "../errors/item_too_large_error.ts";
import { TransportError } from "../errors/transport_error.ts";
import { requestText } from "../errors/message_text.ts";
import type { ItemStream, StreamCall } from "../content/stream_format.ts";
import { BatchItems, type ItemBatch } from "./batches.ts";

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

/** Returns the stream of items that are read from a body in batches. */
export function itemStream<T>(
  batches: AsyncGenerator<ItemBatch<T>, void, undefined>,
  source: StreamSource,
): ItemStream<T> {
  return new BodyItems(new BatchItems(batches, source), source);
}

/** The items of a body. An object literal with getters would take 32 µs longer to create (Node 24). */
class BodyItems<T> implements ItemStream<T> {
  readonly #items: BatchItems<T>;
  readonly #source: StreamSource;

  constructor(items: BatchItems<T>, source: StreamSource) {
    this.#items = items;
    this.#source = source;
  }

  cancel(): void {
    this.#source.cancel();
  }

  get response(): Response {
    return this.#source.response;
  }

  get requestId(): string | undefined {
    return this.#source.errorDetails("").requestId;
  }

  [Symbol.asyncIterator](): BatchItems<T> {
    return this.#items;
  }
}

/** The body of a response that is read as a stream. */
export class StreamSource {
  /** The response. */
  response: Response;
  /** True if the consumer needs no more items. */
  isCancelled = false;
  /** The number of items that have been handed on, for errors. */
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
    if (this.isCancelled) this.#close();
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
    if (this.isCancelled) return;
    this.isCancelled = true;
    this.#close();
    this.#call.end();
  }

  #close(): void {
    // Not awaited: if the response was cloned, this only settles after the clone was cancelled, too.
    this.#reader?.cancel().catch(() => {});
  }

  /** True if each item may report an error. */
  get mayHaveErrors(): boolean {
    return this.#call.errorsInItems;
  }

  /**
   * Throws the error that an item reports. If no item has been delivered and the error is retried, it
   * makes the call again instead, so that the next chunk is the first one of another response.
   *
   * @param text The text of the item
   * @param isError True if the item is an error in any case. Default: `errorFrom` decides
   * @returns True if the call has been made again; false if the item is not an error
   */
  async isRetried(text: string, isError = false): Promise<boolean> {
    const { response } = this;
    const error = await this.#call.errorOf({ response, body: text, isError });
    if (error === undefined) return false;
    if (this.count > 0) {
      if (error.retryable) addNote(error, "items of the stream have been delivered");
      throw error;
    }
    this.#close();
    this.open(await this.#call.retry(error));
    return true;
  }

  /** Returns the subject of an error of the item that is being read. */
  get subject(): string {
    return `item ${this.count + 1} of ${this.wholeSubject}`;
  }

  /** Returns the subject of an error of the whole response. */
  get wholeSubject(): string {
    return `the response to ${requestText(this.#call.request)}`;
  }

  /** Returns the error for a stream that ends too early. */
  endedEarly(missing: string): unknown {
    const error = new TransportError(`the stream ended without ${missing}`, { kind: "reset" });
    return this.#call.toTransportError(error);
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
