/** Makes samples of types. */

import { isRecord, type TypePlanner } from "../types/mod.ts";
import { intersectionOf } from "../../algebra/types.ts";
import type { ObjectSample, ObjectType, Sample, Type } from "../../model/mod.ts";

/** The longest text of an example that a test repeats. */
const MAX_TEXT = 200;

/** The most items of an example. */
const MAX_ITEMS = 2;

/** The most members of an object that its type does not name. */
const MAX_OTHERS = 2;

/** The depth at which values end. */
const MAX_DEPTH = 30;

/** The most values that are made for one sample. */
const MAX_VALUES = 10_000;

/** Makes samples of types. What a document says about a value is only a wish: the type decides. */
export class Sampler {
  readonly #types: TypePlanner;
  /** The samples of named types without a wish. */
  readonly #known = new Map<string, Sample | undefined>();
  /** The samples of named types in the current sample, by the wish. */
  readonly #inside = new Map<string, Map<unknown, Sample>>();
  /** The number of values in objects and lists of the current sample. */
  #sizes = new WeakMap<object, number>();
  /** The number of values that can still be made for the current sample. */
  #left = 0;

  constructor(types: TypePlanner) {
    this.#types = types;
  }

  /**
   * Returns a value of a type; undefined if there is none that ends.
   *
   * @param type The type
   * @param wanted A value of the document, from which all is taken that the type allows
   */
  sample(type: Type, wanted?: unknown): Sample | undefined {
    this.#inside.clear();
    this.#sizes = new WeakMap();
    this.#left = MAX_VALUES;
    const sample = this.#sample(type, wanted, []);
    return sample !== undefined && this.#sizeOf(sample) > MAX_VALUES ? undefined : sample;
  }

  #sample(type: Type, wanted: unknown, outer: readonly string[]): Sample | undefined {
    if (outer.length > MAX_DEPTH || --this.#left < 0) return undefined;
    switch (type.kind) {
      case "reference":
        return this.#named(type.name, wanted, outer);
      case "array":
        return this.#list(type.items, wanted, outer);
      case "tuple":
        return this.#tuple(type.items, wanted, outer);
      case "object":
        return this.#object(type, wanted, outer);
      case "union":
        return this.#union(type.members, wanted, outer);
      case "intersection":
        return this.#intersection(type.members, wanted, outer);
      default:
        return scalarSample(type, wanted);
    }
  }

  #list(type: Type, wanted: unknown, outer: readonly string[]): Sample {
    const wishes = Array.isArray(wanted) ? wanted.slice(0, MAX_ITEMS) : [undefined];
    const items = wishes.map((each) => this.#sample(type, each, outer));
    return { kind: "list", items: items.filter((each) => each !== undefined) };
  }

  #tuple(types: readonly Type[], wanted: unknown, outer: readonly string[]): Sample | undefined {
    const wishes: readonly unknown[] = Array.isArray(wanted) ? wanted : [];
    const items = types.map((each, index) => this.#sample(each, wishes[index], outer));
    return items.includes(undefined) ? undefined : { kind: "list", items: items as Sample[] };
  }

  #named(name: string, wanted: unknown, outer: readonly string[]): Sample | undefined {
    // Without a wish that ends, a type that requires itself has no end.
    if (wanted === undefined && outer.includes(name)) return undefined;
    const isKnown = wanted === undefined && this.#known.has(name);
    if (isKnown) return this.#known.get(name);
    const inside = this.#inside.get(name) ?? new Map<unknown, Sample>();
    const before = inside.get(wanted);
    if (before !== undefined) return before;
    const found = this.#types.resolve({ kind: "reference", name });
    const value = found.kind === "reference"
      ? jsonSample(wanted) ?? "sample"
      : this.#sample(found, wanted, [...outer, name]);
    const isModel = this.#types.isModel(name) && value !== undefined;
    const sample: Sample | undefined = isModel ? { kind: "model", name, json: value } : value;
    if (wanted === undefined && outer.length === 0) this.#known.set(name, sample);
    if (sample === undefined || this.#sizeOf(sample) > MAX_VALUES) return undefined;
    this.#inside.set(name, inside.set(wanted, sample));
    return sample;
  }

