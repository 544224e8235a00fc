/** Decodes UTF-8 in chunks, and keeps the text before an invalid byte. */

const options = { fatal: true, ignoreBOM: true } as const;
const empty = new Uint8Array(0);

/**
 * Decodes UTF-8 in chunks, without a byte order mark at the start.
 *
 * At an invalid byte it returns the text before it, and sets `isInvalid`. A `TextDecoder` would drop
 * that text, and with it items that are complete.
 */
export class Utf8Decoder {
  /** True after an invalid byte. The text after it is lost. */
  isInvalid = false;
  readonly #decoder = new TextDecoder("utf-8", options);
  /** The first bytes of a character whose other bytes have not arrived. */
  #held: Uint8Array = empty;
  #isStart = true;

  /** Decodes the next chunk. */
  decode(chunk: Uint8Array): string {
    const bytes = this.#held.length === 0 ? chunk : joined(this.#held, chunk);
    const end = bytes.length - incompleteLength(bytes);
    this.#held = end === bytes.length ? empty : bytes.slice(end);
    let text: string;
    try {
      text = this.#decoder.decode(bytes.subarray(0, end));
    } catch {
      this.isInvalid = true;
      text = validStart(bytes);
    }
    if (!this.#isStart || text === "") return text;
    this.#isStart = false;
    return text.startsWith("\ufeff") ? text.slice(1) : text;
  }

  /** Ends the text. It is invalid if its last character is not complete. */
  end(): void {
    if (this.#held.length > 0) this.isInvalid = true;
  }
}

/** Returns the number of bytes at the end that begin a character, but do not complete it. */
function incompleteLength(bytes: Uint8Array): number {
  for (let count = 1; count <= 3 && count <= bytes.length; count++) {
    const byte = bytes[bytes.length - count]!;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue; // not the first byte of a character
    return (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) > count ? count : 0;
  }
  return 0;
}

/** Returns the text before the first invalid byte. */
function validStart(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", options);
  let text = "";
  try {
    for (const byte of bytes) text += decoder.decode(Uint8Array.of(byte), { stream: true });
  } catch {
    // This is the invalid byte.
  }
  return text;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
