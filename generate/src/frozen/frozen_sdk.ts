/** A frozen SDK: what its sources say, as plain data. */

import type { PagingRule } from "../model/mod.ts";

/** A file of an SDK. */
export interface SdkFile {
  /** The path in the folder of the SDK, such as `src/client.ts`. */
  readonly file: string;
  /** The content. */
  readonly text: string;
}

/** The data in the sources of an SDK that Stainless printed in TypeScript. */
export interface FrozenSdk {
  /** `old`: `index.ts` and `core.ts`. `new`: `client.ts`, and the folders `core` and `internal`. */
  readonly layout: "old" | "new";
  readonly client: FrozenClient;
  /** The methods of the client itself. */
  readonly methods: readonly FrozenMethod[];
  /** The resources of the client, in the order of its fields. */
  readonly resources: readonly FrozenResource[];
  /** The names of the types that several resources share. */
  readonly sharedTypes: readonly string[];
  readonly pages: readonly FrozenPage[];
  /** The exports of the package. */
  readonly exports: FrozenExports;
  /** The code that has no form of the generator, in the order of the files. */
  readonly handwritten: readonly Handwritten[];
}

/** Code that people wrote. It is listed, and has no effect on the data. */
export interface Handwritten {
  readonly file: string;
  /** The line, from 1; undefined for a whole file. */
  readonly line?: number | undefined;
  /** The code, such as `client.files.upload`. */
  readonly what: string;
  /** The reason why it is not a form of the generator. */
  readonly reason: string;
}

/** The client of an SDK. */
export interface FrozenClient {
  readonly className: string;
  /** The name of the class that it extends, if programs can import it. */
  readonly baseName?: string | undefined;
  /** The base class of its errors, such as `PetsError`. */
  readonly errorName?: string | undefined;
  /** Its options beside those that all clients have. */
  readonly options: readonly FrozenOption[];
  /** The base URL, with the options in it in braces; undefined if there are environments. */
  readonly baseURL?: string | undefined;
  readonly baseURLEnv?: string | undefined;
  /** The environments with their base URLs. The first one is the default. */
  readonly environments: readonly { readonly name: string; readonly url: string }[];
  /** The credentials that are sent if their options are set. */
  readonly auth: readonly FrozenAuth[];
  /** Headers of each request, with a fixed value or that of an option. */
  readonly headers: readonly FrozenDefault[];
  /** In milliseconds. */
  readonly timeout?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** The seconds before the first retry. */
  readonly backoff?: number | undefined;
  /** The most seconds before a retry. */
  readonly maxBackoff?: number | undefined;
  readonly idempotencyHeader?: string | undefined;
  /** The form of lists in queries; undefined if they cannot be sent. */
  readonly arrayFormat?: ArrayFormat | undefined;
  /** The form of objects in queries. */
  readonly nestedFormat: "brackets" | "dots";
}

/** `a=1,2`, `a=1&a=2`, `a[]=1&a[]=2` or `a[0]=1&a[1]=2`. */
export type ArrayFormat = "comma" | "repeat" | "brackets" | "indices";

/** An option of the client. */
export interface FrozenOption {
  readonly name: string;
  readonly type: "string" | "number" | "boolean" | "other";
  /** True if the type has a function that returns the value. */
  readonly isFunction: boolean;
  readonly isNullable: boolean;
  readonly env?: string | undefined;
  readonly default?: string | number | boolean | undefined;
  /** The sentence of the error at construction if it is missing; undefined if it may be. */
  readonly missing?: string | undefined;
  readonly description?: string | undefined;
}

/** A credential in a header or in the query. */
export interface FrozenAuth {
  /** The name of the scheme, if the SDK has one: `bearerAuth`. */
  readonly scheme?: string | undefined;
  readonly kind: "bearer" | "basic" | "apiKey";
  readonly place: "header" | "query";
  /** The name of the header or parameter. */
  readonly name: string;
  /** The option with its value, or those of the user name and the password. */
  readonly options: readonly string[];
}

