/** Unions, intersections and comparisons of types. */

import type { Keyword, ObjectType, Property, Type } from "../model/mod.ts";

export const unknownType: Type = { kind: "unknown" };
export const neverType: Type = { kind: "never" };
export const nullType: Type = { kind: "null" };

/** A comment without anything. */
export const noComment: Property["comment"] = { text: "", tags: [] };

/** Returns a type without parts. */
export function keyword(kind: Keyword): Type {
  return { kind };
}

/** Returns the union of types: without repetitions, nested unions and members that add nothing. */
export function unionOf(types: readonly Type[]): Type {
  const [only, second] = types;
  if (types.length === 1 && only!.kind !== "union") return only!;
  // `T | null` and `T | undefined` are most of the unions of a document.
  if (
    types.length === 2 && isEmpty(second!) && !isEmpty(only!) &&
    !["union", "unknown", "never"].includes(only!.kind)
  ) {
    return { kind: "union", members: types };
  }
  const members = new Map<string, Type>();
  const add = (type: Type): void => {
    if (type.kind === "union") type.members.forEach(add);
    else if (type.kind !== "never") members.set(keyOf(type), type);
  };
  types.forEach(add);
  if (members.has("unknown")) return unknownType;
  if (members.has("true") && members.has("false")) {
    members.delete("false");
    replace(members, "true", { kind: "boolean" });
  }
  const literals = [...members.values()].filter((type) => type.kind === "literal");
  // The keyword alone would swallow its literals, and with them an editor's suggestions.
  if (literals.some(({ value }) => typeof value === "string")) {
    replace(members, "string", { kind: "openString" });
  }
  if (literals.some(({ value }) => typeof value === "number")) {
    replace(members, "number", { kind: "openNumber" });
  }
  if (members.has("boolean")) {
    members.delete("true");
    members.delete("false");
  }
  // `null` and `undefined` are read best at the end.
  for (const last of ["openString", "openNumber", "null", "undefined"]) {
    const type = members.get(last);
    if (type === undefined) continue;
    members.delete(last);
    members.set(last, type);
  }
  const [first, ...others] = members.values();
  if (first === undefined) return neverType;
  return others.length === 0 ? first : { kind: "union", members: [first, ...others] };
}

function isEmpty({ kind }: Type): boolean {
  return kind === "null" || kind === "undefined";
}

function replace(members: Map<string, Type>, key: string, type: Type): void {
  if (members.delete(key)) members.set(keyOf(type), type);
}

/** Returns the intersection of types: without repetitions and members that add nothing. */
export function intersectionOf(types: readonly Type[]): Type {
  const members = new Map<string, Type>();
  const add = (type: Type): void => {
    if (type.kind === "intersection") type.members.forEach(add);
    else if (type.kind !== "unknown") members.set(keyOf(type), type);
  };
  types.forEach(add);
  if (members.has("never")) return neverType;
  for (const primitive of ["string", "number", "boolean"] as const) {
    const isNarrowed = [...members.values()].some((type) =>
      type.kind === "literal" && typeof type.value === primitive ||
      type.kind === "union" &&
        type.members.every((each) => each.kind === "literal" && typeof each.value === primitive)
    );
    if (isNarrowed) members.delete(primitive);
  }
  const [first, ...others] = members.values();
  if (first === undefined) return unknownType;
  return others.length === 0 ? first : { kind: "intersection", members: [first, ...others] };
}

/**
 * Returns the type of values of both types. Unlike {@linkcode intersectionOf}, it states the items of two
 * lists as one type, and leaves out objects of any form, which an interface is not for the compiler.
 */
export function bothOf(one: Type, other: Type): Type {
  if (isPartOf(one, other) || isFreeForm(other) && isObject(one)) return one;
  if (isPartOf(other, one) || isFreeForm(one) && isObject(other)) return other;
  return one.kind === "array" && other.kind === "array"
    ? { kind: "array", items: bothOf(one.items, other.items) }
    : intersectionOf([one, other]);
}

function isObject({ kind }: Type): boolean {
  return kind === "object" || kind === "reference";
}

function isFreeForm(type: Type): boolean {
  return type.kind === "object" && type.properties.length === 0 && type.extends === undefined &&
    type.additional?.kind === "unknown";
}

/** Returns a type with other parts; the type itself if none changes. */
export function withParts(type: Type, change: (part: Type) => Type): Type {
  switch (type.kind) {
    case "array": {
      const items = change(type.items);
      return items === type.items ? type : { ...type, items };
    }
    case "tuple": {
      const items = type.items.map(change);
      const rest = type.rest && change(type.rest);
      const isSameTuple = rest === type.rest && isSameList(items, type.items);
      return isSameTuple ? type : { ...type, items, rest };
    }
    case "object": {
      const types = type.properties.map((each) => change(each.type));
      const additional = type.additional && change(type.additional);
      const isSameObject = additional === type.additional &&
        type.properties.every((each, index) => each.type === types[index]);
      if (isSameObject) return type;
      const properties = type.properties.map((each, index) => ({ ...each, type: types[index]! }));
      return { ...type, properties, additional };
    }
    case "union":
    case "intersection": {
      const members = type.members.map(change);
      if (isSameList(members, type.members)) return type;
      return type.kind === "union" ? unionOf(members) : intersectionOf(members);
    }
    default:
      return type;
  }
}

function isSameList(one: readonly Type[], other: readonly Type[]): boolean {
  return one.every((type, index) => type === other[index]);
}

/** Returns a type that also allows null. */
export function nullable(type: Type): Type {
  return unionOf([type, nullType]);
}

/** Reports if two types are the same, comments aside. */
export function isSame(a: Type, b: Type): boolean {
  return a === b || keyOf(a) === keyOf(b);
}

/** Reports if all values of a type surely belong to another. */
export function isPartOf(type: Type, whole: Type): boolean {
  if (whole.kind === "unknown" || isSame(type, whole)) return true;
  if (type.kind === "union") return type.members.every((each) => isPartOf(each, whole));
  if (whole.kind === "union") return whole.members.some((each) => isPartOf(type, each));
  return type.kind === "literal" && typeof type.value === whole.kind;
}

const keys = new WeakMap<Type, string>();

/** Returns a text that is the same for types that are the same. */
export function keyOf(type: Type): string {
  switch (type.kind) {
    case "literal":
      return JSON.stringify(type.value);
    case "reference":
      return `=${type.name}`;
    case "array":
    case "tuple":
    case "object":
    case "union":
    case "intersection": {
      let key = keys.get(type);
      if (key === undefined) keys.set(type, key = longKeyOf(type));
      return key;
    }
    default:
      return type.kind;
  }
}

function longKeyOf(
  type: Extract<Type, { kind: "array" | "tuple" | "object" | "union" | "intersection" }>,
): string {
  switch (type.kind) {
    case "array":
      return `[${keyOf(type.items)}]`;
    case "tuple":
      return `(${type.items.map(keyOf).join()}...${type.rest ? keyOf(type.rest) : ""})`;
    case "object":
      return objectKey(type);
    case "union":
      return `|(${type.members.map(keyOf).join()})`;
    case "intersection":
      return `&(${type.members.map(keyOf).join()})`;
  }
}

function objectKey({ properties, additional, extends: bases = [] }: ObjectType): string {
  const members = properties.map(({ name, type, optional }) =>
    `${JSON.stringify(name)}${optional ? "?" : ""}:${keyOf(type)}`
  );
  return `{${bases.join()};${members.join()};${additional ? keyOf(additional) : ""}}`;
}
