/** The shape of an SDK that a configuration states: its resources and methods, pages and options. */

import type { PagingRule } from "../model/mod.ts";

/**
 * The shape of an SDK. It is read from the configuration of another generator, or from the list of
 * methods that such a generator wrote. The types, and everything else, come from the document.
 *
 * Every name, header, variable and URL in it was checked: none has a character that could end a
 * literal or a comment, or lead to another folder.
 */
export interface SdkShape {
  /** The name of the client's class, such as `PetStore`. */
  readonly className?: string | undefined;
  /** Another name of the client's class, by which programs import it, too. */
  readonly otherName?: string | undefined;
  /** The modules of the SDK that programs import by their paths, such as `resources/pets`. */
  readonly modules?: readonly string[] | undefined;
  readonly resources: readonly ResourceShape[];
  /** The page classes by their names. */
  readonly pages: ReadonlyMap<string, PageShape>;
  /** The options of the client, in the order of the configuration. */
  readonly options: readonly ClientOptionShape[];
  /** The base URLs by the names of their environments. The first one is the default. */
  readonly environments: ReadonlyMap<string, string>;
  /** The base URL in place of that of the document, with options in braces. */
  readonly baseUrl?: string | undefined;
  /** Fields whose value is the result in place of the object around it, such as `data`. */
  readonly unwrap: readonly string[];
  /** The default of `maxRetries`. */
  readonly maxRetries?: number | undefined;
  /** The default of `timeout`, in milliseconds. */
  readonly timeout?: number | undefined;
  /** The seconds before the first retry. */
  readonly backoff?: number | undefined;
  /** The most seconds before a retry. */
  readonly maxBackoff?: number | undefined;
  /** The header of the idempotency key. */
  readonly idempotencyHeader?: string | undefined;
  /** Headers of each request. */
  readonly headers: ReadonlyMap<string, string>;
  /** The form of lists and objects in queries; undefined if it is as the document states. */
  readonly query?: QueryShape | undefined;
  /** The type of the event that reports an error in streams. */
  readonly errorEvent?: string | undefined;
  /** The environment variable of the base URL. Default: made of that of a credential */
  readonly baseUrlEnv?: string | undefined;
  /** The version of the SDK, which its requests name. Default: that of the document */
  readonly version?: string | undefined;
  /** The name of the base class of errors. Default: the name of the client and `Error` */
  readonly baseError?: string | undefined;
  /** True if `client.pets.list({ timeout: 1 })` passes options, and not parameters. Default: false */
  readonly readsOptionsAsParams?: boolean | undefined;
}

/** The form of lists and objects in queries, whatever styles the document states. */
export interface QueryShape {
  /** `a=1,2`, `a=1&a=2`, `a[]=1&a[]=2` or `a[0]=1&a[1]=2`. */
  readonly lists: "comma" | "repeat" | "brackets" | "indices";
  /** `a[b]=1` or `a.b=1`. */
  readonly objects: "brackets" | "dots";
}

/** A group of methods, which is a property of the client or of another resource. */
export interface ResourceShape {
  /** The name of the class. By default, it follows from the name. */
  readonly className?: string | undefined;
  /** Another name of the class, by which programs import it, too. */
  readonly otherName?: string | undefined;
  /**
   * The name in the configuration, such as `fine_tuning`; `$client` for the client itself, and
   * `$shared` for types of several resources, which has no methods.
   */
  readonly name: string;
  readonly methods: readonly MethodShape[];
  readonly resources: readonly ResourceShape[];
  /**
   * The names of types, such as `ChatCompletion`, to the JSON pointers of their schemas (`#/…`). The
   * pointer is undefined if the list of methods has names only. Two names can have one pointer.
   */
  readonly models: ReadonlyMap<string, string | undefined>;
  readonly description?: string | undefined;
  readonly deprecated?: string | undefined;
}

