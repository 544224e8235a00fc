import { hasMethods } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { ValidationIssue } from "../errors/validation_error.ts";
import { isModelClass, type ModelClass } from "../models/model_class.ts";
import type { SchemaOutput, StandardSchema } from "../standard_schema.ts";

/** What decodes one value: a model class, or a schema of any library. */
export type SingleModel = ModelClass<object> | StandardSchema;

/** What a body is decoded to: what a model gives, or a list of it. */
export type ResponseModel = SingleModel | readonly [SingleModel];

/** What a body is when it has been decoded. */
export type ModelOutput<M extends ResponseModel> = M extends readonly [infer S] ? SingleOutput<S>[]
  : SingleOutput<M>;

/** What one value is when it has been decoded. */
export type SingleOutput<M> = M extends ModelClass<infer T> ? T
  : M extends StandardSchema ? SchemaOutput<M>
  : never;

/** What decoding gives, as a Standard Schema does: a value, or everything that is wrong. */
export type Decoded =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly ValidationIssue[] };

/**
 * Checks what somebody gave as a model.
 *
 * @param option What to call it in the error
 * @throws {UnexpectedValueError} Where it is none of what it can be
 */
export function checkedModel(option: string, model: unknown): ResponseModel {
  const one: unknown = Array.isArray(model) && model.length === 1 ? model[0] : model;
  // Schemas of some libraries are functions.
  if (isModelClass(one) || hasMethods(Object(one)["~standard"], ["validate"])) {
    return model as ResponseModel;
  }
  const expected = "a model class, a Standard Schema, or either in a list of one";
  throw new UnexpectedValueError(option, expected, model);
}
