/** The values of the request option `format`: the interface of a format, and the formats that are ready. */
import { checkedOptions, isPlain } from "../base/checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { textWithCharset } from "../http/incoming_response.ts";
import { type BodyFormat, type BodyModel, isBodyModel } from "../models/model_class.ts";
import { checkedModel, type ModelOutput, type ResponseModel } from "./decode.ts";
import type { StreamFormat } from "./stream_format.ts";

/**
 * A value of the request option `format`: how the response becomes the result of a call.
 *
 * @typeParam T The result of the call
 *
 * @category Responses
 */
export type ResultFormat<T> =
  | ResponseFormat<T>
  | StreamFormat<T>
  | ModelFormat<T>
  | FormatByStatus<T>;

/**
 * A format that makes the result of a call of the whole body of a success. It is a value of the request
 * option `format`.
 *
 * The toolkit reads the body inside the attempt, so that a body that breaks off is retried. A
 * {@linkcode StreamFormat} reads the body while it arrives: it has the method `stream` instead.
 *
 * @typeParam T The result of the call
 *
 * @example Lines of CSV
 * ```ts
 * import { APIClient, type ResponseFormat } from "@restwright/restwright";
 *
 * const csv: ResponseFormat<string[][]> = {
 *   accept: "text/csv",
 *   read: async (response) =>
 *     (await response.text()).trimEnd().split("\n").map((line) => line.split(",")),
 * };
 * class Sheets extends APIClient {
 *   static override readonly baseUrl: string = "https://sheets.example.com";
 *   rows(): Promise<string[][]> {
 *     return this._get("/rows", { format: csv });
 *   }
 * }
 * const sheets = new Sheets({ fetch: () => Promise.resolve(new Response("1,Emma\n2,Dune\n")) });
 * console.log((await sheets.rows())[1]); // ["2","Dune"]
 * ```
 *
 * @category Responses
 */
export interface ResponseFormat<T> {
  /** The Accept header, if the call sets none. Default: that of the session */
  readonly accept?: string | undefined;
  /**
   * Returns the result of the call. The call throws what this throws, without a retry.
   *
   * @param response The response, whose body has been received and can be read once in any way
   */
  read(response: Response): T | Promise<T>;
}

/**
 * The format of a model, whatever the content type of the response is: the result of
 * {@linkcode jsonFormat} and {@linkcode xmlFormat}.
 *
 * @typeParam T The type that the model decodes a body to
 *
 * @internal
 */
export interface ModelFormat<out T> {
  /** The model. */
  readonly model: ResponseModel;
  /** The format of the body. */
  readonly bodyFormat: BodyFormat;
  /** The type of the result, for the compiler only. */
  readonly "~result"?: () => T;
}

/**
 * Reads the body as JSON with a model, whatever its content type is. The option `responseModel` reads
 * JSON or XML by the content type.
 *
 * @param model A model class, a `document(…)` or a Standard Schema, or one of these in brackets for a
 * list
 * @throws {UnexpectedValueError} If it is none of them
 *
 * @example `this._get("/users", { format: jsonFormat([User]) })`
 *
 * @category Responses
 */
export function jsonFormat<const M extends ResponseModel>(model: M): ModelFormat<ModelOutput<M>> {
  return formatOfModel(model, "json");
}

/**
 * Reads the body as XML with a model, whatever its content type is. The call asks for XML.
 *
 * @param model A model class or a `document(…)`, or one of these in brackets for a list
 * @throws {UnexpectedValueError} If it is neither; a Standard Schema cannot read XML
 *
 * @example
 * ```ts
 * import { APIClient, xmlFormat } from "@restwright/restwright";
 * import { attr, model, string } from "@restwright/restwright/models";
 *
 * class Book extends model("book", { title: attr(string) }) {}
 *
 * class Library extends APIClient {
 *   static override readonly baseUrl: string = "https://library.example.com";
 *   books(): Promise<Book[]> {
 *     return this._get("/books", { format: xmlFormat([Book]) });
 *   }
 * }
 * const text = '<books><book title="Emma"/></books>';
 * const headers = { "content-type": "text/plain" };
 * const fetch = () => Promise.resolve(new Response(text, { headers }));
 * console.log((await new Library({ fetch }).books())[0]?.title); // Emma
 * ```
 *
 * @category Responses
 */
export function xmlFormat<const M extends BodyModel<unknown> | readonly [BodyModel<unknown>]>(
  model: M,
): ModelFormat<ModelOutput<M>> {
  const one: unknown = Array.isArray(model) ? model[0] : model;
  if (isBodyModel(one)) return formatOfModel(model, "xml");
  const expected =
    "a model class (one that extends Model) or a document, or an array with one of these";
  throw new UnexpectedValueError("model", expected, model);
}

/**
 * The format of {@linkcode formatByStatus}.
 *
 * @typeParam T The result of the call
 *
 * @internal
 */
