import type { BoxAttrs } from "../box/mod.ts";
import type { Clock } from "../clock.ts";
import type { ErrorMap } from "../errors/by_status.ts";
import type { ErrorFunction } from "../errors/error_function.ts";
import type { AuthInput } from "../http/auth.ts";
import type { CookieStore } from "../http/cookies.ts";
import type { HeadersInput } from "../http/headers.ts";
import type { HttpSession } from "../http/http_session.ts";
import type { Path } from "../http/url.ts";
import type { ConnectionOptions } from "../http/transport/port.ts";
import type { Transport } from "../http/transport.ts";
import type { Logger } from "../log/logger.ts";
import type { BodyFormat } from "../models/model_class.ts";
import type { BodyOptions } from "../request/body.ts";
import type { ResponseModel } from "../request/decode.ts";
import type { Middleware, RequestContext } from "../request/middleware.ts";
import type { Params, ParamsStyle } from "../request/params.ts";
import type { StreamFormat } from "../request/stream_format.ts";

/**
 * Options of a session or client, and of a single request. Those of a request take precedence.
 *
 * Each option has its row in the table of `definitions.ts`: its check, where it can be set, and how
 * it is merged.
 *
 * @category Sessions and clients
 */
export interface SharedOptions {
  /**
   * The number of retries before a request fails: 0 for a single attempt.
   *
   * @default {3}
   */
  readonly retries?: number | undefined;
  /**
   * Seconds to wait before a retry, multiplied by the number of the retry, if the response has no
   * Retry-After header. A function returns the seconds for each retry, also for one after a transport
   * error, which otherwise waits 1 second. If it returns no number of seconds, the call ends with an
   * `UnexpectedValueError`.
   *
   * @default {1}
   *
   * @example `{ backoff: (retry) => 2 ** (retry - 1) }`
   */
  readonly backoff?: number | ((retry: number) => number) | undefined;
  /**
   * The longest wait in seconds before a retry; null for no limit. A Retry-After header has a limit of
   * its own, `maxRetryAfter`.
   *
   * @default {null}
   */
  readonly maxBackoff?: number | null | undefined;
  /**
   * Makes waits random, so that clients that failed at the same time do not retry at the same time:
   * "full" waits between 0 and the backoff, "equal" between a half and the whole of it. A Retry-After
   * header is not changed.
   *
   * @default {"none"}
   */
  readonly jitter?: "none" | "full" | "equal" | undefined;
  /**
   * The methods that are retried if the server may have processed the request: after 501 to 504, or if
   * the connection was lost or had no data; null for all. Other failures are retried with any method.
   * Set it if a POST that runs twice does harm.
   *
   * @default {null}
   *
   * @example `{ retryMethods: ["GET", "HEAD", "PUT", "DELETE"] }`
   */
  readonly retryMethods?: readonly string[] | null | undefined;
  /**
   * The header for an idempotency key, which the toolkit adds to each POST and PATCH; null for none.
   * All attempts of a call have the same key, a new UUID. A header of the request takes precedence.
   * In browsers, it needs a secure context (`https:` or `localhost`).
   *
   * @default {null}
   *
   * @example `{ idempotencyHeader: "Idempotency-Key" }`
   */
  readonly idempotencyHeader?: string | null | undefined;
  /**
   * True if the retries of all calls of the HTTP session share a budget, so that a server that is down
   * gets no storm of retries. The budget has 500 tokens. A retry takes 5, or 10 after a timeout; a
   * success returns those of its last retry, or 1. It is the rule of the AWS SDKs.
   *
   * @default {false}
   */
  readonly retryBudget?: boolean | undefined;
  /**
   * Functions around each attempt, the first one outermost: they see and change its request and its
   * response. Those of a request run inside those of its session, those of a session inside those of
   * its class. Default: none
   *
   * @example `{ middleware: [async (request, next) => await next(request)] }`
   */
  readonly middleware?: readonly Middleware[] | undefined;
  /**
   * The longest wait in seconds for a Retry-After header; null for no limit. If the header asks for
   * more, the status error is thrown at once, because an earlier retry would only do harm.
   *
   * @default {null}
   */
  readonly maxRetryAfter?: number | null | undefined;
  /**
   * Also waits after the last failed attempt (true), or never (false). Default: only after a
   * transport error, for 1 second; an error status is thrown at once.
   */
  readonly finalWait?: boolean | undefined;
  /**
   * Seconds without data after which an attempt fails and is retried, until the last byte of the
   * body; null for no limit.
   *
   * @default {null}
   *
   * @example `{ timeout: 30 }`
   */
  readonly timeout?: number | null | undefined;
  /**
   * Seconds for a call with all its attempts and waits, until it returns; null for no limit. If a
   * wait would pass the deadline, the error of the attempt is thrown at once.
   *
   * @default {null}
   *
   * @example `{ deadline: 120 }`
   */
  readonly deadline?: number | null | undefined;
  /**
   * The longest body in bytes that the toolkit reads for a conversion, after decompression; null for no
   * limit. A longer one throws a `ResponseTooLargeError`, which is not retried. Responses that are
   * returned unread have no limit.
   *
   * @default {268_435_456}, which is 256 MiB
   *
   * @example `{ maxResponseBytes: 1_000_000 }`
   */
  readonly maxResponseBytes?: number | null | undefined;
  /**
   * True if redirects are followed. If they are not, a 3xx throws an `APIError`. Default: true for a
   * session, false for a client
   */
  readonly followRedirects?: boolean | undefined;
  /**
   * The maximum number of redirects of one attempt. One more throws a `RedirectError`.
   *
   * @default {30}
   */
  readonly maxRedirects?: number | undefined;
  /**
   * Returns the message of an error from its response, or undefined for the default message. Default:
   * status, reason phrase, method, URL, and the title of problem details (RFC 9457)
   *
   * @example `{ errorFunc: ({ status }, { body, redact }) => `${status}: ${redact(body)}` }`
   */
  readonly errorFunc?: ErrorFunction | undefined;
  /**
   * The model that decodes the body of an error response to `error.data`. If the body does not match,
   * `data` is undefined. The model of an error class takes precedence. Default: none
   *
   * @example `{ errorModel: Problem }`
   */
  readonly errorModel?: ResponseModel | undefined;
  /**
   * The response header with the id of the request, for errors and logs; null for none.
   *
   * @default {"x-request-id"}
   */
  readonly requestIdHeader?: string | null | undefined;
  /**
   * Names of fields whose values are replaced in the log records of params, body and URL, and in the
   * URLs of errors. They apply at any depth, and to names such as `user[password]` and
   * `user.password`; case does not matter. The names of a request are added to those of its session. Default: none
   *
   * @example `{ redactFields: ["password", "token"] }`
   */
  readonly redactFields?: readonly string[] | undefined;
  /**
   * The text that replaces a redacted value.
   *
   * @default {"REDACTED"}
   */
  readonly redactValue?: string | undefined;
  /** The vendor of the integration, for the User-Agent. Default: the session's, which is unknown */
  readonly vendor?: string | undefined;
  /** The product of the integration, for the User-Agent. Default: the session's, which is unknown */
  readonly product?: string | undefined;
  /** The build of the integration, for the User-Agent. Default: the session's, which is unknown */
  readonly build?: string | undefined;
  /**
   * Query parameters, added to those of the path. Any object with such values is accepted, so that a
   * query can be typed by an interface. Those of a session go only to trusted origins; those of a
   * request take precedence by key. Default: none
   *
   * @example `{ params: { tag: ["a", "b"], page: 2, draft: false } }`
   */
  readonly params?: Params | object | undefined;
  /**
   * The form of arrays and nested objects in the query, or a function that returns the whole query.
   * Without it, an array repeats its key, and a nested object throws an `UnexpectedValueError`.
   *
   * @default {{ arrays: "repeat" }}
   *
   * @example `{ paramsStyle: { arrays: "comma", objects: "brackets" } }`
   * @example `{ paramsStyle: (params) => qs.stringify(params, { arrayFormat: "indices" }) }`
   */
  readonly paramsStyle?: ParamsStyle | undefined;
  /**
   * Headers; null removes one. Those of a request are merged over those of the session, and go to its
   * URL; a redirect to an origin that is not trusted drops all but harmless ones such as `Accept`.
   * Those of a session go only to trusted origins, except harmless ones and those in
   * `static crossOriginHeaders`. Default: none
   *
   * @example `{ headers: { "If-Match": etag } }`
   */
  readonly headers?: HeadersInput | undefined;
  /**
   * Authentication: a user name and a password, or a scheme; null for none.
   *
   * @example `{ auth: ["ada", "countess"] }`
   */
  readonly auth?: AuthInput | undefined;
  /**
   * Named cookies to send with those of the store; or another store; or null to neither keep nor send
   * cookies. They go to trusted origins.
   *
   * @example `{ cookies: { theme: "dark" } }`
   */
  readonly cookies?: Readonly<Record<string, string>> | CookieStore | null | undefined;
  /** Sends the requests that no adapter sends. Default: the runtime's fetch */
  readonly fetch?: Transport | undefined;
  /**
   * Transports that replace fetch, by URL prefix. Default: none
   *
   * @example `{ adapters: { "https://api.example.com/v1/": myTransport } }`
   */
  readonly adapters?: Readonly<Record<string, Transport>> | undefined;
  /**
   * Other options for fetch or the transport, which only some runtimes know. They are passed as they
   * are. Default: none
   *
   * @example `{ fetchOptions: { dispatcher: myAgent } }`
   */
  readonly fetchOptions?: object | undefined;
  /**
   * Aborts the call at once: an attempt, a wait, or the reading of a body. The call rejects with the
   * signal's reason, and is not retried. The signal of a session aborts all its calls. Default: none
   *
   * @example `{ signal: AbortSignal.timeout(5_000) }`
   */
  readonly signal?: AbortSignal | undefined;
  /** The logger; null for none. Default: the session's, which is named `<libName>.<class name>` */
  readonly logger?: Logger | null | undefined;
}

