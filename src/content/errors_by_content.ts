/** Makes the option `errorFrom`: by a table of the codes of a body, and a model of its data. */
import { checkedOptions, isPlain } from "../base/checks.ts";
import { lazyImport } from "../base/lazy_import.ts";
import { mediaTypeOf } from "../base/media_type.ts";
import type { APIErrorClass } from "../errors/api_error.ts";
import { isBranded } from "../errors/base_error.ts";
import type { ErrorFrom } from "../errors/error_from.ts";
import { jsonOf } from "../errors/error_function.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { checkedModel, type ResponseModel } from "./decode.ts";

/**
 * Options of {@linkcode errorsBy}.
 *
 * @category Errors
 */
export interface ErrorsByOptions {
  /**
   * The model that decodes the body of each error to `error.data`, whatever its class is. If the body does
   * not match, `data` is undefined. The model of an error class takes precedence. Default: none
   */
  readonly model?: ResponseModel | undefined;
  /**
   * The class for an error in a success whose code the table does not have: with `errorsInSuccess`, or in
   * a stream. An empty text, 0, false and null do not count as codes. An error status keeps its class.
   * Default: none, only the codes of the table are errors
   */
  readonly otherwise?: APIErrorClass | undefined;
  /**
   * The path of a value that only errors have, such as `"error"` or `"errors"`: a success with this value
   * is an error, too, even without a code. Only with `otherwise`. Default: none
   */
  readonly otherwiseAt?: string | readonly string[] | undefined;
}

/** Loads the code that reads XML, because most APIs send JSON. */
const xmlTexts = lazyImport(() => import("../xml/texts_at.ts"));

/**
 * Returns an `errorFrom` that chooses the class of an error by a code in its body, which is JSON or XML,
 * and decodes the body by a model. Pass only `{ model }` if the status chooses the class.
 *
 * The path has the names on the way to the code, joined by dots, or as an array if a name contains dots.
 * In JSON, a list on the way is searched from its first element, unless the path has an index. In XML,
 * the first name is that of the root, namespaces are ignored, and an attribute is written `@code`.
 * Numbers and booleans are found by their text. If there are several values, the first one that the table
 * has counts. The body is read as the server sent it, whatever the model makes of it.
 *
 * @param path The path, as in `"error.code"`, `"errors.extensions.code"` or `"Error.Code"`
 * @param table The classes by code
 * @param options The model, and the class for errors in successes that have other codes
 * @throws {UnexpectedValueError} If a path is empty, a class does not extend `APIError`, or the model is
 * none
 *
 * @example
 * ```ts
 * import { APIClient, APIError } from "@restwright/restwright";
 * import { type ErrorFrom, errorsBy } from "@restwright/restwright/errors";
 *
 * class QuotaError extends APIError {}
 * class SlowDownError extends APIError {
 *   static override readonly retryable: boolean = true;
 * }
 * class Store extends APIClient {
 *   static override readonly baseUrl: string = "https://store.example.com";
 *   static override readonly errorFrom: ErrorFrom = errorsBy("error.code", {
 *     quota_exceeded: QuotaError,
 *     slow_down: SlowDownError,
 *   });
 * }
 * const body = { error: { code: "quota_exceeded" } };
 * const fetch = () => Promise.resolve(Response.json(body, { status: 400 }));
 *
 * class Objects extends Store {
 *   read(): Promise<unknown> {
 *     return this._get("/objects/1");
 *   }
 * }
 * const error = await new Objects({ fetch }).read().catch((reason: unknown) => reason);
 * console.log(error instanceof QuotaError); // true
 * ```
 *
 * @category Errors
 */
export function errorsBy(
  path: string | readonly string[],
  table: Readonly<Record<string, APIErrorClass>>,
  options?: ErrorsByOptions,
): ErrorFrom;
/**
 * Returns an `errorFrom` that decodes the body of each error by a model. The status chooses the class.
 *
 * @param options The model
 * @throws {UnexpectedValueError} If the model is none
 *
 * @example
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { type ErrorFrom, errorsBy, isErrorWith } from "@restwright/restwright/errors";
 * import { z } from "zod";
 *
 * const Problem = z.object({ reason: z.string() });
 * class Store extends APIClient {
 *   static override readonly baseUrl: string = "https://store.example.com";
 *   static override readonly errorFrom: ErrorFrom = errorsBy({ model: Problem });
 *   read(): Promise<unknown> {
 *     return this._get("/objects/1");
 *   }
 * }
 * const fetch = () => Promise.resolve(Response.json({ reason: "locked" }, { status: 423 }));
 * const error = await new Store({ fetch }).read().catch((reason: unknown) => reason);
 * console.log(isErrorWith(error, Problem) && error.data.reason); // locked
 * ```
 *
 * @category Errors
 */
