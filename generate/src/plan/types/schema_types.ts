/** Types of schemas, by all of their keywords. */

import type { GenerateOptions } from "../../options/mod.ts";
import type { ProblemKind } from "../../base/problems.ts";
import { type Node, placeOf, type Source } from "../../read/source.ts";
import {
  isBinary,
  isRecord,
  MAX_DEPTH,
  type NamedSchema,
  referenceOf,
  type SchemaIndex,
} from "./schema_index.ts";
import { type Place, SchemaObjects, type SchemaPlanner } from "./schema_objects.ts";
import { childrenOf, SchemaProperties } from "./schema_properties.ts";
import {
  intersectionOf,
  isPartOf,
  keyword,
  neverType,
  noComment,
  nullable,
  unionOf,
  unknownType,
} from "../../algebra/types.ts";
import type { Direction, ObjectType, Type } from "../../model/mod.ts";

/** The options that change types. */
export interface TypeOptions
  extends Pick<GenerateOptions, "bigint" | "dates" | "models" | "openEnums"> {
  /** If true, files are `upload` in place of `file`. */
  readonly uploads?: boolean | undefined;
}

/** The maximum number of schemas that are planned. A document that repeats itself can have more. */
const MAX_SCHEMAS = 1_000_000;

/** The declared types, which the types of schemas refer to. */
export interface DeclaredTypes {
  /** Notes that the type of a schema is needed, and returns its name. */
  want(schema: NamedSchema, direction: Direction): string;
  /** Returns the type that a reference names; other types as they are. */
  resolve(type: Type): Type;
  /** Returns the type of values that have all of these types. */
  allOf(types: readonly Type[]): Type;
}

/** Makes types of schemas. Mistakes in schemas are reported as problems. */
export class SchemaTypes implements SchemaPlanner {
  readonly properties: SchemaProperties;
  readonly #source: Source;
  readonly #index: SchemaIndex;
  readonly #options: TypeOptions;
  readonly #declared: DeclaredTypes;
  readonly #objects: SchemaObjects;
  readonly #reported = new Set<string>();
  /** The schemas whose types would contain themselves, as was reported. */
  readonly #circular = new Set<NamedSchema>();
  /** The mappings of discriminators, by their places. */
  readonly #mappings = new Map<string, ReadonlyMap<NamedSchema, string[]>>();
  #count = 0;

  constructor(source: Source, index: SchemaIndex, options: TypeOptions, declared: DeclaredTypes) {
    this.#source = source;
    this.#index = index;
    this.#options = options;
    this.#declared = declared;
    this.properties = new SchemaProperties(source, index);
    this.#objects = new SchemaObjects(source, index, this.properties, this);
  }

  problem(node: Node, message: string, action: string, kind: ProblemKind = "schema"): void {
    const key = `${node.file}${node.pointer} ${message}`;
    // The same schema is planned for each direction.
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#source.problem(node, kind, message, action);
  }

