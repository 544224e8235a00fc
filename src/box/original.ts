import { isPlain } from "../checks.ts";

/** Under this symbol a box of any copy of the toolkit gives what it stands for. */
export const boxOriginal: unique symbol = Symbol.for("restwright.box.original");

/** What a box stands for; undefined where the value is not a box. */
export function originalOf(value: unknown): object | undefined {
  return typeof value === "object" && value !== null
    ? (value as { [boxOriginal]?: object })[boxOriginal]
    : undefined;
}

/**
 * Takes boxes out: a box gives its original, a plain object or array a copy of itself with the
 * originals of the boxes in it, anything else itself. Without recursion: depth is no danger.
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
  // A map gives what is added to it meanwhile, too: no recursion, however deep the value is.
  for (const [from, to] of copies) {
    for (const [key, each] of Object.entries(from)) {
      // Defined, not assigned: `__proto__` is a key like any other.
      Object.defineProperty(to, key, field(copied(each)));
    }
  }
  return root;
}

/** An ordinary property, as JSON.parse makes it. */
export function field(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, writable: true, configurable: true };
}