export function errorsBy(options: { readonly model: ResponseModel }): ErrorFrom;
export function errorsBy(
  path: string | readonly string[] | { readonly model: ResponseModel },
  table?: Readonly<Record<string, APIErrorClass>>,
  options: ErrorsByOptions = {},
): ErrorFrom {
  if (isPlain(path) && !Array.isArray(path)) {
    const { model } = checkedOptions(path as ErrorsByOptions, ["model"]);
    // Without a model, nothing is left: null is none.
    return withModel(() => undefined, model ?? null);
  }
  return withModel(byCode(path as string | readonly string[], table, options), options.model);
}

/** Adds a model to a function that chooses errors. */
function withModel(choose: ErrorFrom, model: unknown): ErrorFrom {
  const checked = checkedModel("model", model);
  return checked === undefined ? choose : Object.assign(choose, { model: checked });
}

function byCode(
  path: string | readonly string[],
  table: Readonly<Record<string, APIErrorClass>> | undefined,
  options: ErrorsByOptions,
): ErrorFrom {
  const names = checkedPath("path", path);
  const { otherwise, otherwiseAt } = checkedOptions(options, ["model", "otherwise", "otherwiseAt"]);
  const classes = new Map(Object.entries(checkedTable(table)));
  if (otherwise !== undefined) checkedClass("otherwise", otherwise);
  if (otherwiseAt !== undefined && otherwise === undefined) {
    throw new UnexpectedValueError("otherwiseAt", "left out without otherwise", otherwiseAt);
  }
  const errorNames = otherwiseAt === undefined
    ? undefined
    : checkedPath("otherwiseAt", otherwiseAt);
  const classFor = (
    { ok }: Response,
    codes: Iterable<unknown>,
    reports: Iterable<unknown>,
  ): APIErrorClass | undefined => {
    let isError = false;
    for (const value of codes) {
      if (!/^(?:string|number|boolean)$/.test(typeof value)) continue;
      const found = classes.get(String(value));
      if (found !== undefined) return found;
      // An API that always has the field sends an empty text, 0 or false for no error.
      isError ||= Boolean(value);
    }
    if (otherwise === undefined || !ok) return undefined;
    for (const value of reports) isError ||= Boolean(value);
    return isError ? otherwise : undefined;
  };
  return (response, details) => {
    const { body } = details;
    const chosen = (codes: Iterable<unknown>, reports: Iterable<unknown>) => {
      const errorClass = classFor(response, codes, reports);
      return errorClass && new errorClass(response, details);
    };
    if (!isXml(response, body)) {
      const data = jsonOf(response, body);
      return chosen(valuesAt(data, names), errorNames ? valuesAt(data, errorNames) : []);
    }
    // An element that only errors have may have no text, but other elements.
    const reports = errorNames && textsAt(body, errorNames).then((texts) => texts.map(() => true));
    return Promise.all([textsAt(body, names), reports ?? []])
      .then(([codes, found]) => chosen(codes, found));
  };
}

async function textsAt(document: string, path: readonly string[]): Promise<string[]> {
  return await (await xmlTexts()).textsAt(document, path);
}

/** Reports if a body is XML: by its content type, or by its declaration, whatever the type is. */
function isXml({ headers }: Response, body: string): boolean {
  if (!/^\s*</.test(body)) return false;
  return mediaTypeOf(headers.get("content-type")).format === "xml" ||
    body.startsWith("<?xml");
}

/** Yields the values at a path. The elements of a list are searched, but not lists in them. */
function* valuesAt(
  value: unknown,
  names: readonly string[],
): Generator<unknown, void, undefined> {
  const [name, ...rest] = names;
  if (Array.isArray(value) && !/^\d+$/.test(name ?? "")) {
    for (const each of value) if (!Array.isArray(each)) yield* valuesAt(each, names);
  } else if (name === undefined) yield value;
  else if (typeof value === "object" && value !== null && Object.hasOwn(value, name)) {
    yield* valuesAt((value as Readonly<Record<string, unknown>>)[name], rest);
  }
}

function checkedPath(option: string, path: unknown): readonly string[] {
  const names: readonly unknown[] = typeof path === "string"
    ? path.split(".")
    : Array.isArray(path)
    ? [...path]
    : [];
  if (names.length > 0 && names.every((name) => typeof name === "string" && name !== "")) {
    return names as readonly string[];
  }
  const expected = 'names joined by dots, such as "error.code", or a list of names';
  throw new UnexpectedValueError(option, expected, path);
}

function checkedTable(table: unknown): Readonly<Record<string, APIErrorClass>> {
  if (typeof table !== "object" || table === null || table instanceof Map) {
    throw new UnexpectedValueError("table", "a mapping from codes to error classes", table);
  }
  for (const [code, value] of Object.entries(table)) checkedClass(`table.${code}`, value);
  return table as Readonly<Record<string, APIErrorClass>>;
}

/** Checks that a value is a class of errors of responses, from any copy of the toolkit. */
function checkedClass(option: string, value: unknown): void {
  if (isBranded(value, "APIError")) return;
  throw new UnexpectedValueError(option, "APIError, or a class that extends it", value);
}
