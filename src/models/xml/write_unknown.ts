/** Writes elements and attributes that no model declares as they were read. */
import { attributeText, escapeText } from "../../xml/escape.ts";
import type { XmlAttribute, XmlContentNodes, XmlElement } from "../../xml/content.ts";
import type { XmlScope } from "./scope.ts";

const NO_NAMESPACES: ReadonlyMap<string, string> = new Map();

/** The content of an element that is being written. */
interface Level {
  readonly nodes: XmlContentNodes;
  next: number;
  /** The end tag. */
  readonly end: string;
  readonly scope: XmlScope;
}

/**
 * Writes texts and elements as they are, without recursion, so that they may be nested at any depth.
 *
 * @param content The texts and elements
 * @param scope The namespaces that are declared around them
 */
export function writeContent(content: XmlContentNodes, scope: XmlScope): string {
  const open: Level[] = [{ nodes: content, next: 0, end: "", scope }];
  let text = "";
  for (let level = open[0]; level !== undefined; level = open.at(-1)) {
    const node = level.nodes[level.next++];
    if (node === undefined) {
      text += level.end;
      open.pop();
    } else if (typeof node === "string") text += escapeText(node);
    else {
      const { children: nodes } = node;
      const { start, name, scope } = startTag(node, level.scope);
      text += nodes.length === 0 ? `${start}/>` : `${start}>`;
      if (nodes.length > 0) open.push({ scope, nodes, next: 0, end: `</${name}>` });
    }
  }
  return text;
}

/**
 * Returns a start tag without its end. If the namespace of the element has no prefix, the element
 * declares the prefix that a model names for it, or else makes it the default namespace. If values
 * need another default namespace, the element gets a prefix.
 */
function startTag(
  { tag, namespace, attributes, namespaces = NO_NAMESPACES }: XmlElement,
  around: XmlScope,
): { readonly start: string; readonly name: string; readonly scope: XmlScope } {
  let scope = around.declare(namespaces, around);
  if (scope.elementPrefix(namespace) === undefined) {
    const hasDefault = namespace !== "" && namespaces.has("");
    const other = hasDefault ? scope.freePrefix(namespace) : "";
    const prefix = scope.namedPrefix(namespace) ?? other;
    scope = scope.declare(new Map([[prefix, namespace]]), around);
  }
  const name = scope.elementPrefix(namespace)! + tag;
  const declarations = scope === around ? "" : scope.declarations;
  return { start: `<${name}${declarations}${writeAttributes(attributes, scope)}`, name, scope };
}

/** Writes attributes as they are, and declares the namespaces that have no prefix. */
export function writeAttributes(attributes: readonly XmlAttribute[], scope: XmlScope): string {
  const own = new Map<string, string>();
  const used = new Set<string>();
  let text = "";
  for (const { name, namespace, value } of attributes) {
    let prefix = scope.attributePrefix(namespace) ?? own.get(namespace);
    if (prefix === undefined) {
      const short = scope.namedPrefix(namespace) ?? scope.freePrefix(namespace, used);
      used.add(short);
      prefix = `${short}:`;
      own.set(namespace, prefix);
      text += attributeText(`xmlns:${short}`, namespace);
    }
    text += attributeText(prefix + name, value);
  }
  return text;
}
