import { isModelClass, type ModelClass } from "./model_class.ts";

/**
 * What the value of a field is: how it is read from JSON and XML, checked, and written.
 *
 * @typeParam T What the value is in TypeScript
 */
export interface ValueType<out T> {
  /** What its values are, for the compiler alone. */
  readonly "~value"?: () => T;
  /** How it is read and written; `scalar` makes one of your own. */
  readonly shape: Shape;
}

/**
 * What a field can be made of: a type, a model, or, for a model that is declared further below or
 * is the class itself, a function that gives it.
 */
export type TypeInput<T> = ValueType<T> | ModelClass<T> | (() => ModelClass<T>);

/** How values are read and written. */
export type Shape = ScalarShape | NullableShape | ListShape | RecordShape | UnionShape | ModelShape;

/** How values are read from JSON and written as JSON. */
export interface JsonForm {
  /** What is expected, as in "a whole number". */
  readonly expected: string;
  /** The value of a value in JSON; undefined where that is none. */
  readonly fromJson: JsonWay;
  /** The value in JSON of a value; undefined where that is none. */
  readonly toJson: JsonWay;
}

/** One way between a value and JSON. */
export type JsonWay = (given: unknown, walk: JsonWalk) => unknown;

/** The walk through a document in JSON: it knows where it is, and tells what is wrong. */
export interface JsonWalk {
  /** Goes on with what an object or an array holds under a name or at an index. */
  within(key: string | number, form: JsonForm, given: unknown): unknown;
  /** Goes on with an instance of a model. */
  instance(model: ModelClass<object>, given: unknown): unknown;
}

/** A value that is one text in XML. Where something is no such value, undefined is given. */
export interface ScalarShape extends JsonForm {
  /** It is one text in XML. */
  readonly kind: "scalar";
  /** The value of a text in XML. */
  readonly fromText: (text: string) => unknown;
  /** The text in XML of a value. */
  readonly toText: (value: unknown) => string | undefined;
  /** The values that there are, where they can be counted: they tell the models of a union apart. */
  readonly choices?: readonly unknown[] | undefined;
}

/** A value that may be null. */
export interface NullableShape extends JsonForm {
  /** It is null or another value. */
  readonly kind: "nullable";
  /** The shape of what is in it. */
  readonly inner: Shape;
}

/** An array in JSON; in XML a text with blanks between the values. */
export interface ListShape extends JsonForm {
  /** It is an array. */
  readonly kind: "list";
  /** The shape of what is in it. */
  readonly inner: Shape;
}

/** An object with any names; in XML an element whose children have any names. */
export interface RecordShape extends JsonForm {
  /** It is an object with any names. */
  readonly kind: "record";
  /** The shape of what is in it. */
  readonly inner: Shape;
}

/** One of several models. */
export interface UnionShape extends JsonForm {
  /** It is one of several models. */
  readonly kind: "union";
  /** The property whose value tells them apart. */
  readonly by: string;
  /** The models. */
  readonly models: () => readonly ModelClass<object>[];
}

/** An instance of a model. */
export interface ModelShape extends JsonForm {
  /** It is an instance of a model. */
  readonly kind: "model";
  /** The model. */
  readonly model: () => ModelClass<object>;
}

/** The shape of a type, a model, or a function that gives one. */
export function shapeOf(input: TypeInput<unknown>): Shape {
  if (typeof input !== "function") return input.shape;
  // A function is called when a document is read: the class may not be there before.
  const model = isModelClass(input) ? () => input : input as () => ModelClass<object>;
  const json: JsonWay = (given, walk) => walk.instance(model(), given);
  return {
    kind: "model",
    model,
    get expected() {
      return `an object (${model().name})`;
    },
    fromJson: json,
    toJson: json,
  };
}

/** The shape of an array. */
export function listOf(inner: Shape): ListShape {
  const json: JsonWay = (given, walk) => {
    if (!Array.isArray(given)) return undefined;
    const values: unknown[] = [];
    for (let index = 0; index < given.length; index++) {
      values.push(walk.within(index, inner, given[index]));
    }
    return values;
  };
  return { kind: "list", inner, expected: "an array", fromJson: json, toJson: json };
}

/** Whether it is what JSON calls an object. */
export function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}
