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
  readonly kind: "object";
  readonly members: readonly (readonly [name: string, value: Sample])[];
}