  typeOf(node: Node, place: Place): Type {
    const { value } = node;
    if (value === true) return unknownType;
    if (value === false) return neverType;
    const stated = this.#index.stated.size === 0 ? undefined : this.#index.statedAt(placeOf(node));
    if (stated !== undefined && place.owner !== stated) {
      return { kind: "reference", name: this.#declared.want(stated, place.direction) };
    }
    if (!isRecord(value)) {
      this.problem(node, "a schema must be an object or a boolean", "taken as unknown");
      return unknownType;
    }
    if (place.depth > MAX_DEPTH) {
      const message = `the schema is nested in more than ${MAX_DEPTH} others`;
      this.problem(node, message, "taken as unknown", "limit");
      return unknownType;
    }
    if (this.#count++ > MAX_SCHEMAS) {
      const message = `the document has more than ${MAX_SCHEMAS} schemas`;
      this.problem(this.#source.root, message, "others taken as unknown", "limit");
      return unknownType;
    }
    const type = this.#combined(node, value, place);
    if (type.kind === "unknown" || type.kind === "null") return type;
    const allowsNull = value.nullable === true && value.const === undefined ||
      Array.isArray(value.type) && value.type.includes("null") && value.const === undefined &&
        (!Array.isArray(value.enum) || value.enum.includes(null));
    return allowsNull ? nullable(type) : type;
  }

  /** Returns the type of a schema by all of its keywords but null. */
  #combined(node: Node, value: Readonly<Record<string, unknown>>, place: Place): Type {
    const stated = this.#stated(node, value, place);
    if (stated !== undefined) return stated;
    const types = this.typesOf(node, value) ?? place.types;
    const parts = this.#objects.partsOf(node, { ...place, types: undefined }, types);
    const inUnion = { ...place, depth: place.depth + 1, types };
    const unions = ["oneOf", "anyOf"].map((key) => this.#union(node, key, inUnion))
      .filter(({ kind }) => kind !== "unknown");
    const object = this.#isUnionOfChildren(node, place.owner)
      ? undefined
      : this.#objects.objectOf(node, place, parts, unions.length > 0);
    const all = object === undefined ? parts.others : [...parts.others, object];
    const others = this.#withoutEmpty(all);
    if (unions.length > 0 && others.length > 0) {
      // The object around a union with null says nothing about null, unless it states its type.
      const type = intersectionOf([...unions.map(withoutNull), ...others]);
      const allowsNull = value.type === undefined && parts.others.length === 0 &&
        unions.every((each) => withoutNull(each) !== each);
      return allowsNull ? nullable(type) : type;
    }
    if (unions.length > 0) return intersectionOf(unions);
    if (parts.others.length > 0) return this.#declared.allOf(others.length > 0 ? others : all);
    return this.#simple(node, value, { place, types, object });
  }

  /** Returns the type of a schema that is decided by one keyword: a constant, an enum, a reference, `not`. */
  #stated(
    node: Node,
    value: Readonly<Record<string, unknown>>,
    place: Place,
  ): Type | undefined {
    if ("const" in value) return typeOfValue(value.const);
    const reference = referenceOf(value);
    if ("$ref" in value && typeof value.$ref !== "string") {
      this.problem(node, "$ref must be a string", "ignored");
    }
    if (Array.isArray(value.enum) && value.enum.length > 0 && reference === undefined) {
      return this.#enumOf(value.enum, value, place);
    }
    if ("enum" in value && reference === undefined) {
      this.problem(node, "enum must be a list with at least one value", "ignored");
    }
    if (reference !== undefined && !this.hasOwnType(value)) {
      return this.reference(node, reference, place);
    }
    this.#reportIgnored(node, value);
    const { not } = value;
    const isNever = not === true || isRecord(not) && Object.keys(not).length === 0;
    return isNever ? neverType : undefined;
  }

  /** Returns the type of a schema without parts: the union of its `type`, or its object. */
  #simple(
    node: Node,
    value: Readonly<Record<string, unknown>>,
    { place, types, object }: {
      readonly place: Place;
      readonly types: Place["types"];
      readonly object: Type | undefined;
    },
  ): Type {
    const alternatives = (types ?? []).filter((each) => each !== "null").map((each) =>
      each === "object" ? object ?? freeForm : this.#plain(node, value, each, place)
    );
    if (alternatives.length > 0) return unionOf(alternatives);
    if (types?.includes("null")) return keyword("null");
    return object ?? unknownType;
  }

