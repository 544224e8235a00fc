import type { XmlName } from "../xml/name.ts";
import type { XmlAttributes } from "../xml/reader.ts";
import type { XmlAttribute, XmlElement } from "./kept.ts";

/** An element that is kept, while its children come. */
export type OpenKept = XmlElement & { readonly children: (string | XmlElement)[] };

/** An element that is kept, still without its children. */
export function keptElement({ local, uri }: XmlName, { names, values }: XmlAttributes): OpenKept {
  const attributes = names.map((name, index) => keptAttribute(name, values[index]!));
  return { tag: local, namespace: uri, attributes, children: [] };
}

/** An attribute that is kept. */
export function keptAttribute({ local, uri }: XmlName, value: string): XmlAttribute {
  return { name: local, namespace: uri, value };
}
