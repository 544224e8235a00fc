/** The planner of types: makes types and declarations of the document's schemas. */

import type { GenerateOptions } from "../options.ts";
import type { ProblemKind } from "../problems.ts";
import { type Node, placeOf, type Source } from "../read/source.ts";
import { commentOf } from "./schema_comments.ts";
import {
  isBinary,
  isRecord,
  MAX_DEPTH,
  type NamedSchema,
  referenceOf,
  SchemaIndex,
  type StatedNames,
} from "./schema_index.ts";
import {
  bothOf,
  intersectionOf,
  isPartOf,
  isSame,
  keyword,
  neverType,
  noComment,
  nullable,
  unionOf,
  unknownType,
} from "./type_algebra.ts";
import type { TypeNames } from "./type_names.ts";
import { XmlModels } from "./xml_models.ts";
import { ConversionPlanner } from "./conversions.ts";
import type {
  Comment,
  Conversion,
  Declaration,
  Direction,
  ObjectType,
  Property,
  Type,
} from "./types.ts";

/** The options that change types. */
export interface TypeOptions
  extends Pick<GenerateOptions, "bigint" | "dates" | "models" | "openEnums"> {
  /** If true, files are `upload` in place of `file`. */
  readonly uploads?: boolean | undefined;
}

/** The maximum number of schemas that are planned. A document that repeats itself can have more. */
const MAX_SCHEMAS = 1_000_000;

/** The maximum number of interfaces that extend each other. Beyond, intersections are used. */
const MAX_HEIGHT = 20;

/** The maximum number of types that the values of an object with other members can have. */
const MAX_VALUE_TYPES = 5;

/** The place of a schema that becomes a type. */
interface Place {
  readonly direction: Direction;
  /** The named schema whose type consists of this one, outside of properties and items. */
  readonly owner?: NamedSchema | undefined;
  readonly depth: number;
  /** The `type` of a schema around this one, which says more about it. */
  readonly types?: readonly string[] | undefined;
}

/** A body of XML whose values are instances of a model. */
export interface XmlBody {
  /** The name of the class. */
  readonly name: string;
  /** True for a list: the children of the root. */
  readonly isList: boolean;
}

/** The properties that an object has from the interfaces that it extends. */
interface Inheritance {
  /** The number of interfaces, one above the other. */
  readonly height: number;
  /** True if it has members beside its properties. */
  readonly isOpen: boolean;
}

/** The parts of an object that is combined of several schemas. */
interface ObjectParts {
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

/**
 * Plans types of schemas, and the declarations that they refer to.
 *
 * @example
 * ```ts
 * const planner = new TypePlanner(source, new TypeNames(), {});
 * const type = planner.typeOf(schema, "response"); // { kind: "reference", name: "Pet" }
 * planner.declarations(); // [{ name: "Pet", type: { kind: "object", … }, … }]
 * ```
 */
export class TypePlanner {
  readonly #source: Source;
  readonly #options: TypeOptions;
  readonly #index: SchemaIndex;
  readonly #declared = new Map<string, Declaration>();
  /** The types that something refers to and that are not declared yet, by their names. */
  readonly #wanted = new Map<string, { schema: NamedSchema; direction: Direction }>();
  readonly #reported = new Set<string>();
  /** The mappings of discriminators, by their places. */
  readonly #mappings = new Map<string, ReadonlyMap<NamedSchema, string[]>>();
  readonly #modelNames: ReadonlySet<string>;
  readonly #models: XmlModels;
  readonly #conversions = new ConversionPlanner(
    (name) => this.#declare(name)?.type,
    (name) => this.#modelNames.has(name),
  );
  readonly #inheritance = new WeakMap<ObjectType, Inheritance>();
  #count = 0;
  /** The names of the declarations that are being made. */
  readonly #open = new Set<string>();

