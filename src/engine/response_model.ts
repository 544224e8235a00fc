import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { ValidationIssue } from "../errors/validation_error.ts";
import type { SchemaOutput, StandardSchema, StandardSchemaIssue } from "../standard_schema.ts";
import { issueMessage } from "./issue_message.ts";

/** What a body is decoded to: a schema, or a list of what a schema gives. */
export type ResponseModel = StandardSchema | readonly [StandardSchema];

/** What a body is when it has been decoded. */
export type ModelOutput<M extends ResponseModel> = M extends readonly [infer S]
  ? S extends StandardSchema ? SchemaOutput<S>[] : never
  : M extends StandardSchema ? SchemaOutput<M>
  : never;

/** What decoding gives: a value, or everything that is wrong. */
export type Decoded =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "invalid"; readonly issues: readonly ValidationIssue[] };

/**
 * Checks what somebody gave as a model.
 *
 * @param option What to call it in the error
 * @throws {UnexpectedValueError} Where it is none of what it can be
 */
export function checkedModel(option: string, model: unknown): ResponseModel {
  const one: unknown = Array.isArray(model) && model.length === 1 ? model[0] : model;
  const standard = isObject(one) && "~standard" in one ? one["~standard"] : undefined;
  if (isObject(standard) && "validate" in standard && typeof standard.validate === "function") {
    return model as ResponseModel;
  }
  const expected = "a Standard Schema, such as one of zod, valibot or arktype, or [schema]";
  throw new UnexpectedValueError(option, expected, model);
}

/** Schemas of some libraries are functions. */
function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/**
 * Checks parsed JSON by a model.
 *
 * @param model The model
 * @param value The JSON; null where there is no body
 */
export async function decodeByModel(model: ResponseModel, value: unknown): Promise<Decoded> {
  if (!isList(model)) return await decodeOne(model, value, []);
  if (!Array.isArray(value)) {
    return {
      kind: "invalid",
      issues: [{ path: [], message: `expected an array, got ${kindOf(value)}` }],
    };
  }
  const issues: ValidationIssue[] = [];
  const values: unknown[] = [];
  for (const [index, each] of value.entries()) {
    const answer = decodeOne(model[0], each, [index]);
    // Most schemas answer at once: to await each element of a long list would cost more than it.
    const decoded = "then" in answer ? await answer : answer;
    if (decoded.kind === "value") values.push(decoded.value);
    // Not spread: there may be more issues than a call can have arguments.
    else for (const issue of decoded.issues) issues.push(issue);
  }
  const isWhole = values.length === value.length;
  return isWhole ? { kind: "value", value: values } : { kind: "invalid", issues };
}

function isList(model: ResponseModel): model is readonly [StandardSchema] {
  return Array.isArray(model);
}

function decodeOne(
  schema: StandardSchema,
  value: unknown,
  above: readonly number[],
): Decoded | PromiseLike<Decoded> {
  const decoded = (answer: SchemaAnswer): Decoded => {
    if (answer.issues === undefined) return { kind: "value", value: answer.value };
    // Not `map`: paths of arktype are of a class of their own, which makes [0] of an empty one.
    const issues = Array.from(answer.issues, ({ path = [], message }) => {
      const within = Array.from(path, keyOf);
      return { path: [...above, ...within], message: issueMessage(message, value, within) };
    });
    if (issues.length === 0) issues.push({ path: [...above], message: "the schema refuses it" });
    return { kind: "invalid", issues };
  };
  const checked: SchemaAnswer | PromiseLike<SchemaAnswer> = schema["~standard"].validate(value);
  // Not `instanceof Promise`: that of another realm is one too.
  return "then" in checked ? checked.then(decoded) : decoded(checked);
}

/** Either of the two answers of a schema. */
interface SchemaAnswer {
  readonly value?: unknown;
  readonly issues?: readonly StandardSchemaIssue[] | undefined;
}

function keyOf(segment: NonNullable<StandardSchemaIssue["path"]>[number]): string | number {
  const key = typeof segment === "object" ? segment.key : segment;
  return typeof key === "number" ? key : String(key);
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
