/** Reads a value, such as the items or the cursor, from its place in the body of a page. */
import { isPlain } from "../base/checks.ts";
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
  return typeof field === "function" ? field(body, response) : valueAt(body, field);
}

/** Returns the value of a field, or of names joined by dots; null or undefined without it. */
export function valueAt(body: unknown, name: string): unknown {
  return namesIn(body, name).reduce(memberOf, body);
}

/** Returns the names on the path to a field. A name with dots is one name if the body has it. */
export function namesIn(body: unknown, name: string): string[] {
  return memberOf(body, name) === undefined ? name.split(".") : [name];
}

function memberOf(value: unknown, name: string): unknown {
  if (value === null || typeof value !== "object") return value === null ? null : undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/**
 * Returns a copy of a JSON body with other values. Names are read as those of {@linkcode BodyField}.
 *
 * @throws {UnexpectedValueError} If a value on the path to a field is not a plain object
 */
export function withFields(body: object, fields: Readonly<Record<string, unknown>>): object {
  let changed = body;
  for (const [name, value] of Object.entries(fields)) {
    changed = withField(changed, namesIn(changed, name), value, "json");
  }
  return changed;
}

function withField(
  body: unknown,
  [name, ...inner]: readonly string[],
  value: unknown,
  place: string,
): object {
  const fields = checkedObject(place, body ?? {});
  const field = `${place}.${name}`;
  return {
    ...fields,
    [name!]: inner.length === 0
      ? value
      : withField(Object.hasOwn(fields, name!) ? fields[name!] : {}, inner, value, field),
  };
}

/**
 * Checks that a value is a plain object, which a rule can set fields of.
 *
 * @throws {UnexpectedValueError} If it is not
 */
export function checkedObject(option: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isPlain(value) && !Array.isArray(value)) return value;
  const expected = "a plain object, in which the rule sets the parameters of each page";
  throw new UnexpectedValueError(option, expected, value);
}
