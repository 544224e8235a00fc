/** The fields of a page: the list of items in it, and those that lead to the next page. */

import type { StatedPages } from "../../names/overrides_file.ts";
import type { Operation } from "../../read/operations.ts";
import type { Node } from "../../read/source.ts";
import type { BodyPlan, ItemsStep, ParameterPlan, ResultPlan, Type } from "../../model/mod.ts";
import type { TypePlanner } from "../types/mod.ts";

/** An operation with all that decides about its pages. */
export interface PagedOperation {
  readonly operation: Operation;
  /** Its name in files: `GET /pets/{}`. */
  readonly key: string;
  /** Query, header and cookie parameters. */
  readonly parameters: readonly ParameterPlan[];
  readonly body: BodyPlan | undefined;
  readonly result: ResultPlan;
  readonly responses: readonly (readonly [status: string, response: Node])[];
  /** True if a caller can choose a stream in place of the result. */
  readonly hasStream: boolean;
  /** The settings of the file of overrides; false for no pages. */
  readonly override: StatedPages | false | undefined;
}

/** A field of a body, or a field of an object in it. */
export interface PageFieldNode {
  /** The name, or names joined by dots. */
  readonly path: string;
  /** The last name in lower case, with letters and digits only. */
  readonly key: string;
  readonly kind: FieldKind;
  /** The names of the objects around it, in the form of `key`. */
  readonly parents: readonly string[];
  readonly schema: Node | undefined;
}

/** The kinds of values that rules of paging tell apart. */
export type FieldKind = "text" | "number" | "boolean" | "array" | "object" | "unknown" | "other";

/** The items of a page. */
export interface PageItems {
  readonly items: readonly ItemsStep[];
  readonly item: Type;
}

/** Objects that have the fields of paging in them. */
const containers: ReadonlySet<string> = new Set(
  ("cursor cursors data info links link meta metadata next nextpage page pageinfo pager pagination " +
    "paginationinfo paginationmetadata paging response responsemetadata result resultinfo").split(
      " ",
    ),
);

/** Objects that have the items in them. */
const envelopes: ReadonlySet<string> = new Set("data embedded payload response result".split(" "));

/** Names of lists that are not the items of a page. */
const sideLists: ReadonlySet<string> = new Set(
  "aggregations errors facets included links messages tags warnings".split(" "),
);

/** Names of the list of items, if there are several lists. */
const itemNames: ReadonlySet<string> = new Set(
  "content data elements entries items list objects records results rows value values".split(" "),
);