/**
 * The options of a session or client of either generation. Each takes precedence over the class's
 * static of the same name.
 *
 * `auth`, `headers`, `cookies`, `fetch` and `adapters` are set on its HTTP session. An HTTP session
 * that is passed as `session` is not changed: then they apply to the calls of this session or client.
 *
 * @category Sessions and clients
 */
export interface ServiceOptions extends SharedOptions, ConnectionOptions {
  /**
   * Sends the requests below `adapterPath` instead of fetch. Default: none
   *
   * @example `{ adapter: () => Promise.resolve(Response.json({ ok: true })) }`
   */
  readonly adapter?: Transport | undefined;
  /**
   * The URL prefix of the adapter. Default: the base URL, a slash and the base path
   *
   * @example `{ adapter, adapterPath: "https://" }`
   */
  readonly adapterPath?: string | undefined;
  /** The HTTP session to use instead of a new one. It is not closed with this session. */
  readonly session?: HttpSession | undefined;
  /**
   * Other origins that get the session's headers and its `auth`. The base URL's own origin always
   * gets them. They never go from https to http. Default: none
   *
   * @example `{ trustedOrigins: ["https://eu.api.example.com"] }`
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * The full URLs that a call can have instead of a path: "any", or "trusted" for those of the base
   * URL's origin and of `trustedOrigins`. Set "trusted" if paths contain values from outside, which
   * must not choose the host.
   *
   * @default {"any"}
   */
  readonly absoluteUrls?: "any" | "trusted" | undefined;
  /**
   * Functions around each whole call, with all its attempts, the first one outermost. Those of a
   * session run inside those of its class. Default: none
   *
   * @example `{ callMiddleware: [async (call, next) => await next(call)] }`
   */
  readonly callMiddleware?: readonly CallMiddleware[] | undefined;
  /** Measures waits, timeouts and deadlines. Default: the runtime's own clock */
  readonly clock?: Clock | undefined;
}

