/**
 * Decides the order in which the parts of an element are written, so that unknown content stays.
 */
import type { XmlElement } from "../../xml/content.ts";
import type { MutableRecord } from "../instance.ts";
import { isSlot, type KeptElement, type ValueSlot } from "../unknown_content.ts";
import {
  childAt,
  firstIndex,
  type XmlChild,
  type XmlNode,
  type XmlValue,
  type XmlWrapper,
} from "./node.ts";
import type { XmlField } from "./plan.ts";

/** A part of the content of an element that is written. */
export type Part = TextPart | UnknownPart | WrapperPart | ValuesPart;

/** An unknown text, the `text` field, or the piece of it that was at this place when it was read. */
export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "field text"; readonly piece: string; readonly isFirst: boolean };

/** An unknown element. */
export interface UnknownPart {
  readonly kind: "unknown";
  readonly element: XmlElement;
}

/** An element around others. */
export interface WrapperPart {
  readonly kind: "wrapper";
  readonly node: XmlWrapper;
  readonly layout: KeptElement | undefined;
}

/** The elements of values of one field. */
export interface ValuesPart {
  readonly kind: "values";
  readonly child: XmlValue;
  readonly values: readonly PlacedValue[];
}

/** A value that is written as an element. */
export interface PlacedValue {
  readonly value: unknown;
  /** The position in an array, from 1; 0 if the element does not repeat. */
  readonly index: number;
  /** The unknown content of the element. */
  readonly inside: KeptElement | undefined;
}

/** The places of the elements of a field. */
interface Places {
  /** The number of elements. */
  count: number;
  /** The number of elements whose place is not written yet. */
  left: number;
  /** The elements with unknown content, and their position from 0. */
  readonly kept: { readonly at: number; readonly slot: ValueSlot }[];
}

/**
 * The order in which the parts of an instance are written.
 *
 * Without a layout, it is the order of the fields. Otherwise it is the order in which they were read,
 * so that unknown content keeps its place. Values that have no place yet are written before the first
 * field that is declared after theirs.
 */
export class PartOrder {
  /** The instance. */
  readonly instance: MutableRecord;
  readonly #namespace: string;
  readonly #only: ReadonlySet<string> | undefined;
  /** The places of fields, by the names of their properties. */
  readonly #places = new Map<string, Places>();
  /** The elements around others that have a place. */
  readonly #wrappers = new Set<XmlChild>();
  /** The pieces of the texts of `text` fields, if they have a place. */
  readonly #pieces = new Map<XmlNode, string[]>();
  /** The nodes whose elements have begun. An element around others may occur twice. */
  readonly #begun = new Set<XmlNode>();
  /** The values of fields, and the number of those that are written. */
  readonly #values = new Map<string, { readonly all: readonly PlacedValue[]; written: number }>();

  /**
   * Prepares the order.
   *
   * @param instance The instance
   * @param node The node of its element
   * @param namespace The namespace of its element
   * @param layout The places of everything when the instance was read, if they are known
   * @param only The names of the properties to write; undefined for all
   */
  constructor(
    instance: MutableRecord,
    node: XmlNode,
    namespace: string,
    layout: KeptElement | undefined,
    only: ReadonlySet<string> | undefined,
  ) {
    this.instance = instance;
    this.#namespace = namespace;
    this.#only = only;
    if (layout !== undefined) this.#findPlaces(node, layout);
  }

  #findPlaces(node: XmlNode, { children }: KeptElement): void {
    for (const slot of children) {
      if (!isSlot(slot)) continue;
      if (slot.kind === "text") {
        const pieces = this.#pieces.get(node);
        if (pieces === undefined) this.#pieces.set(node, [slot.text]);
        else pieces.push(slot.text);
        continue;
      }
      const child = childAt(node, this.#namespace, slot);
      if (child === undefined) continue;
      if (slot.kind === "wrapper") {
        this.#wrappers.add(child);
        this.#findPlaces(child as XmlWrapper, slot.inside);
      } else {
        const places = this.#places.get(slot.name) ?? { count: 0, left: 0, kept: [] };
        this.#places.set(slot.name, places);
        if (slot.inside !== undefined) places.kept.push({ at: places.count, slot });
        places.left = places.count += slot.count;
      }
    }
  }

