import type { MutableRecord } from "../instance.ts";
import { isSlot, type KeptElement, type ValueSlot, type WrapperSlot } from "../unknown_content.ts";
import type { XmlElement } from "../../xml/content.ts";
import type { XmlField } from "./plan.ts";
import { firstIndex, type XmlChild, type XmlNode, type XmlValue, type XmlWrapper } from "./node.ts";

/** A part of the content of an element that is written. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unknown"; readonly element: XmlElement }
  /** A part of the text of the `text` field. */
  | { readonly kind: "field text"; readonly text: string }
  | {
    readonly kind: "wrapper";
    readonly node: XmlWrapper;
    readonly layout: KeptElement | undefined;
  }
  | { readonly kind: "values"; readonly child: XmlValue; readonly values: readonly PlacedValue[] };

/** A value that is written as an element. */
export interface PlacedValue {
  readonly value: unknown;
  /** The position in an array, from 1; 0 if the element does not repeat. */
  readonly index: number;
  /** The unknown content of the element. */
  readonly inside: KeptElement | undefined;
}

/**
 * The order in which the parts of an instance are written.
 *
 * Without unknown content, it is the order of the fields. Otherwise it is the order in which they
 * were read, so that unknown content keeps its place. Values that have no place yet are written
 * before the first field that is declared after theirs.
 */
export class PartOrder {
  /** The instance. */
  readonly instance: MutableRecord;
  readonly #only: ReadonlySet<string> | undefined;
  /** The numbers of elements by the names of properties: those that have a place, and are left. */
  readonly #places = new Map<string, { readonly count: number; left: number }>();
  /** The elements around others that have a place. */
  readonly #wrappers = new Set<XmlChild>();
  /** The nodes whose attributes are written. An element around others may occur twice. */
  readonly #begun = new Set<XmlNode>();
  /** The number of values that are written, by the names of properties. */
  readonly #written = new Map<string, number>();

  /**
   * Prepares the order.
   *
   * @param instance The instance
   * @param node The node of its element
   * @param layout The unknown content, if it has any
   * @param only The names of the properties to write; undefined for all
   */
  constructor(
    instance: MutableRecord,
    node: XmlNode,
    layout: KeptElement | undefined,
    only: ReadonlySet<string> | undefined,
  ) {
    this.instance = instance;
    this.#only = only;
    if (layout !== undefined) this.#countPlaces(node, layout);
  }

  #countPlaces(node: XmlNode, { children }: KeptElement): void {
    for (const slot of children) {
      if (!isSlot(slot) || slot.kind === "text") continue;
      if (slot.kind === "value") {
        const count = (this.#places.get(slot.name)?.count ?? 0) + slot.count;
        this.#places.set(slot.name, { count, left: count });
      } else {
        const wrapper = node.children.get(slot.key) as XmlWrapper;
        this.#wrappers.add(wrapper);
        this.#countPlaces(wrapper, slot.inside);
      }
    }
  }

  /** Reports if a property is written. */
  includes(name: string): boolean {
    return this.#only === undefined || this.#only.has(name);
  }

  /** Returns the fields that are attributes of an element. */
  attributes(node: XmlNode): readonly XmlField[] {
    if (this.#begun.has(node)) return [];
    this.#begun.add(node);
    return [...node.attributes.values()].filter(({ name }) => this.includes(name));
  }

  /** Returns the parts of an element in the order in which they are written. */
  parts(node: XmlNode, layout: KeptElement | undefined): Part[] {
    const parts: Part[] = [];
    const unplaced = [...node.children.values()].filter((child) => this.#isUnplaced(child));
    for (const child of layout?.children ?? []) {
      if (typeof child === "string") parts.push({ kind: "text", text: child });
      else if (!isSlot(child)) parts.push({ kind: "unknown", element: child });
      else if (child.kind === "text") parts.push({ kind: "field text", text: child.text });
      else {
        const placed = childOf(node, child);
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
    return [...parts, ...unplaced.map((child) => this.#partOf(child))];
  }

  #isUnplaced(child: XmlChild): boolean {
    if (child.kind === "wrapper") return !this.#wrappers.has(child);
    const { name, field } = child;
    // A field with several names is written at the first of them.
    return name === child.names[0] && !this.#places.has(field.name) &&
      !this.#written.has(field.name);
  }

  #partOf(child: XmlChild): Part {
    if (child.kind === "wrapper") return { kind: "wrapper", node: child, layout: undefined };
    const values = this.#take(child, Infinity).map((each) => ({ ...each, inside: undefined }));
    return { kind: "values", child, values };
  }

  /** Returns the values that are written at a place. The last place of a field takes the rest. */
  #valuesAt(slot: ValueSlot, child: XmlChild): PlacedValue[] {
    const places = this.#places.get(slot.name)!;
    const isFirst = places.left === places.count;
    places.left -= slot.count;
    const isLast = places.left <= 0;
    const { inside } = slot;
    const plain = (count: number) =>
      this.#take(child as XmlValue, count).map((each) => ({ ...each, inside: undefined }));
    if (inside === undefined) return plain(isLast ? Infinity : slot.count);
    // Unknown attributes belong to the element at the same position, or else to the same value.
    const all = this.#valuesOf(child as XmlValue);
    const next = this.#written.get(slot.name) ?? 0;
    const index = all.length === places.count && !(isFirst && isLast && all.length > 1)
      ? next
      : all.findIndex((value, at) => at >= next && Object.is(value, slot.value));
    if (index < 0) return isLast ? plain(Infinity) : [];
    const before = plain(index - next);
    const [own] = this.#take(child as XmlValue, 1);
    const placed = own === undefined ? before : [...before, { ...own, inside }];
    return isLast ? [...placed, ...plain(Infinity)] : placed;
  }

  /** Returns the next values of a field. */
  #take(child: XmlValue, count: number): Omit<PlacedValue, "inside">[] {
    const { name, place } = child.field;
    const from = this.#written.get(name) ?? 0;
    const taken = this.#valuesOf(child).slice(from, from + count);
    this.#written.set(name, from + taken.length);
    return taken.map((value, at) => ({ value, index: place === "elements" ? from + at + 1 : 0 }));
  }

  /** Returns the values of a field. A value that is not an array is reported when it is written. */
  #valuesOf({ field }: XmlValue): readonly unknown[] {
    if (!this.includes(field.name)) return [];
    const value = this.instance[field.name];
    if (field.place === "elements" && Array.isArray(value)) return [...value];
    return value === undefined && field.isOptional ? [] : [value];
  }
}

function childOf(node: XmlNode, slot: ValueSlot | WrapperSlot): XmlChild {
  if (slot.kind === "wrapper") return node.children.get(slot.key)!;
  return [...node.children.values()].find((child) =>
    child.kind === "value" && child.field.name === slot.name
  )!;
}
