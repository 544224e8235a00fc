import { markedEncoding } from "./byte_order_mark.ts";

/** How many bytes an XML declaration is looked for in. */
export const HEAD_LENGTH = 1024;

/**
 * The encoding of an XML document, by its first bytes and by what its content type says
 * (RFC 7303 §3: a byte-order mark goes first, then the content type, then the XML declaration).
 * Without any of them it is UTF-8, or UTF-16 where the first character tells (XML 1.0, appendix F).
 *
 * @param head The first bytes, {@linkcode HEAD_LENGTH} where there are as many
 * @param charset The parameter of the content type
 */
export function encodingOf(head: Uint8Array, charset?: string): string {
  const marked = markedEncoding(head);
  if (marked !== undefined) return marked;
  if (charset !== undefined) return charset;
  const [first, second] = head;
  if (first === 0 && second === 0x3c) return "utf-16be";
  if (first === 0x3c && second === 0) return "utf-16le";
  const declared = declaredEncoding(head);
  // What can be read byte by byte is not UTF-16: the text was, before somebody wrote it down.
  return declared === undefined || /^(?:utf-?16|ucs-?2|iso-10646)/i.test(declared)
    ? "utf-8"
    : declared;
}

function declaredEncoding(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head.subarray(0, HEAD_LENGTH));
  const declaration = /^<\?xml\s[^>]*?\sencoding\s*=\s*(?:"([\w.:-]+)"|'([\w.:-]+)')/.exec(text);
  return declaration?.[1] ?? declaration?.[2];
}
