/**
 * The elements that the fields of a model have in XML, and the checks that XML can represent them.
 */
import { describedAs, UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { nameKey } from "../../xml/name.ts";
import type { ModelClass } from "../model_class.ts";
import { memoize } from "../plan.ts";
import { modelsOf, withoutNullable } from "../value_type.ts";
import type { ValueSlot, WrapperSlot } from "../unknown_content.ts";
import { parseNamePath } from "./names.ts";
import { type XmlField, xmlPlanOf } from "./plan.ts";

/** An element that has fields of a model: the model's own element, or one of `within`. */
export interface XmlNode {
  readonly attributes: Map<string, XmlField>;
  readonly children: Map<string, XmlChild>;
  text: XmlField | undefined;
  /** The field of all child elements that no other field declares. */
  rest: XmlField | undefined;
}

/** An element inside of another. */
export type XmlChild = XmlWrapper | XmlValue;

/** An element that a field declares with `within`. */
export interface XmlWrapper extends XmlNode {
  readonly kind: "wrapper";
  readonly uri: string;
  readonly tag: string;
  readonly key: string;
}

/** An element that holds a value of a field. */
export interface XmlValue {
  readonly kind: "value";
  readonly field: XmlField;
  readonly name: ElementName;
  /** All names that elements of the field can have. */
  readonly names: readonly ElementName[];
}

/** A name of an element, and the models that the element can then be. */
export interface ElementName {
  readonly uri: string;
  readonly tag: string;
  readonly key: string;
  readonly models: readonly ModelClass<object>[];
}

/** The nodes of a model, by the namespace of its element. */
const nodesOf = /* @__PURE__ */ memoize((model: ModelClass<object>) =>
  memoize((namespace: string) => createNode(model, namespace), new Map())
);

/**
 * Returns the node of a model's element.
 *
 * @param model The model
 * @param around The namespace of the element, which applies if the model has none
 * @throws {UnexpectedValueError} If two fields have the same place
 */
export function xmlNodeOf(model: ModelClass<object>, around: string): XmlNode {
  return nodesOf(model)(model.namespace || around);
}

/** Returns the names that an element of a field can have. */
export function elementNames(field: XmlField, around: string): readonly ElementName[] {
  const models = modelsOf(field.shape);
  const names = new Map<string, ElementName & { readonly models: ModelClass<object>[] }>();
  for (const model of models.length > 0 ? models : [undefined]) {
    // A model without a namespace is in that of the model around it.
    const uri = field.namespace ?? (model?.namespace || around);
    const tag = field.tag ?? (model?.tag || field.xmlName);
    const key = nameKey(uri, tag);
    const name = names.get(key) ?? { uri, tag, key, models: [] };
    if (model !== undefined) name.models.push(model);
    names.set(key, name);
  }
  return [...names.values()];
}

/** Returns the name of an attribute. */
export function attributeKey({ namespace, xmlName }: XmlField): string {
  return nameKey(namespace ?? "", xmlName);
}

function createNode(model: ModelClass<object>, namespace: string): XmlNode {
  const root = emptyNode();
  for (const field of xmlPlanOf(model).fields) {
    checkPlace(field);
    if (field.place === "rest") {
      root.rest = field;
      checkMarkup(root);
      continue;
    }
    const node = wrapperOf(field, root, namespace);
    if (field.place === "text") {
      if (node.text !== undefined) throw taken(field, "the text of the element");
      node.text = field;
    } else if (field.place === "attr") {
      const key = attributeKey(field);
      if (node.attributes.has(key)) throw taken(field, `the attribute ${key}`);
      node.attributes.set(key, field);
    } else {
      const names = elementNames(field, namespace);
      checkUnion(field, names);
      for (const name of names) {
        if (node.children.has(name.key)) throw taken(field, `<${name.key}>`);
        node.children.set(name.key, { kind: "value", field, name, names });
      }
    }
    checkMarkup(node);
  }
  return root;
}

/** Returns the node that a field is in, and creates the elements around it. */
function wrapperOf(field: XmlField, root: XmlNode, namespace: string): XmlNode {
  const { at, within } = field;
  const steps = within === undefined ? [] : parseNamePath(`${at}.within`, within, namespace);
  return steps.reduce<XmlNode>((node, name) => {
    const known = node.children.get(name.key);
    if (known?.kind === "value") throw taken(field, `<${name.key}>`);
    const wrapper: XmlWrapper = known ?? { kind: "wrapper", ...name, ...emptyNode() };
    node.children.set(name.key, wrapper);
    checkMarkup(node);
    return wrapper;
  }, root);
}

function taken({ at }: XmlField, place: string): UnexpectedValueError {
  const expected = `the only field at ${place}`;
  return new UnexpectedValueError(at, expected, describedAs("the second one"));
}

function emptyNode(): XmlNode {
  return { attributes: new Map(), children: new Map(), text: undefined, rest: undefined };
}

/** Checks that XML can represent the type of a field at its place. */
function checkPlace({ at, place, shape }: XmlField): void {
  let inner = shape;
  while (inner.kind === "record") inner = withoutNullable(inner.inner);
  if (inner.kind === "list" && (inner.inner.kind !== "scalar" || inner.inner.markup)) {
    const instead = inner === shape
      ? "use elements() for other values that repeat"
      : "in a record, use a model with a field of elements()";
    const expected = `a list of scalars (${instead})`;
    throw new UnexpectedValueError(at, expected, describedAs("a list of other values"));
  }
  const isText = shape.kind === "scalar" || shape.kind === "list";
  if (!isText && (place === "attr" || place === "text")) {
    const expected = `declared with element(), because ${place}() takes only scalars and lists`;
    throw new UnexpectedValueError(at, expected, describedAs(`declared with ${place}()`));
  }
  if (shape.kind === "scalar" && shape.markup && place === "attr") {
    const expected = "declared with element() or text(), because an attribute has no markup";
    throw new UnexpectedValueError(at, expected, describedAs("declared with attr()"));
  }
}

/** Checks that the models of a union can be distinguished. */
function checkUnion({ at, shape, tag }: XmlField, names: readonly ElementName[]): void {
  let inner = shape;
  while (inner.kind === "record") inner = withoutNullable(inner.inner);
  if (inner.kind !== "union") return;
  const isTagged = inner === shape;
  if (inner.by !== undefined) {
    for (const { models } of names) if (models.length > 1) inner.requireAttribute(models);
    if (!isTagged) inner.requireAttribute(inner.models());
  } else if (!isTagged || tag !== undefined) {
    const expected = isTagged
      ? "declared without tag and name, because the tags of the models select the model"
      : "a union by a property, because the elements of a record have other names";
    throw new UnexpectedValueError(at, expected, describedAs("a union by tag"));
  }
}

/** Checks that an element whose markup is a value has no other fields inside. */
function checkMarkup({ text, children, rest }: XmlNode): void {
  const hasElements = children.size > 0 || rest !== undefined;
  if (!hasElements || text?.shape.kind !== "scalar" || !text.shape.markup) return;
  const expected = "in an element without fields for child elements, because it takes all content";
  throw new UnexpectedValueError(text.at, expected, describedAs("beside other elements"));
}

/** Returns the last steps of the path of a missing field, after the elements of `within`. */
export function stepsTo({ place, tag, xmlName, shape, within, at }: XmlField): readonly string[] {
  const around = within === undefined
    ? []
    : parseNamePath(`${at}.within`, within, "").map((name) => name.tag);
  if (place === "text") return [...around, "text()"];
  if (place === "attr") return [...around, `@${xmlName}`];
  return [...around, tag ?? (shape.kind === "model" && shape.model().tag || xmlName)];
}

/** Returns the position of the field of an element; for an element around others, of the first. */
export function firstIndex(child: XmlChild): number {
  if (child.kind === "value") return child.field.index;
  const fields = [...child.attributes.values(), ...(child.text === undefined ? [] : [child.text])];
  return Math.min(
    ...fields.map(({ index }) => index),
    ...[...child.children.values()].map(firstIndex),
  );
}

/**
 * Returns the child that a place belongs to; undefined if the instance was read in another namespace,
 * in which its model has no such child.
 */
export function childAt(
  { children }: XmlNode,
  namespace: string,
  slot: ValueSlot | WrapperSlot,
): XmlChild | undefined {
  if (slot.kind === "value") {
    return [...children.values()].find((child) =>
      child.kind === "value" && child.field.name === slot.name
    );
  }
  const child = children.get(slot.key) ?? children.get(nameKey(namespace, slot.tag));
  return child?.kind === "wrapper" ? child : undefined;
}

/** The namespaces of instances that were read as part of another, by instance. */
const origins = new WeakMap<object, string>();

/**
 * Returns the namespace that an instance was in when it was read, if its model has none. It is
 * written as the root in that namespace.
 */
export function originOf(instance: object): string {
  return origins.get(instance) ?? "";
}

/** Remembers the namespace that an instance was in when it was read. */
export function setOrigin(instance: object, namespace: string): void {
  origins.set(instance, namespace);
}
