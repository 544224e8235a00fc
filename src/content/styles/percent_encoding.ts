/** Percent-encodes the texts of parameters, with or without the reserved characters (RFC 3986). */
import type { ParameterPlace } from "../../base/styled_value.ts";

/** The reserved characters (RFC 3986 §2.2) that do not end a parameter, by its place. */
const reserved: Readonly<Record<Exclude<ParameterPlace, "header">, string>> = {
  // Without the apostrophe, which URL parsers encode (URL Standard §1.3).
  query: ":/?@!$()*,;",
  path: ":@!$&'()*+,;=",
  // Those that the value of a cookie can have (RFC 6265 §4.1.1).
  cookie: "!#$&'()*+/:=?@[]",
};

/**
 * Returns the function that encodes the texts of a parameter.
 *
 * @param place The place of the parameter
 * @param allowReserved True if reserved characters, and what is percent-encoded already, stay as they
 * are (RFC 6570 §3.2.3)
 * @param ends The characters that end a text, and are always encoded
 */
export function encoderFor(
  place: ParameterPlace,
  allowReserved: boolean,
  ends: string,
): (text: string) => string {
  if (place === "header") return (text) => text;
  if (!allowReserved) return encodeAll;
  return (text) =>
    text.replace(/%[\dA-Fa-f]{2}|[^\w.~-]/gu, (part) => {
      // A dot that is percent-encoded is a dot (RFC 3986 §6.2.2.2), also for the check of dot segments.
      if (part.length === 3) return part.toLowerCase() === "%2e" ? "." : part;
      return reserved[place].includes(part) && !ends.includes(part) ? part : encodeAll(part);
    });
}

/**
 * Encodes a text as the reserved expansion of RFC 6570 (§3.2.3) does, except that `?` and `#` are encoded,
 * too: they would end the path.
 */
export function encodeReserved(text: string): string {
  return text.replace(
    /%[\dA-Fa-f]{2}|[^\w.~-]/gu,
    (part) => part.length === 3 || ":/[]@!$&'()*+,;=".includes(part) ? part : encodeAll(part),
  );
}

/**
 * Encodes all characters but the unreserved ones (RFC 3986 §2.3), as RFC 6570 does (§3.2.1). A lone
 * surrogate becomes U+FFFD, as in `URLSearchParams`.
 */
export function encodeAll(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