/**
 * The options that `withOptions` can change. Those for the result of calls are not among them,
 * because their types come from the class.
 *
 * @category Sessions and clients
 */
export type OptionChanges = Omit<ServiceOptions, "session" | "clock" | "proxies" | "cert" | "ca">;

/**
 * Options that are passed to fetch as they are, if the runtime supports them. The types of fetch in
 * the program decide which ones exist (those of Node 22 have no `cache`).
 *
 * @category Requests
 */
export type FetchOptions =
  & Pick<
    RequestInit,
    Extract<
      keyof RequestInit,
      "cache" | "credentials" | "integrity" | "keepalive" | "mode" | "referrer" | "referrerPolicy"
    >
  >
  & {
    /** The priority of the request in browsers. */
    readonly priority?: "high" | "low" | "auto" | undefined;
  };

/**
 * The options of one request.
 *
 * @category Requests
 */
export interface RequestOptions extends SharedOptions, BodyOptions, FetchOptions {
  /**
   * Error classes by status, merged over those of the session. Default: none
   *
   * @example `{ errorMap: { 404: NoSuchUserError } }`
   */
  readonly errorMap?: ErrorMap | undefined;
  /**
   * Statuses of the error map that are retried in addition to those whose class is retryable.
   * Default: none
   *
   * @example `{ retryOn: [409, 500] }`
   */
  readonly retryOn?: readonly number[] | undefined;
  /**
   * Statuses that are a success of this request. They take precedence over the error map. A redirect
   * that is followed is not one of them. Default: none, only 200 to 298 are
   *
   * @example `{ headers: { "If-None-Match": etag }, okStatuses: [304] }`
   */
  readonly okStatuses?: readonly number[] | undefined;
  /**
   * Values for the middleware of this call. Default: an empty context
   *
   * @example `{ context: new RequestContext().set(maxAge, 60) }`
   */
  readonly context?: RequestContext | undefined;
  /**
   * True if the session's base path is put between the base URL and the path.
   *
   * @default {true}
   */
  readonly useBase?: boolean | undefined;
  /**
   * The model that decodes the body of every success status: a model class, or a schema of any
   * library with the Standard Schema interface; put it in brackets for a list. Models read JSON or
   * XML, by the content type; schemas read JSON, and null for an empty body. It takes precedence over
   * `box` and `convJson`. Default: none
   *
   * @example `this._get("/users", { responseModel: [User] })`
   */
  readonly responseModel?: ResponseModel | undefined;
  /**
   * The format in which the response is read while it arrives, such as server-sent events. It takes
   * precedence over `box` and `convJson`; `responseModel` cannot be combined with it. Default: none
   *
   * @example `for await (const event of await this._get("/events", { stream: sse() }))`
   */
  readonly stream?: StreamFormat<unknown> | undefined;
  /** The format of the body for a model class. Default: that of the content type */
  readonly responseFormat?: BodyFormat | undefined;
  /**
   * True if JSON is converted to a {@linkcode Box}: a response with the content type
   * `application/json` returns a box of its content, an empty body returns null, and any other
   * response is converted according to `convJson`. It takes precedence over `convJson`. Default: that of
   * the endpoint or session
   *
   * @example `const user = await session.get<User>("users/7", { box: true })`
   */
  readonly box?: boolean | undefined;
  /**
   * The settings of the box, instead of those of the endpoint or session.
   *
   * @example `{ box: true, boxAttrs: { frozen: true, camelCase: true } }`
   */
  readonly boxAttrs?: BoxAttrs | undefined;
  /**
   * True if the body is parsed as JSON, whatever its content type; an empty body returns null.
   * Default: that of the endpoint or session
   *
   * @example `const users = await session.get<User[]>("users", { convJson: true })`
   */
  readonly convJson?: boolean | undefined;
  /**
   * True if TLS is verified. With false, anyone on the network path can read and change the traffic.
   * Not supported in browsers. Default: `sslVerify` of the session
   */
  readonly verify?: boolean | undefined;
}