  #sizeOf(sample: Sample): number {
    if (typeof sample !== "object" || sample === null) return 1;
    let size = this.#sizes.get(sample);
    if (size === undefined) {
      const inner = sample.kind === "list"
        ? sample.items
        : sample.kind === "object"
        ? sample.members.map(([, each]) => each)
        : sample.kind === "model"
        ? [sample.json]
        : [];
      size = inner.reduce<number>((sum, each) => sum + this.#sizeOf(each), 1);
      this.#sizes.set(sample, size);
    }
    return size;
  }

  #object(type: ObjectType, wanted: unknown, outer: readonly string[]): Sample | undefined {
    const wishes = isRecord(wanted) ? wanted : {};
    const members: [string, Sample][] = [];
    const properties = this.#types.propertiesOf(type);
    for (const { name, type: inner, optional } of properties) {
      const wish = Object.hasOwn(wishes, name) ? wishes[name] : undefined;
      // An object literal without it would have the one that each object inherits.
      const isLeftOut = optional && (wish === undefined || wish === null) && !(name in {});
      if (isLeftOut) continue;
      const value = this.#sample(inner, wish, outer);
      if (value !== undefined) members.push([name, value]);
      else if (!optional) return undefined;
    }
    if (type.additional === undefined) return { kind: "object", members };
    const others = Object.keys(wishes).filter((key) =>
      !properties.some(({ name }) => name === key)
    );
    for (const key of others.slice(0, MAX_OTHERS)) {
      const value = this.#sample(type.additional, wishes[key], outer);
      if (value !== undefined) members.push([key.toWellFormed(), value]);
    }
    return { kind: "object", members };
  }

  #union(members: readonly Type[], wanted: unknown, outer: readonly string[]): Sample | undefined {
    const fitting = wanted === undefined || wanted === null
      ? []
      : members.filter((each) => this.#fits(each, wanted, 0));
    const usual = members.filter(({ kind }) => kind !== "null" && kind !== "undefined");
    const empty = members.filter(({ kind }) => kind === "null");
    for (const [group, wish] of [[fitting, wanted], [usual, undefined], [empty, null]] as const) {
      for (const member of group) {
        const value = this.#sample(member, wish, outer);
        if (value !== undefined) return value;
      }
    }
    return undefined;
  }

  #intersection(
    types: readonly Type[],
    wanted: unknown,
    outer: readonly string[],
  ): Sample | undefined {
    // For the compiler, a part that can be anything says nothing.
    const told = types.filter((each) => !this.#isAny(each, 0));
    const members = told.length > 0 ? told : types;
    const objects = members.map((each) => this.#types.resolve(each));
    // No literal is two lists at once for the compiler, nor an instance of a class and more.
    const isModel = (each: Type) => each.kind === "reference" && this.#types.isModel(each.name);
    if (objects.some(({ kind }) => kind === "array") || members.some(isModel)) return undefined;
    if (objects.every(({ kind }) => kind === "object")) {
      return this.#object(this.#merged(objects), wanted, outer);
    }
    const values = members.map((each) => this.#sample(each, wanted, outer));
    if (values.includes(undefined)) return undefined;
    const parts = values.filter((each) => typeof each === "object" && each?.kind === "object");
    if (parts.length === values.length) {
      const merged = new Map((parts as ObjectSample[]).flatMap((each) => each.members));
      return { kind: "object", members: [...merged] };
    }
    // No value is two scalars at once, such as a string and a number.
    if (new Set(values.map((each) => typeof each)).size > 1) return undefined;
    // Of scalars, a literal says the most.
    const literal = members.findIndex(({ kind }) => kind === "literal");
    return values[literal < 0 ? 0 : literal];
  }

  #isAny(type: Type, depth: number): boolean {
    const found = this.#types.resolve(type);
    return found.kind === "unknown" ||
      found.kind === "union" && depth < 4 &&
        found.members.some((each) => this.#isAny(each, depth + 1));
  }

  /** Returns an object with the properties of several: two types of one property are met at once. */
  #merged(objects: readonly Type[]): ObjectType {
    const byName = new Map<string, { type: Type; optional: boolean }>();
    for (const each of objects) {
      for (const { name, type, optional } of this.#types.propertiesOf(each)) {
        const known = byName.get(name);
        byName.set(name, {
          type: known === undefined ? type : intersectionOf([known.type, type]),
          optional: optional && known?.optional !== false,
        });
      }
    }
    const properties = [...byName].map(([name, { type, optional }]) => ({
      ...{ name, type, optional },
      comment: { text: "", tags: [] },
    }));
    return { kind: "object", properties };
  }

  /** Reports if a value of the document has a type, as far as its parts tell. */
  #fits(type: Type, value: unknown, depth: number): boolean {
    if (depth > 4) return true;
    const inner = (each: Type, part: unknown) => this.#fits(each, part, depth + 1);
    switch (type.kind) {
      case "reference": {
        const found = this.#types.resolve(type);
        return found.kind === "reference" || inner(found, value);
      }
      case "array":
        return Array.isArray(value) && value.every((each) => inner(type.items, each));
      case "tuple":
        return Array.isArray(value) && type.items.every((each, index) => inner(each, value[index]));
      case "object":
        return isRecord(value) &&
          this.#types.propertiesOf(type).every(({ name, type: own, optional }) =>
            Object.hasOwn(value, name) ? inner(own, value[name]) : optional
          );
      case "union":
        return type.members.some((each) => inner(each, value));
      case "intersection":
        return type.members.every((each) => inner(each, value));
      default:
        return fitsScalar(type, value);
    }
  }
}

