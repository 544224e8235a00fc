/** Reads the values of a document's objects, whose types nothing has checked yet. */

import type { Node, Source } from "./source.ts";

/** Returns the text of an object's field; undefined if it is anything else. */
export function textAt(node: Node | undefined, key: string): string | undefined {
  const value = valueAt(node, key);
  return typeof value === "string" ? value : undefined;
}

/** Reports if an object's field is true. */
export function isTrueAt(node: Node | undefined, key: string): boolean {
  return valueAt(node, key) === true;
}

/** Returns the value of an object's field, as it is. */
export function valueAt(node: Node | undefined, key: string): unknown {
  const value = node?.value;
  return isObject(value) && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/** Returns the object in an object's field; undefined if there is none. */
export function objectAt(source: Source, node: Node | undefined, key: string): Node | undefined {
  const child = node && source.child(node, key);
  return isObject(child?.value) && !Array.isArray(child?.value) ? child : undefined;
}

/** Returns the items of a list in an object's field; an empty list if there is none. */
export function itemsAt(source: Source, node: Node | undefined, key: string): Node[] {
  const child = node && source.child(node, key);
  if (child === undefined || !Array.isArray(child.value)) return [];
  return [...source.children(child)].map(([, item]) => item);
}

/** Returns the objects in an object of an object's field, such as the responses of an operation. */
export function entriesAt(
  source: Source,
  node: Node | undefined,
  key: string,
): (readonly [key: string, node: Node])[] {
  const child = objectAt(source, node, key);
  return child === undefined
    ? []
    : [...source.children(child)].filter(([name]) => !name.startsWith("x-"));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Compares texts by their code units, which no locale changes. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Reports if a text can be the name of a header or of a cookie (RFC 9110, section 5.6.2). */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}
