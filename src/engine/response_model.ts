import { ModelError } from "../errors/model_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { ValidationIssue } from "../errors/validation_error.ts";
import { type BodyFormat, isModelClass, type ModelClass } from "../models/model_class.ts";
import { decodeTarget, isModelTarget, type ModelTarget } from "../models/target.ts";
import type { SchemaOutput, StandardIssue, StandardSchema } from "../standard_schema.ts";
import { issueMessage } from "./issue_message.ts";

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
  if (isModelClass(one)) return model as ResponseModel;
  const standard = isObject(one) && "~standard" in one ? one["~standard"] : undefined;
  if (isObject(standard) && "validate" in standard && typeof standard.validate === "function") {
    return model as ResponseModel;
  }
  const expected = "a model class, a Standard Schema, or either in a list of one";
  throw new UnexpectedValueError(option, expected, model);
}

/** Schemas of some libraries are functions. */
function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** What is told of a body beside its bytes. */
export interface BodyToDecode {
  /** The body. */
  readonly content: string | Uint8Array;
  /** Its content type; empty where it has none. */
  readonly contentType: string;
  /** What it is, whatever the content type says. */
  readonly format: BodyFormat | undefined;
  /** Its JSON, where a schema wants it: null where there is no body. */
  readonly json: () => unknown;
}

/**
 * Decodes a body by a model.
 *
 * @param model The model
 * @param body The body
 * @throws What `json` throws; {@linkcode XmlError} and {@linkcode ModelError} where a model class
 * cannot read it at all
 */
export async function decodeByModel(model: ResponseModel, body: BodyToDecode): Promise<Decoded> {
  if (isModelTarget(model)) return await decodeByClass(model, body);
  return await decodeBySchema(model as StandardSchema | readonly [StandardSchema], body.json());
}

async function decodeByClass(
  target: ModelTarget,
  { content, contentType, format }: BodyToDecode,
): Promise<Decoded> {
  if (content.length === 0) {
    const { name } = Array.isArray(target) ? target[0] : target;
    return { kind: "invalid", issues: [{ path: [], message: `expected ${name}` }] };
  }
  try {
    return { kind: "value", value: await decodeTarget(target, content, contentType, format) };
  } catch (error) {
    if (!(error instanceof ModelError) || error.cause !== undefined) throw error;
    return {
      kind: "invalid",
      issues: error.issues.map(({ path, keys, message, line, column }) => ({
        path: keys,
        where: path,
        ...(line === undefined ? {} : { line, column }),
        // A text of the body is not for the eyes of whoever prints the error.
        message: message.replace(/(, but is )"[^]*$/, '$1"…"'),
      })),
    };
  }
}

async function decodeBySchema(
  model: StandardSchema | readonly [StandardSchema],
  value: unknown,
): Promise<Decoded> {
  if (!Array.isArray(model)) return await decodeOne(model as StandardSchema, value, []);
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
  readonly issues?: readonly StandardIssue[] | undefined;
}

function keyOf(segment: NonNullable<StandardIssue["path"]>[number]): string | number {
  const key = typeof segment === "object" ? segment.key : segment;
  return typeof key === "number" ? key : String(key);
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
