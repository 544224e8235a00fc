/** Compares types: if callers can still pass the values that they passed, and use those they got. */

import type { Type } from "../model/mod.ts";
import type { Finding } from "./changes.ts";
import {
  type Alternative,
  describe,
  type ObjectShape,
  placeOfProperty,
  type Shape,
  type Shapes,
} from "./shapes.ts";

/** The way of a value: from callers to the API, or back. */
export type Way = "request" | "response";

/** Findings of a comparison. Those of named types are shared by all that refer to them. */
export interface Findings {
  readonly own: Finding[];
  readonly inner: Set<Findings>;
}

/** Returns an empty list of findings. */
export function newFindings(): Findings {
  return { own: [], inner: new Set() };
}

/** Lists findings with those of all named types, each once. */
export function allFindings(findings: Findings): Finding[] {
  const all: Finding[] = [];
  const seen = new Set<Findings>([findings]);
  // A set takes in what is added while it is read.
  for (const each of seen) {
    all.push(...each.own);
    for (const inner of each.inner) seen.add(inner);
  }
  return all;
}

/**
 * Compares the types of two SDKs.
 *
 * In a request, each value of the old type must fit the new one: a required property that is new
 * breaks callers. In a response, each value of the new type must fit the old one: a property that can
 * now be missing breaks them. A property or value that callers name must still exist in both.
 */
export class TypeComparison {
  readonly #old: Shapes;
  readonly #new: Shapes;
  /** The findings of named types, by both names and the way. */
  readonly #named = new Map<string, Findings>();

  constructor(oldShapes: Shapes, newShapes: Shapes) {
    this.#old = oldShapes;
    this.#new = newShapes;
  }

