import type { ModelClass } from "./model_class.ts";
import { planOf } from "./plan.ts";
import { issueAt, Problems } from "./problems.ts";

/** What the constructor is given where the values are put in afterwards. */
export const BLANK: Readonly<Record<string, never>> = Object.freeze({});

/** An instance or a record while it is filled. */
export type MutableRecord = Record<string, unknown>;

/**
 * A new instance whose values are put in afterwards: the constructor of its class, with what a
 * property begins with, runs first and may not overwrite them.
 */
export function instantiateEmpty<T>(model: ModelClass<T>): T {
  return new model(BLANK as never);
}

/**
 * Puts the values of an instance in that was made by hand, and gives it.
 *
 * @throws {ModelError} Where one is missing, or is given under a name that the model does not have
 */
export function populate<T extends object>(
  model: ModelClass<object>,
  instance: T,
  values: object,
): T {
  const holder = instance as MutableRecord;
  const problems = new Problems();
  const left = new Set(Object.keys(values));
  for (const { name, fallback, isOptional, shape } of planOf(model).fields) {
    const given = left.delete(name) ? (values as MutableRecord)[name] : undefined;
    const value = given === undefined ? fallback?.() : given;
    holder[name] = value;
    if (value === undefined && !isOptional) {
      problems.add(() => issueAt([name], shape.expected, "is missing"));
    }
  }
  for (const name of left) {
    problems.add(() => issueAt([name], `a field of ${model.name}`, "is not one"));
  }
  problems.refuse(model.name, "created");
  return instance;
}

/** Sets a name that may be any text: `__proto__` is a name like any other. */
export function setOwn(holder: MutableRecord, name: string, value: unknown): void {
  if (name !== "__proto__") holder[name] = value;
  // Assigned it would be the prototype; a literal has it as its own where it is computed.
  else Object.defineProperties(holder, Object.getOwnPropertyDescriptors({ [name]: value }));
}

/** Whether a value is an instance of a model. */
export function isInstance(value: unknown, model: ModelClass<object>): value is MutableRecord {
  return value instanceof model;
}