/** Returns a name in lower case, with letters and digits only: `next_cursor` is `nextcursor`. */
export function keyOf(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** Returns the kind of a type. Null does not count. */
export function kindOf(types: TypePlanner, type: Type): FieldKind {
  const found = withoutNull(types, type);
  switch (found.kind) {
    case "string":
    case "openString":
    case "date":
    case "dateOnly":
      return "text";
    case "number":
    case "openNumber":
      return "number";
    case "boolean":
    case "array":
    case "unknown":
      return found.kind;
    case "object":
    case "intersection":
      return "object";
    case "literal":
      return typeof found.value === "string"
        ? "text"
        : typeof found.value === "number"
        ? "number"
        : "boolean";
    case "union": {
      const kinds = new Set(found.members.map((each) => kindOf(types, each)));
      if (kinds.size === 1) return [...kinds][0]!;
      return [...kinds].every((kind) => kind === "text" || kind === "number") ? "text" : "other";
    }
    default:
      return "other";
  }
}

/** Returns what a type names, without null and undefined. */
export function withoutNull(types: TypePlanner, type: Type): Type {
  const found = types.resolve(type);
  if (found.kind !== "union") return found;
  const others = found.members.filter(({ kind }) => kind !== "null" && kind !== "undefined");
  return others.length === 1 ? types.resolve(others[0]!) : found;
}

/** Reports if a type has null in it. */
export function isNullable(types: TypePlanner, type: Type): boolean {
  const found = types.resolve(type);
  return found.kind === "union" && found.members.some(({ kind }) => kind === "null");
}

/** Lists the fields of a body by which the next page can be found. */
export function fieldsOf(
  types: TypePlanner,
  body: Type,
  schema: Node | undefined,
): PageFieldNode[] {
  const fields: PageFieldNode[] = [];
  const add = (
    type: Type,
    node: Node | undefined,
    names: readonly string[],
    parents: readonly string[],
  ): void => {
    for (const { name, type: inner } of types.propertiesOf(withoutNull(types, type))) {
      // A name with a dot is only found at the top.
      if (name === "" || names.length > 0 && name.includes(".")) continue;
      const child = node && types.propertyNode(node, name);
      const [key, kind] = [keyOf(name), kindOf(types, inner)];
      const path = [...names, name].join(".");
      fields.push({ path, key, kind, parents, schema: child });
      if (kind === "object" && containers.has(key) && parents.length < 3 && !name.includes(".")) {
        add(inner, child, [...names, name], [...parents, key]);
      }
    }
  };
  add(body, schema, [], []);
  return fields;
}

/**
 * Finds the items of a page: the body itself, or the one array in it.
 *
 * @param path The path of the operation, whose last word names the items of several arrays
 */
export function findItems(types: TypePlanner, body: Type, path: string): PageItems | undefined {
  const found = withoutNull(types, body);
  if (found.kind === "array") return { items: [], item: found.items };
  const own = oneList(types, found, path);
  if (own !== undefined) return own;
  const inner = types.propertiesOf(found).flatMap(({ name, type, optional }) => {
    if (!envelopes.has(keyOf(name)) || kindOf(types, type) !== "object") return [];
    const list = oneList(types, withoutNull(types, type), path);
    const step: ItemsStep = { name, isOptional: optional || isNullable(types, type) };
    return list === undefined ? [] : [{ ...list, items: [step, ...list.items] }];
  });
  return inner.length === 1 ? inner[0] : undefined;
}

/** Returns the items at a place: a name, or names joined by dots; an empty text is the body. */
export function itemsAt(types: TypePlanner, body: Type, place: string): PageItems | undefined {
  let type = withoutNull(types, body);
  const items: ItemsStep[] = [];
  for (const name of namesAt(types, type, place)) {
    const property = types.propertiesOf(type).find((each) => each.name === name);
    if (property === undefined) return undefined;
    const { type: inner, optional } = property;
    type = withoutNull(types, inner);
    const isList = type.kind === "array";
    items.push({ name, isOptional: optional || !isList && isNullable(types, inner) });
  }
  return type.kind === "array" ? { items, item: type.items } : undefined;
}

/** Reports if a type has a field, or may have any. */
export function hasField(types: TypePlanner, body: Type, place: string): boolean {
  let type = withoutNull(types, body);
  for (const name of namesAt(types, type, place)) {
    if (type.kind === "unknown") return true;
    const property = types.propertiesOf(type).find((each) => each.name === name);
    if (property === undefined) return type.kind === "object" && type.additional !== undefined;
    type = withoutNull(types, property.type);
  }
  return true;
}

function namesAt(types: TypePlanner, body: Type, place: string): string[] {
  if (place === "") return [];
  const isOne = types.propertiesOf(body).some(({ name }) => name === place);
  return isOne ? [place] : place.split(".");
}

function oneList(types: TypePlanner, type: Type, path: string): PageItems | undefined {
  const lists = types.propertiesOf(type).filter(({ name, type: inner }) =>
    kindOf(types, inner) === "array" && !sideLists.has(keyOf(name))
  );
  const last = keyOf(path.split("/").findLast((part) => part !== "" && !part.includes("{")) ?? "");
  const named = lists.filter(({ name }) => keyOf(name) === last);
  const usual = lists.filter(({ name }) => itemNames.has(keyOf(name)));
  const [found] = [lists, named, usual].find(({ length }) => length === 1) ?? [];
  if (found === undefined) return undefined;
  const list = withoutNull(types, found.type);
  if (list.kind !== "array") return undefined;
  // The toolkit reads null as no items.
  return { items: [{ name: found.name, isOptional: found.optional }], item: list.items };
}