  /**
   * Compares two types.
   *
   * @param oldType The type in the old SDK
   * @param newType The type in the new SDK
   * @param way The way of its values
   * @param place The place for messages
   * @param into Takes the findings
   */
  compare(oldType: Type, newType: Type, way: Way, place: string, into: Findings): void {
    if (oldType.kind === "reference" && newType.kind === "reference") {
      this.#compareNamed(`alias ${oldType.name} ${newType.name} ${way}`, into, (findings) => {
        this.#compareAlternatives(oldType, newType, way, oldType.name, findings);
      });
    } else this.#compareAlternatives(oldType, newType, way, place, into);
  }

  /** Adds the findings of two named types, which are compared once. */
  #compareNamed(key: string, into: Findings, compare: (findings: Findings) => void): void {
    const known = this.#named.get(key);
    if (known !== undefined) {
      into.inner.add(known);
      return;
    }
    const findings = newFindings();
    this.#named.set(key, findings);
    into.inner.add(findings);
    compare(findings);
  }

  #compareAlternatives(
    oldType: Type,
    newType: Type,
    way: Way,
    place: string,
    into: Findings,
  ): void {
    const olds = this.#old.alternatives(oldType);
    const news = this.#new.alternatives(newType);
    const [given, taken] = way === "request" ? [olds, news] : [news, olds];
    const pair = (one: Alternative, other: Alternative): Findings => {
      const findings = newFindings();
      const [oldOne, newOne] = way === "request" ? [one, other] : [other, one];
      this.#comparePair(oldOne, newOne, way, place, findings);
      return findings;
    };

    const left: Alternative[] = [];
    const free = new Set(taken);
    const values = new Map(
      taken.flatMap((each) => each.shape.kind === "literal" ? [[each.shape.value, each]] : []),
    );
    for (const one of given) {
      // Enums can be long.
      const same = one.shape.kind === "literal" ? values.get(one.shape.value) : undefined;
      if (same !== undefined) {
        free.delete(same);
        continue;
      }
      const fitting = sortedByName(taken, one).map((other) => [other, pair(one, other)] as const)
        .find(([, findings]) => allFindings(findings).length === 0);
      if (fitting === undefined) left.push(one);
      else {
        const [other, findings] = fitting;
        free.delete(other);
        // A type that is being compared may have findings later.
        into.inner.add(findings);
      }
    }
    const unlike: Alternative[] = [];
    for (const one of left) {
      const partner = partnerOf(one, left, [...free]);
      if (partner !== undefined) into.inner.add(pair(one, partner));
      else if (way === "request" || !isOneMore(one, olds, pair)) unlike.push(one);
    }
    this.#report(unlike, { oldType, newType, way, place }, into);
    if (way === "response") reportRemovedValues(olds, news, place, into);
  }

  /** Reports alternatives that do not fit. */
  #report(
    unlike: readonly Alternative[],
    { oldType, newType, way, place }: {
      readonly oldType: Type;
      readonly newType: Type;
      readonly way: Way;
      readonly place: string;
    },
    into: Findings,
  ): void {
    const values = unlike.filter(({ shape }) => shape.kind === "literal");
    const nulls = unlike.filter(({ shape }) => shape.kind === "null");
    const taken = way === "request"
      ? this.#new.alternatives(newType)
      : this.#old.alternatives(oldType);
    const hasValues = taken.some(({ shape }) => shape.kind === "literal");
    const isRequest = way === "request";
    const isPlain = values.length + nulls.length === unlike.length &&
      (values.length === 0 || hasValues);
    if (!isPlain) {
      const message = this.#changeOf(oldType, newType);
      into.own.push({ kind: "type-changed", place, message, direction: way });
      return;
    }
    for (const { shape } of values) {
      into.own.push({
        kind: isRequest ? "value-removed" : "value-added",
        place,
        message: isRequest
          ? `the value ${describe(shape)} was removed`
          : `can have the new value ${describe(shape)}`,
        direction: way,
      });
    }
    if (nulls.length > 0) {
      into.own.push({
        kind: isRequest ? "null-removed" : "null-added",
        place,
        message: isRequest ? "must not be null any more" : "can be null now",
        direction: way,
      });
    }
  }

  /** Returns a message about two types. Those of the same name are described by what they stand for. */
  #changeOf(oldType: Type, newType: Type): string {
    const names = [describe(oldType), describe(newType)];
    if (names[0] !== names[1]) return `was ${names[0]}, is ${names[1]}`;
    const [olds, news] = [
      this.#old.alternatives(oldType),
      this.#new.alternatives(newType),
    ].map((all) =>
      all.map(({ name, shape }) => name === undefined || name === names[0] ? describe(shape) : name)
    ) as [string[], string[]];
    const [was, is] = [olds, news].map((all) => all.join(" | "));
    if (was === is) return `is another ${was}`;
    if (olds.length + news.length <= MAX_ALTERNATIVES) return `was ${was}, is ${is}`;
    const gone = olds.filter((each) => !news.includes(each));
    const added = news.filter((each) => !olds.includes(each));
    return [
      ...gone.length === 0 ? [] : [`is not ${listed(gone)} any more`],
      ...added.length === 0 ? [] : [`can be ${listed(added)} now`],
    ].join(", ") || `has other alternatives of ${names[0]}`;
  }

  #comparePair(
    oldOne: Alternative,
    newOne: Alternative,
    way: Way,
    place: string,
    into: Findings,
  ): void {
    if (oldOne.name !== undefined && newOne.name !== undefined) {
      const key = `shape ${oldOne.name} ${newOne.name} ${way}`;
      this.#compareNamed(key, into, (findings) => {
        this.#compareShapes(oldOne, newOne, way, oldOne.name!, findings);
      });
    } else this.#compareShapes(oldOne, newOne, way, place, into);
  }

  #compareShapes(
    { shape: oldShape }: Alternative,
    { shape: newShape }: Alternative,
    way: Way,
    place: string,
    into: Findings,
  ): void {
    const [given, taken] = way === "request" ? [oldShape, newShape] : [newShape, oldShape];
    if (taken.kind === "unknown") return;
    if (oldShape.kind === "object" && newShape.kind === "object") {
      return this.#compareObjects(oldShape, newShape, way, place, into);
    }
    if (oldShape.kind === "array" && newShape.kind === "array") {
      return this.compare(oldShape.items, newShape.items, way, `${place}[]`, into);
    }
    if (
      oldShape.kind === "tuple" && newShape.kind === "tuple" &&
      oldShape.items.length === newShape.items.length &&
      (oldShape.rest === undefined) === (newShape.rest === undefined)
    ) {
      for (const [index, item] of oldShape.items.entries()) {
        this.compare(item, newShape.items[index]!, way, `${place}[${index}]`, into);
      }
      if (oldShape.rest !== undefined) {
        this.compare(oldShape.rest, newShape.rest!, way, `${place}[]`, into);
      }
      return;
    }
    if (isSameShape(given, taken)) return;
    const message = `was ${describe(oldShape)}, is ${describe(newShape)}`;
    into.own.push({ kind: "type-changed", place, message, direction: way });
  }

  #compareObjects(
    oldShape: ObjectShape,
    newShape: ObjectShape,
    way: Way,
    place: string,
    into: Findings,
  ): void {
    const add = (kind: Finding["kind"], name: string, message: string): void => {
      const where = placeOfProperty(place, name);
      into.own.push({ kind, place: where, message, direction: way });
    };
    for (const [name, { type, optional }] of oldShape.properties) {
      const found = newShape.properties.get(name) ??
        (newShape.additional && { type: newShape.additional, optional: true });
      if (found === undefined) {
        add("property-removed", name, "the property was removed");
        continue;
      }
      if (way === "request" && optional && !found.optional) {
        add("property-required", name, "was optional, is required");
      }
      if (way === "response" && !optional && found.optional) {
        add("property-optional", name, "was always there, is optional");
      }
      this.compare(type, found.type, way, placeOfProperty(place, name), into);
    }
    if (way === "request") {
      for (const [name, { optional }] of newShape.properties) {
        if (oldShape.properties.has(name) || optional) continue;
        add("property-required", name, "is new, and required");
      }
    }
    if (oldShape.additional === undefined) return;
    if (newShape.additional === undefined) {
      const message = "has no properties of any name any more";
      into.own.push({ kind: "property-removed", place, message, direction: way });
    } else this.compare(oldShape.additional, newShape.additional, way, `${place}[key]`, into);
  }
}

