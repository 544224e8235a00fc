/** Prepares the declaration of a model once for reading and writing XML, and checks its names. */
import { describedAs, UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { isXmlName } from "../../xml/name.ts";
import type { FieldPlace } from "../field.ts";
import type { ModelClass } from "../model_class.ts";
import { memoize, modelsWithin, type Plan, type PlanField, planOf } from "../plan.ts";
import { type PlainShape, type Shape, withoutNullable } from "../value_type.ts";

/** A field, with everything that follows from its declaration for XML. */
export interface XmlField extends Omit<PlanField, "shape"> {
  readonly place: FieldPlace;
  /** The shape of the value, or of each value if the element repeats, as it was declared. */
  readonly declared: Shape;
  /** The same shape without `nullable` around it. */
  readonly shape: PlainShape;
  /** The name in XML, if the declaration has one. */
  readonly tag: string | undefined;
  readonly namespace: string | undefined;
  readonly within: string | undefined;
  /** The position in the order of declaration. */
  readonly index: number;
}

/** A model, with everything that follows from its declaration for XML. */
export interface XmlPlan extends Omit<Plan, "fields"> {
  readonly fields: readonly XmlField[];
}

/**
 * Returns the plan of a model for XML. It is built once, when XML is first read or written.
 *
 * @throws {UnexpectedValueError} If the declaration is invalid
 */
export const xmlPlanOf: (model: ModelClass<object>) => XmlPlan = /* @__PURE__ */ memoize(
  createXmlPlan,
);

function createXmlPlan(model: ModelClass<object>): XmlPlan {
  const { name, tag, order, doctype, namespace, assumeNamespace } = model;
  if (tag !== "") checkName(`${name}.tag`, tag);
  if (order !== "any" && order !== "strict") {
    throw new UnexpectedValueError(`${name}.order`, '"any" or "strict"', order);
  }
  if (doctype !== "refuse" && doctype !== "skip") {
    throw new UnexpectedValueError(`${name}.doctype`, '"refuse" or "skip"', doctype);
  }
  if (assumeNamespace && namespace === "") {
    const expected = "combined with a namespace";
    throw new UnexpectedValueError(`${name}.assumeNamespace`, expected, assumeNamespace);
  }
  const plan = planOf(model);
  return { ...plan, fields: plan.fields.map(xmlField) };
}

/**
 * Checks the models of the root of a document, and all models that can be in it.
 *
 * @throws {UnexpectedValueError} If a declaration is invalid, or XML cannot represent it
 */
export function checkRoots(models: readonly ModelClass<object>[]): void {
  for (const model of models) checkRoot(model);
}

const checkRoot = /* @__PURE__ */ memoize((model: ModelClass<object>) => {
  checkName(`${model.name}.tag`, model.tag);
  for (const inner of modelsWithin(model)) xmlPlanOf(inner);
  return model;
});

function xmlField(planned: PlanField, index: number): XmlField {
  const { at, field, xmlName } = planned;
  const { place, shape: declared, options } = field;
  const { tag = options.name, within, namespace } = options;
  checkName(`${at}.tag`, xmlName);
  const shape = withoutNullable(declared);
  checkType(at, declared);
  return { ...planned, place, declared, shape, tag, namespace, within, index };
}

/** Checks that XML can represent the values of a type. */
function checkType(at: string, shape: Shape): void {
  if ("inner" in shape) return checkType(at, shape.inner);
  if (shape.kind !== "json") return;
  const expected =
    "a type that XML has a form for (json, and anyOf with types that are not scalar, are only for JSON)";
  throw new UnexpectedValueError(at, expected, describedAs(`a type for ${shape.expected}`));
}

function checkName(option: string, name: unknown): void {
  if (!isXmlName(name)) throw new UnexpectedValueError(option, "a valid XML name", name);
}
