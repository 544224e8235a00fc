/** Decodes a source of XML to text, and makes all line breaks line feeds. */
import { isUint8Array } from "../base/bytes.ts";
import { mediaTypeOf } from "../base/media_type.ts";
import { streamChunks } from "../base/stream_chunks.ts";
import { encodingOf, HEAD_LENGTH } from "./encoding.ts";

/**
 * A source of XML: a text, bytes, chunks of either as they arrive, or a response, whose content type
 * can name the charset.
 *
 * @category XML
 */
export type XmlSource =
  | string
  | Uint8Array
  | Response
  | AsyncIterable<string | Uint8Array>
  | ReadableStream<string | Uint8Array>;

/** An error for an unknown encoding, or for input that cannot be decoded to valid Unicode text. */
export class EncodingFault extends Error {}

/**
 * Yields the text of a source: decoded, without a byte-order mark, and with all line breaks as line
 * feeds.
 */
export async function* textOf(
  source: XmlSource,
  charset?: string,
): AsyncGenerator<string, void, undefined> {
  /** Half a line break or half a character at the end of a chunk. */
  let carried = "";
  for await (const chunk of withoutMark(decoded(source, charset))) {
    let text = carried + chunk;
    carried = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    if (carried !== "") text = text.slice(0, -1);
    if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
    refuseHalves(text);
    if (text !== "") yield text;
  }
  refuseHalves(carried);
  if (carried !== "") yield "\n";
}

/**
 * Removes a byte-order mark. A second mark is an error, because one of the parsers would ignore it.
 */
async function* withoutMark(
  chunks: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  let marks = 0;
  let isStart = true;
  for await (const chunk of chunks) {
    let text = chunk;
    while (isStart && text !== "") {
      isStart = text.startsWith("\ufeff");
      if (!isStart) break;
      if (++marks > 1) throw new EncodingFault("a second byte-order mark: only one is allowed");
      text = text.slice(1);
    }
    yield text;
  }
}

/**
 * Rejects unpaired surrogates, because the parsers handle them differently. Only text sources have
 * them; decoded bytes never do.
 */
function refuseHalves(text: string): void {
  if (/[\ud800-\udfff]/u.test(text)) {
    throw new EncodingFault("unpaired surrogate: expected valid Unicode text");
  }
}

async function* decoded(
  source: XmlSource,
  charset: string | undefined,
): AsyncGenerator<string, void, undefined> {
  if (typeof source === "string") {
    yield source;
    return;
  }
  // A response of another realm is not an instance of this one's class.
  if ("headers" in source && "body" in source) {
    const { charset: own } = mediaTypeOf(source.headers.get("content-type"));
    yield* decoded(source.body ?? "", charset ?? own);
    return;
  }
  let decode: Decoder | undefined;
  /** The bytes that are held back until there are enough to detect the encoding. */
  let held = EMPTY;
  for await (const chunk of chunksOf(source)) {
    if (typeof chunk === "string") {
      yield chunk;
    } else if (decode !== undefined) {
      yield decode(chunk, true);
    } else {
      held = held.length === 0 ? chunk : joined(held, chunk);
      if (held.length < HEAD_LENGTH && !hasDeclaration(held)) continue;
      decode = decoderFor(encodingOf(held, charset));
      yield decode(held, true);
      held = EMPTY;
    }
  }
  decode ??= decoderFor(encodingOf(held, charset));
  // Decode in two steps: in one step, Node 22.18 decodes windows-1252 as Latin-1.
  if (held.length > 0) yield decode(held, true);
  yield decode(EMPTY, false);
}

/** Returns the chunks of a source, even if the runtime's streams are not iterable. */
function chunksOf(
  source: Exclude<XmlSource, string | Response>,
): Iterable<Uint8Array> | AsyncIterable<string | Uint8Array> {
  if (isUint8Array(source)) return [source];
  return "getReader" in source ? streamChunks(source) : source;
}

/** Reports if bytes have all of the XML declaration: it ends with the first `>`, in any encoding. */
function hasDeclaration(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && bytes.includes(0x3e);
}

const EMPTY: Uint8Array = new Uint8Array(0);

/** A function that decodes bytes. `more` is true if more bytes follow. */
type Decoder = (bytes: Uint8Array, more: boolean) => string;

function decoderFor(encoding: string): Decoder {
  let decoder: TextDecoder;
  try {
    // A byte-order mark is removed later, in the same way as that of a text.
    decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  } catch {
    throw new EncodingFault(
      "the encoding in the content type or in the XML declaration is not supported: expected UTF-8, " +
        "UTF-16, ISO-8859-1, windows-1252 or another that the runtime's TextDecoder supports",
    );
  }
  return (bytes, more) => {
    try {
      return decoder.decode(bytes, { stream: more });
    } catch {
      throw new EncodingFault(
        `the bytes are not valid ${decoder.encoding}: expected the encoding that the byte-order mark, ` +
          "the content type or the XML declaration names, or else UTF-8",
      );
    }
  };
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
