// The interface "Standard Schema" 1.1 (standardschema.dev), written down here: its package holds
// types alone, and a package in the published types would be one more for everybody to install.

/** A schema that any library can validate with. */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** All of it is below this name. */
  readonly "~standard": StandardProps<Input, Output>;
}

/** What a schema does and says of itself. */
export interface StandardProps<Input = unknown, Output = Input> {
  /** The version of the interface. */
  readonly version: 1;
  /** The library that it comes from. */
  readonly vendor: string;
  /** Gives the value, or the issues. */
  readonly validate: (
    value: unknown,
    options?: StandardOptions | undefined,
  ) => StandardResult<Output> | Promise<StandardResult<Output>>;
  /** For the compiler alone. */
  readonly types?: StandardTypes<Input, Output> | undefined;
}

/** What a library may be told beside the value; the toolkit's models need nothing of it. */
export interface StandardOptions {
  /** Options of the library itself. */
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** What validation gives. */
export type StandardResult<Output> = StandardSuccess<Output> | StandardFailure;

/** The value fits. */
export interface StandardSuccess<Output> {
  /** The value that was made of it. */
  readonly value: Output;
  /** There are none. */
  readonly issues?: undefined;
}

/** The value does not fit. */
export interface StandardFailure {
  /** Why. */
  readonly issues: readonly StandardIssue[];
}

/** One reason. */
export interface StandardIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where. */
  readonly path?: readonly (PropertyKey | StandardPathSegment)[] | undefined;
}

/** A step of a path. */
export interface StandardPathSegment {
  /** The name or the index. */
  readonly key: PropertyKey;
}

/** The types of a schema, for the compiler alone. */
export interface StandardTypes<Input = unknown, Output = Input> {
  /** What it takes. */
  readonly input: Input;
  /** What it gives. */
  readonly output: Output;
}

/** What a schema gives. */
export type SchemaOutput<S extends StandardSchema> = NonNullable<
  S["~standard"]["types"]
>["output"];
