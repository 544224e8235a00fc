/**
 * Plans conversions of dates and bigints, which JSON has no form for. The kind of a conversion is the name
 * of a function or type of the toolkit (`src/models/`), such as `dateOnly` or `list`. Only `object`,
 * `literals` and `reference` are not: see `src/print/conversion_code.ts` of the generator.
 */

import {
  intersectionOf,
  isPartOf,
  keyword,
  unionOf,
  unknownType,
  withParts,
} from "../../algebra/types.ts";
import type { Conversion, Declaration, ObjectType, Property, Type } from "../../model/mod.ts";
import { partsOfTuple, referencesOf } from "../../algebra/references.ts";

/** How many combinations of unions in an intersection are told apart. */
const MAX_ALTERNATIVES = 32;

/** The most objects that a union is searched for, those of unions inside of it included. */
const MAX_MEMBERS = 1000;

/** The most parts of a conversion that only tells a value without dates and bigints from others. */
const MAX_PARTS = 1000;

/** How many names of other types an alias is followed through. */
const MAX_ALIASES = 20;

/** An object of a union, which no tag tells apart from the others. */
interface UntaggedObject {
  readonly type: Type;
  readonly object: ObjectType;
  /** The members that it states. */
  readonly names: ReadonlySet<string>;
  /** The conversions of its members. */
  readonly conversions: ReadonlyMap<string, Conversion>;
  /** The required members that not all of the others have. */
  readonly required: readonly string[];
}

/** The members of the objects of a union. */
interface ComparedObjects {
  /** The members with the same conversion in all objects that have them. */
  readonly shared: readonly (readonly [name: string, conversion: Conversion])[];
  /** The other members with a conversion. */
  readonly differing: readonly string[];
  /** The objects in the order in which a value is compared with them; undefined if it can be several. */
  readonly ordered: readonly UntaggedObject[] | undefined;
}

/** The conversions that are known, so that none is made for each way to its type. */
class KnownConversions {
  readonly conversions = new WeakMap<Type, { readonly conversion: Conversion | undefined }>();
  readonly explicit = new WeakMap<Type, Conversion>();
  /** Says for names of declarations if there is something to convert. */
  readonly converts = new Map<string, boolean>();
}

/** Plans conversions of types whose declarations are known. */
export class ConversionPlanner {
  readonly #typeNamed: (name: string) => Type | undefined;
  readonly #isModel: (name: string) => boolean;
  readonly #report: (members: readonly string[], types: readonly Type[]) => void;
  readonly #settled = new WeakMap<Type, Type>();
  readonly #ofSettled = new KnownConversions();
  readonly #ofUnsettled = new KnownConversions();
  /** True while members of a union are compared: by types that are not settled, which may be circular. */
  #isSettling = false;

  /**
   * @param typeNamed Returns the type of a declaration
   * @param isModel Reports if a declaration is a model class, which converts itself
   * @param report Notes members of a union that are not converted, because their type is not clear
   */
  constructor(
    typeNamed: (name: string) => Type | undefined,
    isModel: (name: string) => boolean,
    report: (members: readonly string[], types: readonly Type[]) => void,
  ) {
    this.#typeNamed = typeNamed;
    this.#isModel = isModel;
    this.#report = report;
  }

  /** Returns the conversion of a type; undefined if there is nothing to convert. */
  conversionOf(type: Type): Conversion | undefined {
    // Each union asks several times for the conversions of its members, which can be unions.
    const { conversions } = this.#known;
    const known = conversions.get(type);
    if (known !== undefined) return known.conversion;
    const conversion = this.#newConversionOf(type);
    conversions.set(type, { conversion });
    return conversion;
  }

