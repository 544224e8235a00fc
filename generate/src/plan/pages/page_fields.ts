/** The fields of a page: the list of items in it, and those that lead to the next page. */

import type { StatedPages } from "../../names/overrides_file.ts";
import type { Operation } from "../../read/operations.ts";
import type { Node } from "../../read/source.ts";
import type {
  ItemsStep,
  MethodResult,
  Parameter,
  Property,
  RequestBody,
  Type,
} from "../../model/mod.ts";
import { unionOf } from "../../algebra/types.ts";
import { isRecord, type TypePlanner } from "../types/mod.ts";
import { isEndOfPages, isFieldOfPages } from "./page_names.ts";

/** An operation with all that decides about its pages. */
export interface PagedOperation {
  readonly operation: Operation;
  /** Its name in files: `GET /pets/{}`. */
  readonly key: string;
  /** Query, header and cookie parameters. */
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly result: MethodResult;
  readonly responses: readonly (readonly [status: string, response: Node])[];
  /** True if a caller can choose a stream in place of the result. */
  readonly hasStream: boolean;
  /** The settings of the file of overrides; false for no pages. */
  readonly override: StatedPages | false | undefined;
}

/** A parameter that a rule can set: of the query, or of a JSON body. */
export interface PageParameter {
  readonly name: string;
  /** The name in lower case, with letters and digits only. */
  readonly key: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly schema: Node | undefined;
  readonly description: string;
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
  /** The values that it has in examples of the body. */
  readonly examples: readonly unknown[];
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

/** Names of lists that are not the items of a page, unless the path names them. */
const sideLists: ReadonlySet<string> = new Set(
  "aggregations errors facets failures included links messages schemas tags unreachable warnings"
    .split(" "),
);

/** Names of the list of items, if there are several lists. */
const itemNames: ReadonlySet<string> = new Set(
  "content data elements entries items list objects records results rows value values".split(" "),
);

/** Returns a name in lower case, with letters and digits only: `next_cursor` is `nextcursor`. */
export function keyOf(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** The number of unions inside of each other after which the kind of a type is not looked for. */
const MAX_UNIONS = 20;

/** Returns the kind of a type. Null does not count. */
export function kindOf(types: TypePlanner, type: Type, unions = 0): FieldKind {
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
      if (unions > MAX_UNIONS) return "other";
      const kinds = new Set(found.members.map((each) => kindOf(types, each, unions + 1)));
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

/** Returns what a type names, without null and undefined; of a union, all its members. */
function membersOf(types: TypePlanner, type: Type): Type[] {
  const found = withoutNull(types, type);
  if (found.kind !== "union") return [found];
  return found.members.filter(({ kind }) => kind !== "null" && kind !== "undefined")
    .map((each) => types.resolve(each));
}

/** Lists the properties of a body; of a union, those that all its members have. */
export function propertiesIn(types: TypePlanner, type: Type): readonly Property[] {
  const [first = [], ...others] = membersOf(types, type).map((each) => types.propertiesOf(each));
  return others.length === 0 ? first : first.flatMap((property) => {
    const same = others.map((each) => each.find(({ name }) => name === property.name));
    const all = [property, ...same.filter((each) => each !== undefined)];
    if (all.length <= others.length) return [];
    const optional = all.some((each) => each.optional);
    return [{ ...property, optional, type: unionOf(all.map((each) => each.type)) }];
  });
}

/** Returns the type of the items of an array, or of a union of arrays; undefined for other types. */
function itemOf(types: TypePlanner, type: Type): Type | undefined {
  const members = membersOf(types, type);
  const items = members.flatMap((each) => each.kind === "array" ? each.items : []);
  return items.length > 0 && items.length === members.length ? unionOf(items) : undefined;
}

function isObject(types: TypePlanner, type: Type): boolean {
  return membersOf(types, type).every(({ kind }) => kind === "object" || kind === "intersection");
}

/** Reports if a type has null in it. */
export function isNullable(types: TypePlanner, type: Type): boolean {
  const found = types.resolve(type);
  return found.kind === "union" && found.members.some(({ kind }) => kind === "null");
}

/**
 * Lists the fields of a body by which the next page can be found.
 *
 * @param items The names on the path to the items, beside which fields can be
 * @param examples The examples of the body
 */
export function fieldsOf(
  types: TypePlanner,
  body: Type,
  schema: Node | undefined,
  { items = [], examples }: {
    readonly items?: readonly ItemsStep[] | undefined;
    readonly examples: readonly unknown[];
  },
): PageFieldNode[] {
  const fields: PageFieldNode[] = [];
  const around = items.slice(0, -1).map(({ name }) => name).join(".");
  const add = (
    type: Type,
    node: Node | undefined,
    names: readonly string[],
    parents: readonly string[],
    values: readonly unknown[],
  ): void => {
    for (const { name, type: inner } of propertiesIn(types, type)) {
      // A name with a dot is only found at the top.
      if (name === "" || names.length > 0 && name.includes(".")) continue;
      const child = node && types.propertyNode(node, name);
      const [key, kind] = [keyOf(name), kindOf(types, inner)];
      const path = [...names, name].join(".");
      const own = values.flatMap((each) =>
        isRecord(each) && Object.hasOwn(each, name) ? [each[name]] : []
      );
      fields.push({ path, key, kind, parents, schema: child, examples: own });
      const isContainer = containers.has(key) || path === around;
      const isInner = isContainer && parents.length < 3 && !name.includes(".");
      if (isInner && isObject(types, inner)) {
        add(inner, child, [...names, name], [...parents, key], own);
      }
    }
  };
  add(body, schema, [], [], examples);
  return fields;
}

/**
 * Finds the items of a page: the body itself, or the one array in it.
 *
 * @param path The path of the operation, whose last word names the items of several arrays
 */
export function findItems(types: TypePlanner, body: Type, path: string): PageItems | undefined {
  const item = itemOf(types, body);
  if (item !== undefined) return { items: [], item };
  const own = oneList(types, body, path);
  if (own !== undefined) return own;
  const inner = objectsIn(types, body).flatMap(({ step, type }) => {
    const list = oneList(types, type, path);
    if (list === undefined) return [];
    const isEnvelope = envelopes.has(keyOf(step.name)) || hasFieldOfPages(types, type) ||
      isAloneInPage(types, body, step.name) ||
      // The hits of Elasticsearch are in `hits.hits`.
      keyOf(list.items.at(-1)!.name) === keyOf(step.name);
    return isEnvelope ? [{ ...list, items: [step, ...list.items] }] : [];
  });
  const usual = inner.filter(({ items: [step] }) => envelopes.has(keyOf(step!.name)));
  const [only] = [usual, inner].find(({ length }) => length === 1) ?? [];
  return only;
}

/** Lists the arrays of a body by their places: in the body, and in the objects in it. */
export function listPlaces(types: TypePlanner, body: Type): string[] {
  if (itemOf(types, body) !== undefined) return [""];
  const own = listsIn(types, body).map(({ name }) => name);
  const inner = objectsIn(types, body).flatMap(({ step, type }) =>
    envelopes.has(keyOf(step.name))
      ? listsIn(types, type).map(({ name }) => `${step.name}.${name}`)
      : []
  );
  return [...own, ...inner];
}

/** Reports if a body is a list: an array, or an object around one with a name of items. */
export function isListBody(types: TypePlanner, body: Type, path: string): boolean {
  const found = findItems(types, body, path);
  const step = found?.items.at(-1);
  if (found === undefined || step === undefined) return found !== undefined;
  const key = keyOf(step.name);
  const isNamed = itemNames.has(key) || envelopes.has(key) || staticWords(path).at(-1) === key;
  return isNamed && !hasOwnValues(types, body, found);
}

/**
 * Reports if the object around the items looks like a resource of its own: the path ends with its id,
 * and it has values that say nothing about a page; or it has an id, and the items are only texts or
 * numbers, such as the ids of others.
 */
export function isResource(
  types: TypePlanner,
  body: Type,
  items: PageItems,
  path: string,
): boolean {
  const own = ownValues(types, body, items);
  const kind = kindOf(types, items.item);
  return /\}\/?$/.test(path) && hasOwnValues(types, body, items) ||
    own.includes("id") && (kind === "text" || kind === "number");
}

/** Reports if the object around the items has an id, or two other values that belong to no page. */
function hasOwnValues(types: TypePlanner, body: Type, items: PageItems): boolean {
  const own = ownValues(types, body, items);
  return own.includes("id") || own.length > 1;
}

/** Lists the names of the values around the items that belong to no page, in the form of `key`. */
function ownValues(types: TypePlanner, body: Type, { items }: PageItems): string[] {
  let type = body;
  for (const { name } of items.slice(0, -1)) {
    const property = propertiesIn(types, type).find((each) => each.name === name);
    if (property !== undefined) type = property.type;
  }
  return propertiesIn(types, type).flatMap(({ name, type: inner }) => {
    const [key, kind] = [keyOf(name), kindOf(types, inner)];
    return (kind === "text" || kind === "number") && !isFieldOfPages(key) ? [key] : [];
  });
}

function objectsIn(
  types: TypePlanner,
  body: Type,
): { readonly step: ItemsStep; readonly type: Type }[] {
  return propertiesIn(types, body).flatMap(({ name, type, optional }) => {
    if (!isObject(types, type)) return [];
    return [{ step: { name, isOptional: optional || isNullable(types, type) }, type }];
  });
}

/** Reports if all other properties of a body, of which there is one at least, belong to a page. */
function isAloneInPage(types: TypePlanner, body: Type, name: string): boolean {
  const others = propertiesIn(types, body).filter((each) => each.name !== name).map((each) =>
    keyOf(each.name)
  );
  const isPart = (key: string) => containers.has(key) || sideLists.has(key) || isFieldOfPages(key);
  return others.some((key) => containers.has(key)) && others.every(isPart);
}

/** Reports if an object has the next cursor, the URL of the next page, or a number of all items. */
function hasFieldOfPages(types: TypePlanner, type: Type): boolean {
  return propertiesIn(types, type).some(({ name, type: inner }) => {
    const kind = kindOf(types, inner);
    return (kind === "text" || kind === "number") && isEndOfPages(keyOf(name));
  });
}

/** Returns the items at a place: a name, or names joined by dots; an empty text is the body. */
export function itemsAt(types: TypePlanner, body: Type, place: string): PageItems | undefined {
  let type = body;
  const items: ItemsStep[] = [];
  for (const name of namesAt(types, type, place)) {
    const property = propertiesIn(types, type).find((each) => each.name === name);
    if (property === undefined) return undefined;
    const { type: inner, optional } = property;
    type = inner;
    const isList = itemOf(types, type) !== undefined;
    items.push({ name, isOptional: optional || !isList && isNullable(types, inner) });
  }
  const item = itemOf(types, type);
  return item && { items, item };
}

/** Reports if a type has a field, or may have any. */
export function hasField(types: TypePlanner, body: Type, place: string): boolean {
  let type = withoutNull(types, body);
  for (const name of namesAt(types, type, place)) {
    if (type.kind === "unknown") return true;
    const property = propertiesIn(types, type).find((each) => each.name === name);
    if (property === undefined) return type.kind === "object" && type.additional !== undefined;
    type = withoutNull(types, property.type);
  }
  return true;
}

function namesAt(types: TypePlanner, body: Type, place: string): string[] {
  if (place === "") return [];
  const isOne = propertiesIn(types, body).some(({ name }) => name === place);
  return isOne ? [place] : place.split(".");
}

/** Returns the segments of a path without its parameters, and without `.json` at their ends. */
function staticWords(path: string): string[] {
  return path.split(/[/:]/).filter((part) => part !== "" && !part.includes("{"))
    .map((part) => keyOf(part.replace(/\.(?:json|xml)$/, "")));
}

function listsIn(types: TypePlanner, type: Type): Property[] {
  return propertiesIn(types, type).filter((each) => itemOf(types, each.type) !== undefined);
}

/** Reports if one name begins or ends with the other: `envelopeTemplates` and `templates`. */
function isSimilar(one: string, other: string): boolean {
  const [short, long] = [one, other].map((each) => each.replace(/s$/, ""))
    .toSorted((a, b) => a.length - b.length) as [string, string];
  return short.length > 3 && (long.startsWith(short) || long.endsWith(short));
}

function oneList(types: TypePlanner, type: Type, path: string): PageItems | undefined {
  const words = staticWords(path);
  const lists = listsIn(types, type).filter(({ name }) =>
    !sideLists.has(keyOf(name)) || words.includes(keyOf(name))
  );
  // A verb of Google's can follow the name: `/machines:search`.
  const named = [-1, -2].map((place) =>
    lists.filter(({ name }) => keyOf(name) === words.at(place))
  );
  const usual = lists.filter(({ name }) => itemNames.has(keyOf(name)));
  const similar = lists.filter(({ name }) => isSimilar(keyOf(name), words.at(-1) ?? ""));
  const [found] = [lists, ...named, usual, similar].find(({ length }) => length === 1) ?? [];
  const item = found && itemOf(types, found.type);
  if (found === undefined || item === undefined) return undefined;
  // The toolkit reads null as no items.
  return { items: [{ name: found.name, isOptional: found.optional }], item };
}
