/** Checks the values that are written in a style, and reads them into texts. */
import { isPlain } from "../../base/checks.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";

/** A value as texts: a scalar, the elements of an array, or the fields of an object. */
export interface StyleTexts {
  /** The kind of the value. */
  readonly kind: "scalar" | "array" | "object";
  /** The text of the scalar; or those of the elements; or those of the fields, with their keys. */
  readonly parts: readonly (readonly [text: string, key?: string])[];
  /** The value for the log. */
  readonly shown: unknown;
}

/**
 * Reads a scalar, an array of scalars, or a plain object with scalars.
 *
 * @param value The value
 * @param option The name of the value in errors
 * @param hasArrays True if the fields of an object can be arrays of scalars, which repeat their key
 * @throws {UnexpectedValueError} If it is anything else
 */
export function textsOf(value: unknown, option: string, hasArrays: boolean): StyleTexts {
  if (!isPlain(value)) {
    const text = scalarText(value, option, "an array or a plain object of scalars, ") ?? "";
    return { kind: "scalar", parts: [[text]], shown: shownScalar(value) };
  }
  const isArray = Array.isArray(value);
  const parts: [text: string, key: string][] = [];
  const shown: [key: string, value: unknown][] = [];
  for (const [key, each] of Object.entries(value)) {
    if (hasArrays && !isArray && Array.isArray(each)) {
      const texts = each.flatMap((item, index) => {
        const text = scalarText(item, `${option}.${key}[${index}]`);
        return text === undefined ? [] : [text];
      });
      for (const text of texts) parts.push([text, key]);
      shown.push([key, each.map(shownScalar)]);
      continue;
    }
    const text = scalarText(each, isArray ? `${option}[${key}]` : `${option}.${key}`);
    if (text === undefined) continue;
    parts.push([text, key]);
    shown.push([key, shownScalar(each)]);
  }
  return {
    kind: isArray ? "array" : "object",
    parts,
    shown: isArray ? shown.map(([, each]) => each) : Object.fromEntries(shown),
  };
}

/**
 * Returns the text of a scalar; undefined for null and undefined.
 *
 * @param value The value
 * @param option The name of the value in errors
 * @param others Other accepted values, for the error
 * @throws {UnexpectedValueError} If it is not a scalar
 */
export function scalarText(value: unknown, option: string, others = ""): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (
    typeof value === "string" || typeof value === "bigint" || typeof value === "boolean" ||
    Number.isFinite(value)
  ) {
    return String(value);
  }
  const expected = `${others}a string, a finite number, a bigint, a boolean or null`;
  throw new UnexpectedValueError(option, expected, value);
}

/** Returns a scalar as JSON can hold it. */
export function shownScalar(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
