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
