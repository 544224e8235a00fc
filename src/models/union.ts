/** The type of an instance of one of several models, selected by a property or by its element. */
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { DataKeys } from "./field.ts";
import { modelFor } from "./instance.ts";
import { isModelClass, type ModelClass } from "./model_class.ts";
import { memoize, type PlanField, planOf } from "./plan.ts";
import {
  type BaseShape,
  isObject,
  shapeOf,
  type TypeInput,
  type UnionShape,
  type ValueType,
  withoutNullable,
} from "./value_type.ts";

/**
 * A model of a union, or a function that returns it.
 *
 * @internal
 */
export type UnionMember = ModelClass<object> | (() => ModelClass<object>);

/**
 * An instance of one of the models of a union.
 *
 * @internal
 */
export type UnionValue<M extends readonly UnionMember[]> = {
  [K in keyof M]: M[K] extends ModelClass<infer T> ? T
    : M[K] extends () => ModelClass<infer T> ? T
    : never;
}[number];

/**
 * The models of a union: at least two.
 *
 * @internal
 */
export type UnionMembers = readonly [UnionMember, UnionMember, ...UnionMember[]];

/**
 * Returns a type for an instance of one of several models.
 *
 * `union([Circle, Square])` selects the model by the tag of the element in XML. In JSON, the value
 * is an object with the tag as its only member: `{"circle":{"radius":1}}`.
 *
 * `union("kind", Circle, Square)` selects it by a property that is a `literal` or `oneOf` in each of
 * the models: in JSON by its value; in XML by the tags, or, if several models have the same tag or
 * the name is that of a record's member, by the value, which must then be an attribute.
 *
 * In both forms `elements` keeps the order of mixed children.
 *
 * @example Select by the tag
 * ```ts
 * import { attr, elements, model, number, union } from "@restwright/restwright/models";
 *
 * class Circle extends model("circle", { radius: attr(number) }) {}
 * class Square extends model("square", { side: attr(number) }) {}
 * class Drawing extends model("drawing", { shapes: elements(union([Circle, Square])) }) {}
 *
 * const { shapes } = await Drawing.fromXml('<drawing><square side="2"/><circle radius="1"/></drawing>');
 * for (const shape of shapes) console.log(shape instanceof Circle ? shape.radius : shape.side); // 2, then 1
 * ```
 *
 * @example Select by a property
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
 * const { shape } = Drawing.fromJson({ shape: { kind: "square", side: 2 } });
 * if (shape.kind === "square") console.log(shape.side); // 2
 * ```
 *
 * @param models The models, each with a tag of its own
 * @throws {UnexpectedValueError} If two models have the same values or tags. If one of them is given as a
 * function, the error is thrown when the union is first used
 *
 * @category Value types
 */
export function union<const M extends UnionMembers>(models: M): ValueType<UnionValue<M>>;
/**
 * Returns a type for an instance of one of several models, which a property selects.
 *
 * @param by The name of the property
 * @param models The models
 */
export function union<const M extends UnionMembers>(
  by: NoInfer<DataKeys<UnionValue<M>> & string>,
  ...models: M
): ValueType<UnionValue<M>>;
export function union(
  first: string | readonly UnionMember[],
  ...rest: readonly UnionMember[]
): ValueType<object> {
  const by = typeof first === "string" ? first : undefined;
  const members = typeof first === "string" ? rest : first;
  if (!Array.isArray(members) || members.length < 2) {
    throw new UnexpectedValueError("union", "given at least two models", members);
  }
  for (const member of members) if (typeof member !== "function") modelOf(member);
  const models = () => members.map(modelOf);
  const isKnown = members.every(isModelClass);
  const shape = by === undefined ? byTag(models) : byProperty(by, models, isKnown);
  if (isKnown) choicesOf(shape);
  return { shape };
}

function modelOf(member: UnionMember): ModelClass<object> {
  const shape = shapeOf(member as TypeInput<object>);
  const model = shape?.kind === "model" ? shape.model() : undefined;
  if (isModelClass(model)) return model;
  throw new UnexpectedValueError(
    "union",
    "given model classes, or functions that return them",
    member,
  );
}

/** A model of a union, and the values of the property that selects it. */
export interface UnionChoice {
  readonly model: ModelClass<object>;
  /** The property that selects the model; undefined if the tag does. */
  readonly field: PlanField | undefined;
  /** The values of the property; for a union by tag, the tag. */
  readonly values: readonly unknown[];
  /** A description of the values. */
  readonly expected: string;
}

/**
 * Returns the models of a union with the values that select them.
 *
 * @throws {UnexpectedValueError} If two models have the same values or tags
 */
export const choicesOf: (shape: UnionShape) => readonly UnionChoice[] = /* @__PURE__ */ memoize(
  createChoices,
);

