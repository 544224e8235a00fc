/** The client: its options, servers, credentials and settings. */

import type { StatusError } from "./results.ts";
import type { Comment, Type } from "./types.ts";

/** The client's class. */
export interface SdkClient {
  /** The name of the class. */
  readonly className: string;
  /** The name of the type of its options. */
  readonly optionsType: string;
  /** The doc comment. */
  readonly comment: Comment;
  /** Another name by which programs can import its class, if the SDK takes the place of one that had it. */
  readonly otherName?: string | undefined;
  /** The name for the User-Agent, such as `pet-store`. */
  readonly libName: string;
  /** The version for the User-Agent: that of the SDK, or else of the API that the document states. */
  readonly libVersion: string;
  /** The servers among which callers choose. The first one is the base URL by default. */
  readonly servers: readonly Server[];
  /** The servers that operations have of their own, instead of the base URL. */
  readonly ownServers: readonly OwnServer[];
  /** The security schemes of the document. */
  readonly schemes: readonly SecurityScheme[];
  /** The options of its constructor beside those of the toolkit. */
  readonly options: readonly ClientOption[];
  /** The schemes with the options that have their values. */
  readonly credentials: readonly Credential[];
  /** The requirements of methods without security of their own; undefined for none. */
  readonly security?: SecurityRequirements | undefined;
  /** The error classes that most methods have, by their status. */
  readonly errors: readonly StatusError[];
  /** The settings of all calls. */
  readonly settings: ClientSettings;
}

/** A server with its variables. */
export interface Server {
  /** Its name among the values of the option `server`. */
  readonly name: string;
  /** The URL without a slash at its end, with the values that its variables have by default. */
  readonly url: string;
  /** The URL in parts: texts, and options of the client by their names. */
  readonly parts: readonly (string | { readonly variable: string })[];
  /** The text of the document. */
  readonly description: string;
}

/** A server of single operations. */
export interface OwnServer {
  /** Its name in the option `servers`. */
  readonly name: string;
  /** The URL without a slash at its end. */
  readonly url: string;
}

/** A security scheme. */
export interface SecurityScheme {
  /** The scheme's key in the document. */
  readonly key: string;
  /** Its name in code, which requirements have. */
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
    | { readonly kind: "oauth2"; readonly flows: readonly OAuthFlow[] }
    | { readonly kind: "openId"; readonly url: string }
    /** A scheme that the toolkit does not have: its option is a scheme of the caller. */
    | { readonly kind: "other"; readonly type: string };
}

/** A flow of OAuth 2. */
export interface OAuthFlow {
  /** The name of the flow, such as `clientCredentials`. */
  readonly flow: string;
  /** The URL of the token endpoint, if the flow has one. */
  readonly tokenUrl?: string | undefined;
  /** The names of the scopes. */
  readonly scopes: readonly string[];
}

/** Alternatives of combinations of schemes, as the `security` of an operation. */
export type SecurityRequirements = readonly (readonly string[])[];

/** The settings of all calls, where they are not those of the toolkit. */
export interface ClientSettings {
  /** The environment variable that replaces the base URL. */
  readonly baseUrlEnv?: string | undefined;
  /** Headers of each request. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The name of the base class of errors, if the client has one. */
  readonly baseError?: string | undefined;
  /** The number of retries. */
  readonly maxRetries?: number | undefined;
  /** In milliseconds; null for none, and undefined for that of the toolkit. */
  readonly timeout?: number | null | undefined;
  /** In seconds. */
  readonly backoff?: number | undefined;
  /** In seconds. */
  readonly maxBackoff?: number | undefined;
  /** The header for the idempotency key of each POST and PATCH. */
  readonly idempotencyHeader?: string | undefined;
  /** How lists and objects are written in queries, whatever styles the document states. */
  readonly query?: {
    readonly lists: "comma" | "repeat" | "brackets" | "indices";
    readonly objects: "brackets" | "dots";
  } | undefined;
}

/** A security scheme, and the options of the client with its value. */
export interface Credential {
  /** Its name in the requirements of methods. */
  readonly scheme: string;
  /** The option, or those of the user name and the password; none if no option has its value. */
  readonly options: readonly string[];
}

/** An option of the client. */
export interface ClientOption {
  /** The name. */
  readonly name: string;
  /**
   * `credential`: the value of a security scheme, which is a secret. `server`: the name of one of the
   * servers. `ownServers`: the URLs of servers of single operations.
   */
  readonly role: "credential" | "server" | "ownServers" | "value";
  /** The alternatives of its type. */
  readonly types: readonly (Type | CredentialType)[];
  /** The doc comment. */
  readonly comment: Comment;
  /** The value if a caller passes none. */
  readonly default?: string | number | boolean | undefined;
  /** The environment variable that is read if it is not passed. */
  readonly env?: string | undefined;
  /** The header of each request that has its value. */
  readonly header?: string | undefined;
  /** The parameter of the query of each request that has its value. */
  readonly query?: string | undefined;
  /** True if the constructor throws without it. */
  readonly isRequired?: boolean | undefined;
  /** True if its value is a part of the base URL. */
  readonly isInUrl?: boolean | undefined;
}

/**
 * A type of credentials: a `function` that returns a text, the `pair` of a user name and a password, or
 * a security `scheme` of the toolkit.
 */
export interface CredentialType {
  /** The kind among the types of options. */
  readonly kind: "function" | "pair" | "scheme";
}
