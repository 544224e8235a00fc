/** The namespace of the prefix `xml`, which is always bound. */
export const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";

/** A name of an element or attribute, its prefix resolved. */
export interface XmlName {
  /** The name as it is written. */
  readonly raw: string;
  /** The namespace; empty where there is none. */
  readonly uri: string;
  /** The name without its prefix. */
  readonly local: string;
  /** What tells names apart: see {@linkcode nameKey}. */
  readonly key: string;
}

/** What tells names apart: `local`, or `{uri}local`. */
export function nameKey(uri: string, local: string): string {
  return uri === "" ? local : `{${uri}}${local}`;
}
