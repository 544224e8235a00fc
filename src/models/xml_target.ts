import type { XmlName } from "../xml/name.ts";

/** Which elements of a document are instances. */
export type XmlTarget =
  /** The root, and nothing else will do. */
  | { readonly kind: "root" }
  /** The children of the root that have the model's name, where the root itself has another. */
  | { readonly kind: "children" }
  /** Each element of the model's name, outermost first. */
  | { readonly kind: "anywhere" }
  /** Each element at a path of names, from the root on, without prefixes. */
  | { readonly kind: "path"; readonly path: readonly string[] };

/**
 * What an element outside of all instances is: one of them, around them, none of our business, or a
 * root that may not be.
 *
 * @param target Which elements are instances
 * @param depth How many elements are around it
 * @param name Its name
 * @param key The name of the model's element
 */
export function roleOf(
  target: XmlTarget,
  depth: number,
  name: XmlName,
  key: string,
): "instance" | "around" | "other" | "refused" {
  switch (target.kind) {
    case "root":
      return name.key === key ? "instance" : "refused";
    case "children":
      if (depth === 0) return name.key === key ? "refused" : "around";
      return depth === 1 && name.key === key ? "instance" : "other";
    case "anywhere":
      return name.key === key ? "instance" : "around";
    case "path":
      if (name.local !== target.path[depth]) return "other";
      return depth === target.path.length - 1 ? "instance" : "around";
  }
}