/**
 * The request options that a method of an SDK can accept from its caller: those that decide neither
 * the body nor the result, which belong to the method.
 *
 * @example
 * ```ts
 * import { APIEndpoint, APISession, type CallOptions, path } from "@restwright/restwright";
 *
 * interface Book {
 *   readonly id: number;
 * }
 * class Books extends APIEndpoint<Library> {
 *   protected override readonly _path: string = "books";
 *   get(id: number, options?: CallOptions): Promise<Book> {
 *     return this._get<Book>(path`${id}`, { ...options, convJson: true });
 *   }
 * }
 * class Library extends APISession {
 *   static override readonly url: string = "https://library.example.com";
 *   readonly books: Books = new Books(this);
 * }
 * const library = new Library({ adapter: () => Promise.resolve(Response.json({ id: 7 })) });
 * console.log((await library.books.get(7, { timeout: 5 })).id); // 7
 * ```
 *
 * @category Requests
 */
export interface CallOptions extends
  Omit<
    RequestOptions,
    | keyof BodyOptions
    | "box"
    | "boxAttrs"
    | "convJson"
    | "responseFormat"
    | "responseModel"
    | "stream"
    | "okStatuses"
  > {}

/**
 * A call, for the middleware around it.
 *
 * @category Requests
 */
export interface MiddlewareCall {
  /** The HTTP method, as the caller passed it. */
  method: string;
  /** The path, as the caller passed it, with the path of the endpoint. */
  path: Path;
  /** The request options. */
  options: RequestOptions;
  /** The values of this call. */
  readonly context: RequestContext;
}

