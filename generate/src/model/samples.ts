/** Samples: values of a type, which can be printed as code and written as JSON. */

/** A value of a type. */
export type Sample =
  | string
  | number
  | boolean
  | null
  /** A `Date`, which is the text in JSON. */
  | { readonly kind: "date"; readonly text: string }
  | { readonly kind: "bigint"; readonly value: number }
  | { readonly kind: "file"; readonly text: string }
  /** An instance of a model class. Its JSON has the names of the wire. */
  | { readonly kind: "model"; readonly name: string; readonly json: Sample }
  | { readonly kind: "list"; readonly items: readonly Sample[] }
  | ObjectSample;

/** An object with its members. */
export interface ObjectSample {
  /** The kind among the samples. */
  readonly kind: "object";
  /** The members, in their order. */
  readonly members: readonly (readonly [name: string, value: Sample])[];
}

/** Samples of the arguments of a call. */
export interface CallArguments {
  /** The values of the path parameters, in their order. */
  readonly path: readonly Sample[];
  /** The body; undefined if none is passed. */
  readonly body?: Sample | undefined;
  /** The other parameters; undefined if none is passed. */
  readonly params?: ObjectSample | undefined;
}

/** Samples of the arguments of a call, and of its result. */
export interface CallSample extends CallArguments {
  /** The result, if it is JSON or XML. */
  readonly result?: Sample | undefined;
}