/** Returns a sample of a type without parts; undefined if it has no values. */
function scalarSample(type: Type, wanted: unknown): Sample | undefined {
  switch (type.kind) {
    case "string":
    case "openString":
      return isShortText(wanted) ? wanted.toWellFormed() : "sample";
    case "number":
    case "openNumber":
      // A zero with a sign would be another value after JSON.
      return typeof wanted === "number" && Number.isFinite(wanted) ? wanted + 0 : 1;
    case "bigint":
      return { kind: "bigint", value: Number.isSafeInteger(wanted) ? wanted as number + 0 : 1 };
    case "boolean":
      return typeof wanted === "boolean" ? wanted : true;
    case "date":
      return { kind: "date", text: dateText(wanted) ?? "2026-11-20T10:00:00.000Z" };
    case "dateOnly":
      return { kind: "date", text: dateText(wanted)?.slice(0, 10) ?? "2026-11-20" };
    case "file":
    case "upload":
      return { kind: "file", text: "sample" };
    case "literal":
      return type.value;
    case "null":
      return null;
    case "unknown":
      return jsonSample(wanted) ?? "sample";
    default:
      return undefined;
  }
}

/** Reports if a value of the document has a type without parts. */
function fitsScalar(type: Type, value: unknown): boolean {
  switch (type.kind) {
    case "string":
    case "openString":
      return isShortText(value);
    case "number":
    case "openNumber":
      return typeof value === "number" && Number.isFinite(value);
    case "bigint":
      return Number.isSafeInteger(value);
    case "boolean":
      return typeof value === "boolean";
    case "date":
    case "dateOnly":
      return dateText(value) !== undefined;
    case "literal":
      return type.value === value;
    case "unknown":
      return true;
    default:
      return false;
  }
}

/** Reports if a value is a text that a test repeats. */
function isShortText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_TEXT;
}

/** Returns a value of the document as it is, without what is too long for a test. */
function jsonSample(value: unknown, depth = 0): Sample | undefined {
  switch (typeof value) {
    case "string":
      return isShortText(value) ? value.toWellFormed() : "sample";
    case "number":
      return Number.isFinite(value) ? value + 0 : 1;
    case "boolean":
      return value;
    case "object": {
      if (value === null) return null;
      if (depth > 4) return undefined;
      if (Array.isArray(value)) {
        const items = value.slice(0, MAX_ITEMS).map((each) => jsonSample(each, depth + 1));
        return { kind: "list", items: items.filter((each) => each !== undefined) };
      }
      const members = Object.entries(value).slice(0, 10).flatMap(([name, each]) => {
        const inner = jsonSample(each, depth + 1);
        return inner === undefined ? [] : [[name.toWellFormed(), inner] as const];
      });
      return { kind: "object", members };
    }
    default:
      return undefined;
  }
}

/** Returns a date as the toolkit writes it; undefined if it is none. */
function dateText(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d(?:$|[T ])/i.test(value)) return undefined;
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return undefined;
  const text = date.toISOString();
  return /^(?!0000)\d{4}-/.test(text) ? text : undefined;
}
