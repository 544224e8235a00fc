/** The JSON Schemas of values, for outputs that check or show them. */

/**
 * A schema of JSON Schema 2020-12. Each reference in it is `#/$defs/NAME`, and leads to the schema of that
 * name in the model.
 */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** The schema of a value, and the examples of the document. */
export interface ValueSchema {
  /** The media type of a body; undefined for a parameter with a style. */
  readonly mediaType?: string | undefined;
  /** The schema. */
  readonly schema: JsonSchema;
  /** The examples of the document. */
  readonly examples: readonly unknown[];
}

/** The schema of a parameter. */
export interface ParameterSchema extends ValueSchema {
  /** The name that is sent. */
  readonly name: string;
  /** The place of the parameter. */
  readonly place: "path" | "query" | "header" | "cookie";
  /** True if it cannot be left out. */
  readonly required: boolean;
}

/** The schema of a response. */
export interface ResponseSchema extends ValueSchema {
  /** The status, a range such as `4XX`, or `DEFAULT`. */
  readonly status: string;
  /** The description of the document. */
  readonly description: string;
}

/** The schemas of a method. */
export interface MethodSchemas {
  /** One for each parameter. */
  readonly parameters: readonly ParameterSchema[];
  /** One for each media type of the body. */
  readonly bodies: readonly ValueSchema[];
  /** One for each media type of each response. */
  readonly responses: readonly ResponseSchema[];
}

/** A webhook: a request that the API sends to its users. */
export interface Webhook {
  /** The name in the document. */
  readonly name: string;
  /** The HTTP method in upper case. */
  readonly verb: string;
  /** The summary and the description. */
  readonly text: string;
  /** The schemas of the body, if an output needs schemas. */
  readonly bodies?: readonly ValueSchema[] | undefined;
}

/** A callback: a request that the API sends to a URL of a call. */
export interface Callback extends Webhook {
  /** The operation of the call, as in a names file: `PUT /pets/{}`. */
  readonly operation: string;
  /** The URL, with expressions of OpenAPI such as `{$request.body#/callbackUrl}`. */
  readonly url: string;
}