  /**
   * @param source The document
   * @param names The names that are taken. The names of all components are taken at once
   * @param options The options that change types
   * @param stated The schemas to which a configuration gives names, by their places
   */
  constructor(
    source: Source,
    names: TypeNames,
    options: TypeOptions,
    stated: StatedNames = new Map(),
  ) {
    this.#source = source;
    this.#options = options;
    this.#index = new SchemaIndex(source, names, options.models === "xml", stated);
    this.#modelNames = new Set(Array.from(this.#index.models, ({ name }) => name));
    this.#models = new XmlModels(source, {
      propertyNode: (schema, name) => this.#property(schema, name)?.node,
      follow: (schema) => this.#followed(schema),
      resolve: (type) => this.resolve(type),
      isModel: (name) => this.#modelNames.has(name),
      propertiesOf: (type) => this.propertiesOf(type),
    });
  }

  /**
   * Returns the type of a schema. Mistakes in it are reported as problems.
   *
   * @param schema The schema, or a reference to it
   * @param direction The direction in which values go
   */
  typeOf(schema: Node, direction: Direction): Type {
    return this.#typeOf(schema, { direction, depth: 0 });
  }

  /** Returns the comment of a schema. That of a reference is at its declaration. */
  commentOf(schema: Node): Comment {
    return commentOf(schema);
  }

  /** Returns the type that a reference names; other types as they are. */
  resolve(type: Type): Type {
    let found = type;
    for (let hops = 0; found.kind === "reference" && hops < MAX_DEPTH; hops++) {
      const declaration = this.#declare(found.name);
      if (declaration === undefined) break;
      found = declaration.type;
    }
    return found;
  }

  /** Returns the properties of objects of a type, also of those that it extends. */
  propertiesOf(type: Type): readonly Property[] {
    const found = new Map<string, Property>();
    const seen = new Set<Type>();
    // Not recursive, because a document can have thousands of schemas that extend each other.
    const waiting: (Type | readonly Property[])[] = [type];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (!("kind" in next)) {
        for (const property of next) found.set(property.name, property);
        continue;
      }
      const resolved = this.resolve(next);
      if (seen.has(resolved)) continue;
      seen.add(resolved);
      if (resolved.kind === "intersection") waiting.push(...resolved.members.toReversed());
      if (resolved.kind !== "object") continue;
      const { properties, extends: bases = [] } = resolved;
      waiting.push(properties);
      for (const name of bases.toReversed()) waiting.push({ kind: "reference", name });
    }
    return [...found.values()];
  }

  /**
   * Returns the conversion between JSON and values of a type, which have dates or bigints in them.
   * Returns undefined if JSON has all that is in the type, as always without these options.
   */
  conversionOf(type: Type): Conversion | undefined {
    return this.#hasConversions() ? this.#conversions.conversionOf(type) : undefined;
  }

  /** Returns the declarations of all components, and of what types refer to. */
  declarations(): Declaration[] {
    const { components, stated } = this.#index;
    for (const schema of components) this.#want(schema, "response");
    for (const schema of stated) this.#want(schema, "response");
    for (const [name] of this.#wanted) this.#declare(name);
    const ordered = new Map<string, Declaration>();
    const add = (name: string | undefined): void => {
      const declaration = name === undefined ? undefined : this.#declared.get(name);
      if (declaration !== undefined) ordered.set(declaration.name, declaration);
    };
    for (const { name, requestName, multipartName } of components) {
      [name, requestName, multipartName].forEach(add);
    }
    [...this.#declared.keys()].toSorted().forEach(add);
    const declarations = Array.from(ordered.values(), (each) => this.#asModel(each));
    return this.#hasConversions() ? this.#conversions.withConversions(declarations) : declarations;
  }

  /**
   * Returns the model of a body of XML: its class, and the type of what requests take for it.
   * Returns undefined without the option, and for schemas that do not become models.
   */
  modelOf(schema: Node): XmlBody | undefined {
    const { value } = schema;
    const items = isRecord(value) && value.type === "array"
      ? this.#source.child(schema, "items")
      : undefined;
    const reference = referenceOf((items ?? schema).value);
    const target = reference === undefined
      ? undefined
      : this.#index.target(items ?? schema, reference);
    if (target === undefined || !this.#index.models.has(target)) return undefined;
    return { name: this.#want(target, "response"), isList: items !== undefined };
  }

  /** Returns the name of the schema at a place that a configuration has named. */
  nameAt(place: string): string | undefined {
    const schema = this.#index.statedAt(place);
    return schema && this.#want(schema, "response");
  }

  /** Reports if a declaration is a model class. */
  isModel(name: string): boolean {
    return this.#modelNames.has(name);
  }

  /** Returns the schema of a property, also in what a schema extends; undefined without it. */
  propertyNode(schema: Node, name: string): Node | undefined {
    const found = this.#property(schema, name);
    return found && this.#followed(found.node);
  }

  /** Returns a conversion of a type, also if there is nothing to convert. */
  explicitConversionOf(type: Type): Conversion {
    return this.#conversions.explicitConversionOf(type);
  }

  #hasConversions(): boolean {
    const { dates, bigint } = this.#options;
    return dates === true || bigint === true || this.#modelNames.size > 0;
  }

  /** Returns a declaration with its model class, if it is one. */
  #asModel(declaration: Declaration): Declaration {
    const { name, type } = declaration;
    const wanted = this.#wanted.get(name);
    if (!this.#modelNames.has(name) || wanted === undefined) return declaration;
    const { node, key = name } = wanted.schema;
    return { ...declaration, model: this.#models.modelOf(node, type, key) };
  }

  /** Notes that a type is needed, and returns its name. */
  #want(schema: NamedSchema, direction: Direction): string {
    const variant = this.#index.variant(schema, direction);
    if (!this.#wanted.has(variant.name)) {
      this.#wanted.set(variant.name, { schema, direction: variant.direction });
    }
    return variant.name;
  }

  #declare(name: string): Declaration | undefined {
    const known = this.#declared.get(name);
    const wanted = this.#wanted.get(name);
    if (known !== undefined || wanted === undefined) return known;
    if (this.#open.has(name) || this.#open.size > MAX_DEPTH) return undefined;
    this.#open.add(name);
    const { schema, direction } = wanted;
    const type = this.#extending(
      this.#typeOf(schema.node, { direction, owner: schema, depth: 0 }),
    );
    this.#open.delete(name);
    const declaration = { name, type, comment: commentOf(schema.node) };
    this.#declared.set(name, declaration);
    return declaration;
  }

  /**
   * Returns the type of values that have all of these types. It is one object with all members if two of
   * the types state a property differently: the compiler would not accept what a conversion makes of it.
   */
  #allOf(types: readonly Type[]): Type {
    if (types.length < 2) return intersectionOf(types);
    // Nothing can make an instance of a class that has other members, too: it is a plain object.
    const members = types.map((type) =>
      type.kind === "reference" && this.isModel(type.name) ? this.resolve(type) : type
    );
    const type = intersectionOf(members);
    const objects = members.map((each) => this.resolve(each));
    const isClosed = (each: Type): each is ObjectType =>
      each.kind === "object" && each.additional === undefined;
    if (!objects.every(isClosed)) return type;
    const properties = new Map<string, Property>();
    let differs = false;
    for (const object of objects) {
      for (const property of this.propertiesOf(object)) {
        const before = properties.get(property.name);
        const optional = property.optional && before?.optional !== false;
        const both = before === undefined ? property.type : bothOf(before.type, property.type);
        differs ||= before !== undefined && !isPartOf(before.type, property.type) &&
          !isPartOf(property.type, before.type);
        properties.set(property.name, { ...property, type: both, optional });
      }
    }
    if (!differs) return type;
    const additional = objects.find((each) => each.additional !== undefined)?.additional;
    return {
      kind: "object",
      properties: [...properties.values()],
      ...(additional && { additional }),
    };
  }

  /** Returns a type with `extends` in place of an intersection, if an interface can do that. */
  #extending(type: Type): Type {
    if (type.kind !== "intersection") return type;
    const own = type.members.filter((each) => each.kind === "object");
    const bases = type.members.filter((each) => each.kind === "reference");
    if (own.length !== 1 || own.length + bases.length !== type.members.length) return type;
    const [{ properties, additional, extends: more }] = own as [ObjectType];
    if (additional !== undefined || more !== undefined) return type;
    const inherited = new Map<string, Property>();
    for (const base of bases) {
      const resolved = this.#declare(base.name)?.type;
      if (resolved?.kind !== "object") return type;
      const { height, isOpen } = this.#inheritanceOf(resolved);
      if (isOpen || height >= MAX_HEIGHT) return type;
      for (const property of this.propertiesOf(resolved)) {
        const other = inherited.get(property.name);
        if (other !== undefined && !isCompatible(property, other, true)) return type;
        inherited.set(property.name, property);
      }
    }
    for (const property of properties) {
      const other = inherited.get(property.name);
      if (other !== undefined && !isCompatible(property, other, false)) return type;
    }
    return { kind: "object", properties, extends: bases.map(({ name }) => name) };
  }

  /** Returns what an object has of the interfaces that it extends. */
  #inheritanceOf(object: ObjectType): Inheritance {
    const known = this.#inheritance.get(object);
    if (known !== undefined) return known;
    let height = 0;
    let isOpen = object.additional !== undefined;
    for (const name of object.extends ?? []) {
      const base = this.#declare(name)?.type;
      const inherited = base?.kind === "object" ? this.#inheritanceOf(base) : undefined;
      height = Math.max(height, 1 + (inherited?.height ?? 0));
      isOpen ||= inherited?.isOpen !== false;
    }
    const inheritance = { height, isOpen };
    this.#inheritance.set(object, inheritance);
    return inheritance;
  }

  #problem(node: Node, message: string, action: string, kind: ProblemKind = "schema"): void {
    const key = `${node.file}${node.pointer} ${message}`;
    // The same schema is planned for each direction.
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#source.problem(node, kind, message, action);
  }

  #typeOf(node: Node, place: Place): Type {
    const { value } = node;
    if (value === true) return unknownType;
    if (value === false) return neverType;
    const stated = this.#index.stated.size === 0 ? undefined : this.#index.statedAt(placeOf(node));
    if (stated !== undefined && place.owner !== stated) {
      return { kind: "reference", name: this.#want(stated, place.direction) };
    }
    if (!isRecord(value)) {
      this.#problem(node, "a schema must be an object or a boolean", "taken as unknown");
      return unknownType;
    }
    if (place.depth > MAX_DEPTH) {
      const message = `the schema is nested in more than ${MAX_DEPTH} others`;
      this.#problem(node, message, "taken as unknown", "limit");
      return unknownType;
    }
    if (this.#count++ > MAX_SCHEMAS) {
      const message = `the document has more than ${MAX_SCHEMAS} schemas`;
      this.#problem(this.#source.root, message, "others taken as unknown", "limit");
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
    if ("const" in value) return typeOfValue(value.const);
    const reference = referenceOf(value);
    if ("$ref" in value && typeof value.$ref !== "string") {
      this.#problem(node, "$ref must be a string", "ignored");
    }
    if (Array.isArray(value.enum) && value.enum.length > 0 && reference === undefined) {
      return this.#enumOf(value.enum, value, place);
    }
    if ("enum" in value && reference === undefined) {
      this.#problem(node, "enum must be a list with at least one value", "ignored");
    }
    if (reference !== undefined && !this.#hasOwnType(value)) {
      return this.#reference(node, reference, place);
    }
    this.#reportIgnored(node, value);
    const { not } = value;
    if (not === true || isRecord(not) && Object.keys(not).length === 0) return neverType;

    const types = this.#typesOf(node, value) ?? place.types;
    const parts = newParts();
    this.#addParts(node, { ...place, types: undefined }, parts, types);
    const inUnion = { ...place, depth: place.depth + 1, types };
    const unions = ["oneOf", "anyOf"].map((key) => this.#union(node, key, inUnion))
      .filter(({ kind }) => kind !== "unknown");
    const object = this.#isUnionOfChildren(node, place.owner)
      ? undefined
      : this.#objectOf(node, place, parts, unions.length > 0);
    const others = object === undefined ? parts.others : [...parts.others, object];
    if (unions.length > 0 && others.length > 0) {
      // The object around a union with null says nothing about null, unless it states its type.
      const type = intersectionOf([...unions.map(withoutNull), ...others]);
      const allowsNull = value.type === undefined && parts.others.length === 0 &&
        unions.every((each) => withoutNull(each) !== each);
      return allowsNull ? nullable(type) : type;
    }
    if (unions.length > 0) return intersectionOf(unions);
    if (parts.others.length > 0) return this.#allOf(others);
    const alternatives = (types ?? []).filter((each) => each !== "null").map((each) =>
      each === "object" ? object ?? freeForm : this.#plain(node, value, each, place)
    );
    if (alternatives.length > 0) return unionOf(alternatives);
    if (types?.includes("null")) return keyword("null");
    return object ?? unknownType;
  }

  /** Reports if a schema with `$ref` has more keywords that are part of its type. */
  #hasOwnType(value: Readonly<Record<string, unknown>>): boolean {
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
      this.#problem(node, message, "ignored, so that more values are allowed", "unsupported");
    }
  }

  /** Returns the types of the keyword `type`, or those that other keywords are about. */
  #typesOf(node: Node, value: Readonly<Record<string, unknown>>): string[] | undefined {
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
      else this.#problem(node, `${shown(each)} is not a type of JSON Schema`, "ignored");
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
      const types = this.#children(first).map((each) => this.#typeOf(each, inside));
      const rest = first === items ? undefined : items;
      const isFull = typeof value.maxItems === "number" && value.maxItems <= types.length;
      if (isFull || rest?.value === false) return { kind: "tuple", items: types };
      return {
        kind: "tuple",
        items: types,
        rest: rest === undefined ? unknownType : this.#typeOf(rest, inside),
      };
    }
    return {
      kind: "array",
      items: items === undefined ? unknownType : this.#typeOf(items, inside),
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
  #reference(node: Node, reference: string, place: Place): Type {
    const target = this.#index.target(node, reference);
    if (target === undefined) {
      // This reports the reason.
      this.#source.resolve(node);
      return unknownType;
    }
    const { owner, direction } = place;
    if (owner !== undefined && this.#index.isCircular(owner, target)) {
      this.#problem(
        node,
        `the type of ${shown(owner.name)} would contain itself`,
        "taken as unknown",
      );
      return unknownType;
    }
    return { kind: "reference", name: this.#want(target, direction) };
  }

  #union(node: Node, key: string, place: Place): Type {
    const list = this.#source.child(node, key);
    if (list === undefined) return unknownType;
    if (!Array.isArray(list.value) || list.value.length === 0) {
      this.#problem(list, `${key} must be a list with at least one schema`, "ignored");
      return unknownType;
    }
    const members = this.#children(list).filter((each) => !isCondition(each.value));
    if (members.length === 0) return unknownType;
    const narrowed = members.map((each) => this.#member(node, each, place));
    return unionOf(narrowed);
  }

  /** Returns a member of a union, in which the property of a discriminator has its literal. */
  #member(union: Node, member: Node, place: Place): Type {
    const type = this.#typeOf(member, place);
    const discriminator = this.#source.child(union, "discriminator");
    const reference = referenceOf(member.value);
    if (discriminator === undefined || reference === undefined) return type;
    if (type.kind !== "reference") return type;
    const { value } = discriminator;
    if (!isRecord(value) || typeof value.propertyName !== "string") {
      this.#problem(discriminator, "a discriminator needs a propertyName", "ignored");
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
    const found = this.#property(member, name);
    const wanted = unionOf(literals.map((value) => ({ kind: "literal", value })));
    if (found === undefined) return type;
    const declared = this.#typeOf(found.node, { direction, depth: 0 });
    const resolved = this.resolve(declared);
    if (isPartOf(resolved, wanted)) return type;
    if (!isPartOf(wanted, resolved) && !isOpen(resolved)) {
      const action = "not used to tell the schemas apart";
      if (mapping === undefined) {
        // One problem, however many schemas there are.
        const message = `without a mapping, the values of ${
          shown(name)
        } must be the schemas' names`;
        this.#problem(discriminator, message, action);
      } else {
        const message = `the discriminator's value ${literals.map(shown).join(", ")} is not one ` +
          `of the values of ${shown(name)}`;
        this.#problem(member, message, action);
      }
      return type;
    }
    const property = { name, type: wanted, optional: false, comment: noComment };
    return intersectionOf([type, { kind: "object", properties: [property] }]);
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
      this.#problem(list, "allOf must be a list with at least one schema", "ignored");
      return;
    }
    const inside = { ...place, depth: place.depth + 1 };
    for (const each of this.#children(list)) this.#addPart(each, inside, parts, types);
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
      const own = this.#typesOf(node, value) ?? (objectOnly(types) ? types : undefined);
      this.#addParts(node, place, parts, own);
      return;
    }
    const reference = referenceOf(value);
    if (reference !== undefined && !this.#hasOwnType(value as Readonly<Record<string, unknown>>)) {
      this.#addBase(node, reference, place, parts);
      return;
    }
    parts.others.push(this.#typeOf(node, { ...place, types }));
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
      this.#addParts(base, { ...place, depth: depth + 1 }, parts, this.#typesOf(base, own));
      return;
    }
    const type = this.#reference(node, reference, place);
    const isNullable = isRecord(node.value) && node.value.nullable === true;
    parts.others.push(isNullable ? nullable(type) : type);
    parts.bases.push(node);
  }

  /** Reports if a schema is a union of schemas that all extend it, so that they say all about it. */
  #isUnionOfChildren(node: Node, owner: NamedSchema | undefined): boolean {
    const list = this.#source.child(node, "oneOf") ?? this.#source.child(node, "anyOf");
    if (owner?.node.value !== node.value || !Array.isArray(list?.value)) return false;
    return this.#children(list).every((each) => {
      const reference = referenceOf(each.value);
      const child = reference === undefined ? undefined : this.#index.target(each, reference);
      return child !== undefined && this.#index.isChildOf(child, owner!);
    });
  }

  #addProperties(node: Node, place: Place, parts: ObjectParts): void {
    const properties = this.#source.child(node, "properties");
    if (properties === undefined) return;
    if (!isRecord(properties.value)) {
      this.#problem(properties, "properties must be an object", "ignored");
      return;
    }
    const { direction, depth } = place;
    for (const [name, schema] of this.#source.children(properties)) {
      if (this.#index.isLeftOut(schema, direction)) continue;
      const type = this.#typeOf(schema, { direction, depth: depth + 1 });
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
    else if (additional !== undefined) types.push(this.#typeOf(additional, inside));
    const patterns = this.#source.child(node, "patternProperties");
    if (patterns !== undefined && isRecord(patterns.value)) {
      for (const each of this.#children(patterns)) types.push(this.#typeOf(each, inside));
    }
    if (types.length > 0) parts.additional.push(unionOf(types));
  }

  #addRequired(node: Node, parts: ObjectParts): void {
    const { required } = node.value as Readonly<Record<string, unknown>>;
    if (required === undefined) return;
    if (!Array.isArray(required)) {
      this.#problem(node, "required must be a list of names", "ignored");
      return;
    }
    for (const name of required) {
      if (typeof name === "string") parts.required.set(name, node);
      else this.#problem(node, "required must be a list of names", "the others are used");
    }
  }

  /** Returns the object that parts form, or undefined if they say nothing about one. */
  #objectOf(
    node: Node,
    place: Place,
    parts: ObjectParts,
    hasUnion: boolean,
  ): ObjectType | undefined {
    const { direction } = place;
    const inherited = this.#requiredIn(parts.bases);
    const properties = [...parts.properties.values()].map((each) =>
      parts.required.has(each.name) || inherited.has(each.name)
        ? { ...each, optional: false }
        : each
    );
    const value = node.value as Readonly<Record<string, unknown>>;
    for (const name of parts.required.keys()) {
      if (parts.properties.has(name)) continue;
      const found = parts.bases.map((base) => this.#property(base, name)).find((each) => each);
      // A property that was left out of this direction, or one that all members of a union have.
      if (found === undefined) {
        const own = this.#property(node, name);
        if (own !== undefined || !parts.isObject || parts.isClosed) continue;
      } else if (found.isRequired || this.#index.isLeftOut(found.node, direction)) continue;
      const type = found === undefined
        ? unknownType
        : this.#typeOf(found.node, { direction, depth: place.depth + 1 });
      properties.push({ name, type, optional: false, comment: noComment });
    }
    const additional = additionalOf(properties, parts.additional);
    if (properties.length > 0) return { kind: "object", properties, additional };
    if (additional !== undefined) return { kind: "object", properties, additional };
    if (!parts.isObject || parts.others.length > 0 || hasUnion) return undefined;
    const hadProperties = isRecord(value.properties) && Object.keys(value.properties).length > 0;
    return parts.isClosed && !hadProperties
      ? { kind: "object", properties, additional: neverType }
      : hadProperties
      ? { kind: "object", properties }
      : undefined;
  }

  /** Finds a property of a schema, also in what it extends, and in the members of a union. */
  #property(
    node: Node,
    name: string,
    seen: Set<unknown> = new Set(),
  ): { readonly node: Node; readonly isRequired: boolean } | undefined {
    const { value } = node;
    if (!isRecord(value) || seen.has(value) || seen.size > MAX_DEPTH) return undefined;
    seen.add(value);
    const properties = this.#source.child(node, "properties");
    const own = properties && isRecord(properties.value)
      ? this.#source.child(properties, name)
      : undefined;
    if (own !== undefined) {
      const { required } = value;
      return { node: own, isRequired: Array.isArray(required) && required.includes(name) };
    }
    const target = this.#targetOf(node);
    const found = target && this.#property(target, name, seen);
    if (found !== undefined) return found;
    for (const key of ["allOf", "oneOf", "anyOf"]) {
      const list = this.#source.child(node, key);
      if (list === undefined || !Array.isArray(list.value)) continue;
      for (const each of this.#children(list)) {
        const inner = this.#property(each, name, seen);
        if (inner !== undefined) return inner;
      }
    }
    return undefined;
  }

  /** Returns the names that schemas require, also by what they extend. */
  #requiredIn(nodes: readonly Node[], seen: Set<unknown> = new Set()): Set<string> {
    const names = new Set<string>();
    for (const node of nodes) {
      const { value } = node;
      if (!isRecord(value) || seen.has(value) || seen.size > MAX_DEPTH) continue;
      seen.add(value);
      if (Array.isArray(value.required)) {
        for (const name of value.required) if (typeof name === "string") names.add(name);
      }
      const inner: Node[] = [];
      const target = this.#targetOf(node);
      if (target !== undefined) inner.push(target);
      const list = this.#source.child(node, "allOf");
      if (list !== undefined && Array.isArray(list.value)) inner.push(...this.#children(list));
      for (const name of this.#requiredIn(inner, seen)) names.add(name);
    }
    return names;
  }

  /** Follows the references of a schema. */
  #followed(schema: Node): Node {
    let node = schema;
    for (let hops = 0; hops < MAX_DEPTH; hops++) {
      const next = this.#targetOf(node);
      if (next === undefined) break;
      node = next;
    }
    return node;
  }

  #targetOf(node: Node): Node | undefined {
    const reference = referenceOf(node.value);
    return reference === undefined ? undefined : this.#index.target(node, reference)?.node;
  }

  #children(node: Node): Node[] {
    return Array.from(this.#source.children(node), ([, child]) => child);
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
function additionalOf(
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

/** Reports if an interface can have a property in place of an inherited one. */
function isCompatible(own: Property, inherited: Property, isInherited: boolean): boolean {
  if (isInherited) return own.optional === inherited.optional && isSame(own.type, inherited.type);
  return (!own.optional || inherited.optional) && isPartOf(own.type, inherited.type);
}

/** Reports if a schema only lists required names, and so repeats what is around it. */
function isCondition(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0 &&
    Object.keys(value).every((key) => key === "required" || key === "not" || key === "title");
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

function objectOnly(types: readonly string[] | undefined): boolean {
  return types !== undefined && types.every((each) => each === "object" || each === "null");
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