  #newConversionOf(type: Type): Conversion | undefined {
    switch (type.kind) {
      case "bigint":
      case "date":
      case "dateOnly":
        return { kind: type.kind };
      case "reference":
        return this.#isConverted(type.name) ? { kind: "reference", name: type.name } : undefined;
      case "array": {
        const items = this.conversionOf(type.items);
        return items && { kind: "list", of: items };
      }
      case "tuple": {
        const all = [...type.items, ...type.rest === undefined ? [] : [type.rest]];
        if (all.every((each) => this.conversionOf(each) === undefined)) return undefined;
        return {
          kind: "tuple",
          type,
          items: type.items.map((each) => this.#orJson(each)),
          rest: type.rest && this.#orJson(type.rest),
        };
      }
      case "object":
        return this.#objectConversion(type, false);
      case "intersection":
        return this.#intersectionConversion(type);
      case "union":
        return this.#unionConversion(type.members);
      default:
        return undefined;
    }
  }

  #intersectionConversion(type: Type): Conversion | undefined {
    const alternatives = this.#alternatives(type);
    if (alternatives === undefined) return undefined;
    const conversions = alternatives.map(({ object }) => this.#objectConversion(object, false));
    if (alternatives.length === 1) return conversions[0];
    return conversions.every((each) => each === undefined)
      ? undefined
      : this.#anyOf(alternatives.map((each) => each.type));
  }

