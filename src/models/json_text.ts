/** Parses and writes JSON text for models, without losing digits of large numbers. */
import { messageText } from "../errors/message_text.ts";
import { ModelError } from "../errors/model_error.ts";
import { markedEncoding } from "../xml/byte_order_mark.ts";
import { isStackOverflow, issueAt, type Problem, TOO_DEEP } from "./issues.ts";
import type { WriteOptions } from "./json_walker.ts";

/**
 * Options for writing JSON.
 *
 * @category Models
 */
export interface JsonWriteOptions extends WriteOptions {
  /**
   * The indentation of each level. Set to `true` for two spaces.
   *
   * @default {false}
   */
  readonly indent?: boolean | string | undefined;
}

/** The names of the options. */
export const jsonWriteOptions: readonly (keyof JsonWriteOptions)[] = [
  "indent",
  "omitDefaults",
  "only",
];

/**
 * Writes JSON.
 *
 * @param name The name of the model, for errors
 * @param json The objects and arrays
 * @param options The indentation
 * @throws {ModelError} If they are nested too deeply for the stack of the runtime
 */
export function writeJson(name: string, json: unknown, { indent }: JsonWriteOptions): string {
  try {
    return JSON.stringify(json, null, indent === true ? 2 : indent || 0);
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    const details = { model: name, issues: [issueAt([], TOO_DEEP)], cause: error };
    throw new ModelError(`${name} cannot be written as JSON`, details);
  }
}

/**
 * Parses JSON from a text or from bytes: UTF-8, or as a byte-order mark or the content type specifies.
 *
 * @param isExact True to keep numbers that JavaScript cannot hold: as objects of `JSON.rawJSON`, if
 * the runtime has it
 * @throws {ModelError} If it is not JSON
 */
export function parseJson(
  model: string,
  source: string | Uint8Array,
  isExact: boolean,
  encoding?: string,
): unknown {
  try {
    const text = typeof source === "string"
      ? source.replace(/^\ufeff/, "")
      : new TextDecoder(markedEncoding(source) ?? encoding, { fatal: true }).decode(source);
    return isExact ? JSON.parse(text, exactNumber) : JSON.parse(text);
  } catch (error) {
    const reason = messageText((error as Error).message, 200);
    const problem: Problem = isStackOverflow(error)
      ? TOO_DEEP
      : { code: "syntax", expected: "JSON", actual: `is not valid JSON: ${reason}` };
    const issues = [issueAt([], problem)];
    // JavaScriptCore quotes a whole word of the text, however long it is.
    const cause = error instanceof SyntaxError ? new SyntaxError(reason) : error;
    throw new ModelError(`${model} cannot be read from JSON`, { model, issues, cause });
  }
}

const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };

/** Replaces a number that has lost digits by its source text. A reviver for `JSON.parse`. */
function exactNumber(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined || rawJSON === undefined) return value;
  return Number.isFinite(value) && digitsOf(source) === digitsOf(String(value))
    ? value
    : rawJSON(source);
}

/** Returns a number's significant digits and exponent, so that `1.50e2` and `150` are equal. */
function digitsOf(text: string): string {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/(?<!0)0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${power}`;
}