export interface FormatByStatus<out T> {
  /** How bodies are read, by their statuses. */
  readonly kinds: Readonly<Record<number, "json" | "text" | "bytes">>;
  /** The Accept header, if the call sets none. Default: that of the session */
  readonly accept?: string | undefined;
  /** The model that decodes JSON. */
  readonly model?: ResponseModel | undefined;
  /** The type of the result, for the compiler only. */
  readonly "~result"?: () => T;
}

/**
 * Reads the body by the status of the response: for an API that answers a 200 with JSON, and a 202 with
 * text. If no kind is stated for the status, the content type decides.
 *
 * The kinds are `json` for the value, `text` for a string, and `bytes` for a `Uint8Array`. Of an empty
 * body, they are null, `""` and no bytes.
 *
 * @typeParam T The result of the call: all that the bodies can be
 * @param kinds The kinds of the bodies by their statuses
 * @param options The Accept header, and the model that decodes JSON
 * @throws {UnexpectedValueError} If a status, a kind or an option is not valid
 *
 * @example
 * ```ts
 * import { APIClient, formatByStatus } from "@restwright/restwright";
 *
 * interface Report {
 *   readonly lines: number;
 * }
 * class Reports extends APIClient {
 *   static override readonly baseUrl: string = "https://reports.example.com";
 *   report(): Promise<Report | string> {
 *     const format = formatByStatus<Report | string>({ 200: "json", 202: "text" });
 *     return this._get("/report", { format });
 *   }
 * }
 * const fetch = () => Promise.resolve(new Response("in a minute", { status: 202 }));
 * console.log(await new Reports({ fetch }).report()); // in a minute
 * ```
 *
 * @category Responses
 */
export function formatByStatus<T>(
  kinds: Readonly<Record<number, "json" | "text" | "bytes">>,
  options: Pick<FormatByStatus<T>, "accept" | "model"> = {},
): FormatByStatus<T> {
  if (!isPlain(kinds)) throw new UnexpectedValueError("kinds", "an object", kinds);
  for (const [status, kind] of Object.entries(kinds)) {
    if (!/^[1-5]\d\d$/.test(status)) {
      throw new UnexpectedValueError("a name in kinds", "a status such as 202", status);
    }
    if (!["json", "text", "bytes"].includes(kind)) {
      throw new UnexpectedValueError(`kinds.${status}`, '"json", "text" or "bytes"', kind);
    }
  }
  const { accept, model } = checkedOptions(options, ["accept", "model"]);
  if (accept !== undefined && typeof accept !== "string") {
    throw new UnexpectedValueError("accept", "a string", accept);
  }
  return { kinds: { ...kinds }, accept, model: checkedModel("model", model) };
}

function formatOfModel<T>(model: ResponseModel, bodyFormat: BodyFormat): ModelFormat<T> {
  return { model: checkedModel("model", model ?? null)!, bodyFormat };
}

/** Reports if a value can be the option `format`. */
export function isResultFormat(value: unknown): boolean {
  const { read, stream, model, kinds } = Object(value) as Readonly<Record<string, unknown>>;
  const isWhole = typeof read === "function";
  return typeof stream === "function"
    ? !isWhole
    : isWhole || model !== undefined || typeof kinds === "object" && kinds !== null;
}

/** Reports if a format reads the response while it arrives. */
export function isStreamFormat<T>(
  format: ResultFormat<T> | undefined,
): format is StreamFormat<T> {
  return typeof (format as Partial<StreamFormat<T>> | undefined)?.stream === "function";
}

/**
 * The body as text; empty if there is none. It is decoded with the charset of its content type, or as
 * UTF-8 if that names none.
 *
 * @example
 * ```ts
 * import { APISession, textFormat } from "@restwright/restwright";
 *
 * const api = new APISession({
 *   url: "https://api.example.com",
 *   adapter: () => Promise.resolve(new Response("# Title")),
 * });
 * const readme: string = await api.get("readme", { format: textFormat });
 * console.log(readme); // # Title
 * ```
 *
 * @category Responses
 */
export const textFormat: ResponseFormat<string> = {
  read: async (response) => textWithCharset(new Uint8Array(await response.arrayBuffer()), response),
};

/**
 * The body as bytes; empty if there is none.
 *
 * @category Responses
 */
export const bytesFormat: ResponseFormat<Uint8Array<ArrayBuffer>> = {
  read: async (response) => new Uint8Array(await response.arrayBuffer()),
};

/**
 * Nothing: the body is received and dropped, so that a response without one, or with one that nobody
 * needs, is undefined.
 *
 * @example
 * ```ts
 * import { APIClient, voidFormat } from "@restwright/restwright";
 *
 * class Shelf extends APIClient {
 *   static override readonly baseUrl: string = "https://shelf.example.com";
 *   remove(): Promise<void> {
 *     return this._delete("/books/7", { format: voidFormat });
 *   }
 * }
 * const fetch = () => Promise.resolve(new Response("gone"));
 * console.log(await new Shelf({ fetch }).remove()); // undefined
 * ```
 *
 * @category Responses
 */
export const voidFormat: ResponseFormat<void> = { read: () => {} };
