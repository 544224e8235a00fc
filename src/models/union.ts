import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { isInstance } from "./instance.ts";
import type { ModelClass } from "./model_class.ts";
import { type PlanField, planOf } from "./plan.ts";
import {
  isObject,
  type JsonForm,
  shapeOf,
  type TypeInput,
  type UnionShape,
  unwrapped,
  type ValueType,
} from "./value_type.ts";

/**
 * One of several models, told apart by a property that is a `literal` or `oneOf` in each of them:
 * in JSON by its value, in XML by the tags of the models, or, where these are the same, by the
 * value, which must then be an attribute.
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

/** What is expected of the property that tells the models apart. */
export function expectedTags(choices: readonly UnionChoice[]): string {
  return choices.map(({ field }) => unwrapped(field.shape).expected).join(" or ");
}

/** A model of a union, or a function that gives it. */
export type UnionMember = ModelClass<object> | (() => ModelClass<object>);

/** An instance of one of the models of a union. */
export type UnionValue<M extends readonly UnionMember[]> = {
  [K in keyof M]: M[K] extends ModelClass<infer T> ? T
    : M[K] extends () => ModelClass<infer T> ? T
    : never;
}[number];

/** A model of a union, and what tells it from the others. */
export interface UnionChoice {
  readonly model: ModelClass<object>;
  readonly field: PlanField;
  readonly values: readonly unknown[];
}

const choices = new WeakMap<UnionShape, readonly UnionChoice[]>();

/**
 * The models of a union, each with the values that tell it from the others.
 *
 * @throws {UnexpectedValueError} Where a model has no such property
 */
export function unionChoices(shape: UnionShape): readonly UnionChoice[] {
  let made = choices.get(shape);
  if (made === undefined) {
    choices.set(
      shape,
      made = shape.models().map((model) => choice(model, shape.by)),
    );
  }
  return made;
}

function choice(model: ModelClass<object>, by: string): UnionChoice {
  const field = planOf(model).fields.find(({ name }) => name === by);
  const shape = field && unwrapped(field.shape);
  if (shape?.kind === "scalar" && shape.choices !== undefined) {
    return { model, field: field!, values: shape.choices };
  }
  const expected = "a literal or oneOf, as the models of a union have";
  throw new UnexpectedValueError(`${model.name}.fields.${by}`, expected, field?.field);
}
