import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { FieldPlace } from "./field.ts";
import type { ModelClass } from "./model_class.ts";
import { type PlainShape, unwrapped } from "./plain_shape.ts";
import { type Plan, type PlanField, planOf } from "./plan.ts";
import { memoize } from "./memoize.ts";
import type { Shape } from "./value_type.ts";
import { isXmlName } from "./xml_name.ts";

/** One field, with all that follows from its declaration for XML. */
export interface XmlField extends Omit<PlanField, "shape"> {
  readonly place: FieldPlace;
  /** The shape of its value, or of each of its values, as it was declared. */
  readonly given: Shape;
  /** The same without `nullable` around it. */
  readonly shape: PlainShape;
  readonly tag: string | undefined;
  readonly namespace: string | undefined;
  readonly within: readonly string[];
  /** Its place in the order of declaration. */
  readonly index: number;
}

/** A model, with all that follows from its declaration for XML. */
export interface XmlPlan extends Omit<Plan, "fields"> {
  readonly fields: readonly XmlField[];
}

/**
 * The plan of a model for XML, made once, where XML is read or written first.
 *
 * @throws {UnexpectedValueError} Where its declaration is not what was expected
 */
export const xmlPlanOf: (model: ModelClass<object>) => XmlPlan = /* @__PURE__ */ memoize(made);

function made(model: ModelClass<object>): XmlPlan {
  const { name, tag, order, doctype } = model;
  checkName(`${name}.tag`, tag);
  if (order !== "any" && order !== "strict") {
    throw new UnexpectedValueError(`${name}.order`, '"any" or "strict"', order);
  }
  if (doctype !== "refuse" && doctype !== "skip") {
    throw new UnexpectedValueError(`${name}.doctype`, '"refuse" or "skip"', doctype);
  }
  const plan = planOf(model);
  return { ...plan, fields: plan.fields.map(fieldOf) };
}

function fieldOf(planned: PlanField, index: number): XmlField {
  const { at, field } = planned;
  const { place, shape: given, options: { tag, within, namespace } } = field;
  if (tag !== undefined) checkName(`${at}.tag`, tag);
  const steps = within?.split("/") ?? [];
  if (!steps.every(isXmlName)) {
    throw new UnexpectedValueError(
      `${at}.within`,
      'names separated by slashes, such as "a/b"',
      within,
    );
  }
  const shape = unwrapped(given);
  return { ...planned, place, given, shape, tag, namespace, within: steps, index };
}

function checkName(option: string, name: unknown): void {
  if (!isXmlName(name)) throw new UnexpectedValueError(option, "a valid XML name", name);
}
