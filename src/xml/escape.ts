/** Escapes text for elements and attributes, and decides if XML allows its characters. */

/**
 * Escapes a text for the content of an element. Parsers would read an unescaped carriage return as
 * a line feed.
 */
export function escapeText(text: string): string {
  return /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, (each) => references[each]!) : text;
}

/**
 * Returns an attribute with a space before it. Parsers would read unescaped line breaks and tabs as
 * spaces.
 */
export function attributeText(name: string, value: string): string {
  const escaped = /[&<>"\t\n\r]/.test(value)
    ? value.replace(/[&<>"\t\n\r]/g, (each) => references[each]!)
    : value;
  return ` ${name}="${escaped}"`;
}

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/**
 * Reports if XML 1.0 allows all characters of a text: no control characters, no unpaired
 * surrogates.
 */
export function isXmlText(text: string): boolean {
  return !forbidden.test(text);
}

// Matches everything that is not a Char of XML 1.0 (§2.2). The flag `u` compares code points, so
// only an unpaired surrogate matches.
const forbidden = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
