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
  const open: (readonly [from: object, to: object])[] = [];
  const copied = (each: unknown): unknown => {
    const original = originalOf(each);
    if (original !== undefined || !isPlain(each)) return original ?? each;
    let copy = copies.get(each);
    if (copy === undefined) {
      copy = Array.isArray(each) ? new Array(each.length) : {};
      copies.set(each, copy);
      open.push([each, copy]);
    }
    return copy;
  };
  const root = copied(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, to] = next;
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