  /** Begins an element, and returns the fields that are its attributes. */
  attributes(node: XmlNode): readonly XmlField[] {
    if (this.#begun.has(node)) return [];
    return [...node.attributes.values()].filter(({ name }) => this.#includes(name));
  }

  /** Returns the parts of an element in the order in which they are written. */
  parts(node: XmlNode, layout: KeptElement | undefined): Part[] {
    const parts: Part[] = [];
    const hasText = node.text !== undefined && this.#includes(node.text.name);
    if (hasText && !this.#pieces.has(node) && !this.#begun.has(node)) {
      parts.push({ kind: "field text", piece: "", isFirst: true });
    }
    this.#begun.add(node);
    let isFirst = true;
    const unplaced = [...node.children.values()].filter((child) => this.#isUnplaced(child));
    for (const child of layout?.children ?? []) {
      if (typeof child === "string") parts.push({ kind: "text", text: child });
      else if (!isSlot(child)) parts.push({ kind: "unknown", element: child });
      else if (child.kind === "text") {
        if (hasText) parts.push({ kind: "field text", piece: child.text, isFirst });
        isFirst = false;
      } else {
        const placed = childAt(node, this.#namespace, child);
        if (placed === undefined) continue;
        const index = firstIndex(placed);
        while (unplaced.length > 0 && firstIndex(unplaced[0]!) < index) {
          parts.push(this.#partOf(unplaced.shift()!));
        }
        parts.push(
          child.kind === "wrapper"
            ? { kind: "wrapper", node: placed as XmlWrapper, layout: child.inside }
            : { kind: "values", child: placed as XmlValue, values: this.#valuesAt(child, placed) },
        );
      }
    }
    for (const child of unplaced) parts.push(this.#partOf(child));
    return parts;
  }

  /** Returns the pieces of the text of an element, as they were read. */
  pieces(node: XmlNode): readonly string[] {
    return this.#pieces.get(node) ?? [];
  }

  #includes(name: string): boolean {
    return this.#only === undefined || this.#only.has(name);
  }

  #isUnplaced(child: XmlChild): boolean {
    if (child.kind === "wrapper") return !this.#wrappers.has(child);
    const { name, names, field } = child;
    // A field with several names is written at the first of them.
    return name === names[0] && !this.#places.has(field.name) && !this.#values.has(field.name);
  }

  #partOf(child: XmlChild): Part {
    return child.kind === "wrapper"
      ? { kind: "wrapper", node: child, layout: undefined }
      : { kind: "values", child, values: this.#take(child, Infinity) };
  }

  /** Returns the values that are written at a place. The last place of a field takes the rest. */
  #valuesAt(slot: ValueSlot, child: XmlChild): readonly PlacedValue[] {
    const places = this.#places.get(slot.name)!;
    places.left -= slot.count;
    return this.#take(child as XmlValue, places.left > 0 ? slot.count : Infinity);
  }

  /** Returns the next values of a field. */
  #take({ field }: XmlValue, count: number): readonly PlacedValue[] {
    let values = this.#values.get(field.name);
    if (values === undefined) {
      values = { all: this.#valuesOf(field), written: 0 };
      this.#values.set(field.name, values);
    }
    const { all, written } = values;
    values.written += count;
    return written === 0 && count >= all.length ? all : all.slice(written, written + count);
  }

  /** Returns the values of a field. A value that is not an array is reported when it is written. */
  #valuesOf({ name, place, isOptional }: XmlField): readonly PlacedValue[] {
    if (!this.#includes(name)) return [];
    const value = this.instance[name];
    const places = this.#places.get(name);
    if (value === undefined && isOptional) {
      const slot = places?.kept[0]?.slot;
      // An empty element that counts as absent is written again.
      const isEmpty = slot !== undefined && slot.value === undefined;
      return isEmpty ? [{ value, index: 0, inside: slot.inside }] : [];
    }
    const isList = place === "elements" && Array.isArray(value);
    const values: readonly unknown[] = isList ? value : [value];
    const inside = places === undefined ? [] : insideOf(values, places);
    // `map` would skip the holes of a sparse array.
    return Array.from(values, (value, at) => ({
      value,
      index: isList ? at + 1 : 0,
      inside: inside[at],
    }));
  }
}

/**
 * Returns the unknown content of elements by their position: that of the element with the same value,
 * or else, if their number has not changed, that of the element at the same position.
 */
function insideOf(
  values: readonly unknown[],
  { count, kept }: Places,
): readonly (KeptElement | undefined)[] {
  const inside: (KeptElement | undefined)[] = [];
  if (kept.length === 0) return inside;
  const isSame = ({ at, slot }: Places["kept"][number]) => Object.is(values[at], slot.value);
  for (const each of kept) if (isSame(each)) inside[each.at] = each.slot.inside;
  const moved = kept.filter((each) => !isSame(each));
  if (moved.length === 0) return inside;
  /** The positions of each value that has no unknown content yet, last ones first. */
  const free = new Map<unknown, number[]>();
  for (let at = values.length - 1; at >= 0; at--) {
    if (inside[at] !== undefined) continue;
    const known = free.get(values[at]);
    if (known === undefined) free.set(values[at], [at]);
    else known.push(at);
  }
  const gone = moved.filter(({ slot }) => {
    const at = free.get(slot.value)?.pop();
    if (at !== undefined) inside[at] = slot.inside;
    return at === undefined;
  });
  if (values.length === count) {
    for (const { at, slot } of gone) inside[at] ??= slot.inside;
  }
  return inside;
}