  /**
   * Returns types without objects that have no property in this direction. Such an object is printed
   * as one that can have no member, and nothing else could be combined with it.
   */
  #withoutEmpty(types: readonly Type[]): readonly Type[] {
    return types.filter((type) => !hasNoMember(this.#declared.resolve(type)));
  }

  /** Reports if a schema with `$ref` has more keywords that are part of its type. */
  hasOwnType(value: Readonly<Record<string, unknown>>): boolean {
    // Up to 3.0, nothing beside `$ref` counts.
    if (/^[12]\.|^3\.0/.test(this.#source.version)) return false;
    return Object.keys(value).some((key) => typeKeywords.has(key)) ||
      Array.isArray(value.type) && !value.type.includes("null");
  }

  /** Reports keywords that narrow the type and that TypeScript has no counterpart for. */
  #reportIgnored(node: Node, value: Readonly<Record<string, unknown>>): void {
    for (const key of ["then", "else", "dependentSchemas"]) {
      const { [key]: ignored } = value;
      if (!isRecord(ignored) || Object.keys(ignored).length === 0) continue;
      if (key !== "dependentSchemas" && value.if === undefined) continue;
      const message = `${key} has no counterpart in TypeScript`;
      this.problem(node, message, "ignored, so that more values are allowed", "unsupported");
    }
  }

  /** Returns the types of the keyword `type`, or those that other keywords are about. */
  typesOf(node: Node, value: Readonly<Record<string, unknown>>): string[] | undefined {
    const { type } = value;
    if (type === undefined) {
      if (objectKeywords.some((key) => key in value)) return ["object"];
      if ("items" in value || "prefixItems" in value) return ["array"];
      if (typeof value.contentMediaType === "string" || value.format === "binary") {
        return ["string"];
      }
      return typeof value.format === "string" && stringFormats.has(value.format)
        ? ["string"]
        : undefined;
    }
    const known: string[] = [];
    for (const each of Array.isArray(type) ? type : [type]) {
      if (typeof each === "string" && typeNames.has(each)) known.push(each);
      else this.problem(node, `${shown(each)} is not a type of JSON Schema`, "ignored");
    }
    return known.length > 0 ? known : undefined;
  }

  /** Returns the type of a string, number, boolean or array. */
  #plain(
    node: Node,
    value: Readonly<Record<string, unknown>>,
    type: string,
    place: Place,
  ): Type {
    switch (type) {
      case "file":
      case "string":
        return this.#string(value, place.direction);
      case "integer":
        return keyword(this.#options.bigint && is64Bit(value.format) ? "bigint" : "number");
      case "number":
        return keyword("number");
      case "boolean":
        return keyword("boolean");
      default:
        return this.#array(node, value, place);
    }
  }

  #string(value: Readonly<Record<string, unknown>>, direction: Direction): Type {
    if (isBinary({ ...value, type: value.type ?? "string" })) {
      const file = this.#options.uploads ? "upload" : "file";
      return keyword(direction === "multipart" ? file : "string");
    }
    if (this.#options.dates && value.format === "date-time") return keyword("date");
    if (this.#options.dates && value.format === "date") return keyword("dateOnly");
    const known = value["x-extensible-enum"];
    if (!Array.isArray(known)) return keyword("string");
    return unionOf([keyword("string"), ...known.map((each) => typeOfValue(each))]);
  }

  #array(node: Node, value: Readonly<Record<string, unknown>>, place: Place): Type {
    const inside: Place = { direction: place.direction, depth: place.depth + 1 };
    const items = this.#source.child(node, "items");
    const first = this.#source.child(node, "prefixItems") ??
      // Until 2019, a list of schemas was written so.
      (Array.isArray(value.items) ? items : undefined);
    if (first !== undefined && Array.isArray(first.value) && first.value.length > 0) {
      const types = childrenOf(this.#source, first).map((each) => this.typeOf(each, inside));
      const rest = first === items ? undefined : items;
      const isFull = typeof value.maxItems === "number" && value.maxItems <= types.length;
      if (isFull || rest?.value === false) return { kind: "tuple", items: types };
      return {
        kind: "tuple",
        items: types,
        rest: rest === undefined ? unknownType : this.typeOf(rest, inside),
      };
    }
    return {
      kind: "array",
      items: items === undefined ? unknownType : this.typeOf(items, inside),
    };
  }

  #enumOf(
    values: readonly unknown[],
    value: Readonly<Record<string, unknown>>,
    { direction }: Place,
  ): Type {
    const types = values.map((each) => typeOfValue(each));
    // A single value tells schemas apart. Open, it could not.
    const isOpen = this.#options.openEnums && direction === "response" && values.length > 1 &&
      value["x-extensible-enum"] !== false;
    if (isOpen) {
      if (values.some((each) => typeof each === "string")) types.push(keyword("string"));
      if (values.some((each) => typeof each === "number")) types.push(keyword("number"));
    }
    return unionOf(types);
  }

  /** Returns the type of a reference to a schema. */
  reference(node: Node, reference: string, place: Place): Type {
    const target = this.#index.target(node, reference);
    if (target === undefined) {
      // This reports the reason.
      this.#source.resolve(node);
      return unknownType;
    }
    const { owner, direction } = place;
    if (owner !== undefined && this.#index.isCircular(owner, target)) {
      const members = this.#index.circleOf(owner);
      const isKnown = members.some((each) => this.#circular.has(each));
      members.forEach((each) => this.#circular.add(each));
      // One problem is enough for all schemas of a circle, and for each of their directions.
      // References that lead back to themselves were reported by this.
      if (!isKnown && this.#source.resolve(node) !== undefined) {
        const message = `the type of ${shown(owner.name)} would contain itself`;
        this.problem(node, message, "taken as unknown");
      }
      return unknownType;
    }
    return { kind: "reference", name: this.#declared.want(target, direction) };
  }

  /** Reports if a schema is a union of schemas that all extend it, so that they say all about it. */
  #isUnionOfChildren(node: Node, owner: NamedSchema | undefined): boolean {
    const list = this.#source.child(node, "oneOf") ?? this.#source.child(node, "anyOf");
    if (owner?.node.value !== node.value || !Array.isArray(list?.value)) return false;
    return childrenOf(this.#source, list).every((each) => {
      const reference = referenceOf(each.value);
      const child = reference === undefined ? undefined : this.#index.target(each, reference);
      return child !== undefined && this.#index.isChildOf(child, owner!);
    });
  }

  #union(node: Node, key: string, place: Place): Type {
    const list = this.#source.child(node, key);
    if (list === undefined) return unknownType;
    if (!Array.isArray(list.value) || list.value.length === 0) {
      this.problem(list, `${key} must be a list with at least one schema`, "ignored");
      return unknownType;
    }
    const members = childrenOf(this.#source, list).filter((each) => !isCondition(each.value));
    if (members.length === 0) return unknownType;
    const narrowed = members.map((each) => this.#member(node, each, place));
    return unionOf(this.#withoutUnclear(narrowed));
  }

  /** Returns the members of a union without dates beside strings, and bigints beside numbers: JSON cannot tell. */
  #withoutUnclear(members: readonly Type[]): readonly Type[] {
    const kinds = new Set(members.map((each) => this.#declared.resolve(each).kind));
    const isUnclear = (type: Type) => {
      const { kind } = this.#declared.resolve(type);
      return (kind === "date" || kind === "dateOnly") && kinds.has("string") ||
        kind === "bigint" && kinds.has("number");
    };
    return members.filter((each) => !isUnclear(each));
  }

  /** Returns a member of a union, in which the property of a discriminator has its literal. */
  #member(union: Node, member: Node, place: Place): Type {
    const type = this.typeOf(member, place);
    const discriminator = this.#source.child(union, "discriminator");
    const reference = referenceOf(member.value);
    if (discriminator === undefined || reference === undefined) return type;
    if (type.kind !== "reference") return type;
    const { value } = discriminator;
    if (!isRecord(value) || typeof value.propertyName !== "string") {
      this.problem(discriminator, "a discriminator needs a propertyName", "ignored");
      return type;
    }
    const { defaultMapping } = value;
    // This member also stands for all values that are not in the mapping.
    if (
      typeof defaultMapping === "string" &&
      this.#mapped(discriminator, defaultMapping) === this.#index.target(member, reference)
    ) return type;
    const literals = this.#discriminatorValues(discriminator, member, reference);
    return this.#narrowed(discriminator, member, type, literals, place.direction);
  }

  /** Returns the values of the discriminator that stand for a member. */
  #discriminatorValues(discriminator: Node, member: Node, reference: string): string[] {
    const target = this.#index.target(member, reference);
    if (target === undefined) return [];
    return this.#mappingOf(discriminator).get(target) ??
      (target.key === undefined ? [] : [target.key]);
  }

  /** Returns the values in the mapping of a discriminator, by the schemas that they stand for. */
  #mappingOf(discriminator: Node): ReadonlyMap<NamedSchema, string[]> {
    const key = `${discriminator.file}${discriminator.pointer}`;
    const known = this.#mappings.get(key);
    if (known !== undefined) return known;
    const values = new Map<NamedSchema, string[]>();
    const mapping = this.#source.child(discriminator, "mapping");
    if (mapping !== undefined && isRecord(mapping.value)) {
      for (const [name, { value }] of this.#source.children(mapping)) {
        const target = typeof value === "string" ? this.#mapped(discriminator, value) : undefined;
        if (target !== undefined) values.set(target, [...values.get(target) ?? [], name]);
      }
    }
    this.#mappings.set(key, values);
    return values;
  }

  /** Returns the schema that a mapping names: by a reference, or by the name of a component. */
  #mapped(discriminator: Node, value: string): NamedSchema | undefined {
    const isName = /^[\w.-]+$/.test(value);
    const named = isName ? this.#index.target(discriminator, componentOf(value)) : undefined;
    return named ?? this.#index.target(discriminator, value);
  }

  /** Returns a type in which the property of a discriminator has one of several literals. */
  #narrowed(
    discriminator: Node,
    member: Node,
    type: Type,
    literals: readonly string[],
    direction: Direction,
  ): Type {
    if (literals.length === 0) return type;
    const { propertyName: name, mapping } = discriminator.value as {
      readonly propertyName: string;
      readonly mapping?: unknown;
    };
    const found = this.properties.find(member, name);
    const wanted = unionOf(literals.map((value) => ({ kind: "literal", value })));
    if (found === undefined) return type;
    const declared = this.typeOf(found.node, { direction, depth: 0 });
    const resolved = this.#declared.resolve(declared);
    if (isPartOf(resolved, wanted)) return type;
    if (!isPartOf(wanted, resolved) && !isOpen(resolved)) {
      const action = "not used to tell the schemas apart";
      if (mapping === undefined) {
        // One problem, however many schemas there are.
        const message = `without a mapping, the values of ${
          shown(name)
        } must be the schemas' names`;
        this.problem(discriminator, message, action);
      } else {
        const message = `the discriminator's value ${literals.map(shown).join(", ")} is not one ` +
          `of the values of ${shown(name)}`;
        this.problem(member, message, action);
      }
      return type;
    }
    const property = { name, type: wanted, optional: false, comment: noComment };
    const tag: Type = { kind: "object", properties: [property] };
    return intersectionOf(this.#withoutEmpty([type, tag]));
  }
}

const freeForm: ObjectType = { kind: "object", properties: [], additional: unknownType };

const typeNames: ReadonlySet<string> = new Set(
  ["array", "boolean", "file", "integer", "null", "number", "object", "string"],
);

/** Keywords that only objects have. */
const objectKeywords = [
  "properties",
  "additionalProperties",
  "patternProperties",
  "unevaluatedProperties",
  "minProperties",
  "maxProperties",
  "propertyNames",
];

/** Keywords beside a `$ref` that are part of a type. */
const typeKeywords: ReadonlySet<string> = new Set([
  ...objectKeywords,
  "required",
  "items",
  "prefixItems",
  "allOf",
  "oneOf",
  "anyOf",
]);

/** Formats that only strings have, for schemas without a type. */
const stringFormats: ReadonlySet<string> = new Set([
  "byte",
  "date",
  "date-time",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "password",
  "time",
  "uri",
  "uuid",
]);

/** Reports if a schema only lists required names, and so repeats what is around it. */
function isCondition(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0 &&
    Object.keys(value).every((key) => key === "required" || key === "not" || key === "title");
}

/** Reports if a type is an object about whose members nothing is said. */
function hasNoMember(type: Type): boolean {
  return type.kind === "object" && type.properties.length === 0 && type.additional === undefined &&
    (type.extends ?? []).length === 0;
}

/** Reports if a type allows strings that are not in it as literals. */
function isOpen(type: Type): boolean {
  return type.kind === "unknown" || type.kind === "string" || type.kind === "openString" ||
    type.kind === "union" && type.members.some(isOpen);
}

/** Returns a type without null. */
function withoutNull(type: Type): Type {
  if (type.kind !== "union" || !type.members.some(({ kind }) => kind === "null")) return type;
  return unionOf(type.members.filter(({ kind }) => kind !== "null"));
}

function is64Bit(format: unknown): boolean {
  return format === "int64" || format === "uint64";
}

/** Returns the type of a value of the document, such as one of an enum. */
function typeOfValue(value: unknown, depth = 0): Type {
  if (value === null) return keyword("null");
  if (typeof value === "string" || typeof value === "boolean") return { kind: "literal", value };
  if (typeof value === "number") {
    return Number.isFinite(value) ? { kind: "literal", value } : keyword("number");
  }
  if (depth > MAX_DEPTH) return unknownType;
  if (Array.isArray(value)) {
    return { kind: "tuple", items: value.map((each) => typeOfValue(each, depth + 1)) };
  }
  if (!isRecord(value)) return unknownType;
  const properties = Object.keys(value).map((name) => ({
    name,
    type: typeOfValue(value[name], depth + 1),
    optional: false,
    comment: noComment,
  }));
  return { kind: "object", properties };
}

function componentOf(name: string): string {
  return `#/components/schemas/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Returns a value as a problem shows it. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
