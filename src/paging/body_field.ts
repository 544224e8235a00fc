/** Reads a value, such as the items or the cursor, from its place in the body of a page. */
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/**
 * The place of a value in the body of a page: the name of a field, or names joined by dots, as in
 * `"meta.next"`; or a function that returns the value from the body or the response.
 *
 * A field whose name contains dots itself, such as `@odata.nextLink`, is found first.
 *
 * @typeParam B The type of the body
 *
 * @category Paging
 */
export type BodyField<B = unknown> =
  | string
  // A method, so that the function can declare a type for the body.
  | { read(body: B, response: Response): unknown }["read"];

/**
 * Checks the place of a value.
 *
 * @param option The name of the option for the error
 * @throws {UnexpectedValueError} If it is neither a name nor a function
 */
export function checkedField(option: string, field: unknown): BodyField {
  if (typeof field === "function" || typeof field === "string" && field !== "") {
    return field as BodyField;
  }
  throw new UnexpectedValueError(option, "the name of a field of the body, or a function", field);
}

/**
 * Reads a value from the body of a page.
 *
 * @returns The value; null or undefined if the field, or one on the path to it, is null or missing
 */
export function readField(field: BodyField, body: unknown, response: Response): unknown {
  if (typeof field === "function") return field(body, response);
  const whole = memberOf(body, field);
  return whole === undefined ? field.split(".").reduce(memberOf, body) : whole;
}

function memberOf(value: unknown, name: string): unknown {
  if (value === null || typeof value !== "object") return value === null ? null : undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
