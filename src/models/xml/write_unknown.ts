import { attributeText, escapeText } from "../../xml/escape.ts";
import type { XmlAttribute, XmlContentNodes, XmlElement } from "../../xml/content.ts";
import { freePrefix, type XmlPrefixes } from "./prefixes.ts";

/** The prefixes that are in scope for elements that are written as they are. */
export type PrefixScope = Pick<XmlPrefixes, "attributes" | "named" | "taken">;

/**
 * Writes texts and elements as they are.
 *
 * @param content The texts and elements
 * @param scope The prefixes that are declared around them
 * @param defaultNamespace The default namespace around them
 */
export function writeContent(
  content: XmlContentNodes,
  scope: PrefixScope,
  defaultNamespace: string,
): string {
  return content.map((each) =>
    typeof each === "string" ? escapeText(each) : writeElement(each, scope, defaultNamespace)
  ).join("");
}

/**
 * Writes an element as it is. If its namespace has no prefix, the element declares the prefix that a
 * model names for it, or else makes it the default namespace.
 */
export function writeElement(
  { tag, namespace, attributes, children }: XmlElement,
  scope: PrefixScope,
  defaultNamespace: string,
): string {
  let prefix = "";
  let declaration = "";
  let inner = { scope, defaultNamespace };
  if (namespace !== defaultNamespace) {
    const named = scope.named.get(namespace);
    prefix = scope.attributes.get(namespace) ?? (named === undefined ? "" : `${named}:`);
    if (prefix === "") {
      declaration = attributeText("xmlns", namespace);
      inner = { scope, defaultNamespace: namespace };
    } else if (!scope.attributes.has(namespace)) {
      declaration = attributeText(`xmlns:${named}`, namespace);
      const known = new Map([...scope.attributes, [namespace, prefix]]);
      inner = { scope: { ...scope, attributes: known }, defaultNamespace };
    }
  }
  const start = `<${prefix}${tag}${declaration}${writeAttributes(attributes, inner.scope)}`;
  const content = writeContent(children, inner.scope, inner.defaultNamespace);
  return content === "" ? `${start}/>` : `${start}>${content}</${prefix}${tag}>`;
}

/** Writes attributes as they are, and declares the namespaces that have no prefix. */
export function writeAttributes(
  attributes: readonly XmlAttribute[],
  { attributes: prefixes, named, taken }: PrefixScope,
): string {
  const own = new Map<string, string>();
  const used = new Set(taken);
  let text = "";
  for (const { name, namespace, value } of attributes) {
    let prefix = prefixes.get(namespace) ?? own.get(namespace);
    if (prefix === undefined) {
      const short = named.get(namespace) ?? freePrefix(namespace, used);
      used.add(short);
      prefix = `${short}:`;
      own.set(namespace, prefix);
      text += attributeText(`xmlns:${short}`, namespace);
    }
    text += attributeText(prefix + name, value);
  }
  return text;
}
