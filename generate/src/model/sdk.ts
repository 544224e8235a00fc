/** A whole SDK: its client, the groups of its methods, and their types. */

import type { SdkClient, SecurityRequirements } from "./client.ts";
import type { PageClass, Pages, WholeList } from "./paging.ts";
import type { Parameter, ParamsObject, RequestBody } from "./requests.ts";
import type { ErrorClass, MethodResult, MethodStream, StatusError } from "./results.ts";
import type { CallArguments, CallSample } from "./samples.ts";
import type {
  Callback,
  JsonSchema,
  MethodSchemas,
  Webhook,
  WebhookEvent,
  WebhookReader,
} from "./schemas.ts";
import type { Signature } from "./signatures.ts";
import type { MethodTest } from "./tests.ts";
import type { Comment, Declaration } from "./types.ts";

/** A whole SDK. */
export interface SdkModel {
  /** The output that prints the SDK: a client with `classes` of endpoints, or with `resources`. */
  readonly form: "classes" | "resources";
  /** The client. */
  readonly client: SdkClient;
  /** The groups of methods, in the order of the client's fields. Their paths form a tree. */
  readonly groups: readonly MethodGroup[];
  /** The declarations of `models.ts`. */
  readonly models: readonly Declaration[];
  /** The classes of `errors.ts`. */
  readonly errors: readonly ErrorClass[];
  /** The names for the names file: from `GET /pets/{}` to `pets.get`. */
  readonly pins: ReadonlyMap<string, string>;
  /** The requests that the API sends to its users. */
  readonly webhooks: readonly Webhook[];
  /** The events that they report, with their types. */
  readonly webhookEvents: readonly WebhookEvent[];
  /** The object that verifies them, if the owner of the SDK states how they are signed. */
  readonly webhookReader?: WebhookReader | undefined;
  /** The requests that the API sends to URLs which calls of methods state. */
  readonly callbacks: readonly Callback[];
  /** The JSON Schemas by their names in references, `#/$defs/NAME`, if an output needs `schemas`. */
  readonly schemas?: ReadonlyMap<string, JsonSchema> | undefined;
  /** The classes of pages that methods share. Without them, lists are those of the toolkit. */
  readonly pageClasses: readonly PageClass[];
  /** The paths by which programs import parts of an SDK that this one takes the place of: `resources/pets`. */
  readonly modules?: readonly string[] | undefined;
  /** The operations that become no method: `GET /pets/{id}`. */
  readonly leftOut: readonly string[];
  /** The types that a configuration or a list of methods names, and whose schemas were not found. */
  readonly missingTypes: readonly string[];
}

/** A group of methods, such as those of a tag. */
export interface MethodGroup {
  /**
   * `class`: the methods of a class in a file of its own. `client`: those of the client itself.
   * `shared`: types of several groups, without methods.
   */
  readonly place: "class" | "client" | "shared";
  /** The names on the way from the client to it, such as `chat` and `completions`. */
  readonly path: readonly string[];
  /** The name of its class. */
  readonly className: string;
  /** The name of the class that the SDK states, also if another class has taken it. */
  readonly statedName?: string | undefined;
  /** Another name by which programs can import the class, if the SDK takes the place of one that had it. */
  readonly otherName?: string | undefined;
  /** The file of its class without `.ts`, relative to the folder of groups. */
  readonly file: string;
  /** The doc comment. */
  readonly comment: Comment;
  /** The methods, in their order. */
  readonly methods: readonly Method[];
  /** Types of this group alone: bodies, parameters, results. */
  readonly types: readonly Declaration[];
  /** The types of the namespace with the name of its class, by their names there. */
  readonly namespace: readonly (readonly [name: string, type: string])[];
}

/** A method for one operation. */
export interface Method {
  /** The name of the method. */
  readonly name: string;
  /** The operation, as in a names file: `GET /pets/{}`. */
  readonly operation: string;
  /** The HTTP method in upper case. */
  readonly verb: string;
  /** True if the toolkit has a request method for the HTTP method. */
  readonly hasRequestMethod: boolean;
  /** The path in parts: texts of the document, and arguments: `["/pets/", { argument: "petId" }]`. */
  readonly path: readonly (string | { readonly argument: string })[];
  /** The query of the path itself, in pairs. */
  readonly fixedQuery: readonly (readonly [name: string, value: string])[];
  /** The URL of a server of the operation itself, without a slash at its end. */
  readonly server?: string | undefined;
  /** The doc comment. */
  readonly comment: Comment;
  /** The arguments, and what the method returns. */
  readonly signature: Signature;
  /** Path parameters, in the order of the path. */
  readonly pathParameters: readonly Parameter[];
  /** The body of the request, if it has one. */
  readonly body?: RequestBody | undefined;
  /** Query, header and cookie parameters, and headers of parts. */
  readonly parameters: readonly Parameter[];
  /** Headers with a fixed value, beside those of media types. */
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
  /** The argument that is an object of parameters, if there is one. */
  readonly params?: ParamsObject | undefined;
  /** The result of the method. */
  readonly result: MethodResult;
  /** How the pages are read, if the result is a list that comes in pages. */
  readonly pages?: Pages | undefined;
  /** Why they are not, if the result of a GET is a list. */
  readonly wholeList?: WholeList | undefined;
  /** The stream that the method returns, alone or by the caller's choice. */
  readonly stream?: MethodStream | undefined;
  /** The error classes that differ from those of the client. */
  readonly errors: readonly StatusError[];
  /**
   * The header for the idempotency key of each call, if the setting of the client has none for it; null for
   * calls without a key.
   */
  readonly idempotencyHeader?: string | null | undefined;
  /** True if the server may answer late by intention, so that the call has no timeout. */
  readonly isLongPoll?: true | undefined;
  /** True if the document chooses it for the first call that a guide shows: `x-restwright-first-call`. */
  readonly isFirstCall?: true | undefined;
  /** undefined: as the client; an empty list: without credentials. */
  readonly security?: SecurityRequirements | undefined;
  /**
   * The arguments of a short call that shows how the method is used, if an output needs `examples`;
   * undefined if no sample can be passed.
   */
  readonly example?: CallArguments | undefined;
  /** Samples of a call, if an output needs `samples`. */
  readonly sample?: CallSample | undefined;
  /** The JSON Schemas of its values, if an output needs `schemas`. */
  readonly schemas?: MethodSchemas | undefined;
  /** Its tests, if an output needs `tests`. */
  readonly tests?: readonly MethodTest[] | undefined;
}

/**
 * A part of the model that is made only if an output needs it: short `examples` of calls, `samples` of calls
 * with their results, the JSON `schemas` of values, and the `tests` of methods.
 */
export type ModelPart = "examples" | "samples" | "schemas" | "tests";
