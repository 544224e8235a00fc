/** Keeps unknown content, and the places of everything else, while a document is read. */
import type { XmlAttributes } from "../../xml/reader.ts";
import {
  emptyLayout,
  hasUnknown,
  isSlot,
  type KeptChild,
  type KeptElement,
  type ValueSlot,
} from "../unknown_content.ts";
import type { ScalarShape, Shape } from "../value_type.ts";
import { isBlank, isNilName } from "./names.ts";
import { childAt, type XmlNode, type XmlWrapper } from "./node.ts";

/** Adds the place of the element of a value. */
export function addSlot({ children }: KeptElement, name: string): void {
  const last = children.at(-1);
  if (isJoinable(last, name)) last.count++;
  else children.push({ kind: "value", name, count: 1, inside: undefined, value: undefined });
}

/** Adds the place of the element of a value, with a layout for its own unknown content. */
export function addOpenSlot({ children }: KeptElement, name: string): OpenSlot {
  const slot = { kind: "value", name, count: 1, inside: emptyLayout(), value: undefined } as const;
  children.push(slot);
  return slot;
}

/** The place of an element that is being read. */
export type OpenSlot = ValueSlot & { readonly inside: KeptElement };

/** Ends the element of a value. */
export function closeSlot(slot: ValueSlot, value: unknown): void {
  if (hasUnknown(slot.inside!)) slot.value = value;
  else slot.inside = undefined;
}

/** Adds the place of an element that a field declares with `within`, and returns its layout. */
export function addWrapper({ children }: KeptElement, { key, tag }: XmlWrapper): KeptElement {
  const inside = emptyLayout();
  children.push({ kind: "wrapper", key, tag, inside });
  return inside;
}

/** Adds a part of the text of the `text` field. */
export function addTextSlot({ children }: KeptElement, text: string): void {
  if (text === "") return; // A CDATA section can be empty.
  const last = children.at(-1);
  if (last !== undefined && isSlot(last) && last.kind === "text") last.text += text;
  else children.push({ kind: "text", text });
}

/** Keeps the attributes of an element. The writer adds the `xsi:nil` of a null value. */
export function keepAttributes(
  layout: KeptElement,
  { names, values }: XmlAttributes,
  isNull: boolean,
): void {
  names.forEach((name, index) => {
    if (isNull && isNilName(name)) return;
    layout.attributes.push({ name: name.local, namespace: name.uri, value: values[index]! });
  });
}

/** Leaves one place for the text, if the parts between the child elements are not the value. */
export function placeText(
  layout: KeptElement,
  shape: Shape,
  value: unknown,
  text: string,
): void {
  if (shape.kind === "scalar" && (shape as ScalarShape).toText(value) === text) return;
  let isPlaced = value === undefined;
  layout.children = layout.children.filter((each) => {
    if (!isSlot(each) || each.kind !== "text") return true;
    each.text = "";
    const isFirst = !isPlaced;
    isPlaced = true;
    return isFirst;
  });
}

/**
 * Ends the layout of an element. Whitespace between elements is removed, because it is written anew,
 * unless it is part of other text.
 */
export function endLayout(layout: KeptElement): void {
  const isMixed = layout.children.some((each) => typeof each === "string" && !isBlank(each));
  const children: KeptChild[] = [];
  for (const child of layout.children) {
    if (!isMixed && typeof child === "string") continue;
    const last = children.at(-1);
    const isValue = typeof child === "object" && isSlot(child) && child.kind === "value";
    if (isValue && child.inside === undefined && isJoinable(last, child.name)) {
      last.count += child.count;
    } else children.push(child);
  }
  layout.children = children;
}

/** Reports if the next element of a value can be in the same place. */
function isJoinable(last: KeptChild | undefined, name: string): last is ValueSlot {
  return last !== undefined && isSlot(last) && last.kind === "value" && last.name === name &&
    last.inside === undefined;
}

/**
 * Reports if an element would be written in another way without its layout: with something missing,
 * or in the order of the fields.
 */
export function isNeeded(node: XmlNode, namespace: string, layout: KeptElement): boolean {
  if (hasUnknown(layout)) return true;
  const order = [...node.children.values()];
  let last = -1;
  for (const [index, slot] of layout.children.entries()) {
    if (typeof slot === "string" || !isSlot(slot)) return true;
    if (slot.kind === "text") {
      if (index > 0) return true;
      continue;
    }
    if (slot.kind === "value" && slot.inside !== undefined) return true;
    const child = childAt(node, namespace, slot);
    if (slot.kind === "wrapper") {
      const { inside } = slot;
      if (inside.children.length === 0 || isNeeded(child as XmlWrapper, namespace, inside)) {
        return true;
      }
    }
    const at = order.indexOf(child!);
    if (at <= last) return true;
    last = at;
  }
  return false;
}
