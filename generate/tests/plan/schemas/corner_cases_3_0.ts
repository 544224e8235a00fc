/** Types of the document beside this file, as the generator prints them. */
// deno-fmt-ignore-file

export type Nullable = string | null;

export type NullableEnum = "a" | "b" | null;

export type NullableReference = Pet | null;

export type NullableUnion = Pet | string | null;

export type NullableObject = { a?: string | null | undefined } | null;

export type NullableMerge = (Pet & { size?: number | undefined }) | null;

export type NullableBeside = Pet | null;

export type NullInEnum = "a" | null;

/** Another */
export type Beside = Pet;

export interface Holder {
  /** The pet. */
  pet?: Pet | undefined;
  file?: string | undefined;
  /** @example 5 */
  exclusive?: number | undefined;
}

export type Pet = (Cat & { petType: "Cat" }) | (Dog & { petType: "Dog" });

export interface Cat {
  petType: string;
  name?: string | undefined;
}

export interface Dog extends Cat {
  bark?: string | undefined;
}

export type Wrong = Bird;

export interface Bird {
  petType?: "parrot" | undefined;
}

export type Nameless = Bird;
