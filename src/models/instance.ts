import { field as property } from "../box/original.ts";
import type { ModelClass } from "./model_class.ts";
import { type Plan, planOf } from "./plan.ts";
import { jsonPath, missing, Problems } from "./problems.ts";

/** What the constructor is given where the values are put in afterwards. */
export const BLANK: Readonly<Record<string, never>> = Object.freeze({});

/** An instance or a record while it is filled. */
export type Holder = Record<string, unknown>;

/**
 * A new instance, its properties in the order of their declaration and still undefined.
 *
 * The constructor runs first and the values come after it, so that a subclass that redeclares its
 * properties without `declare` does not overwrite them.
 */
export function blankOf(plan: Plan): Holder {
  const { model, fields } = plan;
  const instance = new model(BLANK as never) as Holder;
  for (const { name } of fields) instance[name] = undefined;
  return instance;
}

/**
 * Puts the values of an instance in that was made by hand.
 *
 * @throws {ModelError} Where one is missing, or is given under a name that the model does not have
 */
export function fill(model: ModelClass<object>, instance: object, values: object): void {
  const holder = instance as Holder;
  const problems = new Problems();
  const add = (name: string, expected: string, message: string) =>
    problems.add({ path: jsonPath([name]), keys: [name], expected, message });
  const { fields } = planOf(model);
  for (const { name, fallback, isOptional, expected } of fields) {
    const given = Object.hasOwn(values, name) ? (values as Holder)[name] : undefined;
    holder[name] = given === undefined ? fallback?.() : given;
    if (holder[name] === undefined && !isOptional) add(name, expected, missing(expected));
  }
  for (const name of Object.keys(values)) {
    if (fields.some((field) => field.name === name)) continue;
    add(name, `a property of ${model.name}`, `expected no property of this name`);
  }
  problems.refuse(model.name, `${model.name} cannot be made`);
}

/** Sets a name that may be any text: `__proto__` is a name like any other. */
export function put(holder: Holder, name: string, value: unknown): void {
  if (name === "__proto__") Object.defineProperty(holder, name, property(value));
  else holder[name] = value;
}

/** Whether a value is an instance of a model. */
export function isInstance(value: unknown, model: ModelClass<object>): value is Holder {
  return value instanceof model;
}
