/** Whether XML allows a text as a name without a prefix ("Namespaces in XML 1.0", NCName). */
export function isXmlName(text: unknown): boolean {
  return typeof text === "string" && ncName.test(text);
}

// What a name has in it, and, before that, what it does not begin with.
const ncName =
  /^(?![-.\d\u00b7\u0300-\u036f\u203f\u2040])[-.\w\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u200c\u200d\u203f\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}]+$/u;
