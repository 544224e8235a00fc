/** Objects of schemas: collects the parts in a schema and its `allOf`, and makes one type of them. */

import type { ProblemKind } from "../../base/problems.ts";
import type { Node, Source } from "../../read/source.ts";
import { commentOf } from "./schema_comments.ts";
import {
  isRecord,
  MAX_DEPTH,
  type NamedSchema,
  referenceOf,
  type SchemaIndex,
} from "./schema_index.ts";
import { childrenOf, type SchemaProperties } from "./schema_properties.ts";
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
import type { Direction, ObjectType, Property, Type } from "../../model/mod.ts";

/** The maximum number of types that the values of an object with other members can have. */
const MAX_VALUE_TYPES = 5;

/** The place of a schema that becomes a type. */
export interface Place {
  readonly direction: Direction;
  /** The named schema whose type consists of this one, outside of properties and items. */
  readonly owner?: NamedSchema | undefined;
  readonly depth: number;
  /** The `type` of a schema around this one, which says more about it. */
  readonly types?: readonly string[] | undefined;
}

/** The parts of an object that is combined of several schemas. */
export interface ObjectParts {
  readonly properties: Map<string, Property>;
  readonly required: Map<string, Node>;
  readonly additional: Type[];
  /** Types of other kinds, such as references. */
  readonly others: Type[];
  /** The schemas of `others`, to find their properties. */
  readonly bases: Node[];
  isObject: boolean;
  isClosed: boolean;
}

/** The planner of the schemas that an object consists of. */
export interface SchemaPlanner {
  /** Returns the type of a schema. */
  typeOf(node: Node, place: Place): Type;
  /** Returns the type of a reference to a schema. */
  reference(node: Node, reference: string, place: Place): Type;
  /** Returns the types of the keyword `type`, or those that other keywords are about. */
  typesOf(node: Node, value: Readonly<Record<string, unknown>>): string[] | undefined;
  /** Reports if a schema with `$ref` has more keywords that are part of its type. */
  hasOwnType(value: Readonly<Record<string, unknown>>): boolean;
  /** Reports a mistake in a schema, once. */
  problem(node: Node, message: string, action: string, kind?: ProblemKind): void;
}

/** Plans the objects that schemas describe. */
export class SchemaObjects {
  readonly #source: Source;
  readonly #index: SchemaIndex;
  readonly #properties: SchemaProperties;
  readonly #planner: SchemaPlanner;

  constructor(
    source: Source,
    index: SchemaIndex,
    properties: SchemaProperties,
    planner: SchemaPlanner,
  ) {
    this.#source = source;
    this.#index = index;
    this.#properties = properties;
    this.#planner = planner;
  }

  /** Returns what a schema and its `allOf` say about an object. */
  partsOf(node: Node, place: Place, types: readonly string[] | undefined): ObjectParts {
    const parts = newParts();
    this.#addParts(node, place, parts, types);
    return parts;
  }

