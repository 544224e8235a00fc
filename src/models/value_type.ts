/** The rules of a type of values for JSON and XML, and the kinds of types that there are. */
import { isClass, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { XmlContentNodes } from "../xml/content.ts";
import { isModelClass, type ModelClass } from "./model_class.ts";

/**
 * The type of a value: how it is read from JSON and XML, checked, and written.
 *
 * @typeParam T The type of the value in TypeScript
 *
 * @category Value types
 */
export interface ValueType<out T> {
  /** The type of the value, for the compiler only. */
  readonly "~value"?: () => T;
  /** The rules for reading and writing. Use `scalar` to define a type of your own. */
  readonly shape: Shape;
}

/**
 * A type, a model, or a function that returns a model. Use a function for a model that is declared
 * further down, or for the class itself.
 *
 * @category Value types
 */
export type TypeInput<T> = ValueType<T> | ModelClass<T> | (() => ModelClass<T>);

/**
 * The rules for reading and writing values.
 *
 * @internal
 */
export type Shape =
  | ScalarShape
  | NullableShape
  | ListShape
  | RecordShape
  | UnionShape
  | ModelShape
  | JsonShape;

/**
 * The rules that every shape has.
 *
 * @internal
 */
export interface BaseShape {
  /** The expected value as a noun phrase, such as "a whole number". */
  readonly expected: string;
  /** Converts from JSON. Returns undefined if the input is not such a value. */
  readonly fromJson: JsonConversion;
  /** Converts to JSON. Returns undefined if the input is not such a value. */
  readonly toJson: JsonConversion;
  /**
   * Checks a value after it was read and before it is written. Returns what was expected if the
   * value breaks a constraint. It is called only with values that `toJson` or `toText` accepts.
   */
  readonly check?: ((value: unknown) => string | undefined) | undefined;
}

/**
 * A conversion between a value and JSON.
 *
 * @internal
 */
export type JsonConversion = (value: unknown, walk: JsonWalk) => unknown;

/**
 * The walk through a JSON document. It knows the path and collects the issues.
 *
 * @internal
 */
export interface JsonWalk {
  /** Converts a member of an object or an element of an array. */
  member(key: string | number, shape: BaseShape, value: unknown): unknown;
  /** Converts the current value by another shape, and checks it. The path stays the same. */
  value(shape: BaseShape, value: unknown): unknown;
  /** Converts an instance of a model. If defaults are left out, `always` is written all the same. */
  instance(model: ModelClass<object>, value: unknown, always?: string): unknown;
}

/**
 * A value that is a single text in XML.
 *
 * @internal
 */
export interface ScalarShape extends BaseShape {
  /** The kind of the shape. */
  readonly kind: "scalar";
  /** Converts from the text in XML. Returns undefined if the text is not such a value. */
  readonly fromText: (text: string) => unknown;
  /** Converts to the text in XML. Returns undefined if the input is not such a value. */
  readonly toText: (value: unknown) => string | undefined;
  /** All values, if there is a limited number of them. A union can then select a model by them. */
  readonly choices?: readonly unknown[] | undefined;
  /** True if any text is one of its values, so that `anyOf` tries it last in XML. */
  readonly takesAnyText?: boolean | undefined;
  /** Set for an XML fragment or for the text of an element with inline markup. */
  readonly markup?: Markup | undefined;
}

/**
 * The rules for an element whose inline markup is part of the value.
 *
 * @internal
 */
export interface Markup {
  /** Converts the content of an element to the value. */
  readonly read: (content: XmlContentNodes) => string;
  /** Converts the value to content. Throws if it is not well-formed. */
  readonly write: (value: string) => XmlContentNodes;
}

/**
 * A value that may be null.
 *
 * @internal
 */
export interface NullableShape extends BaseShape {
  /** The kind of the shape. */
  readonly kind: "nullable";
  /** The shape of the values that are not null. */
  readonly inner: Shape;
}

/**
 * An array in JSON; in XML a text with spaces between the values.
 *
 * @internal
 */
export interface ListShape extends BaseShape {
  /** The kind of the shape. */
  readonly kind: "list";
  /** The shape of the elements. */
  readonly inner: Shape;
}

/**
 * An object with any names; in XML an element whose children have any names.
 *
 * @internal
 */
export interface RecordShape extends BaseShape {
  /** The kind of the shape. */
  readonly kind: "record";
  /** The shape of the members. */
  readonly inner: Shape;
}

/**
 * An instance of one of several models.
 *
 * @internal
 */
export interface UnionShape extends BaseShape {
  /** The kind of the shape. */
  readonly kind: "union";
  /** The property whose value selects the model; undefined if the tag selects it. */
  readonly by: string | undefined;
  /** The models. */
  readonly models: () => readonly ModelClass<object>[];
  /** Returns the model of a JSON object; undefined if nothing in the object selects one. */
  readonly select: (json: Readonly<Record<string, unknown>>) => ModelClass<object> | undefined;
  /**
   * Checks that attributes select the models, because their elements have the same name. Default: all
   * models, if none of them is given as a function
   */
  readonly requireAttribute: (models?: readonly ModelClass<object>[]) => void;
}

/**
 * An instance of a model.
 *
 * @internal
 */
export interface ModelShape extends BaseShape {
  /** The kind of the shape. */
  readonly kind: "model";
  /** The model. */
  readonly model: () => ModelClass<object>;
}

/**
 * A value that only JSON can represent: any value, or one of several types that are not all scalar.
 *
 * @category Value types
 */
export interface JsonShape extends BaseShape {
  /** The kind of the shape. */
  readonly kind: "json";
  /** The shapes of the types; empty for any value. */
  readonly types: readonly Shape[];
  /** The shapes of the members that are converted, if it is an object with others, too. */
  readonly members?: ReadonlyMap<string, Shape> | undefined;
  /** The names of the members that an object has, if it is told apart from others by them. */
  readonly required?: readonly string[] | undefined;
  /** The shapes of the places, if it is an array with a type for each of them. */
  readonly places?: readonly Shape[] | undefined;
  /** The shape of all further places; undefined for any values. */
  readonly rest?: Shape | undefined;
}

/** A shape without `nullable` around it. */
export type PlainShape = Exclude<Shape, NullableShape>;

/** Returns the shape of a type, a model, or a function that returns a model. */
export function shapeOf(input: TypeInput<unknown>, option = "type of the field"): Shape {
  checkType(input, option);
  if (typeof input !== "function") return input.shape;
  // A function is not called before a document is read: the class may not exist yet.
  const model = isModelClass(input) ? () => input : input as () => ModelClass<object>;
  const convert: JsonConversion = (value, walk) => walk.instance(model(), value);
  return {
    kind: "model",
    model,
    get expected() {
      return `an object (${model().name})`;
    },
    fromJson: convert,
    toJson: convert,
  };
}

/** Returns the shape of an array. */
export function listOf(inner: Shape): ListShape {
  const toJson: JsonConversion = (value, walk) => {
    if (!Array.isArray(value)) return undefined;
    const elements: unknown[] = [];
    for (let index = 0; index < value.length; index++) {
      elements.push(walk.member(index, inner, value[index]));
    }
    return elements;
  };
  const fromJson: JsonConversion = (json, walk) => {
    if (inner.kind !== "scalar" || !Array.isArray(json)) return toJson(json, walk);
    // This is faster, because no path is tracked.
    const values: unknown[] = [];
    for (let index = 0; index < json.length; index++) {
      const value = quickValue(inner, json[index], walk);
      values.push(value === undefined ? walk.member(index, inner, json[index]) : value);
    }
    return values;
  };
  return { kind: "list", inner, expected: "an array", fromJson, toJson };
}

/** Returns the value of a scalar; undefined if it has to be read again to report an issue. */
export function quickValue(shape: ScalarShape, json: unknown, walk: JsonWalk): unknown {
  try {
    const value = shape.fromJson(json, walk);
    return value === undefined || shape.check?.(value) !== undefined ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Returns a shape without `nullable` around it. */
export function withoutNullable(shape: Shape): PlainShape {
  return shape.kind === "nullable" ? withoutNullable(shape.inner) : shape;
}

/** Returns the models that the value of a shape can be an instance of. */
export function modelsOf(shape: Shape): readonly ModelClass<object>[] {
  if (shape.kind === "model") return [shape.model()];
  return shape.kind === "union" ? shape.models() : [];
}

/** Returns the models of all instances that a value of a shape can contain, outside of other models. */
export function modelsIn(shape: Shape): readonly ModelClass<object>[] {
  if ("inner" in shape) return modelsIn(shape.inner);
  return shape.kind === "json" ? shape.types.flatMap(modelsIn) : modelsOf(shape);
}

/** Reports if a value is an object in the sense of JSON. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks a type. It can be anything if the code is written in JavaScript, or imports in a circle. */
function checkType(input: unknown, option: string): void {
  const isType = typeof input === "function"
    ? isModelClass(input) || !isClass(input)
    : typeof (input as Partial<ValueType<unknown>> | undefined)?.shape === "object";
  if (isType) return;
  const expected =
    "a type such as string, a model class, or a function that returns one, as in () => Book";
  throw new UnexpectedValueError(option, expected, input);
}
