/** Decodes bodies with a model, a document or a schema of any library, and collects the issues. */
import { type Check, check, hasMethods, isPromise } from "../base/checks.ts";
import { APIError, dataModelOf } from "../errors/api_error.ts";
import { ModelError } from "../errors/model_error.ts";
import type { ValidationIssue } from "../errors/validation_error.ts";
import {
  type BodyFormat,
  type BodyModel,
  isBodyModel,
  modelBrand,
  type ModelClass,
} from "../models/model_class.ts";
import type { StandardIssue, StandardSchema } from "../base/standard_schema.ts";

/**
 * A model class, a `document(…)` or a schema of any library, or one of these in a list of one for a
 * list of values.
 *
 * @category Models
 */
export type ResponseModel =
  | BodyModel<unknown>
  | StandardSchema
  | readonly [BodyModel<unknown> | StandardSchema];

/**
 * The type that a model decodes a body to.
 *
 * @category Models
 */
export type ModelOutput<M> = M extends readonly [infer S] ? ModelOutput<S>[]
  : M extends ModelClass<infer T> ? T
  : M extends BodyModel<infer T> ? T
  : M extends StandardSchema ? NonNullable<M["~standard"]["types"]>["output"]
  : never;

/** The result of decoding: a value, or all issues, as in a Standard Schema. */
export type Decoded =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly ValidationIssue[] };

/** Checks that a value is a model or undefined. */
export const checkedModel: Check<ResponseModel | undefined> = check(
  "a model class (one that extends Model), a Standard Schema, or an array with one of these",
  (model) => {
    const one: unknown = Array.isArray(model) && model.length === 1 ? model[0] : model;
    // The schemas of some libraries are functions.
    return model === undefined || isBodyModel(one) ||
      hasMethods(Object(one)["~standard"], ["validate"]);
  },
);

/** A body to decode. */
export interface BodyToDecode {
  /** The body. */
  readonly content: string | Uint8Array;
  /** The response, whose headers have the content type. */
  readonly response: Response;
  /** The format, if it is not that of the content type. */
  readonly format: BodyFormat | undefined;
  /** Parses the body as JSON for a schema; null if there is no body. */
  readonly json: () => unknown;
}

/**
 * Decodes a body with a model: at once, if the body is the text of JSON and the schema is synchronous.
 *
 * @param model The model
 * @param body The body
 * @throws The errors of `json`; {@linkcode XmlError} and {@linkcode ModelError} if a model class
 * cannot read the body at all
 */
export function decodeByModel(
  model: ResponseModel,
  { content, response, format, json }: BodyToDecode,
): Decoded | Promise<Decoded> {
  const isList = Array.isArray(model);
  const single: BodyModel<unknown> | StandardSchema = isList ? model[0] : model;
  if (!isBodyModel(single)) {
    return isList ? decodeList(single, json()) : decodeBySchema(single, json());
  }
  if (content.length === 0) return { issues: [{ path: [], message: `expected ${single.name}` }] };
  const { decode, decodeJson } = single[modelBrand];
  if (format === "json" && typeof content === "string" && decodeJson !== undefined) {
    try {
      return { value: decodeJson(single, isList, content) };
    } catch (error) {
      return issuesOrThrow(error);
    }
  }
  const contentType = response.headers.get("content-type") ?? "";
  return valueOrIssues(decode(single, isList, content, contentType, format));
}

/**
 * Decodes the parsed items of a list.
 *
 * @param model The model of an item
 * @param items The items
 */
export async function decodeItems(
  model: BodyModel<unknown> | StandardSchema,
  items: readonly unknown[],
): Promise<Decoded> {
  return isBodyModel(model)
    ? await valueOrIssues(model[modelBrand].decode(model, true, items, "", "json"))
    : await decodeList(model, items);
}

/** Returns what a model class decodes, or its issues. */
async function valueOrIssues(decoding: Promise<unknown>): Promise<Decoded> {
  try {
    return { value: await decoding };
  } catch (error) {
    return issuesOrThrow(error);
  }
}

/** Returns the issues of a body that does not match. Throws any other error of a model class. */
function issuesOrThrow(error: unknown): Decoded {
  if (!(error instanceof ModelError) || error.cause !== undefined) throw error;
  return { issues: issuesOf(error) };
}

/** Reports if a model is a Standard Schema, or a list of one, which decodes only JSON. */
export function isSchema(model: ResponseModel): boolean {
  return !isBodyModel(Array.isArray(model) ? model[0] : model);
}

