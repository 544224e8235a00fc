/** The plan: everything that the printer writes, as plain data. Each decision is made before. */

import type {
  PageClassPlan,
  ResourceCallPlan,
  ResourceClientPlan,
  ResourcePlan,
} from "./resources.ts";
import type { TestPlan } from "../plan/tests/mod.ts";
import type { Comment, Conversion, Declaration, Type } from "./types.ts";

/** A whole SDK. */
export interface Plan {
  readonly client: ClientPlan;
  /** One for each file in `endpoints/`, in the order of the client's fields. */
  readonly endpoints: readonly EndpointPlan[];
  /** The declarations of `models.ts`. */
  readonly models: readonly Declaration[];
  /** The classes of `errors.ts`. */
  readonly errors: readonly ErrorPlan[];
  /** The names for the names file: from `GET /pets/{}` to `pets.get`. */
  readonly pins: ReadonlyMap<string, string>;
  /** The classes of pages of a client with resources. */
  readonly pageClasses?: readonly PageClassPlan[] | undefined;
  /** The operations that become no method: `GET /pets/{id}`. */
  readonly leftOut?: readonly string[] | undefined;
  /** The types that a configuration or a list of methods names, and whose schemas were not found. */
  readonly missingTypes?: readonly string[] | undefined;
}

