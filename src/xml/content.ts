/**
 * The content of an element, as texts and elements, and how text and namespaces are added to it.
 */

/**
 * The content of an element: texts and elements in document order.
 *
 * @category XML
 */
export type XmlContentNodes = readonly (string | XmlElement)[];

/**
 * An element with its content.
 *
 * @category XML
 */
export interface XmlElement {
  /** The name, without a prefix. */
  readonly tag: string;
  /** The namespace; empty if there is none. */
  readonly namespace: string;
  /** The attributes. */
  readonly attributes: readonly XmlAttribute[];
  /** The texts and elements in it. */
  readonly children: XmlContentNodes;
  /**
   * The namespaces that this element declares for prefixes in values, such as `xsi:type="t:Point"`,
   * by prefix. The empty prefix has the default namespace. It lacks those that an element around it
   * or the instance declares, and is undefined if there are no others
   */
  readonly namespaces?: ReadonlyMap<string, string>;
}

/** Something that can declare namespaces. */
export interface NamespaceHolder {
  namespaces?: ReadonlyMap<string, string>;
}

/** Adds a namespace that must be declared, and returns false if it is known. */
export function addNamespace(holder: NamespaceHolder, prefix: string, uri: string): boolean {
  const known = holder.namespaces as Map<string, string> | undefined;
  if (known === undefined) holder.namespaces = new Map([[prefix, uri]]);
  else if (known.has(prefix)) return false;
  else known.set(prefix, uri);
  return true;
}

/**
 * An attribute of an element.
 *
 * @category XML
 */
export interface XmlAttribute {
  /** The name, without a prefix. */
  readonly name: string;
  /** The namespace; empty if there is none. */
  readonly namespace: string;
  /** The value. */
  readonly value: string;
}

/** Adds text to content, and joins it with text before it. */
export function addText(content: unknown[], text: string): void {
  const last = content.length - 1;
  if (text === "") return; // A CDATA section can be empty.
  if (typeof content[last] === "string") content[last] += text;
  else content.push(text);
}
