/** Determines the encoding of an XML document from its first bytes and its content type. */
import { markedEncoding } from "./byte_order_mark.ts";

/** The number of bytes that are searched for an XML declaration. */
export const HEAD_LENGTH = 1024;

/**
 * Returns the encoding of an XML document. A byte-order mark has priority, then the charset of the
 * content type, then the XML declaration (RFC 7303 §3). If there is none of them, the encoding is
 * UTF-8, or UTF-16 if the first character shows it (XML 1.0, appendix F).
 *
 * @param head The first bytes: {@linkcode HEAD_LENGTH} of them, or all if there are fewer
 * @param charset The charset parameter of the content type
 */
export function encodingOf(head: Uint8Array, charset?: string): string {
  const marked = markedEncoding(head);
  if (marked !== undefined) return marked;
  if (charset !== undefined) return charset;
  const [first, second] = head;
  if (first === 0 && second === 0x3c) return "utf-16be";
  if (first === 0x3c && second === 0) return "utf-16le";
  const declared = declaredEncoding(head);
  // A declaration that can be read byte by byte is not UTF-16. The document was UTF-16 before it
  // was saved in another encoding.
  return declared === undefined || /^(?:utf-?16|ucs-?2|iso-10646)/i.test(declared)
    ? "utf-8"
    : declared;
}

function declaredEncoding(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head.subarray(0, HEAD_LENGTH));
  const declaration = /^<\?xml\s[^>]*?\sencoding\s*=\s*(?:"([\w.:-]+)"|'([\w.:-]+)')/.exec(text);
  return declaration?.[1] ?? declaration?.[2];
}