/** The client's class. */
export interface ClientPlan {
  readonly className: string;
  /** The name of the type of its options. */
  readonly optionsType: string;
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

/** The class of the errors with a status. */
export interface StatusPlan {
  readonly status: number;
  readonly className: string;
}

/** A server with its variables. */
export interface ServerPlan {
  /** Its name among the values of the option `server`. */
  readonly name: string;
  /** The URL without a slash at its end. */
  readonly url: string;
  /** The URL in parts: texts of the document, and variables by their option's name. */
  readonly parts: readonly (string | { readonly variable: string })[];
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
  readonly option: string;
  readonly default: string;
  /** The values that are allowed, if the document lists them. */
  readonly values?: readonly string[] | undefined;
  readonly comment: Comment;
}

/** A security scheme, which is an option of the client. */
export interface SchemePlan {
  /** The scheme's key in the document. */
  readonly key: string;
  /** The option's name. */
  readonly option: string;
  readonly comment: Comment;
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
  readonly flow: string;
  readonly tokenUrl?: string | undefined;
  readonly scopes: readonly string[];
}

/** Alternatives of combinations of schemes, as the `security` of an operation. */
export type SecurityPlan = readonly (readonly string[])[];

/** A class of endpoints: a tag, or a first path segment. */
export interface EndpointPlan {
  readonly className: string;
  /** Its field on the client. */
  readonly field: string;
  /** Its file in `endpoints/`, without `.ts`. */
  readonly file: string;
  readonly comment: Comment;
  readonly methods: readonly MethodPlan[];
  /** Types of this endpoint alone: bodies, parameters, results. */
  readonly types: readonly Declaration[];
  /** Its place, if it is a resource. */
  readonly resource?: ResourcePlan | undefined;
}

/** A method for one operation. */
export interface MethodPlan {
  readonly name: string;
  /** The operation, as in a names file: `GET /pets/{}`. */
  readonly operation: string;
  /** The HTTP method in upper case. */
  readonly verb: string;
  /** The path in parts: texts of the document, and arguments: `["/pets/", { argument: "petId" }]`. */
  readonly path: readonly (string | { readonly argument: string })[];
  /** The query of the path itself, in pairs. */
  readonly fixedQuery: readonly (readonly [name: string, value: string])[];
  /** The URL of a server of the operation itself, without a slash at its end. */
  readonly server?: string | undefined;
  readonly comment: Comment;
  /** Path parameters, in the order of the path. */
  readonly pathParameters: readonly ParameterPlan[];
  readonly body?: BodyPlan | undefined;
  /** Query, header and cookie parameters, and headers of parts, which form one object. */
  readonly parameters: readonly ParameterPlan[];
  /** The name of the type of that object. */
  readonly parametersType?: string | undefined;
  readonly result: ResultPlan;
  /** How the pages are read, if the result is a list that comes in pages. */
  readonly pages?: PagesPlan | undefined;
  /** The stream that the method returns, alone or by the caller's choice. */
  readonly stream?: StreamPlan | undefined;
  /** The error classes that differ from those of the client. */
  readonly errors: readonly StatusPlan[];
  /** undefined: as the client; an empty list: without credentials. */
  readonly security?: SecurityPlan | undefined;
  /** The arguments of a method of a resource. */
  readonly call?: ResourceCallPlan | undefined;
  /** Its tests, if they are wanted. */
  readonly tests?: readonly TestPlan[] | undefined;
}

/** A parameter. */
export interface ParameterPlan {
  /** The name in the output: of the argument or of the property. */
  readonly name: string;
  readonly wireName: string;
  /** The name of a path parameter in an object of parameters, which resources have. */
  readonly property?: string | undefined;
  /**
   * `part` is a header of a part of a multipart body. `choice` is not sent: it selects the stream among
   * the results.
   */
  readonly place: "path" | "query" | "header" | "cookie" | "part" | "choice";
  /** The field whose part has the header, in the place `part`. */
  readonly part?: string | undefined;
  readonly type: Type;
  /** The kind of its values. `text` are strings and numbers, `scalar` can also be a boolean. */
  readonly shape: "text" | "scalar" | "array" | "object";
  readonly required: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** The conversion of dates and bigints in the style `json`. */
  readonly conversion?: Conversion | undefined;
  readonly comment: Comment;
}

/** The styles of OpenAPI, and `content` with the media type of JSON. */
export type ParameterStyle =
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"
  | "simple"
  | "label"
  | "matrix"
  | "cookie"
  | "json";

/** The body of a request. */
export interface BodyPlan {
  readonly kind: "json" | "form" | "multipart" | "text" | "xml" | "bytes";
  /** The `Content-Type` header, if the toolkit's own is not right. */
  readonly contentType?: string | undefined;
  /** The type of JSON and of forms. */
  readonly type: Type;
  /** The conversion of dates and bigints in JSON. */
  readonly conversion?: Conversion | undefined;
  /** The model class that writes a body of XML. Without it, the body is a string. */
  readonly model?: string | undefined;
  readonly required: boolean;
  /** True if an empty object is sent when a caller passes nothing. */
  readonly isSentEmpty?: boolean | undefined;
  readonly comment: Comment;
  /** The fields of a form. */
  readonly fields: readonly FieldPlan[];
  /** True for a form with values of any type, which only the toolkit can check when it sends them. */
  readonly isUnchecked?: boolean | undefined;
}

/** A field of a form or of a multipart body. */
export interface FieldPlan extends
  Pick<
    ParameterPlan,
    "name" | "shape" | "style" | "explode" | "allowReserved" | "conversion"
  > {
  /** The content type of its part, if the toolkit's own is not right. */
  readonly contentType?: string | undefined;
}

/**
 * The result of a method. `bytes` is the response, whose body is a stream of bytes; `redirect` the one
 * to which a redirect leads. `stream` has nothing beside its stream.
 */
export interface ResultPlan {
  readonly kind: "json" | "text" | "bytes" | "void" | "response" | "redirect" | "stream";
  /** The type of JSON. */
  readonly type: Type;
  /** The conversion of dates and bigints in JSON. */
  readonly conversion?: Conversion | undefined;
  /** The `Accept` header, if the toolkit's own is not right. */
  readonly accept?: string | undefined;
}

/** A list that comes in pages. */
export interface PagesPlan {
  readonly rule: PagingRulePlan;
  /** The names on the path to the items in the body; none if the body is the array. */
  readonly items: readonly ItemsStep[];
  /** The type of an item. */
  readonly item: Type;
  /** True if the body can be null. */
  readonly isNullable: boolean;
  /** Why the list is read in pages, and by this rule. */
  readonly reason: string;
  readonly origin: "names" | "hint" | "override";
}

/** A property on the path to the items of a page. */
export interface ItemsStep {
  readonly name: string;
  /** True if a body may be without it. Null counts as no items. */
  readonly isOptional: boolean;
}

/** A rule of the toolkit that finds the next page. Parameters are in the query, or in a body of JSON. */
export type PagingRulePlan =
  | { readonly kind: "linkHeader" }
  | { readonly kind: "nextUrl"; readonly field: PageField }
  | {
    readonly kind: "cursor";
    readonly param: string;
    readonly field: PageField | { readonly lastItem: string };
    readonly hasMore?: PageField | undefined;
  }
  | {
    readonly kind: "offset";
    readonly param: string;
    readonly limitParam?: string | undefined;
    readonly total?: PageField | undefined;
  }
  | {
    readonly kind: "pageNumber";
    readonly param: string;
    readonly sizeParam?: string | undefined;
    readonly total?: PageField | undefined;
    readonly pages?: PageField | undefined;
    readonly first?: 0 | 1 | undefined;
  };

/** A field of the body, as names joined by dots, or a header of the response. */
export type PageField = string | { readonly header: string };

/** A response that is read while it arrives. */
export interface StreamPlan {
  readonly format: "events" | "lines";
  /** The data of an event, or the value of a line. */
  readonly item: Type;
  /** True if the data of events is text. */
  readonly isText: boolean;
  /** The conversion of dates and bigints in an item. */
  readonly conversion?: Conversion | undefined;
  /** The events by type, if the document lists them. */
  readonly events?: readonly EventPlan[] | undefined;
  /** The name of the declaration with the data of each event. */
  readonly eventsType?: string | undefined;
  /** The type of the event that reports an error. */
  readonly errorEvent?: string | undefined;
  /** The `Accept` header, if the toolkit's own is not right. */
  readonly accept?: string | undefined;
  /** How a caller chooses the stream instead of the result; undefined if there is no other result. */
  readonly choice?: StreamChoice | undefined;
}

/** An event of a stream, by its type. */
export interface EventPlan {
  readonly name: string;
  readonly data: Type;
  readonly conversion?: Conversion | undefined;
}

/** The property by which a caller chooses the stream: of the body, or of the object of parameters. */
export interface StreamChoice {
  readonly place: "body" | "params";
  readonly name: string;
}

/** A class of errors: an `APIError` with typed data. */
export interface ErrorPlan {
  readonly className: string;
  /** The class of the toolkit that it extends, such as `NotFoundError`. */
  readonly base: string;
  readonly data: Type;
  /** The conversion of dates and bigints in `data`. */
  readonly conversion?: Conversion | undefined;
  readonly comment: Comment;
}
