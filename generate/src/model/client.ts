/** The client: its options, servers, credentials and settings. */

import type { StatusPlan } from "./results.ts";
import type { Comment, Type } from "./types.ts";

/** The client's class. */
export interface ClientPlan {
  /** The name of the class. */
  readonly className: string;
  /** The name of the type of its options. */
  readonly optionsType: string;
  /** The doc comment. */
  readonly comment: Comment;
  /** The name for the User-Agent, such as `pet-store`. */
  readonly libName: string;
  /** The version of the API that the document states. */
  readonly apiVersion: string;
  /** The servers of the document with a host; the first one is the base URL. */
  readonly servers: readonly ServerPlan[];
  /** The options for the variables of servers. */
  readonly variables: readonly ServerVariablePlan[];
  /** The servers that operations have of their own, instead of the base URL. */
  readonly ownServers: readonly OwnServerPlan[];
  /** The security schemes of the document. */
  readonly schemes: readonly SchemePlan[];
  /** The requirements of methods without security of their own; undefined for none. */
  readonly security?: SecurityPlan | undefined;
  /** The error classes that most methods have, by their status. */
  readonly errors: readonly StatusPlan[];
  /** The options, settings and members of a client with resources. */
  readonly resources?: ResourceClientPlan | undefined;
}

/** A server with its variables. */
export interface ServerPlan {
  /** Its name among the values of the option `server`. */
  readonly name: string;
  /** The URL without a slash at its end. */
  readonly url: string;
  /** The URL in parts: texts of the document, and variables by their option's name. */
  readonly parts: readonly (string | { readonly variable: string })[];
  /** The text of the document. */
  readonly description: string;
}

/** A server of single operations. */
export interface OwnServerPlan {
  /** Its name in the option `servers`. */
  readonly name: string;
  /** The URL without a slash at its end. */
  readonly url: string;
}

/** A variable of a server, which is an option of the client. */
export interface ServerVariablePlan {
  /** The name of the option. */
  readonly option: string;
  /** The value if a caller passes none. */
  readonly default: string;
  /** The values that are allowed, if the document lists them. */
  readonly values?: readonly string[] | undefined;
  /** The doc comment. */
  readonly comment: Comment;
}

/** A security scheme, which is an option of the client. */
export interface SchemePlan {
  /** The scheme's key in the document. */
  readonly key: string;
  /** The option's name. */
  readonly option: string;
  /** The doc comment. */
  readonly comment: Comment;
  /** The kind of the scheme, with what it needs. */
  readonly scheme:
    | { readonly kind: "basic" }
    | { readonly kind: "digest" }
    | { readonly kind: "bearer" }
    | {
      readonly kind: "apiKey";
      readonly place: "header" | "query" | "cookie";
      readonly name: string;
    }
    /** OAuth 2 and OpenID Connect. Their token is sent as a bearer token. */
    | { readonly kind: "oauth2"; readonly flows: readonly OAuthFlowPlan[] }
    | { readonly kind: "openId"; readonly url: string }
    /** A scheme that the toolkit does not have: its option is a scheme of the caller. */
    | { readonly kind: "other"; readonly type: string };
}

/** A flow of OAuth 2. */
export interface OAuthFlowPlan {
  /** The name of the flow, such as `clientCredentials`. */
  readonly flow: string;
  /** The URL of the token endpoint, if the flow has one. */
  readonly tokenUrl?: string | undefined;
  /** The names of the scopes. */
  readonly scopes: readonly string[];
}

/** Alternatives of combinations of schemes, as the `security` of an operation. */
export type SecurityPlan = readonly (readonly string[])[];

/** The client itself. */
export interface ResourceClientPlan {
  /** The options of its constructor. */
  readonly options: readonly ClientOptionPlan[];
  /** The base URLs by the names of their environments, if there are several. */
  readonly environments: readonly (readonly [name: string, url: string])[];
  /** The default base URL; undefined if there is none, or if it has variables. */
  readonly baseUrl?: string | undefined;
  /** The variable that replaces the base URL. */
  readonly baseUrlEnv?: string | undefined;
  /** The schemes, by the options with their values. */
  readonly credentials: readonly CredentialPlan[];
  /** Headers of each request. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The number of retries, if it is not the default. */
  readonly maxRetries?: number | undefined;
  /** In milliseconds. */
  readonly timeout?: number | undefined;
  /** In seconds. */
  readonly backoff?: number | undefined;
  /** In seconds. */
  readonly maxBackoff?: number | undefined;
  /** The header for the key of each POST, if there is one. */
  readonly idempotencyHeader?: string | undefined;
  /** How lists and objects are written in queries. */
  readonly query?: {
    readonly lists: "comma" | "repeat" | "brackets" | "indices";
    readonly objects: "brackets" | "dots";
  } | undefined;
}

/** A security scheme, and the options of the client with its value. */
export interface CredentialPlan {
  /** Its name in the requirements of methods. */
  readonly scheme: string;
  /** The option, or those of the user name and the password; none if no option has its value. */
  readonly options: readonly string[];
}

/** An option of the client. */
export interface ClientOptionPlan {
  /** The name. */
  readonly name: string;
  /** The type. */
  readonly type: Type;
  /** True if it can be null. */
  readonly isNullable: boolean;
  /** True if its value is a secret. */
  readonly isCredential: boolean;
  /** True if a function can return the value. */
  readonly isFunction: boolean;
  /** The doc comment. */
  readonly comment: Comment;
  /** The value if a caller passes none. */
  readonly default?: string | number | boolean | undefined;
  /** The environment variable that is read if it is not passed. */
  readonly env?: string | undefined;
  /** The header of each request that has its value. */
  readonly header?: string | undefined;
  /** The variable of the server that has its value. */
  readonly serverVariable?: string | undefined;
}
