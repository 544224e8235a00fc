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
 * @param newSplitter Creates the object that finds the JSON texts of a response
 * @param decode Converts them
 */
export async function* readJsonItems(
  source: StreamSource,
  newSplitter: () => ItemSplitter,
  decode: ItemDecoder,
): AsyncGenerator<unknown, void, undefined> {
  const { mayHaveErrors } = source;
  try {
    // Delegating the items of a response to another generator would cost a wait for each.
    response: for (;;) {
      const splitter = newSplitter();
      const utf8 = new Utf8Decoder();
      for (let chunk; (chunk = await source.read()) !== undefined;) {
        for (const item of splitter.push(utf8.decode(chunk))) {
          if (source.isCancelled) return;
          if (mayHaveErrors && await source.isRetried(item)) continue response;
          yield decode(item, source);
          source.count++;
        }
        refuseInvalid(utf8, source);
      }
      if (source.isCancelled) return;
      utf8.end();
      refuseInvalid(utf8, source);
      for (const item of splitter.end()) {
        if (mayHaveErrors && await source.isRetried(item)) continue response;
        yield decode(item, source);
      }
      return;
    }
  } finally {
    source.cancel();
  }
}

function refuseInvalid({ isInvalid }: Utf8Decoder, source: StreamSource): void {
  if (!isInvalid) return;
  throw source.decodeError(`${source.subject} is not valid UTF-8, which JSON has to be`);
}
