/** The type of an object of which only some members are converted, and all others are left alone. */
import { type MutableRecord, setOwn } from "./instance.ts";
import { isModelClass } from "./model_class.ts";
import {
  isObject,
  type JsonConversion,
  type Shape,
  shapeOf,
  type TypeInput,
  type ValueType,
} from "./value_type.ts";

/**
 * The types of the members of an object that are converted.
 *
 * @typeParam T The type of the object
 *
 * @category Value types
 */
export type ConvertedMembers<T> = {
  readonly [K in keyof T]?:
    | TypeInput<Exclude<T[K], undefined>>
    // An object without its own `valueOf` inherits one, which the compiler compares, too.
    | (K extends keyof typeof Object.prototype ? (typeof Object.prototype)[K] : never);
};

/**
 * Returns a type for an object of which only some members are converted, such as dates. The type of
 * the object is stated by the program, and not checked: other members stay as they are, whatever
 * they are. A converted member may be missing.
 *
 * Use it to add conversions to an interface, and `object` or a model to check a whole document. XML
 * has no form for it.
 *
 * @example
 * ```ts
 * import { date, document, list, looseObject, nullable, type ValueType } from "@restwright/restwright/models";
 *
 * interface Commit {
 *   id: string;
 *   at: Date;
 *   verified: Date | null;
 *   parents?: Commit[];
 * }
 * const commitType: ValueType<Commit> = looseObject(() => ({
 *   at: date,
 *   verified: nullable(date),
 *   parents: list(commitType),
 * }));
 * const { id, at } = document(commitType).fromJson(
 *   '{"id":"a7","at":"2026-11-20T10:00:00Z","verified":null,"unknown":1}',
 * );
 * console.log(id, at.getUTCHours()); // a7 10
 * ```
 *
 * @typeParam T The type of the object
 * @param members The types of the members that are converted. A function that returns them can use
 * types that are declared further down, or the type itself
 * @param others The type of the members that are not named, or a function that returns it. Default:
 * they stay as they are
 * @param required The names of members by which `anyOf` tells the object from others, if several of its
 * types are objects: it then takes an object only if it has them. Default: none
 *
 * @category Value types
 */
export function looseObject<T extends object>(
  members: ConvertedMembers<NoInfer<T>> | (() => ConvertedMembers<NoInfer<T>>),
  others?: TypeInput<unknown> | (() => TypeInput<unknown>),
  required?: readonly string[],
): ValueType<T> {
  let shapes: ReadonlyMap<string, Shape> | undefined;
  const shapesOf = () => {
    if (shapes !== undefined) return shapes;
    const types = Object.entries(typeof members === "function" ? members() : members);
    shapes = new Map(types.map(([name, type]) => [name, shapeOf(type as TypeInput<unknown>)]));
    return shapes;
  };
  let rest: Shape | undefined;
  const restOf = () => {
    if (others === undefined) return undefined;
    // A function that returns a model has the same meaning, later or now.
    const isLater = typeof others === "function" && !isModelClass(others);
    return rest ??= shapeOf(isLater ? (others as () => TypeInput<unknown>)() : others);
  };
  const convert: JsonConversion = (given, walk) => {
    if (!isObject(given)) return undefined;
    const object: MutableRecord = {};
    for (const name of Object.keys(given)) {
      const shape = shapesOf().get(name) ?? restOf();
      const value = given[name];
      setOwn(object, name, shape && value !== undefined ? walk.member(name, shape, value) : value);
    }
    return object;
  };
  return {
    shape: {
      kind: "json",
      types: [],
      required,
      get members() {
        return shapesOf();
      },
      expected: "an object",
      fromJson: convert,
      toJson: convert,
    },
  };
}
