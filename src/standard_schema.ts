/**
 * What a schema of any library has (Standard Schema 1, standardschema.dev): zod, valibot, arktype …
 *
 * It is written down here so that the package depends on nothing for the sake of a type.
 *
 * @typeParam Input What it takes
 * @typeParam Output What it gives
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** What other libraries ask it. */
  readonly "~standard": StandardSchemaProps<Input, Output>;
}

/** What a schema tells of itself. */
export interface StandardSchemaProps<Input = unknown, Output = Input> {
  /** The version of the standard. */
  readonly version: 1;
  /** The library that it comes from. */
  readonly vendor: string;
  /** Checks a value, and gives it as the schema makes it. */
  readonly validate: (
    value: unknown,
  ) => StandardSchemaResult<Output> | Promise<StandardSchemaResult<Output>>;
  /** Its types; there is nothing at run time. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

/** What a check gives: a value, or everything that is wrong. */
export type StandardSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardSchemaIssue[] };

/** One thing that is wrong. */
export interface StandardSchemaIssue {
  /** What it is. */
  readonly message: string;
  /** Where it is; absent for the value itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a schema gives. */
export type SchemaOutput<S extends StandardSchema> = NonNullable<
  S["~standard"]["types"]
>["output"];
