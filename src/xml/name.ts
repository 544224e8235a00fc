/** The names of elements and attributes, with their namespaces and the characters they can have. */

/** The namespace of the prefix `xml`, which is always bound. */
export const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";

/** The namespace of the attributes `nil` and `type`, which are allowed on every element. */
export const XSI_NAMESPACE = "http://www.w3.org/2001/XMLSchema-instance";

/** The name of an element or attribute, with its prefix resolved. */
export interface XmlName {
  /** The name as it is written. */
  readonly raw: string;
  /** The namespace; empty if there is none. */
  readonly uri: string;
  /** The name without its prefix. */
  readonly local: string;
  /** The key that identifies the name: see {@linkcode nameKey}. */
  readonly key: string;
}

/** Returns the key that identifies a name: `local`, or `{uri}local`. */
export function nameKey(uri: string, local: string): string {
  return uri === "" ? local : `{${uri}}${local}`;
}

/** Reports if XML allows a text as a name without a prefix ("Namespaces in XML 1.0", NCName). */
export function isXmlName(text: unknown): boolean {
  return typeof text === "string" && ncName.test(text);
}

/** Reports if a code unit can be part of a name without a prefix. */
export function isNameCharacter(unit: string): boolean {
  return nameCharacter.test(unit);
}

// Characters beyond U+FFFF are pairs of code units.
const nameCharacter =
  /[-.\w\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u200c\u200d\u203f\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\udfff\uf900-\ufdcf\ufdf0-\ufffd]/;

// The lookahead excludes characters that a name can contain, but not start with.
const ncName =
  /^(?![-.\d\u00b7\u0300-\u036f\u203f\u2040])[-.\w\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u200c\u200d\u203f\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}]+$/u;
