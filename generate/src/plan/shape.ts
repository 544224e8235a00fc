/** The shape of an SDK that a configuration states: its resources and methods, pages and options. */

import type { StatedPages } from "../names/overrides_file.ts";

/**
 * The shape of an SDK. It is read from the configuration of another generator, or from the list of
 * methods that such a generator wrote. The types, and everything else, come from the document.
 */
export interface SdkShape {
  /** The name of the client's class, such as `PetStore`. */
  readonly className?: string | undefined;
  readonly resources: readonly ResourceShape[];
  /** The page classes by their names. */
  readonly pages: ReadonlyMap<string, PageShape>;
  /** The options of the client, in the order of the configuration. */
  readonly options: readonly ClientOptionShape[];
  /** The base URLs by the names of their environments. The first one is the default. */
  readonly environments: ReadonlyMap<string, string>;
  /** The requirements of operations that state none. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[] | undefined;
  /** Fields whose value is the result in place of the object around it, such as `data`. */
  readonly unwrap: readonly string[];
  /** The default of `maxRetries`. */
  readonly maxRetries?: number | undefined;
  /** The default of `timeout`, in milliseconds. */
  readonly timeout?: number | undefined;
  /** The header of the idempotency key. */
  readonly idempotencyHeader?: string | undefined;
  /** Headers of each request. */
  readonly headers: ReadonlyMap<string, string>;
}

/** A group of methods, which is a property of the client or of another resource. */
export interface ResourceShape {
  /** The name in the configuration, such as `fine_tuning`; `$client` for the client itself. */
  readonly name: string;
  readonly methods: readonly MethodShape[];
  readonly resources: readonly ResourceShape[];
  /** The names of types, such as `ChatCompletion`, to the JSON pointers of their schemas. */
  readonly models: ReadonlyMap<string, string>;
}

/** A method of a resource. */
export interface MethodShape {
  /** The name in the configuration, such as `retrieve` or `list_events`. */
  readonly name: string;
  /** The HTTP method in upper case, and the path: `GET /pets/{pet_id}`. */
  readonly operation: string;
  /** The names of the arguments before the object of parameters; by default, the last one of the path. */
  readonly positional?: readonly string[] | undefined;
  /** The name of the page class; undefined if the method returns no pages, or `auto` to find out. */
  readonly page?: string | undefined;
  /** The parameter that is the whole body, if it is not spread into the object of parameters. */
  readonly bodyParameter?: string | undefined;
  /** True if the fields of `unwrap` are not unwrapped here. */
  readonly isWrapped?: boolean | undefined;
  /** The parameter that selects a stream, such as `stream`. */
  readonly streamParameter?: string | undefined;
  /** The type of the result, if the list of methods names one. */
  readonly resultType?: string | undefined;
  readonly deprecated?: string | undefined;
}

/** A page class: the rule by which the next page is found, and the fields of a page. */
export interface PageShape {
  readonly name: string;
  readonly pages: StatedPages;
  /** The parameters of the request that belong to the paging. */
  readonly parameters: readonly string[];
  /** The fields of the response, as names joined by dots. */
  readonly fields: readonly string[];
}

/** An option of the client. */
export interface ClientOptionShape {
  /** The name in the configuration, such as `api_key`. */
  readonly name: string;
  readonly type: "string" | "number" | "boolean";
  readonly isNullable: boolean;
  readonly description?: string | undefined;
  readonly default?: string | number | boolean | undefined;
  /** The environment variable that is read if the option is left out. */
  readonly env?: string | undefined;
  /** The security scheme whose value it is; `role` is the part of a pair: `username` or `password`. */
  readonly auth?:
    | { readonly scheme: string; readonly role?: string | undefined }
    | undefined;
  /** The header that it is sent in. */
  readonly header?: string | undefined;
  /** The variable of the base URL that it replaces. */
  readonly serverVariable?: string | undefined;
}