/** A header or parameter of each request. */
export interface FrozenDefault {
  readonly name: string;
  readonly value: string | { readonly option: string };
}

/** A resource of a client. */
export interface FrozenResource {
  /** The name of the field: `fineTuning`. */
  readonly name: string;
  /** The name of the class: `FineTuning`. */
  readonly className: string;
  /** The name of the class that it extends, if programs can import it: `BaseFineTuning`. */
  readonly baseName?: string | undefined;
  readonly file: string;
  readonly methods: readonly FrozenMethod[];
  readonly resources: readonly FrozenResource[];
  /** The types that the namespace of the class exports, apart from those of parameters and pages. */
  readonly types: readonly string[];
}

/** A method that calls one operation. */
export interface FrozenMethod {
  readonly name: string;
  /** The HTTP method in upper case. */
  readonly verb: string;
  /** The path with the names of the SDK in braces: `/pets/{petID}`. */
  readonly path: string;
  /** The arguments that are in the path, in their order. */
  readonly positional: readonly string[];
  /** The argument with the parameters, if there is one. */
  readonly params?: FrozenParams | undefined;
  /** The parameters by their properties, apart from those that are all in `rest`. */
  readonly parameters: readonly FrozenParameter[];
  /** The place of the parameters that are not listed. */
  readonly rest?: "query" | "body" | undefined;
  /** The parameter that is the whole body. */
  readonly bodyParameter?: string | undefined;
  /** Headers that the SDK sends in each call. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The form of the body, if it is not JSON. */
  readonly bodyKind?: "multipart" | "form" | undefined;
  /** The field that is taken out of the result. */
  readonly unwrap?: string | undefined;
  /** True if the result is the response. */
  readonly isBinary: boolean;
  /** `always`, or the parameter that selects a stream. */
  readonly stream?: "always" | { readonly parameter: string } | undefined;
  /** The schemes whose credentials are sent; undefined for those of all calls. */
  readonly security?: readonly string[] | undefined;
  /** The base URL in place of that of the document, unless the caller sets one. */
  readonly defaultBaseURL?: string | undefined;
  /** The class of the pages. */
  readonly page?: string | undefined;
  /** The type of the result, or of its pages. */
  readonly resultType?: string | undefined;
  /** True for the older name of another method of the resource. */
  readonly isAlias: boolean;
  readonly file: string;
  readonly line: number;
}

/** The argument of a method that is an object of parameters. */
export interface FrozenParams {
  /** The name of the argument: `params`, `query` or `body`. */
  readonly name: string;
  /** The name of its type. */
  readonly type?: string | undefined;
  readonly isRequired: boolean;
}

/** A parameter of a method. */
export interface FrozenParameter {
  /** The property that callers set. */
  readonly property: string;
  readonly place: "path" | "query" | "header" | "body";
  /** The name in the request. In the path, it is the name in its braces. */
  readonly wireName: string;
  /** The option of the client with its value, if callers set none. */
  readonly option?: string | undefined;
}

/** A class of pages. */
export interface FrozenPage {
  readonly className: string;
  /** The rule of the next page; undefined if there is one page only. */
  readonly rule?: PagingRule | undefined;
  /** False if the code of the rule has no form of the generator. */
  readonly isRead: boolean;
  /** The names on the path to the items, joined by dots; empty if the body is the list. */
  readonly items: string;
  /** The place of the parameters of the paging. */
  readonly place: "query" | "body";
  /** The parameters that belong to the paging. */
  readonly parameters: readonly string[];
  /** The fields of the response. */
  readonly fields: readonly string[];
}

/** The exports of a package. */
export interface FrozenExports {
  /** The version of the package. */
  readonly version?: string | undefined;
  /** The modules that programs can import by their paths, such as `resources/pets`; without `internal`. */
  readonly modules: readonly string[];
}
