// The interface "Standard Schema" 1.1 (standardschema.dev). It is copied here because its package
// contains types only, and everyone who installs the toolkit would have to install that package
// too.

/** A schema that any library can validate with. */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The properties of the schema. */
  readonly "~standard": StandardProps<Input, Output>;
}

/** The properties of a schema. */
export interface StandardProps<Input = unknown, Output = Input> {
  /** The version of the interface. */
  readonly version: 1;
  /** The name of the library that the schema comes from. */
  readonly vendor: string;
  /** Returns the validated value or the issues. */
  readonly validate: (
    value: unknown,
    options?: StandardOptions | undefined,
  ) => StandardResult<Output> | Promise<StandardResult<Output>>;
  /** The input and output types, used by the compiler only. */
  readonly types?: StandardTypes<Input, Output> | undefined;
}

/** Options of a validation. The toolkit's models use none. */
export interface StandardOptions {
  /** Options for the library of the schema. */
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** The result of a validation. */
export type StandardResult<Output> = StandardSuccess<Output> | StandardFailure;

/** The result for a valid value. */
export interface StandardSuccess<Output> {
  /** The validated value, which the schema may have converted. */
  readonly value: Output;
  /** Undefined, because the value is valid. */
  readonly issues?: undefined;
}

/** The result for an invalid value. */
export interface StandardFailure {
  /** The reasons why the value is invalid. */
  readonly issues: readonly StandardIssue[];
}

/** A reason why a value is invalid. */
export interface StandardIssue {
  /** A description of the problem. */
  readonly message: string;
  /** The path to the invalid part of the value. */
  readonly path?: readonly (PropertyKey | StandardPathSegment)[] | undefined;
}

/** A segment of a path. */
export interface StandardPathSegment {
  /** The property name or the array index. */
  readonly key: PropertyKey;
}

/** The types of a schema, used by the compiler only. */
export interface StandardTypes<Input = unknown, Output = Input> {
  /** The type of the input. */
  readonly input: Input;
  /** The type of the validated value. */
  readonly output: Output;
}

/** The type of the values that a schema returns. */
export type SchemaOutput<S extends StandardSchema> = NonNullable<
  S["~standard"]["types"]
>["output"];
