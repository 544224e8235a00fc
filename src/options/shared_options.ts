/** The options that a session or client has in common with a single request. */
import type { StyledValue } from "../base/styled_value.ts";
import type { ErrorMap } from "../errors/status_errors.ts";
import type { ErrorFrom } from "../errors/error_from.ts";
import type { ErrorFunction } from "../errors/error_function.ts";
import type { AuthInput } from "../http/auth.ts";
import type { CookieStorage } from "../http/cookie_storage.ts";
import type { HeadersInput } from "../http/headers.ts";
import type { Transport } from "../http/transport.ts";
import type { Logger } from "../log/logger.ts";
import type { Middleware } from "./middleware.ts";
import type { Params, ParamsStyle } from "../content/params.ts";

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
   * The longest wait in seconds before a retry; null for no limit, and 0 for no waits. A Retry-After
   * header has a limit of its own, `maxRetryAfter`.
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
   * The methods that are retried if the server may have processed the request: after 501 to 504, after
   * an error in a success, or if the connection was lost or had no data; null for all. Other failures
   * are retried with any method. Set it if a POST that runs twice does harm.
   *
   * @default {null}
   *
   * @example `{ retryMethods: ["GET", "HEAD", "PUT", "DELETE"] }`
   */
  readonly retryMethods?: readonly string[] | null | undefined;
  /**
   * The header for an idempotency key, which the toolkit adds to each POST and PATCH, and to a request of
   * any method that has this option itself; null for none. All attempts of a call have the same key, a new
   * UUID. A header of the request takes precedence. In browsers, it needs a secure context (`https:` or
   * `localhost`).
   *
   * @default {null}
   *
   * @example `{ idempotencyHeader: "Idempotency-Key" }`
   */
  readonly idempotencyHeader?: string | null | undefined;
  /**
   * The methods that the runtime may send again by itself if a kept-alive connection closes: "any", or
   * "idempotent" for GET, HEAD, OPTIONS, PUT and DELETE, and for requests with an idempotency key. It
   * concerns only Deno, whose fetch repeats any request, also if the server has read it.
   *
   * @default {"idempotent"}
   */
  readonly runtimeRetries?: "idempotent" | "any" | undefined;
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
   * The longest wait in seconds that a server may ask for, as with a Retry-After header; null for no
   * limit, and 0 to never wait. If it asks for more, the status error is thrown at once, because an
   * earlier retry would only do harm. Without a limit, the first wait of more than an hour writes a
   * warning, and one of more than a year throws the error. Default: null for `APISession`, 3600 for
   * `APIClient`
   */
  readonly maxRetryAfter?: number | null | undefined;
  /**
   * The wait after the last failed attempt, before its error is thrown: true waits as before a retry,
   * false does not wait. Default: 1 second after a lost connection or a timeout, and no wait after an
   * error status
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
   * True if redirects are followed. If they are not, a 3xx throws an `APIError`. Default: true for
   * `APISession`, false for `APIClient`
   */
  readonly followRedirects?: boolean | undefined;
  /**
   * The maximum number of redirects of one attempt; null for no limit. One more throws a
   * `RedirectError`.
   *
   * @default {30}
   */
  readonly maxRedirects?: number | null | undefined;
  /**
   * Error classes by status. Those of a request are merged over those of its session, and those of a
   * session over those of its class. Default: none
   *
   * @example `{ errorMap: { 404: NoSuchUserError } }`
   */
  readonly errorMap?: ErrorMap | undefined;
  /**
   * Chooses the error of a response by its content, or returns undefined for the class of the status. Its
   * model, as of `errorsBy`, decodes the body to `error.data`.
   * That of a request is asked before that of its session, and that of a session before that of its
   * class. Default: none
   *
   * @example `{ errorFrom: errorsBy("error.code", { rate_limited: RateLimitedError }) }`
   */
  readonly errorFrom?: ErrorFrom | undefined;
  /**
   * True if `errorFrom` is also asked about responses with a success status, and about each item of a
   * stream of JSON. Its error fails the attempt like an error status. The bodies of JSON and XML are then
   * read, also if the call returns the response itself.
   *
   * @default {false}
   *
   * @example `{ errorsInSuccess: true, errorFrom: errorsBy("errors.extensions.code", codes) }`
   */
  readonly errorsInSuccess?: boolean | undefined;
  /**
   * Returns the message of an error from its response, or undefined for the default message. Default:
   * status, reason phrase, method, URL, and the title of problem details (RFC 9457)
   *
   * @example `{ errorFunc: ({ status }, { body, redact }) => `${status}: ${redact(body)}` }`
   */
  readonly errorFunc?: ErrorFunction | undefined;
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
   * query can be typed by an interface; a `Date` is refused when the call is made. Those of a session go
   * only to trusted origins; those of a request take precedence by key. The entry point `styles` has
   * values in the styles of OpenAPI, also for `headers`, `cookies` and paths. Default: none
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
   * Authentication: a user name and a password, or a scheme; null for none. Default: none
   *
   * @example `{ auth: ["ada", "countess"] }`
   */
  readonly auth?: AuthInput | undefined;
  /**
   * Named cookies to send with those of the storage, where null and undefined are left out; or another
   * storage; or null to neither keep nor send cookies. They go to trusted origins. Default: a jar
   *
   * @example `{ cookies: { theme: "dark" } }`
   */
  readonly cookies?:
    | Readonly<Record<string, string | StyledValue<"cookie"> | null | undefined>>
    | CookieStorage
    | null
    | undefined;
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
   * signal's reason, and is not retried. The signal of a session aborts all its calls. Null is none, as
   * for fetch. Default: none
   *
   * @example `{ signal: AbortSignal.timeout(5_000) }`
   */
  readonly signal?: AbortSignal | null | undefined;
  /**
   * The logger; null for none. Default: that of the session or class; without one, the logger that is
   * named `<libName>.<class name>`
   */
  readonly logger?: Logger | null | undefined;
}