  /** Adds what a schema and its `allOf` say about an object. */
  #addParts(
    node: Node,
    place: Place,
    parts: ObjectParts,
    types: readonly string[] | undefined,
  ): void {
    const value = node.value as Readonly<Record<string, unknown>>;
    const reference = referenceOf(value);
    if (reference !== undefined) this.#addBase(node, reference, place, parts);
    if (types?.includes("object")) {
      parts.isObject = true;
      this.#addProperties(node, place, parts);
      this.#addAdditional(node, place, parts);
    }
    this.#addRequired(node, parts);
    const list = this.#source.child(node, "allOf");
    if (list === undefined) return;
    if (!Array.isArray(list.value) || list.value.length === 0) {
      this.#planner.problem(list, "allOf must be a list with at least one schema", "ignored");
      return;
    }
    const inside = { ...place, depth: place.depth + 1 };
    for (const each of childrenOf(this.#source, list)) this.#addPart(each, inside, parts, types);
  }

  /** Adds a schema of `allOf`. */
  #addPart(
    node: Node,
    place: Place,
    parts: ObjectParts,
    types: readonly string[] | undefined,
  ): void {
    const { value } = node;
    const isInline = isRecord(value) && place.depth <= MAX_DEPTH && !value.nullable &&
      Object.keys(value).every((key) => !separateKeywords.has(key)) &&
      (value.type === undefined || value.type === "object");
    if (isInline) {
      const own = this.#planner.typesOf(node, value) ?? (objectOnly(types) ? types : undefined);
      this.#addParts(node, place, parts, own);
      return;
    }
    const reference = referenceOf(value);
    if (
      reference !== undefined &&
      !this.#planner.hasOwnType(value as Readonly<Record<string, unknown>>)
    ) {
      this.#addBase(node, reference, place, parts);
      return;
    }
    parts.others.push(this.#planner.typeOf(node, { ...place, types }));
    parts.bases.push(node);
  }

  /** Adds a schema that another extends. */
  #addBase(node: Node, reference: string, place: Place, parts: ObjectParts): void {
    const target = this.#index.target(node, reference);
    const { owner, depth } = place;
    const value = target?.node.value;
    const isUnion = target !== undefined && owner !== undefined &&
      this.#index.isMemberOf(owner, target);
    if (isUnion && isRecord(value) && depth <= MAX_DEPTH) {
      // The base is a union of what extends it: its own properties are meant.
      const own = { ...value, oneOf: undefined, anyOf: undefined };
      const base = { ...target.node, value: own };
      this.#addParts(base, { ...place, depth: depth + 1 }, parts, this.#planner.typesOf(base, own));
      return;
    }
    const type = this.#planner.reference(node, reference, place);
    const isNullable = isRecord(node.value) && node.value.nullable === true;
    parts.others.push(isNullable ? nullable(type) : type);
    parts.bases.push(node);
  }

  #addProperties(node: Node, place: Place, parts: ObjectParts): void {
    const properties = this.#source.child(node, "properties");
    if (properties === undefined) return;
    if (!isRecord(properties.value)) {
      this.#planner.problem(properties, "properties must be an object", "ignored");
      return;
    }
    const { direction, depth } = place;
    for (const [name, schema] of this.#source.children(properties)) {
      if (this.#index.isLeftOut(schema, direction)) continue;
      const type = this.#planner.typeOf(schema, { direction, depth: depth + 1 });
      const before = parts.properties.get(name);
      if (before === undefined) {
        parts.properties.set(name, { name, type, optional: true, comment: commentOf(schema) });
        continue;
      }
      const both = isPartOf(type, before.type)
        ? type
        : isPartOf(before.type, type)
        ? before.type
        : intersectionOf([before.type, type]);
      const comment = commentOf(schema);
      parts.properties.set(name, {
        ...before,
        type: both,
        comment: comment.text === "" && comment.tags.length === 0 ? before.comment : comment,
      });
    }
  }

  #addAdditional(node: Node, { direction, depth }: Place, parts: ObjectParts): void {
    const value = node.value as Readonly<Record<string, unknown>>;
    const inside = { direction, depth: depth + 1 };
    const types: Type[] = [];
    const key = value.additionalProperties === undefined
      ? "unevaluatedProperties"
      : "additionalProperties";
    const additional = this.#source.child(node, key);
    if (additional?.value === false) parts.isClosed = true;
    else if (additional !== undefined) types.push(this.#planner.typeOf(additional, inside));
    const patterns = this.#source.child(node, "patternProperties");
    if (patterns !== undefined && isRecord(patterns.value)) {
      for (const each of childrenOf(this.#source, patterns)) {
        types.push(this.#planner.typeOf(each, inside));
      }
    }
    if (types.length > 0) parts.additional.push(unionOf(types));
  }

  #addRequired(node: Node, parts: ObjectParts): void {
    const { required } = node.value as Readonly<Record<string, unknown>>;
    if (required === undefined) return;
    if (!Array.isArray(required)) {
      this.#planner.problem(node, "required must be a list of names", "ignored");
      return;
    }
    for (const name of required) {
      if (typeof name === "string") parts.required.set(name, node);
      else this.#planner.problem(node, "required must be a list of names", "the others are used");
    }
  }

  /** Returns the object that parts form, or undefined if they say nothing about one. */
  objectOf(
    node: Node,
    place: Place,
    parts: ObjectParts,
    hasUnion: boolean,
  ): ObjectType | undefined {
    const { direction } = place;
    const inherited = this.#properties.requiredIn(parts.bases);
    const properties = [...parts.properties.values()].map((each) =>
      parts.required.has(each.name) || inherited.has(each.name)
        ? { ...each, optional: false }
        : each
    );
    const value = node.value as Readonly<Record<string, unknown>>;
    for (const name of parts.required.keys()) {
      if (parts.properties.has(name)) continue;
      const found = parts.bases.map((base) => this.#properties.find(base, name)).find((each) =>
        each
      );
      // A property that was left out of this direction, or one that all members of a union have.
      if (found === undefined) {
        const own = this.#properties.find(node, name);
        if (own !== undefined || !parts.isObject || parts.isClosed) continue;
      } else if (found.isRequired || this.#index.isLeftOut(found.node, direction)) continue;
      const type = found === undefined
        ? unknownType
        : this.#planner.typeOf(found.node, { direction, depth: place.depth + 1 });
      properties.push({ name, type, optional: false, comment: noComment });
    }
    const additional = additionalOf(properties, parts.additional);
    if (properties.length > 0) {
      const object: ObjectType = { kind: "object", properties, additional };
      return parts.isClosed ? { ...object, isClosed: true } : object;
    }
    if (additional !== undefined) return { kind: "object", properties, additional };
    if (!parts.isObject || parts.others.length > 0 || hasUnion) return undefined;
    const hadProperties = isRecord(value.properties) && Object.keys(value.properties).length > 0;
    return parts.isClosed && !hadProperties
      ? { kind: "object", properties, additional: neverType }
      : hadProperties
      ? { kind: "object", properties }
      : undefined;
  }
}

/** Keywords of a schema in `allOf` that stay apart from the object around it. */
const separateKeywords: ReadonlySet<string> = new Set([
  "$ref",
  "$dynamicRef",
  "const",
  "enum",
  "oneOf",
  "anyOf",
  "items",
  "prefixItems",
  "not",
]);

function newParts(): ObjectParts {
  return {
    properties: new Map(),
    required: new Map(),
    additional: [],
    others: [],
    bases: [],
    isObject: false,
    isClosed: false,
  };
}

/** Returns the type of the other members of an object, which includes those of its properties. */
export function additionalOf(
  properties: readonly Property[],
  additional: readonly Type[],
): Type | undefined {
  if (additional.length === 0) return undefined;
  const type = intersectionOf(additional);
  if (properties.length === 0 || type.kind === "unknown") return type;
  const types = [type, ...properties.map((each) => each.type)];
  if (properties.some(({ optional }) => optional)) types.push(keyword("undefined"));
  const union = unionOf(types);
  return union.kind === "union" && union.members.length > MAX_VALUE_TYPES ? unknownType : union;
}

function objectOnly(types: readonly string[] | undefined): boolean {
  return types !== undefined && types.every((each) => each === "object" || each === "null");
}
