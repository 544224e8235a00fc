/** Checks how deep objects and arrays are nested, when their values are written one by one. */
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/** The maximum depth of nested objects and arrays. */
const MAX_DEPTH = 100;

/**
 * Returns the objects and arrays around the values of one of them.
 *
 * @param value The object or array
 * @param parents Those around it
 * @param option Its name in errors
 * @throws {UnexpectedValueError} If it is in itself, or at more than 100 levels
 */
export function nestedIn(
  value: unknown,
  parents: readonly unknown[],
  option: string,
): readonly unknown[] {
  if (!parents.includes(value) && parents.length < MAX_DEPTH) return [...parents, value];
  const expected = `an object without cycles, nested at most ${MAX_DEPTH} deep`;
  throw new UnexpectedValueError(option, expected, value);
}
