import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { nameKey } from "../xml/namespaces.ts";
import type { FieldMap, FieldPlace } from "./field.ts";
import type { ModelClass, UnknownPolicy } from "./model_class.ts";
import { expectedOf, type Shape, type UnionShape } from "./value_type.ts";

/** One field, with all that follows from its declaration. */
export interface PlanField {
  /** The name of the property. */
  readonly name: string;
  readonly place: FieldPlace;
  /** Its shape, without `nullable` around it. */
  readonly shape: Exclude<Shape, { readonly kind: "nullable" }>;
  readonly isNullable: boolean;
  readonly isOptional: boolean;
  /** Makes the value where it is absent; undefined where it cannot be. */
  readonly fallback: (() => unknown) | undefined;
  /** What is expected, for messages. */
  readonly expected: string;
  /** Its name in JSON. */
  readonly json: string;
  /** Whether objects have that name without being given it. */
  readonly isInherited: boolean;
  readonly tag: string | undefined;
  readonly namespace: string | undefined;
  readonly within: readonly string[];
  /** Its place in the order of declaration. */
  readonly index: number;
}

/** A model, with all that follows from its declaration. */
export interface Plan {
  readonly model: ModelClass<object>;
  readonly fields: readonly PlanField[];
  readonly unknown: UnknownPolicy;
  /** The names in JSON. */
  readonly jsonNames: ReadonlySet<string>;
}

const plans = new WeakMap<object, Plan>();

/**
 * The plan of a model, made once.
 *
 * @throws {UnexpectedValueError} Where its declaration is not what was expected
 */
export function planOf(model: ModelClass<object>): Plan {
  let plan = plans.get(model);
  if (plan === undefined) plans.set(model, plan = made(model));
  return plan;
}

/** Names that a field cannot have: the class has them. */
const reserved: ReadonlySet<string> = new Set([
  "constructor",
  "__proto__",
  "toJson",
  "toXml",
  "toJSON",
]);

function made(model: ModelClass<object>): Plan {
  const { unknown, order } = model;
  const option = (name: string) => `${model.name}.${name}`;
  if (!isXmlName(model.tag)) {
    throw new UnexpectedValueError(option("tag"), "a name that XML allows", model.tag);
  }
  if (unknown !== "ignore" && unknown !== "refuse" && unknown !== "keep") {
    throw new UnexpectedValueError(option("unknown"), '"ignore", "refuse" or "keep"', unknown);
  }
  if (order !== "any" && order !== "strict") {
    throw new UnexpectedValueError(option("order"), '"any" or "strict"', order);
  }
  const fields = Object.entries(model.fields as FieldMap).map(([name, field], index): PlanField => {
    const at = option(`fields.${name}`);
    if (reserved.has(name)) {
      throw new UnexpectedValueError(at, "another name: models have this one");
    }
    if (typeof field?.options !== "object" || typeof field.shape !== "object") {
      throw new UnexpectedValueError(at, "made by attr, element, elements or text", field);
    }
    const { place, shape: given, options } = field;
    const { json = name, tag, within, namespace, optional } = options;
    if (tag !== undefined && !isXmlName(tag)) {
      throw new UnexpectedValueError(`${at}.tag`, "a name that XML allows", tag);
    }
    const steps = within === undefined ? [] : within.split("/");
    if (!steps.every(isXmlName)) {
      throw new UnexpectedValueError(
        `${at}.within`,
        'names with slashes between, as "a/b"',
        within,
      );
    }
    const isNullable = given.kind === "nullable";
    const shape = unwrapped(given);
    return {
      name,
      place,
      shape,
      isNullable,
      isOptional: optional === true,
      fallback: fallbackOf(place, options),
      get expected() {
        return expectedOf(given);
      },
      json,
      isInherited: json in Object.prototype,
      tag,
      namespace,
      within: steps,
      index,
    };
  });
  const jsonNames = new Set<string>();
  for (const { name, json } of fields) {
    if (jsonNames.has(json)) {
      throw new UnexpectedValueError(option(`fields.${name}.json`), `not "${json}" a second time`);
    }
    jsonNames.add(json);
  }
  return { model, fields, unknown, jsonNames };
}

function fallbackOf(
  place: FieldPlace,
  options: { readonly default?: unknown },
): (() => unknown) | undefined {
  if (place === "elements") return () => [];
  if (!("default" in options)) return undefined;
  const value = options.default;
  return typeof value === "function" ? value as () => unknown : () => value;
}

/** A shape without `nullable` around it. */
export function unwrapped(shape: Shape): Exclude<Shape, { readonly kind: "nullable" }> {
  return shape.kind === "nullable" ? unwrapped(shape.inner) : shape;
}

/** Whether XML allows a text as a name without a prefix ("Namespaces in XML 1.0", NCName). */
export function isXmlName(text: unknown): boolean {
  return typeof text === "string" && ncName.test(text);
}

const ncName =
  /^[A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}][-.\w\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u200c\u200d\u203f\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}]*$/u;

/** The models that the value of a shape can be an instance of. */
export function modelsOf(shape: Shape): readonly ModelClass<object>[] {
  if (shape.kind === "model") return [shape.model()];
  return shape.kind === "union" ? shape.models() : [];
}

/** A model of a union, and what tells it from the others. */
export interface UnionChoice {
  readonly model: ModelClass<object>;
  readonly field: PlanField;
  readonly values: readonly unknown[];
}

const choices = new WeakMap<UnionShape, readonly UnionChoice[]>();