/**
 * A function around a whole call, with all its attempts and the conversion of the response. It calls
 * `next` once, or not at all to return a result itself, which is not undefined. The deadline and the
 * signal of the call hold inside `next`.
 *
 * @param call The call, which it may change
 * @param next Makes the call, and returns its result
 *
 * @example
 * ```ts
 * import { APISession, type CallMiddleware } from "@restwright/restwright";
 *
 * let running = 0;
 * const counting: CallMiddleware = async (call, next) => {
 *   running++;
 *   try {
 *     return await next(call);
 *   } finally {
 *     running--;
 *   }
 * };
 * const adapter = () => Promise.resolve(new Response("ok"));
 * const options = { url: "https://api.example.com", adapter, callMiddleware: [counting] };
 * await new APISession(options).get("status");
 * ```
 *
 * @category Requests
 */
export type CallMiddleware = (
  call: MiddlewareCall,
  next: (call: MiddlewareCall) => Promise<unknown>,
) => Promise<unknown>;

/**
 * The request options that the hook `_retryRequest` gets: a copy.
 *
 * @category Requests
 */
export interface RetryOptions extends RequestOptions {
  /** The headers as a mapping, with names in lower case. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
}

/**
 * How a session or client that is used without a class of its own converts responses. A class
 * declares its fields instead. An option takes precedence over the field.
 *
 * @typeParam B The type of `box`, as a constant
 * @typeParam J The type of `convJson`, as a constant
 * @typeParam A The type of `boxAttrs`, as constants
 *
 * @category Sessions and clients
 */
export interface ResultOptions<
  B extends boolean | undefined,
  J extends boolean | undefined,
  A extends BoxAttrs | undefined,
> {
  /** True if JSON is converted to a box. Default: the field `_box`, which is false */
  readonly box?: B | undefined;
  /** The settings of boxes. Default: the field `_boxAttrs`, which is empty */
  readonly boxAttrs?: A | undefined;
  /** True if bodies are parsed as JSON. Default: the field `_convJson`, which is false */
  readonly convJson?: J | undefined;
}
