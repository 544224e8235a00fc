import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { nameKey } from "../xml/name.ts";
import type { ModelClass } from "./model_class.ts";
import { modelsOf, unwrapped } from "./plain_shape.ts";
import { memoize } from "./memoize.ts";
import { type XmlField, xmlPlanOf } from "./xml_plan.ts";

/** A place in an element where something of a model stands: the element itself, or one within. */
export interface XmlNode {
  readonly attributes: Map<string, XmlField>;
  readonly children: Map<string, XmlChild>;
  text: XmlField | undefined;
}

/** An element within another. */
export type XmlChild = XmlWrapper | XmlValue;

/** An element that is there to hold others. */
export interface XmlWrapper extends XmlNode {
  readonly kind: "wrapper";
  readonly uri: string;
  readonly tag: string;
}

/** An element that holds a value of a field. */
export interface XmlValue {
  readonly kind: "value";
  readonly field: XmlField;
  readonly name: ElementName;
  /** All names that elements of the field can have: at the first of them it is written. */
  readonly names: readonly ElementName[];
}

/** A name of an element, and the models that it then is. */
export interface ElementName {
  readonly uri: string;
  readonly tag: string;
  /** What tells it from others. */
  readonly key: string;
  readonly models: readonly ModelClass<object>[];
}

/** The nodes of a model, by the namespace of its element. */
const nodesOf = /* @__PURE__ */ memoize((model: ModelClass<object>) =>
  memoize((namespace: string) => createNode(model, namespace), new Map())
);

/**
 * What stands where in the element of a model.
 *
 * @param model The model
 * @param around The namespace of its element: a model that says none has that
 * @throws {UnexpectedValueError} Where two fields would stand in the same place
 */
export function xmlNodeOf(model: ModelClass<object>, around: string): XmlNode {
  return nodesOf(model)(model.namespace || around);
}

/** The names that an element of a field can have. */
export function elementNames(field: XmlField, around: string): readonly ElementName[] {
  const models = modelsOf(field.shape);
  const names = new Map<string, ElementName & { readonly models: ModelClass<object>[] }>();
  for (const model of models.length > 0 ? models : [undefined]) {
    // A model without a namespace takes that of the model around it.
    const uri = field.namespace ?? (model?.namespace || around);
    const tag = field.tag ?? model?.tag ?? field.name;
    const key = nameKey(uri, tag);
    const name = names.get(key) ?? { uri, tag, key, models: [] };
    if (model !== undefined) name.models.push(model);
    names.set(key, name);
  }
  return [...names.values()];
}

function createNode(model: ModelClass<object>, namespace: string): XmlNode {
  const root = emptyNode();
  for (const field of xmlPlanOf(model).fields) {
    const taken = (what: string) =>
      new UnexpectedValueError(
        field.at,
        `the only field at ${what}`,
        describedAs("the second one"),
      );
    let node = root;
    for (const tag of field.within) {
      const key = nameKey(namespace, tag);
      const known = node.children.get(key);
      if (known?.kind === "value") throw taken(`<${tag}>`);
      const wrapper: XmlWrapper = known ??
        { kind: "wrapper", uri: namespace, tag, ...emptyNode() };
      node.children.set(key, wrapper);
      node = wrapper;
    }
    checkPlace(field);
    if (field.place === "text") {
      if (node.text !== undefined) throw taken("the text of the element");
      node.text = field;
    } else if (field.place === "attr") {
      const key = nameKey(field.namespace ?? "", field.tag ?? field.name);
      if (node.attributes.has(key)) throw taken(`the attribute ${key}`);
      node.attributes.set(key, field);
    } else {
      const names = elementNames(field, namespace);
      for (const name of names) {
        if (node.children.has(name.key)) throw taken(`<${name.key}>`);
        node.children.set(name.key, { kind: "value", field, name, names });
      }
    }
  }
  return root;
}

function emptyNode(): XmlNode {
  return { attributes: new Map(), children: new Map(), text: undefined };
}

/** What can stand in XML at all. */
function checkPlace({ at, place, shape }: XmlField): void {
  let inner = shape;
  while (inner.kind === "record") inner = unwrapped(inner.inner);
  if (inner.kind === "list" && inner.inner.kind !== "scalar") {
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
}

/** The last step of the path of a field that is missing. */
export function stepsOf({ place, tag, name, shape }: XmlField): readonly string[] {
  if (place === "text") return ["text()"];
  if (place === "attr") return [`@${tag ?? name}`];
  return [tag ?? (shape.kind === "model" ? shape.model().tag : name)];
}

/** The index of the field of an element; of the first one in it where it is there to hold others. */
export function firstIndex(child: XmlChild): number {
  if (child.kind === "value") return child.field.index;
  return Math.min(...[...child.children.values()].map(firstIndex));
}
