// Functions in place of `restfly.utils`, to copy into a port of a library from RESTfly.

/** A plain object. */
export type Mapping = Readonly<Record<string, unknown>>;

const isMapping = (value: unknown): value is Mapping =>
  Object.prototype.toString.call(value) === "[object Object]";

/** Merges mappings at every depth, and returns a new one. Lists are replaced as a whole. */
export function dictMerge(base: Mapping, ...updates: readonly Mapping[]): Mapping {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of updates.flatMap((update) => Object.entries(update))) {
    const known = merged.get(key);
    merged.set(key, isMapping(known) && isMapping(value) ? dictMerge(known, value) : value);
  }
  return Object.fromEntries(merged);
}

/** Removes null and empty mappings at every depth. Empty lists, and nulls in lists, stay. */
export function dictClean(mapping: Mapping): Mapping {
  const isFilled = (value: unknown) => !isMapping(value) || Object.keys(value).length > 0;
  const cleaned = (value: unknown) => isMapping(value) ? dictClean(value) : value;
  const entries = Object.entries(mapping).map(([key, value]): [string, unknown] => [
    key,
    Array.isArray(value) ? value.map(cleaned).filter(isFilled) : cleaned(value),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value != null && isFilled(value)));
}

/** Joins the keys of nested mappings: `{ a: { b: 1 } }` becomes `{ "a.b": 1 }`. */
export function dictFlatten(mapping: Mapping, separator = ".", prefix = ""): Mapping {
  const flattened = (value: unknown) => isMapping(value) ? dictFlatten(value, separator) : value;
  const entries = Object.entries(mapping).flatMap(([name, value]): [string, unknown][] => {
    const key = prefix === "" ? name : `${prefix}${separator}${name}`;
    if (isMapping(value)) return Object.entries(dictFlatten(value, separator, key));
    return [[key, Array.isArray(value) ? value.map(flattened) : value]];
  });
  return Object.fromEntries(entries);
}

/** Replaces the values of the keys by `REDACTED`, also in lists, and also if they are mappings. */
export function redactValues(value: unknown, keys: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => redactValues(each, keys));
  if (!isMapping(value)) return value;
  const redact = ([key, each]: [string, unknown]) =>
    [key, keys.includes(key) ? "REDACTED" : redactValues(each, keys)] as const;
  return Object.fromEntries(Object.entries(value).map(redact));
}

/** Shortens a text that is as long as `limit` or longer. It counts characters, not UTF-16 units. */
export function trunc(text: string, limit: number, suffix = "..."): string {
  const characters = [...text];
  if (characters.length < limit) return text;
  return characters.slice(0, limit - suffix.length).join("") + suffix;
}

/** A part of a URL, with Python's names. */
export type UrlPart = "scheme" | "netloc" | "path" | "query" | "fragment";

/** Returns true if a URL has all of the parts. `localhost:8834` has no host, as in RESTfly. */
export function isUrl(url: string, parts: readonly UrlPart[] = ["scheme", "netloc"]): boolean {
  const pattern =
    /^(?:(?<scheme>[a-z][a-z\d+.-]*):)?(?:\/\/(?<netloc>[^/?#]*))?(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?:#(?<fragment>.*))?$/is;
  const found = pattern.exec(url)?.groups;
  return parts.every((part) => Boolean(found?.[part]));
}
