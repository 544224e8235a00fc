/** The planner of types: declares the types of schemas, and answers questions about them. */

import type { Node, Source } from "../../read/source.ts";
import { commentOf } from "./schema_comments.ts";
import {
  isRecord,
  MAX_DEPTH,
  type NamedSchema,
  referenceOf,
  SchemaIndex,
  type StatedNames,
} from "./schema_index.ts";
import { additionalOf } from "./schema_objects.ts";
import { SchemaTypes, type TypeOptions } from "./schema_types.ts";
import { bothOf, intersectionOf, isPartOf, isSame } from "../../algebra/types.ts";
import type { TypeNames } from "../../names/type_names.ts";
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
} from "../../model/mod.ts";

/** The maximum number of interfaces that extend each other. Beyond, intersections are used. */
const MAX_HEIGHT = 20;

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
  readonly #types: SchemaTypes;
  readonly #modelNames: ReadonlySet<string>;
  readonly #models: XmlModels;
  readonly #conversions = new ConversionPlanner(
    (name) => this.#declare(name)?.type,
    (name) => this.#modelNames.has(name),
    (members, types) => this.#reportUnclear(members, types),
  );
  readonly #inheritance = new WeakMap<ObjectType, Inheritance>();
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
    this.#types = new SchemaTypes(source, this.#index, options, {
      want: (schema, direction) => this.#want(schema, direction),
      resolve: (type) => this.resolve(type),
      allOf: (types) => this.#allOf(types),
    });
    const { properties } = this.#types;
    this.#modelNames = new Set(Array.from(this.#index.models, ({ name }) => name));
    this.#models = new XmlModels(source, {
      propertyNode: (schema, name) => properties.find(schema, name)?.node,
      follow: (schema) => properties.followed(schema),
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
    return this.#settled(this.#types.typeOf(schema, { direction, depth: 0 }));
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
    // A type that is being made may be needed to compare the members of a union.
    return this.#open.size === 0 ? this.#settled(found) : found;
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
    return this.hasConversions ? this.#conversions.conversionOf(type) : undefined;
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
    const declarations = Array.from(
      ordered.values(),
      (each) => this.#asModel({ ...each, type: this.#settled(each.type) }),
    );
    return this.hasConversions ? this.#conversions.withConversions(declarations) : declarations;
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
    const { properties } = this.#types;
    const found = properties.find(schema, name);
    return found && properties.followed(found.node);
  }

  /** Returns a conversion of a type, also if there is nothing to convert. */
  explicitConversionOf(type: Type): Conversion {
    return this.#conversions.explicitConversionOf(type);
  }

  /** Returns a type whose dates and bigints are all converted. Others have the types of JSON. */
  #settled(type: Type): Type {
    return this.hasConversions ? this.#conversions.settled(type) : type;
  }

  /** True if there are types that JSON has no form for. */
  get hasConversions(): boolean {
    const { dates, bigint } = this.#options;
    return dates === true || bigint === true || this.#modelNames.size > 0;
  }

  #reportUnclear(members: readonly string[], types: readonly Type[]): void {
    const names = types.flatMap((type) => type.kind === "reference" ? [type.name] : []);
    const node = this.#wanted.get(names[0] ?? "")?.schema.node ?? this.#source.root;
    const union = names.length === 0 ? "a union" : `a union with ${names.join(", ")}`;
    this.#types.problem(
      node,
      `the dates and bigints in ${
        members.join(", ")
      } of ${union} can be meant otherwise, because ` +
        "neither a tag nor required and allowed properties tell the schemas apart",
      "left as JSON has them",
    );
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
      this.#types.typeOf(schema.node, { direction, owner: schema, depth: 0 }),
    );
    this.#open.delete(name);
    const declaration = { name, type, comment: commentOf(schema.node) };
    this.#declared.set(name, declaration);
    return declaration;
  }

  /**
   * Returns the type of values that have all of these types. It is one object with all members if two of
   * the types state a property differently, or one states it and the other has a type for all of them:
   * the compiler would accept no value for it.
   */
  #allOf(types: readonly Type[]): Type {
    if (types.length < 2) return intersectionOf(types);
    // Nothing can make an instance of a class that has other members, too: it is a plain object.
    const members = types.map((type) =>
      type.kind === "reference" && this.isModel(type.name) ? this.resolve(type) : type
    );
    const type = intersectionOf(members);
    const objects = members.map((each) => this.resolve(each));
    if (!objects.every((each) => each.kind === "object")) return type;
    const additional = objects.flatMap((each) => each.additional ?? []);
    const properties = new Map<string, Property>();
    let differs = false;
    for (const object of objects) {
      for (const property of this.propertiesOf(object)) {
        const before = properties.get(property.name);
        const optional = property.optional && before?.optional !== false;
        const both = before === undefined ? property.type : bothOf(before.type, property.type);
        differs ||= before !== undefined && !isPartOf(before.type, property.type) &&
          !isPartOf(property.type, before.type);
        differs ||= additional.some((each) =>
          each !== object.additional && !isPartOf(property.type, each)
        );
        properties.set(property.name, { ...property, type: both, optional });
      }
    }
    if (!differs) return type;
    const all = [...properties.values()];
    const object: ObjectType = { kind: "object", properties: all };
    return additional.length === 0
      ? object
      : { ...object, additional: additionalOf(all, additional) };
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
}

/** Reports if an interface can have a property in place of an inherited one. */
function isCompatible(own: Property, inherited: Property, isInherited: boolean): boolean {
  if (isInherited) return own.optional === inherited.optional && isSame(own.type, inherited.type);
  return (!own.optional || inherited.optional) && isPartOf(own.type, inherited.type);
}
