/** Types in the form in which they are compared: lists of alternatives without references. */

import { propertyKey } from "../print/literals.ts";
import type { Declaration, Keyword, Type } from "../model/mod.ts";

/** An alternative of a type. An optional property is not `undefined` here. */
export type Shape =
  | { readonly kind: Keyword }
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "array"; readonly items: Type }
  | { readonly kind: "tuple"; readonly items: readonly Type[]; readonly rest?: Type | undefined }
  | ObjectShape
  /** A type that is only compared with itself, such as an intersection of an object and a string. */
  | { readonly kind: "other"; readonly text: string };

/** An object with all of its properties, also those that it extends. */
export interface ObjectShape {
  readonly kind: "object";
  readonly properties: ReadonlyMap<string, { readonly type: Type; readonly optional: boolean }>;
  readonly additional?: Type | undefined;
}

/** A shape with the name of its declaration, if it has one. */
export interface Alternative {
  readonly name?: string | undefined;
  readonly shape: Shape;
}

/** The most alternatives that an intersection of unions is multiplied out to. */
const MAX_ALTERNATIVES = 64;

/** The most references that lead from one to another. */
const MAX_HOPS = 100;

/** The declarations of an SDK, by their names. */
export class Shapes {
  readonly #declarations: ReadonlyMap<string, Declaration>;

  constructor(declarations: Iterable<Declaration>) {
    this.#declarations = new Map(Array.from(declarations, (each) => [each.name, each]));
  }

  /** Returns the type that a name stands for; undefined if the SDK does not declare it. */
  declared(name: string): Type | undefined {
    return this.#declarations.get(name)?.type;
  }

  /** Lists the alternatives of a type. `true | false` is `boolean`. */
  alternatives(type: Type): Alternative[] {
    const found = this.#alternatives(type, undefined, 0);
    const booleans = found.filter(({ shape }) =>
      shape.kind === "literal" && typeof shape.value === "boolean"
    );
    if (booleans.length < 2) return found;
    return [...found.filter((each) => !booleans.includes(each)), { shape: { kind: "boolean" } }];
  }

  #alternatives(type: Type, name: string | undefined, hops: number): Alternative[] {
    switch (type.kind) {
      case "reference": {
        const declared = this.declared(type.name);
        return declared === undefined || hops > MAX_HOPS
          ? [{ name: type.name, shape: { kind: "other", text: type.name } }]
          : this.#alternatives(declared, type.name, hops + 1);
      }
      case "union":
        return type.members.flatMap((each) => this.#alternatives(each, undefined, hops + 1));
      case "intersection":
        return this.#multiplied(type.members, hops).map((shape) => ({ name, shape })) ??
          [{ name, shape: { kind: "other", text: describe(type) } }];
      case "object": {
        const bases = (type.extends ?? []).map((each): Type => ({ kind: "reference", name: each }));
        const own: ObjectShape = {
          kind: "object",
          properties: new Map(type.properties.map((each) => [each.name, each])),
          additional: type.additional,
        };
        const [base] = bases.length === 0 ? [] : this.#multiplied(bases, hops);
        return [{ name, shape: base?.kind === "object" ? extended(base, own) : own }];
      }
      case "literal":
        return [{ shape: type.value === null ? { kind: "null" } : type }];
      case "openString":
        return [{ shape: { kind: "string" } }];
      case "openNumber":
        return [{ shape: { kind: "number" } }];
      case "dateOnly":
        return [{ shape: { kind: "date" } }];
      case "never":
        return [];
      default:
        return [{ name, shape: type }];
    }
  }

  /** Returns the alternatives of an intersection. */
  #multiplied(members: readonly Type[], hops: number): Shape[] {
    let products: Shape[] = [{ kind: "unknown" }];
    for (const member of members) {
      const alternatives = this.#alternatives(member, undefined, hops + 1);
      if (products.length * alternatives.length > MAX_ALTERNATIVES) {
        return [{ kind: "other", text: members.map(describe).join(" & ") }];
      }
      products = products.flatMap((left) =>
        alternatives.map(({ shape }) => intersectionOf(left, shape))
      );
    }
    return products;
  }
}

function intersectionOf(left: Shape, right: Shape): Shape {
  if (left.kind === "unknown") return right;
  if (right.kind === "unknown") return left;
  if (left.kind === "object" && right.kind === "object") return extended(left, right);
  if (left.kind === "literal" && left.value !== null && right.kind === typeof left.value) {
    return left;
  }
  return { kind: "other", text: `${describe(left)} & ${describe(right)}` };
}

/** Returns an object with the properties of two. The second one says more about those of both. */
function extended(base: ObjectShape, own: ObjectShape): ObjectShape {
  const properties = new Map(base.properties);
  for (const [name, { type, optional }] of own.properties) {
    const earlier = properties.get(name);
    properties.set(name, { type, optional: optional && earlier?.optional !== false });
  }
  return { kind: "object", properties, additional: own.additional ?? base.additional };
}

/** The most characters of a type in a message. */
const MAX_TEXT = 80;

/** Returns a type for a message: short, and without the properties of objects. */
export function describe(type: Type | Shape): string {
  const text = textOf(type);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function textOf(type: Type | Shape): string {
  switch (type.kind) {
    case "literal":
      return JSON.stringify(type.value);
    case "reference":
      return type.name;
    case "array": {
      const items = textOf(type.items);
      return /^[\w.]+(?:\[\])*$/.test(items) ? `${items}[]` : `(${items})[]`;
    }
    case "tuple":
      return `[${type.items.map(textOf).join(", ")}${type.rest ? ", …" : ""}]`;
    case "object":
      return "object";
    case "union":
      return type.members.map(textOf).join(" | ");
    case "intersection":
      return type.members.map(textOf).join(" & ");
    case "other":
      return type.text;
    case "openString":
      return "string";
    case "openNumber":
      return "number";
    case "date":
    case "dateOnly":
      return "Date";
    case "bytes":
      return "Uint8Array";
    case "file":
      return "Blob";
    case "upload":
      return "Uploadable";
    default:
      return type.kind;
  }
}

/** Returns the place of a property: `Pet.name`, `Pet["full name"]`. */
export function placeOfProperty(place: string, name: string): string {
  const key = propertyKey(name);
  return key === name ? `${place}.${name}` : `${place}[${key}]`;
}
