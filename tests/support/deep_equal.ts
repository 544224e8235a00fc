/**
 * Deep equality with the rules of `@std/assert`, for the npm edition of the `#test` port. Node's
 * `isDeepStrictEqual` has other rules: 0 differs from -0, and an object with a null prototype
 * differs from a plain object.
 */

/** Prototypes of objects that are compared only by their text. */
const COMPARED_AS_TEXT: ReadonlySet<unknown> = new Set(
  [RegExp, URL, URLSearchParams, Intl.Locale].map((type) => type.prototype),
);

/** Classes whose content cannot be inspected, so that any two of their objects would look equal. */
const OPAQUE: readonly (abstract new (...args: never[]) => object)[] = [
  WeakMap,
  WeakSet,
  Promise,
  Headers,
  Request,
  Response,
  FormData,
  Blob,
  ReadableStream,
];

/**
 * Reports if two values are deeply equal.
 *
 * - Numbers: 0 equals -0, NaN equals NaN.
 * - Plain objects and arrays: the same enumerable keys and equal values. An object with a null
 *   prototype is a plain object. A key with the value undefined is not missing.
 * - Map and Set: by content in any order; keys are compared deeply, too. Dates by time, bytes by
 *   content.
 * - Other instances: the same prototype, and equal values under every key, own and inherited,
 *   enumerable or not. For errors that includes the stack: compare their fields instead.
 *
 * @throws {TypeError} If an object's content cannot be inspected, such as Headers or a Promise
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  return equalBelow(a, b, new Map());
}

type Seen = Map<object, object>;

function equalBelow(a: unknown, b: unknown, seen: Seen): boolean {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime());
  if (kindOf(a) !== kindOf(b)) return false;

  const elements = elementsOf(a);
  const others = elementsOf(b);
  if (elements !== undefined && others !== undefined) return sameElements(elements, others);
  const opaque = OPAQUE.find((type) => a instanceof type);
  if (opaque !== undefined) throw new TypeError(`Cannot compare ${opaque.name}: compare content`);

  // A pair that contains itself is equal if everything else in it is.
  if (seen.get(a) === b) return true;
  seen.set(a, b);
  const same = sameContent(a, b, seen);
  if (!same) seen.delete(a);
  return same;
}

function sameContent(a: object, b: object, seen: Seen): boolean {
  if (Object.keys(a).length !== Object.keys(b).length) return false;
  if (a instanceof Set && b instanceof Set) return sameEntries(a, b, seen);
  if (a instanceof Map && b instanceof Map) return sameEntries(a, b, seen);
  if (COMPARED_AS_TEXT.has(kindOf(a))) return String(a) === String(b);

  for (const key of keysOf(a, b)) {
    if (key in a !== key in b) return false;
    if (!equalBelow(Reflect.get(a, key), Reflect.get(b, key), seen)) return false;
  }
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Returns the prototype. A null prototype counts as that of a plain object. */
function kindOf(value: object): object {
  return Object.getPrototypeOf(value) ?? Object.prototype;
}

function elementsOf(value: object): ArrayLike<unknown> | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    return value as unknown as ArrayLike<unknown>;
  }
  return undefined;
}

function sameElements(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  return a.length === b.length &&
    Array.prototype.every.call(
      a,
      (value: unknown, index: number) =>
        value === b[index] || (Number.isNaN(value) && Number.isNaN(b[index])),
    );
}

type Entries = Set<unknown> | Map<unknown, unknown>;

function sameEntries(a: Entries, b: Entries, seen: Seen): boolean {
  const rest = [...b.entries()];
  return a.size === b.size && [...a.entries()].every(([key, value]) => {
    const found = rest.findIndex(([otherKey, otherValue]) =>
      equalBelow(key, otherKey, seen) && equalBelow(value, otherValue, seen)
    );
    return found >= 0 && rest.splice(found, 1).length === 1;
  });
}

/** Returns the enumerable own keys of data, and all keys, own and inherited, of other instances. */
function keysOf(a: object, b: object): Iterable<PropertyKey> {
  const kind = kindOf(a);
  if (kind === Object.prototype || kind === Array.prototype) {
    return Reflect.ownKeys({ ...a, ...b });
  }
  const keys = new Set<PropertyKey>();
  for (const start of [a, b]) {
    let level: object | null = start;
    while (level !== null && level !== Object.prototype && level !== Array.prototype) {
      Reflect.ownKeys(level).forEach((key) => keys.add(key));
      level = Object.getPrototypeOf(level);
    }
  }
  return keys;
}
