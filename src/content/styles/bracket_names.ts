/** Names the values in nested objects and arrays with brackets, as in `filter[tags][0]`. */
import { type Check, check, isPlain } from "../../base/checks.ts";
import { nestedIn } from "../../base/nesting.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";

/**
 * The names of the elements of an array in a form or a query: the name of the array, the name with
 * `[]`, or the name with the index of the element.
 */
export type ArrayNames = "repeat" | "brackets" | "indices";

/** Checks that a value is one of the names of the elements of an array. */
export const checkedArrayNames: Check<ArrayNames> = /* @__PURE__ */ check(
  '"repeat", "brackets" or "indices"',
  (value) => value === "repeat" || value === "brackets" || value === "indices",
);

/** A value with its name. */
export interface NamedValue {
  /** The name, with brackets. */
  readonly name: string;
  /** The value, which is neither null nor undefined. */
  readonly value: unknown;
  /** The name of the value in errors. */
  readonly option: string;
}

/**
 * Yields the values in nested objects and arrays. Null and undefined are left out.
 *
 * @param value The object or array, or any other value, which is yielded itself
 * @param name Its name
 * @param names The names of the elements of arrays
 * @param option The name of the value in errors
 * @param isWhole Reports if an object or array is a value itself. Default: none is
 * @throws {UnexpectedValueError} If there is a cycle, or more than 100 levels, or an object or array in
 * an array whose elements have no index: a server could not tell where one ends
 */
export function* bracketNames(
  value: unknown,
  name: string,
  names: ArrayNames,
  option: string,
  isWhole: (value: object) => boolean = () => false,
  parents: readonly unknown[] = [],
): Generator<NamedValue, void> {
  if (value === null || value === undefined) return;
  if (!isPlain(value) || isWhole(value)) return yield { name, value, option };
  const within = nestedIn(value, parents, option);
  if (!Array.isArray(value)) {
    for (const [key, inner] of Object.entries(value)) {
      yield* bracketNames(inner, `${name}[${key}]`, names, `${option}.${key}`, isWhole, within);
    }
    return;
  }
  for (const [index, inner] of value.entries()) {
    const place = `${option}[${index}]`;
    if (names !== "indices" && isPlain(inner) && !isWhole(inner)) {
      const expected = 'no object or array (or set arrays: "indices", which gives each its number)';
      throw new UnexpectedValueError(place, expected, inner);
    }
    const own = names === "indices" ? `[${index}]` : names === "repeat" ? "" : "[]";
    yield* bracketNames(inner, `${name}${own}`, names, place, isWhole, within);
  }
}
