import { type Check, check, hasMethods } from "../checks.ts";
import type { ValidationIssue } from "../errors/validation_error.ts";
import { isModelClass, type ModelClass } from "../models/model_class.ts";
import type { SchemaOutput, StandardSchema } from "../standard_schema.ts";

/** A model class or a schema of any library, or either in a list of one for a list of values. */
export type ResponseModel =
  | ModelClass<object>
  | StandardSchema
  | readonly [ModelClass<object> | StandardSchema];

/** The type that a model decodes a body to. */
export type ModelOutput<M> = M extends readonly [infer S] ? ModelOutput<S>[]
  : M extends ModelClass<infer T> ? T
  : M extends StandardSchema ? SchemaOutput<M>
  : never;

/** What decoding gives: a value, or everything that is wrong, as a Standard Schema answers. */
export type Decoded =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly ValidationIssue[] };

/** What somebody gave as a model, or undefined. */
export const checkedModel: Check<ResponseModel | undefined> = check(
  "a model class, a Standard Schema, or either in a list of one",
  (model) => {
    const one: unknown = Array.isArray(model) && model.length === 1 ? model[0] : model;
    // Schemas of some libraries are functions.
    return model === undefined || isModelClass(one) ||
      hasMethods(Object(one)["~standard"], ["validate"]);
  },
);
