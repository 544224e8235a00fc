/** The JSON Schemas of values, for outputs that check or show them. */

import type { Sample } from "./samples.ts";
import type { Conversion, Type } from "./types.ts";

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

/** The object of a client that verifies webhooks, and returns their events. */
export interface WebhookReader {
  /** The field of the client. */
  readonly field: string;
  /** The name of its class. */
  readonly className: string;
  /** The name of the type of its options. */
  readonly optionsType: string;
  /** The name of the union of all events. */
  readonly eventType: string;
  /** `standard`, or the specifier of the module that exports the scheme. */
  readonly scheme: string;
  /** The property that tells the events apart; undefined if there is none. */
  readonly property?: string | undefined;
  /** The events. */
  readonly events: readonly WebhookEvent[];
}

/** An event that a webhook reports. */
export interface WebhookEvent {
  /** The name of the webhook, or the value that tells it apart. */
  readonly name: string;
  /** The method that reads it: `unwrap` for all of them if a property tells them apart. */
  readonly method: string;
  /** The summary and the description. */
  readonly text: string;
  /** The type of the body. */
  readonly data: Type;
  /** The conversion of dates and bigints. */
  readonly conversion?: Conversion | undefined;
  /** The values of the property that tells the events apart. */
  readonly values: readonly string[];
  /** A sample of the body, if an output needs `tests`. */
  readonly sample?: Sample | undefined;
}

/** A callback: a request that the API sends to a URL of a call. */
export interface Callback extends Webhook {
  /** The operation of the call, as in a names file: `PUT /pets/{}`. */
  readonly operation: string;
  /** The URL, with expressions of OpenAPI such as `{$request.body#/callbackUrl}`. */
  readonly url: string;
}
