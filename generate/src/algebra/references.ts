/** The names that types refer to. */

import type { Conversion, Declaration, TupleConversion, Type } from "../model/mod.ts";

/** Calls a function with each name that a type refers to. */
export function addReferences(type: Type, add: (name: string) => void): void {
  const inner = (each: Type) => addReferences(each, add);
  switch (type.kind) {
    case "reference":
      return add(type.name);
    case "array":
      return inner(type.items);
    case "tuple":
      type.items.forEach(inner);
      return type.rest && inner(type.rest);
    case "object":
      type.extends?.forEach(add);
      type.properties.forEach((each) => inner(each.type));
      return type.additional && inner(type.additional);
    case "union":
    case "intersection":
      return type.members.forEach(inner);
  }
}

/** Returns the conversions of the places of an array. */
export function partsOfTuple({ items, rest }: TupleConversion): Conversion[] {
  return rest === undefined ? [...items] : [...items, rest];
}

/** Calls a function with each name of a type that a conversion states. */
export function addStatedTypes(conversion: Conversion, add: (name: string) => void): void {
  switch (conversion.kind) {
    case "nullable":
    case "list":
      return addStatedTypes(conversion.of, add);
    case "tuple":
      addReferences(conversion.type, add);
      return partsOfTuple(conversion).forEach((each) => addStatedTypes(each, add));
    case "anyOf":
      return conversion.types.forEach((each) => addStatedTypes(each, add));
    case "object":
      if (conversion.type !== undefined) addReferences(conversion.type, add);
      conversion.members.forEach(([, each]) => addStatedTypes(each, add));
      return conversion.others && addStatedTypes(conversion.others, add);
  }
}

/** Returns the names of declarations whose conversions a conversion uses at once. */
export function referencesOf(conversion: Conversion): string[] {
  switch (conversion.kind) {
    case "reference":
      return [conversion.name];
    case "list":
    case "nullable":
      return referencesOf(conversion.of);
    case "tuple":
      return partsOfTuple(conversion).flatMap(referencesOf);
    case "anyOf":
      return conversion.types.flatMap(referencesOf);
    case "object":
      return [
        ...conversion.members.flatMap(([, each]) => referencesOf(each)),
        ...conversion.others === undefined ? [] : referencesOf(conversion.others),
      ];
    default:
      return [];
  }
}

/** Reports if a type, or one in it, is a file to upload. */
export function hasUpload(type: Type): boolean {
  switch (type.kind) {
    case "upload":
      return true;
    case "array":
      return hasUpload(type.items);
    case "tuple":
      return type.items.some(hasUpload) || type.rest !== undefined && hasUpload(type.rest);
    case "object":
      return type.properties.some((each) => hasUpload(each.type)) ||
        type.additional !== undefined && hasUpload(type.additional);
    case "union":
    case "intersection":
      return type.members.some(hasUpload);
    default:
      return false;
  }
}

/** Reports if declarations have files to upload. */
export function haveUploads(declarations: readonly Declaration[]): boolean {
  return declarations.some(({ type }) => hasUpload(type));
}
