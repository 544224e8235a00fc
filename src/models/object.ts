/** Objects without a class: a type for one, and the field of the members that no other field declares. */
import { type Field, type FieldMap, fieldOf } from "./field.ts";
import { model, type ModelOptions, type ValueOf } from "./inferred.ts";
import { EMPTY } from "./instance.ts";
import type { Model } from "./model.ts";
import { record } from "./structures.ts";
import { isObject, shapeOf, type TypeInput, type ValueType } from "./value_type.ts";

/**
 * The object that fields declare. Members that may be undefined may be left out.
 *
 * @typeParam F The fields
 *
 * @category Value types
 */
export type ObjectOf<F extends FieldMap> =
  // `infer` makes one object of the two, which is what editors show.
  & { readonly [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]> }
  & {
    readonly [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: ValueOf<F[K]>;
  } extends infer T ? { [K in keyof T]: T[K] } : never;

/**
 * Returns a type for an object that has fields, but no class of its own. Its values are plain objects.
 *
 * In XML, its element has the name of the field. The options of the model around it do not apply to
 * it. When it is written, all members must be there, except optional ones: defaults are for reading.
 *
 * @example
 * ```ts
 * import { element, integer, model, object, string } from "@restwright/restwright/models";
 *
 * class User extends model("user", {
 *   name: element(string),
 *   address: element(object({ street: element(string), floor: element(integer, { optional: true }) })),
 * }) {}
 * const user = User.of({ name: "Ada", address: { street: "Rue Auber" } });
 * console.log(JSON.stringify(user)); // {"name":"Ada","address":{"street":"Rue Auber"}}
 * ```
 *
 * @param fields The fields, by the names of the members
 * @param options The other options, with the meaning that they have for a model
 *
 * @category Value types
 */
export function object<const F extends FieldMap>(
  fields: F,
  options: Pick<
    ModelOptions<ObjectOf<F>>,
    "check" | "namespace" | "order" | "rename" | "unknown"
  > = {},
): ValueType<ObjectOf<F>> {
  // To the code that reads and writes, it is a model whose instances are plain objects.
  const base = model("", fields as FieldMap, options as ModelOptions) as typeof Model;
  class Plain extends base {
    static override readonly name: string = "object";
    constructor() {
      super(EMPTY);
      return {} as Plain;
    }
    static override [Symbol.hasInstance](value: unknown): boolean {
      return isObject(value);
    }
  }
  return { shape: { ...shapeOf(Plain), expected: "an object" } };
}

/**
 * Declares all members that no other field declares: the members of the object in JSON, child elements
 * in XML. The value is an object with their names and values. It is empty if there are none.
 *
 * In XML, the elements are in the namespace of the model, each name occurs once, and they are written
 * after the elements of the other fields. Attributes without a field are unknown content.
 *
 * A model has one such field at most. Its option `unknown` cannot be `"keep"`.
 *
 * @example
 * ```ts
 * import { element, integer, model, rest, string } from "@restwright/restwright/models";
 *
 * class Stock extends model("stock", { shop: element(string), counts: rest(integer) }) {}
 * const stock = Stock.fromJson({ shop: "Lyon", indigo: 3, woad: 0 });
 * console.log(stock.counts.indigo); // 3
 * console.log(JSON.stringify(stock)); // {"shop":"Lyon","indigo":3,"woad":0}
 * ```
 *
 * @param type The type of each value
 *
 * @category Fields
 */
export function rest<T>(type: TypeInput<T>): Field<Record<string, T>, true> {
  return fieldOf("rest", record(type), {});
}
