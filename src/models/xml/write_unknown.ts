import { attributeText, escapeText } from "../../xml/escape.ts";
import type { XmlAttribute, XmlContentNodes, XmlElement } from "../../xml/content.ts";
import { freePrefix, type XmlPrefixes } from "./prefixes.ts";

/** The prefixes that are in scope for elements that are written as they are. */
export type PrefixScope = Pick<XmlPrefixes, "attributes" | "named" | "taken">;

/** The content of an element that is being written. */
interface Level extends Inside {
  readonly nodes: XmlContentNodes;
  next: number;
  /** The end tag. */
  readonly end: string;
}

/** The namespaces that are declared around content. */
interface Inside {
  readonly scope: PrefixScope;
  readonly defaultNamespace: string;
}

/**
 * Writes texts and elements as they are, without recursion, so that they may be nested at any depth.
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
  const open: Level[] = [{ nodes: content, next: 0, end: "", scope, defaultNamespace }];
  let text = "";
  for (let level = open[0]; level !== undefined; level = open.at(-1)) {
    const node = level.nodes[level.next++];
    if (node === undefined) {
      text += level.end;
      open.pop();
    } else if (typeof node === "string") text += escapeText(node);
    else {
      const { children: nodes } = node;
      const { start, name, inside } = startTag(node, level);
      text += nodes.length === 0 ? `${start}/>` : `${start}>`;
      if (nodes.length > 0) open.push({ ...inside, nodes, next: 0, end: `</${name}>` });
    }
  }
  return text;
}

/**
 * Returns a start tag without its end. If the namespace of the element has no prefix, the element
 * declares the prefix that a model names for it, or else makes it the default namespace.
 */
function startTag(
  { tag, namespace, attributes }: XmlElement,
  { scope, defaultNamespace }: Inside,
): { readonly start: string; readonly name: string; readonly inside: Inside } {
  let prefix = "";
  let declaration = "";
  let inside: Inside = { scope, defaultNamespace };
  if (namespace !== defaultNamespace) {
    const named = scope.named.get(namespace);
    prefix = scope.attributes.get(namespace) ?? (named === undefined ? "" : `${named}:`);
    if (prefix === "") {
      declaration = attributeText("xmlns", namespace);
      inside = { scope, defaultNamespace: namespace };
    } else if (!scope.attributes.has(namespace)) {
      declaration = attributeText(`xmlns:${named}`, namespace);
      const known = new Map([...scope.attributes, [namespace, prefix]]);
      inside = { scope: { ...scope, attributes: known }, defaultNamespace };
    }
  }
  const name = prefix + tag;
  return {
    start: `<${name}${declaration}${writeAttributes(attributes, inside.scope)}`,
    name,
    inside,
  };
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