/** A method of a resource. */
export interface MethodShape {
  /** The name in the configuration, such as `retrieve` or `list_events`. */
  readonly name: string;
  /** The HTTP method in upper case, and the path: `GET /pets/{pet_id}`. */
  readonly operation: string;
  /** The names of the arguments before the object of parameters; by default, the last one of the path. */
  readonly positional?: readonly string[] | undefined;
  /**
   * The name of the page class; undefined if the method returns no pages. `auto` stands for the first
   * one of `pages` that fits, if there is one. If `pages` has no such name, or is empty, the rule comes
   * from the document.
   */
  readonly page?: string | undefined;
  /** The parameter that is the whole body, if it is not spread into the object of parameters. */
  readonly bodyParameter?: string | undefined;
  /** The field to unwrap here in place of `unwrap`; false for none. */
  readonly unwrap?: string | false | undefined;
  /** True if another method of the resource calls the same operation, and this is its older name. */
  readonly isAlias?: boolean | undefined;
  /** The parameter that selects a stream, such as `stream`. */
  readonly streamParameter?: string | undefined;
  /** True if the result is the response, whatever its content type. */
  readonly isResponse?: boolean | undefined;
  /** The type of the result, if the list of methods names one. */
  readonly resultType?: string | undefined;
  readonly deprecated?: string | undefined;
  /** The type of the object of parameters. By default, it follows from the names. */
  readonly paramsType?: string | undefined;
  /** False if callers can leave the object of parameters out, whatever the document requires. */
  readonly needsParams?: boolean | undefined;
  /**
   * The names of parameters for callers, by their place and name: `header x-trace` to `trace`. The names of
   * those in the path are those of `operation`.
   */
  readonly parameterNames?: ReadonlyMap<string, string> | undefined;
  /** The options of the client whose values are sent if callers pass none, by the place and the name. */
  readonly parameterOptions?: ReadonlyMap<string, string> | undefined;
  /** Headers with a fixed value. */
  readonly headers?: ReadonlyMap<string, string> | undefined;
  /** The names of the schemes whose credentials are sent, in place of those of the document. */
  readonly security?: readonly string[] | undefined;
  /** The base URL in place of that of the client; false for none, whatever the document states. */
  readonly baseUrl?: string | false | undefined;
}

/** A page class: the rule by which the next page is found, and the fields of a page. */
export interface PageShape {
  /** The name in the configuration, such as `cursor_page`. */
  readonly name: string;
  /** Undefined if a list of this class has one page only. */
  readonly rule: PagingRule | undefined;
  /** The place of the items, with dots; empty if the body is the array. By default, the one array. */
  readonly items?: string | undefined;
  /** The place of the parameters. */
  readonly in: "query" | "body";
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
  /** True if the client cannot be constructed without it. */
  readonly isRequired?: boolean | undefined;
  readonly description?: string | undefined;
  readonly default?: string | number | boolean | undefined;
  /** The environment variable that is read if the option is left out. */
  readonly env?: string | undefined;
  /** The security scheme whose value it is; `role` is the part of a pair: `username` or `password`. */
  readonly auth?:
    | { readonly scheme: string; readonly role?: string | undefined }
    | undefined;
  /** The way in which it is sent as a credential, if its scheme is not stated. */
  readonly credential?: CredentialShape | undefined;
  /** True if it can be a function that returns the value. */
  readonly isFunction?: boolean | undefined;
  /** The header that it is sent in. */
  readonly header?: string | undefined;
  /** The parameter of the query that it is sent in. */
  readonly query?: string | undefined;
  /** The variable of the base URL that it replaces. */
  readonly serverVariable?: string | undefined;
}

/** The way in which an option is sent as a credential. */
export interface CredentialShape {
  readonly kind: "bearer" | "basic" | "apiKey";
  readonly place: "header" | "query";
  /** The name of the header or parameter. */
  readonly name: string;
  /** The name of the scheme in the SDK, such as `bearerAuth`. */
  readonly scheme?: string | undefined;
  /** The part of a pair: `username` or `password`. */
  readonly role?: string | undefined;
}
