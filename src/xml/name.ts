/** The namespace of the prefix `xml`, which is always bound. */
export const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";

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
