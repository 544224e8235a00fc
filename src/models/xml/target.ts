/** Decides if an element is an instance, around instances, or neither, by the option `at`. */
import type { XmlName } from "../../xml/name.ts";
import type { XmlReadOptions } from "../../xml/reader.ts";
import type { ModelClass } from "../model_class.ts";
import type { QualifiedName } from "./names.ts";

/**
 * Options for reading the instances in an XML document one by one.
 *
 * @category XML
 */
export interface XmlStreamOptions extends XmlReadOptions {
  /**
   * The names from the root to the elements, separated by slashes. A name is in the namespace of the
   * model. Write a name of another namespace as `{uri}name`, and one without a namespace as
   * `{}name`. Default: all elements with the model's own name, at any place
   *
   * @example `Item.streamXml(body, { at: "rss/channel/item" })`
   */
  readonly at?: string | undefined;
}

/** The elements of a document that are instances. */
export type XmlTarget =
  /** The root. */
  | { readonly kind: "root" }
  /** The children of the root that have the model's name. The root has another name. */
  | { readonly kind: "children" }
  /** All elements of the model's name. Those inside of another are part of it. */
  | { readonly kind: "anywhere" }
  /** The elements at a path from the root. */
  | { readonly kind: "path"; readonly path: readonly QualifiedName[] };

/** The models of a document, by the names of their elements. */
export type ModelsByName = ReadonlyMap<string, readonly ModelClass<object>[]>;

/**
 * Returns the role of an element that is not inside of an instance: an instance, an element around
 * instances, another element, or an invalid root.
 *
 * @param target The elements that are instances
 * @param depth The number of elements around it
 * @param name Its name
 * @param models The models, by the names of their elements
 */
export function roleOf(
  target: XmlTarget,
  depth: number,
  name: XmlName,
  models: ModelsByName,
): "instance" | "around" | "other" | "refused" {
  const isInstance = models.has(name.key);
  switch (target.kind) {
    case "root":
      return isInstance ? "instance" : "refused";
    case "children":
      if (depth === 0) return isInstance ? "refused" : "around";
      return depth === 1 && isInstance ? "instance" : "other";
    case "anywhere":
      return isInstance ? "instance" : "around";
    case "path":
      if (name.key !== target.path[depth]!.key) return depth === 0 ? "refused" : "other";
      return depth === target.path.length - 1 ? "instance" : "around";
  }
}
