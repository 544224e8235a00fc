/** Creates and recognises instances of models, and sets their properties. */
import { issueAt, IssueList, mismatch } from "./issues.ts";
import type { ModelClass } from "./model_class.ts";
import { planOf } from "./plan.ts";
import { copyUnknownContent } from "./unknown_content.ts";

/** The argument of a model's constructor if the properties are set afterwards. */
export const EMPTY: Readonly<Record<string, never>> = Object.freeze({});

/** An instance or a record that is being filled. */
export type MutableRecord = Record<string, unknown>;

/**
 * Creates an instance whose properties are set afterwards. The constructor of its class runs first,
 * so that initial values of class fields do not overwrite the properties.
 */
export function instantiateEmpty<T>(model: ModelClass<T>): T {
  return new model(EMPTY as never);
}

/**
 * Sets the properties of an instance that the program creates, and returns the instance.
 *
 * @throws {ModelError} If a value is missing, or if the model has no field of a name
 */
export function populate<T extends object>(
  model: ModelClass<object>,
  instance: T,
  values: object,
): T {
  const record = instance as MutableRecord;
  const issues = new IssueList();
  const left = new Set(Object.keys(values));
  for (const { name, fallback, isOptional, shape } of planOf(model).fields) {
    const given = left.delete(name) ? (values as MutableRecord)[name] : undefined;
    const value = given === undefined ? fallback?.() : given;
    record[name] = value;
    if (value === undefined && !isOptional) {
      issues.add(() => issueAt([name], mismatch(shape.expected, undefined)));
    }
  }
  if (left.size > 0) {
    // `{ ...instance }` also copies class fields. The new instance has fields of its own.
    const classFields = instantiateEmpty(model);
    for (const name of left) {
      if (Object.hasOwn(classFields, name)) continue;
      const expected = `a field of ${model.name}`;
      issues.add(() => issueAt([name], { code: "unknown", expected, actual: "is not one" }));
    }
  }
  issues.throwIfAny(model.name, "created");
  copyUnknownContent(model, values, instance);
  return instance;
}

/** Sets an own property of any name. `__proto__` is a name like any other. */
export function setOwn(record: MutableRecord, name: string, value: unknown): void {
  if (name !== "__proto__") record[name] = value;
  // An assignment would set the prototype; a computed name in a literal does not.
  else Object.defineProperties(record, Object.getOwnPropertyDescriptors({ [name]: value }));
}

/** Reports if a value is an instance of a model. */
export function isInstance(value: unknown, model: ModelClass<object>): value is MutableRecord {
  return value instanceof model;
}

/** Describes the instances of a model. */
export function describeInstance(model: ModelClass<object>): string {
  return hasPlainInstances(model) ? "an object" : `an instance of ${model.name}`;
}

/** Reports if the instances of a model are plain objects: those of `object(…)`. */
export function hasPlainInstances(model: ModelClass<object>): boolean {
  return Object.hasOwn(model, Symbol.hasInstance);
}

/** Returns the model of a value: the model that created it, or else one that it derives from. */
export function modelFor(
  value: unknown,
  models: readonly ModelClass<object>[],
): ModelClass<object> | undefined {
  return models.find((each) => (value as object | null)?.constructor === each) ??
    models.find((each) => isInstance(value, each));
}