  #unionConversion(members: readonly Type[]): Conversion | undefined {
    const others = members.filter(({ kind }) => kind !== "null" && kind !== "undefined");
    if (others.every((each) => this.conversionOf(each) === undefined)) return undefined;
    const conversion = others.length === 1 ? this.conversionOf(others[0]!)! : this.#anyOf(others);
    const hasNull = members.some(({ kind }) => kind === "null");
    return hasNull ? { kind: "nullable", of: conversion } : conversion;
  }

  /**
   * Returns declarations with their conversions.
   *
   * A conversion of an object is read when it is first used. Others are constants that refer to each
   * other, so they come at the end, each after those that it uses.
   */
  withConversions(declarations: readonly Declaration[]): Declaration[] {
    const tagged = new Set(declarations.flatMap(({ type }) => [...membersOfUnions(type)]));
    const converted = declarations.map((declaration): Declaration => {
      const { name, type } = declaration;
      if (this.#isModel(name) || !this.#isConverted(name)) return declaration;
      const conversion = tagged.has(name) && type.kind === "object"
        ? this.#objectConversion(type, true)
        : this.conversionOf(type);
      return { ...declaration, conversion };
    });
    const isLazy = ({ conversion }: Declaration) =>
      conversion === undefined || conversion.kind === "object";
    const eager = new Map(
      converted.filter((each) => !isLazy(each)).map((each) => [each.name, each]),
    );
    const sorted = new Set<Declaration>();
    const add = (name: string): void => {
      const declaration = eager.get(name);
      if (declaration === undefined || !eager.delete(name)) return;
      for (const each of referencesOf(declaration.conversion!)) add(each);
      sorted.add(declaration);
    };
    for (const name of [...eager.keys()]) add(name);
    return [...converted.filter(isLazy), ...sorted];
  }

  #orJson(type: Type): Conversion {
    return this.conversionOf(type) ?? { kind: "json" };
  }

  /**
   * Returns a conversion that selects one of several types by the value. A value is converted only if
   * it cannot be meant otherwise: a text beside a string stays one, and a number beside a number.
   */
  #anyOf(types: readonly Type[]): Conversion {
    const first: Conversion[] = [];
    const others: Conversion[] = [];
    const objects = types.filter((type) => this.#isUntagged(type));
    if (objects.length > 1) {
      others.push(...this.#objectsOf(objects));
      types = types.filter((type) => !objects.includes(type));
    }
    const literals: (string | number | boolean)[] = [];
    let hasNull = false;
    for (const type of types) {
      if (type.kind === "literal" && type.value !== null) literals.push(type.value);
      else if (type.kind === "null") hasNull = true;
      else {
        const conversion = this.explicitConversionOf(type);
        // The first one that accepts a value reads it.
        (isPlain(conversion) ? first : others).push(conversion);
      }
    }
    if (literals.length > 0) first.unshift({ kind: "literals", values: literals });
    const all = unique([
      ...first,
      ...others.filter(isScalar),
      ...others.filter((each) => !isScalar(each)),
    ]);
    const conversion: Conversion = all.length === 1 ? all[0]! : { kind: "anyOf", types: all };
    return hasNull ? { kind: "nullable", of: conversion } : conversion;
  }

  /** Returns a conversion of any type, which states its type if it is not known from elsewhere. */
  explicitConversionOf(type: Type): Conversion {
    const { explicit } = this.#known;
    const known = explicit.get(type);
    if (known !== undefined) return known;
    // A type with nothing to convert can refer to itself.
    explicit.set(type, { kind: "json" });
    const conversion = this.#newExplicitConversionOf(type);
    const isLarge = this.conversionOf(type) === undefined && sizeOf(conversion) > MAX_PARTS;
    const limited: Conversion = isLarge ? { kind: "json" } : conversion;
    explicit.set(type, limited);
    return limited;
  }

  #newExplicitConversionOf(type: Type): Conversion {
    const conversion = this.conversionOf(type);
    const alternatives = this.#alternatives(type);
    if (conversion?.kind === "reference") return conversion;
    if (alternatives?.length === 1) {
      const { object } = alternatives[0]!;
      const members = this.#membersOf(object, true);
      return { kind: "object", type, members, others: this.#othersOf(object) };
    }
    if (conversion !== undefined) return conversion;
    switch (type.kind) {
      case "string":
      case "number":
      case "boolean":
        return { kind: type.kind };
      case "openString":
        return { kind: "string" };
      case "openNumber":
        return { kind: "number" };
      case "literal":
        return type.value === null ? { kind: "json" } : { kind: "literals", values: [type.value] };
      case "array":
        return { kind: "list", of: this.explicitConversionOf(type.items) };
      case "reference": {
        const resolved = this.#named(type.name);
        return resolved === undefined || resolved.kind === "reference" ||
            resolved.kind === "array"
          ? { kind: "json" }
          : this.explicitConversionOf(resolved);
      }
      case "union":
        return this.#anyOf(type.members);
      default:
        return { kind: "json" };
    }
  }

  /** Reports if a type of a union is an object without a tag, and no model class. */
  #isUntagged(type: Type): boolean {
    if (type.kind === "reference" && this.#isModel(type.name)) return false;
    const alternatives = this.#alternatives(type);
    return alternatives?.length === 1 && !alternatives[0]!.object.properties.some(isTag) &&
      alternatives[0]!.object.additional === undefined;
  }

  /**
   * Returns a type in which all that is left as JSON has it is typed so: a text that can be a string as
   * well as a date is a string. All declarations that the type refers to have to be known.
   */
  settled(type: Type): Type {
    const known = this.#settled.get(type);
    if (known !== undefined) return known;
    const inner = withParts(type, (part) => this.settled(part));
    const wasSettling = this.#isSettling;
    this.#isSettling = true;
    const settled = inner.kind === "union"
      ? this.#settledUnion(inner.members)
      : this.#isLeft(inner)
      ? withParts(inner, (part) => this.#jsonTypeOf(part))
      : inner;
    this.#isSettling = wasSettling;
    this.#settled.set(type, settled);
    return settled;
  }

  get #known(): KnownConversions {
    return this.#isSettling ? this.#ofUnsettled : this.#ofSettled;
  }

  #named(name: string): Type | undefined {
    const type = this.#typeNamed(name);
    return type === undefined || this.#isSettling ? type : this.settled(type);
  }

  #settledUnion(members: readonly Type[]): Type {
    const forms = members.map((type) => this.conversionOf(type) && this.#jsonTypeOf(type));
    // A list of dates beside a list of strings, and the like.
    const plain = members.map((type, index) => {
      const form = forms[index];
      const isOther = form !== undefined &&
        members.some((each, at) => at !== index && isPartOf(form, each));
      return isOther ? form : type;
    });
    const objects = plain.filter((type) => this.#isUntagged(type));
    const { differing, ordered } = this.#compared(objects);
    if (ordered !== undefined) return unionOf(plain);
    this.#report(differing, objects);
    return unionOf(
      plain.map((type) => objects.includes(type) ? this.#withJson(type, differing) : type),
    );
  }

  /** Returns an object in which some members have the types of JSON. */
  #withJson(type: Type, names: readonly string[]): Type {
    const { object } = this.#alternatives(type)![0]!;
    const isLeft = (property: Property) =>
      names.includes(property.name) && this.conversionOf(property.type) !== undefined;
    if (!object.properties.some(isLeft)) return type;
    return {
      kind: "object",
      properties: object.properties.map((each) =>
        isLeft(each) ? { ...each, type: this.#jsonTypeOf(each.type) } : each
      ),
    };
  }

  /** Returns the type that a value has in JSON; unknown for objects with a name. */
  #jsonTypeOf(type: Type, depth: number = 0): Type {
    if (this.conversionOf(type) === undefined) return type;
    switch (type.kind) {
      case "date":
      case "dateOnly":
        return keyword("string");
      case "bigint":
        return keyword("number");
      case "reference": {
        const resolved = this.#named(type.name);
        const isOpaque = resolved === undefined || resolved.kind === "object" ||
          depth > MAX_ALIASES;
        return isOpaque ? unknownType : this.#jsonTypeOf(resolved, depth + 1);
      }
      default:
        return withParts(type, (part) => this.#jsonTypeOf(part, depth + 1));
    }
  }

  /**
   * Returns the conversions of objects that no tag tells apart. A member is converted if it has the same
   * conversion in all objects that state it, or if required and allowed members tell the objects apart.
   */
  #objectsOf(types: readonly Type[]): Conversion[] {
    const { shared, differing, ordered } = this.#compared(types);
    // The members of all objects can be named for the intersection only.
    const whole = { kind: "object", type: intersectionOf(types), members: shared } as const;
    if (differing.length === 0 || ordered === undefined) return [whole];
    const own = ordered.map(({ type, conversions, required, ...each }, index): Conversion => {
      const later = new Set(
        ordered.slice(index + 1).flatMap((other) => [...other.conversions.keys()]),
      );
      // Of the objects that a value fits, the toolkit takes the one that names most of its members.
      const others = [...later].filter((name) => each.names.has(name) && !conversions.has(name))
        .map((name) => [name, { kind: "json" }] as const);
      return { kind: "object", type, members: [...conversions, ...others], required };
    });
    // An object that is none of them is left as it is.
    return [...own, { ...whole, members: [] }];
  }

  /** Compares objects of a union that no tag tells apart. */
  #compared(types: readonly Type[]): ComparedObjects {
    const objects = types.map((type): UntaggedObject => {
      const { object } = this.#alternatives(type)![0]!;
      const names = new Set(object.properties.map(({ name }) => name));
      const conversions = new Map(this.#membersOf(object, false));
      return { type, object, names, conversions, required: [] };
    });
    const shared: (readonly [string, Conversion])[] = [];
    const differing: string[] = [];
    const members = new Map<string, (Conversion | undefined)[]>();
    for (const { names, conversions } of objects) {
      for (const name of names) {
        const found = members.get(name) ?? [];
        found.push(conversions.get(name));
        members.set(name, found);
      }
    }
    for (const [name, found] of members) {
      const keys = new Set(found.map((each) => JSON.stringify(each)));
      if (keys.size > 1) differing.push(name);
      else if (found[0] !== undefined) shared.push([name, found[0]]);
    }
    return { shared, differing, ordered: differing.length === 0 ? objects : inOrder(objects) };
  }

  #objectConversion(object: ObjectType, hasTags: boolean): Conversion | undefined {
    const members = this.#membersOf(object, hasTags);
    const others = this.#othersOf(object);
    const isNeeded = others !== undefined ||
      members.some(([, conversion]) => conversion.kind !== "literals");
    return isNeeded ? { kind: "object", members, others } : undefined;
  }

  /** @param hasTags True to read literals, too, which tell the members of a union apart */
  #membersOf(object: ObjectType, hasTags: boolean): (readonly [string, Conversion])[] {
    return this.#propertiesOf(object).flatMap(({ name, type, optional }) => {
      const isTag = hasTags && !optional && type.kind === "literal" && type.value !== null;
      const conversion: Conversion | undefined = isTag
        ? { kind: "literals", values: [type.value as string | number | boolean] }
        : this.conversionOf(type);
      return conversion === undefined ? [] : [[name, conversion] as const];
    });
  }

  #othersOf(object: ObjectType): Conversion | undefined {
    return object.additional && this.conversionOf(object.additional);
  }

  /** Returns the properties of an object with those that it extends. */
  #propertiesOf({ properties, extends: bases = [] }: ObjectType): readonly Property[] {
    if (bases.length === 0) return properties;
    const all = new Map<string, Property>();
    for (const name of bases) {
      const base = this.#named(name);
      if (base?.kind !== "object") continue;
      for (const each of this.#propertiesOf(base)) all.set(each.name, each);
    }
    for (const each of properties) all.set(each.name, each);
    return [...all.values()];
  }

  /** Returns the objects that a type can be; undefined if it can be anything else. */
  #alternatives(type: Type, depth = 0): { type: Type; object: ObjectType }[] | undefined {
    if (depth > 50) return undefined;
    switch (type.kind) {
      case "object":
        return [{ type, object: { ...type, properties: this.#propertiesOf(type) } }];
      case "reference": {
        const resolved = this.#named(type.name);
        const found = resolved && this.#alternatives(resolved, depth + 1);
        return found?.length === 1 ? [{ type, object: found[0]!.object }] : found;
      }
      case "union": {
        const all: { type: Type; object: ObjectType }[] = [];
        for (const member of type.members) {
          if (member.kind === "null") continue;
          const found = this.#alternatives(member, depth + 1);
          if (found === undefined) return undefined;
          all.push(...found);
          if (all.length > MAX_MEMBERS) return undefined;
        }
        return all;
      }
      case "intersection": {
        let all: { type: Type; object: ObjectType }[] | undefined;
        for (const member of type.members) {
          // A name of a schema that allows any value says nothing.
          if (this.#resolved(member)?.kind === "unknown") continue;
          const found = this.#alternatives(member, depth + 1);
          if (found === undefined) return undefined;
          all = all === undefined
            ? found
            : all.flatMap((one) => found.map((other) => combined(one, other)));
          if (all.length > MAX_ALTERNATIVES) return undefined;
        }
        return all;
      }
      default:
        return undefined;
    }
  }

  /** Reports if a type is left as JSON has it, because its objects are not known. */
  #isLeft(type: Type): boolean {
    return type.kind === "intersection" && this.#alternatives(type) === undefined;
  }

  /** Returns a type without the parts that are left as JSON has them. */
  #withoutLeft(type: Type): Type {
    return this.#isLeft(type) ? unknownType : withParts(type, (part) => this.#withoutLeft(part));
  }

  /** Returns the type that names stand for. */
  #resolved(type: Type): Type | undefined {
    let found: Type | undefined = type;
    for (let hops = 0; found?.kind === "reference" && hops < MAX_ALIASES; hops++) {
      found = this.#named(found.name);
    }
    return found;
  }

  /** Reports if a declaration, or one that it refers to, has something to convert. */
  #isConverted(name: string): boolean {
    const { converts } = this.#known;
    const known = converts.get(name);
    if (known !== undefined) return known;
    const seen = new Set([name]);
    let found = false;
    for (const each of seen) {
      found ||= this.#isModel(each);
      const type = this.#named(each);
      if (type === undefined) continue;
      visit(this.#withoutLeft(type), (part) => {
        if (part.kind === "date" || part.kind === "dateOnly" || part.kind === "bigint") {
          found = true;
        }
        if (part.kind === "reference") seen.add(part.name);
        if (part.kind === "object") part.extends?.forEach((base) => seen.add(base));
      });
      if (found) break;
    }
    // If nothing that it refers to is converted, neither is anything that those refer to.
    for (const each of found ? [name] : seen) converts.set(each, found);
    return found;
  }
}

