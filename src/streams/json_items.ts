/** Reads a body that consists of JSON texts, and yields them as decoded items. */
import type { ItemBatch } from "./batches.ts";
import type { ItemDecoder } from "./decode_item.ts";
import type { StreamSource } from "./item_stream.ts";
import { Utf8Decoder } from "./utf8_decoder.ts";

/** Splits a text into the JSON texts of its items. It returns items before it throws an error. */
export interface ItemSplitter {
  /** Adds the next part of the text, after `next` has returned undefined. */
  push(text: string): void;
  /** Returns the next item that ends in the text so far; undefined if there is none. */
  next(): string | undefined;
  /** Returns the item that ends with the text; undefined if there is none. */
  end(): string | undefined;
}

/**
 * Yields the items of a body that consists of JSON texts, in batches.
 *
 * @param source The body
 * @param newSplitter Creates the object that finds the JSON texts of a response
 * @param decode Converts them
 */
export async function* readJsonItems(
  source: StreamSource,
  newSplitter: () => ItemSplitter,
  decode: ItemDecoder,
): AsyncGenerator<ItemBatch<unknown>, void, undefined> {
  const { mayHaveErrors } = source;
  response: for (;;) {
    const splitter = newSplitter();
    const items = new JsonItems(splitter, decode, source);
    const utf8 = new Utf8Decoder();
    for (let chunk; (chunk = await source.read()) !== undefined;) {
      splitter.push(utf8.decode(chunk));
      if (!mayHaveErrors) yield items;
      else {
        for (let text; (text = splitter.next()) !== undefined;) {
          if (await source.isRetried(text)) continue response;
          yield oneItem(text, decode, source);
        }
      }
      refuseInvalid(utf8, source);
    }
    if (source.isCancelled) return;
    utf8.end();
    refuseInvalid(utf8, source);
    const text = splitter.end();
    if (text === undefined) return;
    if (mayHaveErrors && await source.isRetried(text)) continue;
    yield oneItem(text, decode, source);
    return;
  }
}

/** The items that end in the text that a splitter has. */
class JsonItems implements ItemBatch<unknown> {
  readonly #splitter: ItemSplitter;
  readonly #decode: ItemDecoder;
  readonly #source: StreamSource;

  constructor(splitter: ItemSplitter, decode: ItemDecoder, source: StreamSource) {
    this.#splitter = splitter;
    this.#decode = decode;
    this.#source = source;
  }

  next(): IteratorResult<unknown, void> {
    const text = this.#splitter.next();
    return text === undefined
      ? { done: true, value: undefined }
      : { done: false, value: this.#decode(text, this.#source) };
  }
}

/** Yields an item alone. It is decoded when it is handed on: a cancelled stream decodes no more items. */
function* oneItem(
  text: string,
  decode: ItemDecoder,
  source: StreamSource,
): Generator<unknown, void, undefined> {
  yield decode(text, source);
}

function refuseInvalid({ isInvalid }: Utf8Decoder, source: StreamSource): void {
  if (!isInvalid) return;
  throw source.decodeError(`${source.subject} is not valid UTF-8, which JSON has to be`);
}
