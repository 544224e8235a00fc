import type { XmlName } from "../xml/name.ts";
import type { XmlAttributes } from "../xml/reader.ts";
import type { XmlAttribute, XmlElement } from "./unknown_content.ts";

/** An element that is kept, while its children come. */
export type OpenUnknownElement = XmlElement & { readonly children: (string | XmlElement)[] };

/** An element that is kept, still without its children. */
export function unknownElement(
  { local, uri }: XmlName,
  { names, values }: XmlAttributes,
): OpenUnknownElement {
  const attributes = names.map((name, index) => unknownAttribute(name, values[index]!));
  return { tag: local, namespace: uri, attributes, children: [] };
}

/** An attribute that is kept. */
export function unknownAttribute({ local, uri }: XmlName, value: string): XmlAttribute {
  return { name: local, namespace: uri, value };
}