/** Reports if a property has a constant that tells the members of a union apart. */
function isTag({ type, optional }: Property): boolean {
  return !optional && type.kind === "literal" && type.value !== null;
}

function combined(
  one: { readonly type: Type; readonly object: ObjectType },
  other: { readonly type: Type; readonly object: ObjectType },
): { type: Type; object: ObjectType } {
  const properties = new Map(one.object.properties.map((each) => [each.name, each]));
  for (const each of other.object.properties) {
    const before = properties.get(each.name);
    const type = before === undefined ? each.type : intersectionOf([before.type, each.type]);
    const optional = each.optional && before?.optional !== false;
    properties.set(each.name, { ...each, type, optional });
  }
  return {
    type: intersectionOf([one.type, other.type]),
    object: {
      kind: "object",
      properties: [...properties.values()],
      additional: one.object.additional ?? other.object.additional,
    },
  };
}

/**
 * Sorts the objects of a union so that a value belongs to the first one whose required members it has.
 * Returns undefined if it can belong to several: each has to require a member that the other does not
 * have, or one of them, of which the other allows no such member.
 */
function inOrder(objects: readonly UntaggedObject[]): readonly UntaggedObject[] | undefined {
  if (objects.length > MAX_MEMBERS) return undefined;
  const requires = (one: UntaggedObject, other: UntaggedObject) =>
    one.object.properties.some(({ name, optional }) => !optional && !other.names.has(name));
  const canPrecede = (one: UntaggedObject, other: UntaggedObject) =>
    requires(one, other) && (requires(other, one) || other.object.isClosed === true);
  const all = objects.map((each) => ({
    ...each,
    required: each.object.properties.filter(({ name, optional }) =>
      !optional && objects.some((other) => !other.names.has(name))
    ).map(({ name }) => name),
  }));
  /** How many others have to come first. */
  const left = new Map(
    all.map((one) => [one, all.filter((other) => other !== one && !canPrecede(one, other)).length]),
  );
  const ordered: UntaggedObject[] = [];
  while (left.size > 0) {
    const next = [...left.keys()].find((one) => left.get(one) === 0);
    if (next === undefined) return undefined;
    left.delete(next);
    for (const [one, count] of left) if (!canPrecede(one, next)) left.set(one, count - 1);
    ordered.push(next);
  }
  return ordered;
}