function createChoices({ by, models }: UnionShape): readonly UnionChoice[] {
  const choices = models().map((model) => by === undefined ? tagChoice(model) : choice(model, by));
  const known = new Map<unknown, UnionChoice>();
  for (const each of choices) {
    for (const value of each.values) {
      const other = known.get(value);
      if (other !== undefined) {
        const what = by === undefined ? "tag" : by;
        const expected = `a union of models that differ in ${what}`;
        const actual = `the same for ${other.model.name} and ${each.model.name}`;
        throw new UnexpectedValueError("union", expected, describedAs(actual));
      }
      known.set(value, each);
    }
  }
  for (const choice of choices) {
    const { tag, namespace } = choice.model;
    const others = choices.filter(({ model }) =>
      model.tag === tag && model.namespace === namespace
    );
    if (others.length > 1) requireAttribute(choice);
  }
  return choices;
}

/** Checks that an attribute selects a model: it must be known before the content is read. */
function requireAttribute({ field }: UnionChoice): void {
  if (field === undefined || field.field.place === "attr") return;
  const expected = "declared with attr(), because models of the union have the same tag";
  const actual = describedAs(`declared with ${field.field.place}()`);
  throw new UnexpectedValueError(field.at, expected, actual);
}

function tagChoice(model: ModelClass<object>): UnionChoice {
  const { tag } = model;
  if (tag === "") {
    const expected = "a name, because it selects the model of a union";
    throw new UnexpectedValueError(`${model.name}.tag`, expected, tag);
  }
  return { model, field: undefined, values: [tag], expected: `"${tag}"` };
}

function choice(model: ModelClass<object>, by: string): UnionChoice {
  const field = planOf(model).fields.find(({ name }) => name === by);
  const shape = field && withoutNullable(field.shape);
  if (shape?.kind === "scalar" && shape.choices !== undefined) {
    return { model, field: field!, values: shape.choices, expected: shape.expected };
  }
  const expected = "a literal or oneOf, because it selects the model of a union";
  throw new UnexpectedValueError(`${model.name}.fields.${by}`, expected, field?.field);
}

/** Describes the values that select a model. */
export function expectedChoices(choices: readonly UnionChoice[]): string {
  return choices.map(({ expected }) => expected).join(" or ");
}

function byProperty(
  by: string,
  models: () => readonly ModelClass<object>[],
  isKnown: boolean,
): UnionShape {
  const shape: UnionShape = {
    kind: "union",
    by,
    models,
    requireAttribute: (shared = isKnown ? models() : []) => {
      for (const each of shared.length > 0 ? choicesOf(shape) : []) {
        if (shared.includes(each.model)) requireAttribute(each);
      }
    },
    get expected() {
      return `an object (${models().map(({ name }) => name).join(" or ")})`;
    },
    select: (json) =>
      choicesOf(shape).find(({ field, values }) => values.includes(own(json, field!.json)))?.model,
    fromJson: (json, walk) => {
      if (!isObject(json)) return undefined;
      const model = shape.select(json);
      if (model !== undefined) return walk.instance(model, json);
      const choices = choicesOf(shape);
      const name = choices[0]!.field!.json;
      return walk.member(name, noneOf(choices), own(json, name));
    },
    toJson: (value, walk) => {
      const model = modelFor(value, models());
      return model && walk.instance(model, value, by);
    },
  };
  return shape;
}

function byTag(models: () => readonly ModelClass<object>[]): UnionShape {
  const shape: UnionShape = {
    kind: "union",
    by: undefined,
    models,
    requireAttribute: () => {},
    get expected() {
      const tags = models().map(({ tag }) => `{"${tag}":{…}}`).join(" or ");
      return `an object with one member (${tags})`;
    },
    select: (json) => {
      const [name, ...others] = Object.keys(json);
      if (others.length > 0) return undefined;
      return choicesOf(shape).find(({ model }) => model.tag === name)?.model;
    },
    fromJson: (json, walk) => {
      const model = isObject(json) ? shape.select(json) : undefined;
      if (model === undefined) return undefined;
      return walk.member(model.tag, shapeOf(model), own(json as object, model.tag));
    },
    toJson: (value, walk) => {
      const model = modelFor(value, models());
      return model && { [model.tag]: walk.instance(model, value) };
    },
  };
  return shape;
}

/** Returns a member of an object itself, not one that every object inherits. */
function own(json: object, name: string): unknown {
  return Object.hasOwn(json, name) ? (json as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Returns a shape that no value has, to report a property that selects no model. */
function noneOf(choices: readonly UnionChoice[]): BaseShape {
  const none = () => undefined;
  return { expected: expectedChoices(choices), fromJson: none, toJson: none };
}
