/** A text as the content of an element. A carriage return would be read as a line feed. */
export function escapeText(text: string): string {
  return /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, (each) => references[each]!) : text;
}

/** An attribute, with a blank before it. Line breaks and tabs would be read as blanks. */
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

/** Whether XML 1.0 can hold a text: no control characters, no half of a surrogate pair. */
export function isXmlText(text: string): boolean {
  return !forbidden.test(text);
}

// What is no Char of XML 1.0 (§2.2), by code points: a surrogate is one alone where it is no half of a
// pair.
const forbidden = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
