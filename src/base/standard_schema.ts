/**
 * The interface "Standard Schema" 1.1 (standardschema.dev). It is copied here because its package
 * contains types only, and everyone who installs the toolkit would have to install that package
 * too.
 */

/**
 * A schema that any library can validate with.
 *
 * @category Models
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The properties of the schema. */
  readonly "~standard": {
    /** The version of the interface. */
    readonly version: 1;
    /** The name of the library that the schema comes from. */
    readonly vendor: string;
    /** Returns the validated value or the issues. The toolkit passes no options. */
    readonly validate: (
      value: unknown,
      options?: { readonly libraryOptions?: Record<string, unknown> | undefined } | undefined,
    ) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** The input and output types, used by the compiler only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/**
 * The result of a validation: the value, which the schema may have converted, or the issues.
 *
 * @internal
 */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/**
 * A reason why a value is invalid.
 *
 * @internal
 */
export interface StandardIssue {
  /** A description of the problem. */
  readonly message: string;
  /** The path to the invalid part of the value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
