import { isInstance } from "./instance.ts";
import type { ModelClass } from "./model_class.ts";
import { expectedTags, type UnionChoice, unionChoices } from "./union_choices.ts";
import {
  isObject,
  type JsonForm,
  shapeOf,
  type TypeInput,
  type UnionShape,
  type ValueType,
} from "./value_type.ts";

/**
 * One of several models, told apart by a property that is a `literal` or `oneOf` in each of them:
 * in JSON by its value, in XML by the tags of the models, or, where these are the same or a record
 * has names of its own, by the value, which must then be an attribute.
 *
 * @example
 * ```ts
 * import { attr, element, literal, model, number, union } from "@restwright/restwright/models";
 *
 * class Circle extends model("circle", {
 *   kind: attr(literal("circle"), { default: "circle" }),
 *   radius: attr(number),
 * }) {}
 * class Square extends model("square", {
 *   kind: attr(literal("square"), { default: "square" }),
 *   side: attr(number),
 * }) {}
 * class Drawing extends model("drawing", { shape: element(union("kind", Circle, Square)) }) {}
 *
 * const { shape } = await Drawing.fromXml('<drawing><square side="2"/></drawing>');
 * if (shape.kind === "square") console.log(shape.side); // 2
 * ```
 *
 * @param by The property that tells them apart
 * @param models The models
 */
export function union<const M extends readonly [UnionMember, UnionMember, ...UnionMember[]]>(
  by: string,
  ...models: M
): ValueType<UnionValue<M>> {
  const resolved = () =>
    models.map((each) => {
      const shape = shapeOf(each as TypeInput<object>);
      return shape.kind === "model" ? shape.model() : undefined!;
    });
  const shape: UnionShape = {
    kind: "union",
    by,
    models: resolved,
    get expected() {
      return `an object (${resolved().map(({ name }) => name).join(" or ")})`;
    },
    fromJson: (json, walk) => {
      if (!isObject(json)) return undefined;
      const choices = unionChoices(shape);
      const given = (name: string) => Object.hasOwn(json, name) ? json[name] : undefined;
      const found = choices.find(({ field, values }) => values.includes(given(field.json)));
      if (found !== undefined) return walk.instance(found.model, json);
      const name = choices[0]!.field.json;
      return walk.within(name, noneOf(choices), given(name));
    },
    toJson: (value, walk) => {
      const model = resolved().find((each) => isInstance(value, each));
      return model && walk.instance(model, value);
    },
  };
  return { shape };
}

/** What tells the models apart, where it has the value of none. */
function noneOf(choices: readonly UnionChoice[]): JsonForm {
  const none = () => undefined;
  return { expected: expectedTags(choices), fromJson: none, toJson: none };
}

/** A model of a union, or a function that gives it. */
export type UnionMember = ModelClass<object> | (() => ModelClass<object>);

/** An instance of one of the models of a union. */
export type UnionValue<M extends readonly UnionMember[]> = {
  [K in keyof M]: M[K] extends ModelClass<infer T> ? T
    : M[K] extends () => ModelClass<infer T> ? T
    : never;
}[number];
