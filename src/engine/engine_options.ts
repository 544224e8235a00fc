import type { Clock } from "../clock.ts";
import type { ErrorFunction } from "../errors/api_error.ts";
import type { ErrorMap } from "../errors/by_status.ts";
import type { Params } from "./params.ts";
import type { ResponseModel } from "./response_model.ts";
import type { AgentOptions } from "./user_agent.ts";

/** How one call is attempted and judged: options of a session, and keywords of a request. */
export interface CallSettings extends AgentOptions {
  /**
   * How often a request is sent again before it fails: 0 for a single attempt.
   *
   * @default {3}
   */
  readonly retries?: number | undefined;
  /**
   * Seconds, multiplied by the number of the retry, to wait before a retry where the response has
   * no Retry-After header.
   *
   * @default {1}
   */
  readonly backoff?: number | undefined;
  /**
   * The longest wait in seconds that a Retry-After header can ask for; null for no limit. If it asks
   * for more, the status error is thrown at once, since a retry before that would only do harm.
   *
   * @default {null}
   */
  readonly maxRetryAfter?: number | null | undefined;
  /**
   * Makes the wait after the last failed attempt too (true), or never (false). Default: only after
   * a transport error, which is followed by 1 second; an error status is thrown at once.
   */
  readonly finalWait?: boolean | undefined;
  /**
   * Makes the messages of errors built from a response. Default: status, reason phrase, method and
   * URL
   *
   * @example `{ errorFunc: (response, { body }) => `${response.status}: ${body}` }`
   */
  readonly errorFunc?: ErrorFunction | undefined;
  /**
   * What the body of an error response is decoded to, as `error.data`; a body that does not match
   * leaves that undefined. An error class with a model of its own goes before it. Default: none
   *
   * @example `{ errorModel: Problem }`
   */
  readonly errorModel?: ResponseModel | undefined;
  /**
   * The response header with the request's id, which errors and records show; null for none.
   *
   * @default {"x-request-id"}
   */
  readonly requestIdHeader?: string | null | undefined;
  /**
   * Seconds without data after which an attempt counts as stalled and is retried, until the last
   * byte of the body; null for none.
   *
   * @default {null}
   */
  readonly timeout?: number | null | undefined;
  /**
   * Seconds that a call with all its attempts and waits may take, until it returns; null for none. A
   * wait that would pass it is not made: the error of the attempt is thrown at once.
   *
   * @default {null}
   */
  readonly deadline?: number | null | undefined;
  /**
   * Whether redirects are followed; where they are not, a 3xx raises an `APIError`. Default: true
   * for a session, false for a client
   */
  readonly followRedirects?: boolean | undefined;
  /**
   * The most redirects that are followed for one attempt; one more raises a `RedirectError`.
   *
   * @default {30}
   */
  readonly maxRedirects?: number | undefined;
  /**
   * Names of fields whose values are replaced in the log records of params, body and URL, and in the
   * URLs of errors. They hold at any depth and for form fields such as `user[password]`; upper and
   * lower case do not matter. The names of a request are added to those of its session.
   * Default: none
   *
   * @example `{ redactFields: ["password", "token"] }`
   */
  readonly redactFields?: readonly string[] | undefined;
  /**
   * What is logged in place of a redacted value.
   *
   * @default {"REDACTED"}
   */
  readonly redactValue?: string | undefined;
}

/** The same with what only a request can have: a session's error map is its class's. */
export interface CallOnlySettings extends CallSettings {
  /**
   * Error classes by status, laid over those of the session. Default: none
   *
   * @example `{ errorMap: { 404: NoSuchUserError } }`
   */
  readonly errorMap?: ErrorMap | undefined;
}

/** How calls are attempted, waited for and judged: options of a session. */
export interface EngineOptions extends CallSettings {
  /**
   * Other origins that get the session's headers and its `auth`. They go to the base URL's own
   * origin, and never from https down to http; a few harmless headers go everywhere. Default: none
   *
   * @example `{ trustedOrigins: ["https://eu.api.example.com"] }`
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Query parameters of every request to whom credentials go; those of a request go before them,
   * key by key. Default: none
   *
   * @example `{ params: { locale: "en" } }`
   */
  readonly params?: Params | object | undefined;
  /** Ends every call when it is aborted, as the signal of a call ends that one. Default: none */
  readonly signal?: AbortSignal | undefined;
  /** What waits, timeouts and deadlines are measured by. Default: the runtime's own clock */
  readonly clock?: Clock | undefined;
}

/** What a class gives beside the options: which errors are raised, and what is not logged. */
export interface EngineDefaults extends EngineOptions {
  /** Overrides single entries of the base error map. */
  readonly errorMap: ErrorMap;
  /** The base error map; overriding it removes all preset entries. */
  readonly baseErrorMap: ErrorMap;
  /** Paths whose parameters and body are never logged. */
  readonly restrictedPaths: readonly string[];
  /** Names of headers that go to every origin, beside the toolkit's own list. */
  readonly crossOriginHeaders: readonly string[];
}
