/** Reads a body that consists of JSON texts, and yields them as decoded items. */
import type { ItemDecoder } from "./decode_item.ts";
import type { StreamSource } from "./item_stream.ts";
import { Utf8Decoder } from "./utf8_decoder.ts";

/** Splits a text into the JSON texts of its items. It yields items before it throws an error. */
export interface ItemSplitter {
  /** Yields the items that end in the next part of the text. */
  push(text: string): Iterable<string>;
  /** Yields the item that ends with the text, if there is one. */
  end(): Iterable<string>;
}

/**
 * Yields the items of a body that consists of JSON texts.
 *
 * @param source The body
 * @param splitter Finds the JSON texts
 * @param decode Converts them
 */
export async function* readJsonItems(
  source: StreamSource,
  splitter: ItemSplitter,
  decode: ItemDecoder,
): AsyncGenerator<unknown, void, undefined> {
  const utf8 = new Utf8Decoder();
  try {
    for (let chunk; (chunk = await source.read()) !== undefined;) {
      for (const item of splitter.push(utf8.decode(chunk))) {
        if (source.isCancelled) return;
        yield decode(item, source);
        source.count++;
      }
      refuseInvalid(utf8, source);
    }
    if (source.isCancelled) return;
    utf8.end();
    refuseInvalid(utf8, source);
    for (const item of splitter.end()) yield decode(item, source);
  } finally {
    source.cancel();
  }
}

function refuseInvalid({ isInvalid }: Utf8Decoder, source: StreamSource): void {
  if (!isInvalid) return;
  throw source.decodeError(`${source.subject} is not valid UTF-8, which JSON has to be`);
}
