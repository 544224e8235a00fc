import type { ModelClass } from "./model_class.ts";
import { shapeOf, type TypeInput, type ValueType } from "./value_type.ts";

/**
 * A value or null: null in JSON, `xsi:nil="true"` in XML. An attribute that is null is not there.
 *
 * @example
 * ```ts
 * import { element, model, nullable, string } from "@restwright/restwright/models";
 *
 * class User extends model("user", { nick: element(nullable(string)) }) {}
 * console.log(User.fromJson({ nick: null }).nick); // null
 * ```
 */
export function nullable<T>(type: TypeInput<T>): ValueType<T | null> {
  return { shape: { kind: "nullable", inner: shapeOf(type) } };
}

/**
 * An array: in JSON an array, in XML one text with blanks between the values (`xs:list`), so that it
 * is for scalars there. Elements that repeat are `elements`.
 *
 * @example
 * ```ts
 * import { attr, list, model, number } from "@restwright/restwright/models";
 *
 * class Box extends model("box", { corners: attr(list(number)) }) {}
 * console.log((await Box.fromXml('<box corners="1 2 3 4"/>')).corners.length); // 4
 * ```
 */
export function list<T>(type: TypeInput<T>): ValueType<T[]> {
  return { shape: { kind: "list", inner: shapeOf(type) } };
}

/**
 * Values under any names: in JSON an object, in XML an element whose children have any names.
 *
 * @example
 * ```ts
 * import { element, model, record, string } from "@restwright/restwright/models";
 *
 * class Project extends model("project", { properties: element(record(string)) }) {}
 * const xml = "<project><properties><a.b>1</a.b></properties></project>";
 * console.log((await Project.fromXml(xml)).properties["a.b"]); // 1
 * ```
 */
export function record<T>(type: TypeInput<T>): ValueType<Record<string, T>> {
  return { shape: { kind: "record", inner: shapeOf(type) } };
}

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
  return { shape: { kind: "union", by, models: resolved } };
}

/** A model of a union, or a function that gives it. */
export type UnionMember = ModelClass<object> | (() => ModelClass<object>);

/** An instance of one of the models of a union. */
export type UnionValue<M extends readonly UnionMember[]> = {
  [K in keyof M]: M[K] extends ModelClass<infer T> ? T
    : M[K] extends () => ModelClass<infer T> ? T
    : never;
}[number];
