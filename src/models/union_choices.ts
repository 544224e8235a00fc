import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { ModelClass } from "./model_class.ts";
import { unwrapped } from "./plain_shape.ts";
import { type PlanField, planOf } from "./plan.ts";
import { memoize } from "./memoize.ts";
import type { UnionShape } from "./value_type.ts";

/** A model of a union, and what tells it from the others. */
export interface UnionChoice {
  readonly model: ModelClass<object>;
  readonly field: PlanField;
  readonly values: readonly unknown[];
}

/**
 * The models of a union, each with the values that tell it from the others.
 *
 * @throws {UnexpectedValueError} Where a model has no such property
 */
export const unionChoices: (shape: UnionShape) => readonly UnionChoice[] = /* @__PURE__ */ memoize((
  { models, by },
) => models().map((model) => choice(model, by)));

function choice(model: ModelClass<object>, by: string): UnionChoice {
  const field = planOf(model).fields.find(({ name }) => name === by);
  const shape = field && unwrapped(field.shape);
  if (shape?.kind === "scalar" && shape.choices !== undefined) {
    return { model, field: field!, values: shape.choices };
  }
  const expected = "a literal or oneOf, because it selects the model of a union";
  throw new UnexpectedValueError(`${model.name}.fields.${by}`, expected, field?.field);
}

/** What is expected of the property that tells the models apart. */
export function expectedTags(choices: readonly UnionChoice[]): string {
  return choices.map(({ field }) => unwrapped(field.shape).expected).join(" or ");
}