/** The number of alternatives of two types that a message shows. */
const MAX_ALTERNATIVES = 6;

/** Returns the first alternatives. */
function listed(names: readonly string[]): string {
  const others = names.length - MAX_ALTERNATIVES;
  return names.slice(0, MAX_ALTERNATIVES).join(" | ") + (others > 0 ? ` and ${others} more` : "");
}

/** Reports if each value of a shape without parts fits another shape. */
function isSameShape(given: Shape, taken: Shape): boolean {
  switch (given.kind) {
    case "literal": {
      const kind: string = typeof given.value;
      return taken.kind === "literal" ? taken.value === given.value : taken.kind === kind;
    }
    case "other":
      return taken.kind === "other" && taken.text === given.text;
    default:
      return given.kind === taken.kind && !hasParts.has(given.kind);
  }
}

/** Shapes that are not the same because their kinds are. */
const hasParts: ReadonlySet<string> = new Set(["array", "tuple", "object"]);

/**
 * Reports if a new alternative in a response is like one of several old ones, except for optional
 * properties of that one alone. Callers can only use those after they have told the alternatives apart.
 */
function isOneMore(
  one: Alternative,
  olds: readonly Alternative[],
  pair: (one: Alternative, other: Alternative) => Findings,
): boolean {
  const { shape } = one;
  if (shape.kind !== "object" || olds.length < 2) return false;
  const objects = olds.flatMap((each) => each.shape.kind === "object" ? [each.shape] : []);
  const isCommon = (name: string) => objects.every(({ properties }) => properties.has(name));
  return olds.some((other) => {
    if (other.shape.kind !== "object") return false;
    const missing = [...other.shape.properties].filter(([name]) => !shape.properties.has(name));
    return missing.every(([name, { optional }]) => optional && !isCommon(name)) &&
      allFindings(pair(one, other)).length === missing.length;
  });
}

/** Puts the alternatives with the same name first. */
function sortedByName(all: readonly Alternative[], { name }: Alternative): readonly Alternative[] {
  const isSame = (each: Alternative) => name !== undefined && each.name === name;
  return all.some(isSame) ? [...all.filter(isSame), ...all.filter((each) => !isSame(each))] : all;
}

/** Returns the alternative whose parts must have changed: that of the same name, or the only one. */
function partnerOf(
  one: Alternative,
  left: readonly Alternative[],
  free: readonly Alternative[],
): Alternative | undefined {
  const { kind } = one.shape;
  if (!hasParts.has(kind)) return undefined;
  const named = free.find(({ name }) => name !== undefined && name === one.name);
  if (named?.shape.kind === kind) return named;
  const candidates = free.filter(({ shape }) => shape.kind === kind);
  const rivals = left.filter(({ shape }) => shape.kind === kind);
  return candidates.length === 1 && rivals.length === 1 ? candidates[0] : undefined;
}

/** Reports values that callers compare with, and that a response cannot have any more. */
function reportRemovedValues(
  olds: readonly Alternative[],
  news: readonly Alternative[],
  place: string,
  into: Findings,
): void {
  for (const { shape } of olds) {
    if (shape.kind !== "literal") continue;
    const isPossible = news.some(({ shape: other }) =>
      other.kind === "unknown" || other.kind === typeof shape.value ||
      other.kind === "literal" && other.value === shape.value
    );
    // A value of another type is reported as such.
    const areValues = news.some(({ shape: other }) => other.kind === "literal");
    if (isPossible || !areValues) continue;
    const message = `the value ${describe(shape)} was removed`;
    into.own.push({ kind: "value-removed", place, message, direction: "response" });
  }
}
