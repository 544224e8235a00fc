/** The type of an array with a type for each place. */
import {
  type JsonConversion,
  type Shape,
  shapeOf,
  type TypeInput,
  type ValueType,
} from "./value_type.ts";

/**
 * Returns a type for an array of which each place has a type of its own, such as a name and a date. The
 * type of the array is stated by the program; its length is not checked. XML has no form for it.
 *
 * @example
 * ```ts
 * import { date, document, json, tuple } from "@restwright/restwright/models";
 *
 * const entry = document(tuple<[name: string, at: Date]>([json, date]));
 * const [name, at] = entry.fromJson('["2026", "2026-11-20T10:00:00Z"]');
 * console.log(name, at.getUTCHours()); // 2026 10
 * ```
 *
 * @typeParam T The type of the array
 * @param types The types of the places
 * @param rest The type of all further places. Default: they stay as they are
 *
 * @category Value types
 */
export function tuple<T extends readonly unknown[]>(
  types: readonly TypeInput<unknown>[],
  rest?: TypeInput<unknown>,
): ValueType<T> {
  const shapes: readonly Shape[] = types.map((type, index) => shapeOf(type, `types[${index}]`));
  const restShape = rest && shapeOf(rest, "rest");
  const convert: JsonConversion = (given, walk) => {
    if (!Array.isArray(given)) return undefined;
    return given.map((value: unknown, index) => {
      const shape = shapes[index] ?? restShape;
      return shape === undefined || value === undefined ? value : walk.member(index, shape, value);
    });
  };
  return {
    shape: {
      kind: "json",
      types: [],
      places: shapes,
      rest: restShape,
      expected: "an array",
      fromJson: convert,
      toJson: convert,
    },
  };
}
