/** Finds the original of a box, and replaces the boxes in a value by their originals. */
import { isPlain } from "../base/checks.ts";

/**
 * The symbol under which a box returns its original. It is the same for all copies of the toolkit.
 *
 * @internal
 */
export const boxOriginal: unique symbol = Symbol.for("restwright.box.original");

/** Returns the original of a box; undefined if the value is not a box. */
export function originalOf(value: unknown): object | undefined {
  return typeof value === "object" && value !== null
    ? (value as { [boxOriginal]?: object })[boxOriginal]
    : undefined;
}

/**
 * Replaces boxes by their originals. A box returns its original. A plain object or array returns a
 * copy of itself with the originals of the boxes in it. Any other value is returned as it is. Deep
 * values are safe, because there is no recursion.
 */
export function withoutBoxes(value: unknown): unknown {
  const copies = new Map<object, object>();
  const copied = (each: unknown): unknown => {
    const original = originalOf(each);
    if (original !== undefined || !isPlain(each)) return original ?? each;
    const copy = copies.get(each) ?? (Array.isArray(each) ? new Array(each.length) : {});
    copies.set(each, copy);
    return copy;
  };
  const root = copied(value);
  // Iterating over a map includes the entries that are added during the loop, so no recursion is
  // needed.
  for (const [from, to] of copies) {
    for (const [key, each] of Object.entries(from)) {
      // Defined, not assigned, so that `__proto__` is a key like any other.
      Object.defineProperty(to, key, field(copied(each)));
    }
  }
  return root;
}

/** Returns the descriptor of an ordinary property, like those that JSON.parse creates. */
export function field(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, writable: true, configurable: true };
}
