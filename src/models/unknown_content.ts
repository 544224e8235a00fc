/** Keeps the content of a document that a model does not declare, with its place. */
import type { ModelClass } from "./model_class.ts";
import type { NamespaceHolder, XmlAttribute, XmlElement } from "../xml/content.ts";

/** The key of the property that holds the unknown content of an instance. */
const unknownKey: unique symbol = Symbol.for("restwright.unknown");

/**
 * The content of a document that the model of an instance does not declare.
 *
 * @category Models
 */
export interface UnknownContent {
  /**
   * The members of the JSON object. A number that JavaScript cannot hold exactly is an object of
   * `JSON.rawJSON`.
   */
  readonly json: ReadonlyMap<string, unknown>;
  /** The attributes of the element. */
  readonly attributes: readonly XmlAttribute[];
  /** The children of the element, without those that are inside of `within` elements. */
  readonly elements: readonly XmlElement[];
  /** The texts between the children, if the model has no `text` field. */
  readonly texts: readonly string[];
}

/** The unknown content of an instance, with its place in the document. */
export interface KeptContent {
  readonly model: ModelClass<object>;
  /** The unknown members in JSON. */
  readonly json: Map<string, unknown>;
  /** The names of all members in JSON, in document order. */
  names: readonly string[];
  /** The element in XML. */
  readonly xml: KeptElement;
}

/** The unknown attributes of an element, the order of all its children, and its namespaces. */
export interface KeptElement extends NamespaceHolder {
  readonly attributes: XmlAttribute[];
  children: KeptChild[];
}

/** An unknown text or element, or the place of something that the model declares. */
export type KeptChild = string | XmlElement | Slot;

/** The place of something that the model declares. */
export type Slot = ValueSlot | WrapperSlot | TextSlot;

/** The place of child elements of a field, or of a member of a record, which follow each other. */
export interface ValueSlot {
  readonly kind: "value";
  /** The name of the property or member. */
  readonly name: string;
  /** The number of elements. */
  count: number;
  /** The unknown attributes of the element, which is then alone in its slot. */
  inside: KeptElement | undefined;
  /** The value that was read, if `inside` is set. */
  value: unknown;
}

/** The place of an element that a field declares with `within`. */
export interface WrapperSlot {
  readonly kind: "wrapper";
  /** The key of the element's name. */
  readonly key: string;
  /** The name without its namespace, which may be another one where the instance is written. */
  readonly tag: string;
  readonly inside: KeptElement;
}

/** The place of a part of the text that a `text` field declares. */
export interface TextSlot {
  readonly kind: "text";
  text: string;
}

/** Reports if a child is the place of something that the model declares. */
export function isSlot(child: KeptChild | undefined): child is Slot {
  return typeof child === "object" && "kind" in child;
}

/** Returns an empty layout of an element. */
export function emptyLayout(): KeptElement {
  return { attributes: [], children: [] };
}

/**
 * Returns the content of a document that an instance keeps because its model declares no field for
 * it. It is empty unless the model has `unknown: "keep"`.
 *
 * The content is written back where it was, in the format that it came in. It survives copies such
 * as `User.of({ ...user, name })`.
 *
 * @example
 * ```ts
 * import { element, model, string, unknownContentOf } from "@restwright/restwright/models";
 *
 * class User extends model("user", { name: element(string) }, { unknown: "keep" }) {}
 * const user = User.fromJson('{"born":1815,"name":"Ada"}');
 * console.log(unknownContentOf(user).json.get("born")); // 1815
 * console.log(User.of({ ...user, name: "Ada L." }).toJsonString()); // {"born":1815,"name":"Ada L."}
 * ```
 *
 * @category Models
 */
export function unknownContentOf(instance: object): UnknownContent {
  const kept = keptContentOf(instance);
  const children = kept?.xml.children ?? [];
  return {
    json: kept?.json ?? new Map(),
    attributes: kept?.xml.attributes ?? [],
    elements: children.filter((each) => typeof each === "object" && !isSlot(each)) as XmlElement[],
    texts: children.filter((each) => typeof each === "string"),
  };
}

/** Returns the unknown content of an instance, with its place. */
export function keptContentOf(instance: object): KeptContent | undefined {
  return (instance as { [unknownKey]?: KeptContent })[unknownKey];
}

/**
 * Sets the unknown content of an instance. The property is enumerable, so that `{ ...instance }`
 * copies it.
 */
export function keepContent(instance: object, content: KeptContent): void {
  (instance as { [unknownKey]?: KeptContent })[unknownKey] = content;
}

/** Copies the unknown content from the values that an instance is made of. */
export function copyUnknownContent(
  model: ModelClass<object>,
  values: object,
  instance: object,
): void {
  const content = keptContentOf(values);
  // In an instance of another model, the same names may belong to fields.
  if (content?.model === model && content !== undefined) keepContent(instance, content);
}

/** Reports if the layout of an element has content that the model does not declare. */
export function hasUnknown({ attributes, children, namespaces }: KeptElement): boolean {
  return namespaces !== undefined || attributes.length > 0 || children.some((child) => {
    if (!isSlot(child)) return true;
    return child.kind !== "text" && child.inside !== undefined && hasUnknown(child.inside);
  });
}