/** Reports if JSON has the values of a conversion as they are. */
function isPlain({ kind }: Conversion): boolean {
  return kind === "string" || kind === "number" || kind === "boolean" || kind === "literals";
}

/** Returns the number of parts of a conversion. */
function sizeOf(conversion: Conversion): number {
  const parts = (() => {
    switch (conversion.kind) {
      case "list":
      case "nullable":
        return [conversion.of];
      case "anyOf":
        return conversion.types;
      case "tuple":
        return partsOfTuple(conversion);
      case "object":
        return conversion.members.map(([, each]) => each);
      default:
        return [];
    }
  })();
  return parts.reduce((sum, each) => sum + sizeOf(each), 1);
}

function isScalar({ kind }: Conversion): boolean {
  return kind === "date" || kind === "dateOnly" || kind === "bigint";
}

function unique(conversions: readonly Conversion[]): Conversion[] {
  return [...new Map(conversions.map((each) => [JSON.stringify(each), each])).values()];
}

/** Returns the names of the declarations that are members of unions in a type. */
function membersOfUnions(type: Type): Set<string> {
  const names = new Set<string>();
  visit(type, (part) => {
    if (part.kind !== "union") return;
    for (const member of part.members) {
      for (const each of member.kind === "intersection" ? member.members : [member]) {
        if (each.kind === "reference") names.add(each.name);
      }
    }
  });
  return names;
}

/** Calls a function with a type and all types in it. */
export function visit(type: Type, call: (type: Type) => void): void {
  call(type);
  switch (type.kind) {
    case "array":
      return visit(type.items, call);
    case "tuple":
      type.items.forEach((each) => visit(each, call));
      if (type.rest !== undefined) visit(type.rest, call);
      return;
    case "object":
      type.properties.forEach((each) => visit(each.type, call));
      if (type.additional !== undefined) visit(type.additional, call);
      return;
    case "union":
    case "intersection":
      type.members.forEach((each) => visit(each, call));
  }
}