/**
 * The models of a union, each with the values that tell it from the others.
 *
 * @throws {UnexpectedValueError} Where a model has no such property
 */
export function unionChoices(shape: UnionShape): readonly UnionChoice[] {
  let made = choices.get(shape);
  if (made === undefined) {
    choices.set(
      shape,
      made = shape.models().map((model) => choice(model, shape.by)),
    );
  }
  return made;
}

function choice(model: ModelClass<object>, by: string): UnionChoice {
  const field = planOf(model).fields.find(({ name }) => name === by);
  if (field?.shape.kind === "scalar" && field.shape.choices !== undefined) {
    return { model, field, values: field.shape.choices };
  }
  const expected = "a literal or oneOf, as the models of a union have";
  throw new UnexpectedValueError(`${model.name}.fields.${by}`, expected, field);
}

/** A place in an element where something of a model stands: the element itself, or one within. */
export interface XmlNode {
  readonly attributes: Map<string, PlanField>;
  readonly children: Map<string, XmlChild>;
  text: PlanField | undefined;
}

/** An element within another. */
export type XmlChild = XmlWrapper | XmlValue;

/** An element that is there to hold others. */
export interface XmlWrapper {
  readonly kind: "wrapper";
  readonly uri: string;
  readonly tag: string;
  readonly node: XmlNode;
}

/** An element that holds a value of a field. */
export interface XmlValue {
  readonly kind: "value";
  readonly field: PlanField;
  /** The models that its content can be, by what its name leaves open. */
  readonly models: readonly ModelClass<object>[];
  /** All names that elements of the field can have. */
  readonly names: readonly ElementName[];
  /** Whether it is the first of these: there the field is written. */
  readonly isFirst: boolean;
}

/** A name of an element, and the models that it then is. */
export interface ElementName {
  readonly uri: string;
  readonly tag: string;
  readonly models: readonly ModelClass<object>[];
}

const nodes = new WeakMap<Plan, Map<string, XmlNode>>();

/**
 * What stands where in the element of a model.
 *
 * @param plan The plan of the model
 * @param around The namespace of its element: a model that says none has that
 * @throws {UnexpectedValueError} Where two fields would stand in the same place
 */
export function xmlNodeOf(plan: Plan, around: string): XmlNode {
  const namespace = plan.model.namespace || around;
  let known = nodes.get(plan);
  if (known === undefined) nodes.set(plan, known = new Map());
  let node = known.get(namespace);
  if (node === undefined) known.set(namespace, node = madeNode(plan, namespace));
  return node;
}

/** The names that an element of a field can have. */
export function elementNames(field: PlanField, around: string): readonly ElementName[] {
  const models = modelsOf(field.shape);
  if (models.length === 0) {
    return [{ uri: field.namespace ?? around, tag: field.tag ?? field.name, models: [] }];
  }
  const names = new Map<string, { uri: string; tag: string; models: ModelClass<object>[] }>();
  for (const model of models) {
    // A model without a namespace takes that of the model around it.
    const uri = field.namespace ?? (model.namespace || around);
    const tag = field.tag ?? model.tag;
    const key = nameKey(uri, tag);
    const name = names.get(key) ?? { uri, tag, models: [] };
    name.models.push(model);
    names.set(key, name);
  }
  return [...names.values()];
}

function madeNode(plan: Plan, namespace: string): XmlNode {
  const { model } = plan;
  const root: XmlNode = { attributes: new Map(), children: new Map(), text: undefined };
  for (const field of plan.fields) {
    const taken = (what: string) =>
      new UnexpectedValueError(
        `${model.name}.fields.${field.name}`,
        `the only one at ${what}: another field stands there`,
      );
    let node = root;
    for (const tag of field.within) {
      const key = nameKey(namespace, tag);
      const known = node.children.get(key);
      if (known?.kind === "value") throw taken(`<${tag}>`);
      const wrapper: XmlWrapper = known ?? {
        kind: "wrapper",
        uri: namespace,
        tag,
        node: { attributes: new Map(), children: new Map(), text: undefined },
      };
      node.children.set(key, wrapper);
      node = wrapper.node;
    }
    checkPlace(field, model);
    if (field.place === "text") {
      if (node.text !== undefined) throw taken("the text");
      node.text = field;
    } else if (field.place === "attr") {
      const key = nameKey(field.namespace ?? "", field.tag ?? field.name);
      if (node.attributes.has(key)) throw taken(`the attribute ${key}`);
      node.attributes.set(key, field);
    } else {
      const names = elementNames(field, namespace);
      for (const [index, { uri, tag, models }] of names.entries()) {
        const key = nameKey(uri, tag);
        if (node.children.has(key)) throw taken(`<${key}>`);
        node.children.set(key, { kind: "value", field, models, names, isFirst: index === 0 });
      }
    }
  }
  return root;
}

/** What can stand in XML at all. */
function checkPlace({ name, place, shape }: PlanField, model: ModelClass<object>): void {
  const at = `${model.name}.fields.${name}`;
  const isText = shape.kind === "scalar" ||
    shape.kind === "list" && shape.inner.kind === "scalar";
  if (isText) return;
  if (shape.kind === "list") {
    throw new UnexpectedValueError(
      at,
      "a list of scalars in XML; what repeats there is `elements`",
    );
  }
  if (place === "attr" || place === "text") {
    throw new UnexpectedValueError(at, `an element: ${place} is for what is one text in XML`);
  }
}
