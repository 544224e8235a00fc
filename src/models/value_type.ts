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

/** A value that is one text in XML. Where something is no such value, undefined is given. */
export interface ScalarShape {
  /** It is one text in XML. */
  readonly kind: "scalar";
  /** What is expected, as in "a whole number". */
  readonly expected: string;
  /** The value of a text in XML. */
  readonly fromText: (text: string) => unknown;
  /** The value of a value in JSON. */
  readonly fromJson: (json: unknown) => unknown;
  /** The text in XML of a value. */
  readonly toText: (value: unknown) => string | undefined;
  /** The value in JSON of a value. */
  readonly toJson: (value: unknown) => unknown;
  /** The values that there are, where they can be counted: they tell the models of a union apart. */
  readonly choices?: readonly unknown[] | undefined;
}

/** A value that may be null. */
export interface NullableShape {
  /** It is null or another value. */
  readonly kind: "nullable";
  /** The shape of what is in it. */
  readonly inner: Shape;
}

/** An array in JSON; in XML a text with blanks between the values. */
export interface ListShape {
  /** It is an array. */
  readonly kind: "list";
  /** The shape of what is in it. */
  readonly inner: Shape;
}

/** An object with any names; in XML an element whose children have any names. */
export interface RecordShape {
  /** It is an object with any names. */
  readonly kind: "record";
  /** The shape of what is in it. */
  readonly inner: Shape;
}

/** One of several models. */
export interface UnionShape {
  /** It is one of several models. */
  readonly kind: "union";
  /** The property whose value tells them apart. */
  readonly by: string;
  /** The models. */
  readonly models: () => readonly ModelClass<object>[];
}

/** An instance of a model. */
export interface ModelShape {
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
  return { kind: "model", model };
}

/** What is expected where a value of a shape should be. */
export function expectedOf(shape: Shape): string {
  switch (shape.kind) {
    case "scalar":
      return shape.expected;
    case "nullable":
      return `${expectedOf(shape.inner)} or null`;
    case "list":
      return "an array";
    case "record":
      return "an object";
    case "model":
      return `an object (${shape.model().name})`;
    case "union":
      return `an object (${shape.models().map(({ name }) => name).join(" or ")})`;
  }
}

/** A shape without `nullable` around it. */
export function unwrapped(shape: Shape): Exclude<Shape, { readonly kind: "nullable" }> {
  return shape.kind === "nullable" ? unwrapped(shape.inner) : shape;
}

/** The models that the value of a shape can be an instance of. */
export function modelsOf(shape: Shape): readonly ModelClass<object>[] {
  if (shape.kind === "model") return [shape.model()];
  return shape.kind === "union" ? shape.models() : [];
}
