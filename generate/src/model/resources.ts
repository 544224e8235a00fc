/** The plan of a client with resources: what it has beside the plan of a client with endpoints. */

import type { ItemsStep, PagingRulePlan, ParameterPlan } from "./sdk.ts";
import type { Comment, Property, Type } from "./types.ts";

/** The place of a resource in the client. */
export interface ResourcePlan {
  /** The names on the way to it, such as `chat` and `completions`; none for the client itself. */
  readonly path: readonly string[];
  /** The resources in it. */
  readonly children: readonly ResourceMember[];
  /** The types of its namespace, by their names there. */
  readonly types: readonly (readonly [name: string, type: string])[];
  readonly deprecated?: string | undefined;
}

/** A resource as a member of the client, or of another resource. */
export interface ResourceMember {
  readonly field: string;
  readonly className: string;
  /** Its file without `.ts`, relative to the folder of resources. */
  readonly file: string;
  readonly comment: Comment;
}

/** The arguments of a method of a resource, and what it takes out of the response. */
export interface ResourceCallPlan {
  /** The path parameters that are arguments of their own, by their names. */
  readonly positional: readonly string[];
  /** True if a body of text or bytes is an argument, after those of the path. */
  readonly isBodyPositional: boolean;
  /** The object of parameters. */
  readonly params?: ParamsPlan | undefined;
  /** The field of the response that is the result. */
  readonly unwrap?: string | undefined;
  readonly page?: CallPagePlan | undefined;
}

/** The pages that a method returns. */
export interface CallPagePlan {
  readonly className: string;
  readonly item: Type;
  /** The name of a type for the class with this item, which the file of the resource declares. */
  readonly alias?: string | undefined;
}

/** The object of parameters: everything but the positional arguments. */
export interface ParamsPlan {
  /** The name of its type. */
  readonly type: string;
  readonly isRequired: boolean;
  /** The parameters among its properties, by their names there. All others are the body. */
  readonly fields: readonly {
    readonly property: string;
    readonly parameter: ParameterPlan;
  }[];
  /** `rest`: all other properties are the body. Otherwise the property that is the body, if there is one. */
  readonly body?: "rest" | { readonly property: string } | undefined;
}

/** A class of pages. */
export interface PageClassPlan {
  readonly className: string;
  /** The rule for the next page; undefined if there is one page only. */
  readonly rule: PagingRulePlan | undefined;
  readonly items: readonly ItemsStep[];
  /** The fields of a page. The type of an item in them is the reference `Item`. */
  readonly fields: readonly Property[];
}

/** The client itself. */
export interface ResourceClientPlan {
  readonly members: readonly ResourceMember[];
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
  readonly maxRetries?: number | undefined;
  /** In milliseconds. */
  readonly timeout?: number | undefined;
  /** In seconds. */
  readonly backoff?: number | undefined;
  /** In seconds. */
  readonly maxBackoff?: number | undefined;
  readonly idempotencyHeader?: string | undefined;
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
  readonly name: string;
  readonly type: Type;
  readonly isNullable: boolean;
  readonly isCredential: boolean;
  /** True if a function can return the value. */
  readonly isFunction: boolean;
  readonly comment: Comment;
  readonly default?: string | number | boolean | undefined;
  readonly env?: string | undefined;
  readonly header?: string | undefined;
  readonly serverVariable?: string | undefined;
}