/** Returns the issues of a model for a `ValidationError`. They show no texts of the body. */
export function issuesOf({ issues }: ModelError): ValidationIssue[] {
  return issues.map(({ message, ...rest }) => ({
    ...rest,
    // An error that is printed must not show texts and namespaces of the body.
    message: message.replace(/(, but it is )"[^]*$/, '$1"…"')
      .replace(/(, but it is <[^>]*> in the namespace )[^]*$/, "$1…"),
  }));
}

/** The body of an error response, or of an item of a stream that reports an error. */
export interface BodyOfError {
  /** The response with its body, which can be read again. */
  readonly response: Response;
  /** The body as text. */
  readonly text: string;
  /** The body as it was received, because a format such as XML can name its encoding itself. */
  readonly bytes: Uint8Array | string;
}

/**
 * Decodes the body of an error response.
 *
 * @param model The model of the error class or of the call
 * @param body The body
 * @param format The format, if it is not that of the content type
 * @returns The value; undefined if the body does not match
 * @throws The errors of the model
 */
export async function decodeErrorBody(
  model: ResponseModel,
  { text, bytes, response }: BodyOfError,
  format: BodyFormat | undefined,
): Promise<{ readonly value: unknown } | undefined> {
  const decoded = await decodeByModel(model, {
    content: bytes,
    response,
    format,
    json: () => text === "" ? null : JSON.parse(text),
  });
  return decoded.issues === undefined ? decoded : undefined;
}

/**
 * Returns a function that decodes the JSON text of an error at once, or returns undefined if the text
 * does not match.
 *
 * @param model The model of the error class or of the call
 * @returns The function; undefined if only {@linkcode decodeErrorBody} can decode, because the model is
 * a schema, which may be asynchronous
 */
export function errorJsonDecoder(
  model: ResponseModel,
): ((text: string) => { readonly value: unknown } | undefined) | undefined {
  const isList = Array.isArray(model);
  const single: BodyModel<unknown> | StandardSchema = isList ? model[0] : model;
  const decodeJson = isBodyModel(single) ? single[modelBrand].decodeJson : undefined;
  if (decodeJson === undefined) return undefined;
  return (text) => {
    try {
      return { value: decodeJson(single as BodyModel<unknown>, isList, text) };
    } catch {
      return undefined;
    }
  };
}

/** Decodes a value with a schema of any library. Most schemas are synchronous. */
function decodeBySchema(schema: StandardSchema, value: unknown): Decoded | Promise<Decoded> {
  const validated = validate(schema, value);
  return isPromise(validated)
    ? Promise.resolve(validated).then((result) => decodedBy(result, value))
    : decodedBy(validated, value);
}

function decodedBy(result: SchemaResult, value: unknown): Decoded {
  return result.issues === undefined
    ? { value: result.value }
    : { issues: schemaIssues(result.issues, value) };
}

/** Decodes each element of an array with a schema of any library. */
async function decodeList(schema: StandardSchema, elements: unknown): Promise<Decoded> {
  if (!Array.isArray(elements)) {
    return { issues: [{ path: [], message: `expected an array, got ${kindOf(elements)}` }] };
  }
  const issues: ValidationIssue[] = [];
  const values: unknown[] = [];
  for (const [index, element] of elements.entries()) {
    const validated = validate(schema, element);
    // Awaiting each element of a long list costs more than its check.
    const result = isPromise(validated) ? await validated : validated;
    if (result.issues === undefined) values.push(result.value);
    // A spread of very many arguments would not fit on the stack.
    else for (const issue of schemaIssues(result.issues, element, index)) issues.push(issue);
  }
  return issues.length > 0 ? { issues } : { value: values };
}

function validate(
  schema: StandardSchema,
  value: unknown,
): SchemaResult | PromiseLike<SchemaResult> {
  return schema["~standard"].validate(value);
}

/** Returns the issues of a schema, with the path from the element of a list. */
function schemaIssues(
  issues: readonly StandardIssue[],
  value: unknown,
  ...parents: readonly number[]
): ValidationIssue[] {
  return (issues.length > 0 ? issues : noReason).map(({ path = [], message }) => {
    // The paths of arktype are instances of a class whose `map` does not return an array.
    const inner = Array.from(path, keyOf);
    return { path: [...parents, ...inner], message: hideStrings(message, value, inner) };
  });
}

/** The issue of a schema that refuses a value without a reason. */
const noReason: readonly StandardIssue[] = [{ message: "the schema does not accept the value" }];

/** Either of the two results of a schema. */
interface SchemaResult {
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

/**
 * Hides the strings of a body that some libraries quote in their messages (valibot: `received "…"`,
 * arktype: `was "…"`), so that an error can be printed.
 */
function hideStrings(
  message: string,
  checked: unknown,
  path: readonly (string | number)[],
): string {
  if (!message.includes('"')) return message;
  let shown = message;
  const nested: unknown[] = [valueAt(checked, path)];
  for (const value of nested) {
    if (typeof value === "string" && value !== "") {
      shown = shown.replaceAll(`"${value}"`, () => '"…"');
      shown = shown.replaceAll(JSON.stringify(value), () => '"…"');
    } else if (typeof value === "object" && value !== null) {
      for (const each of Object.values(value)) nested.push(each);
    }
  }
  return shown;
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string | number, unknown>)[key];
  }
  return found;
}

/**
 * Reports if a caught value is an error whose `data` was decoded with this model. Then `data` has the
 * model's type.
 *
 * It returns false if the body did not match the model, and if another model decoded it, such as that
 * of the error's class. It also works for errors of other copies of the toolkit.
 *
 * @param error The caught value
 * @param model The model of `errorFrom` or of the error's class. A list is compared by its model
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { errorsBy, isErrorWith } from "@restwright/restwright/errors";
 * import { z } from "zod";
 *
 * const Problem = z.object({ code: z.string() });
 * const session = new APISession({
 *   url: "https://api.example.com",
 *   adapter: () => Promise.resolve(Response.json({ code: "no_such_user" }, { status: 404 })),
 *   errorFrom: errorsBy({ model: Problem }),
 * });
 * try {
 *   await session.get("users/7");
 * } catch (error) {
 *   if (!isErrorWith(error, Problem)) throw error;
 *   console.log(error.status, error.data.code); // 404 no_such_user
 * }
 * ```
 *
 * @category Errors
 */
export function isErrorWith<const M extends ResponseModel>(
  error: unknown,
  model: M,
): error is APIError & { readonly data: ModelOutput<M> } {
  if (!(error instanceof APIError)) return false;
  const made = dataModelOf(error);
  if (!Array.isArray(made)) return made !== undefined && made === model;
  return Array.isArray(model) && made[0] === model[0];
}
