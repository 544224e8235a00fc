import type { Clock } from "../clock.ts";
import type { ErrorFunction } from "../errors/error_function.ts";
import type { ErrorMap } from "../errors/by_status.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { HttpSettings } from "../http/send.ts";
import type { Logger } from "../log/logger.ts";
import type { ResponseModel } from "../request/decode.ts";
import type { Middleware, RequestContext } from "../request/middleware.ts";
import type { Params, ParamsStyle } from "../request/params.ts";
import type { BackoffSettings } from "../request/retry_wait.ts";
import type { StreamFormat } from "../request/stream_format.ts";
import { userAgent, type UserAgentParts } from "../request/user_agent.ts";
import { type Definition, definitions, type OptionName } from "./definitions.ts";
import type { CallMiddleware, RequestOptions } from "./request_options.ts";

/** The settings of a session or client, or of a call that changes some of them. */
export interface Settings extends HttpSettings, UserAgentParts, BackoffSettings {
  /** The base URL, without credentials and without a slash at its end. */
  readonly base: string;
  /** The base URL with the base path, without a slash at its end. */
  readonly prefix: string;
  /** The full URLs that a call can have. */
  readonly absoluteUrls: "any" | "trusted";
  /** True if the base path is part of the URLs. */
  readonly useBase: boolean;
  /** Query parameters of every request to a trusted origin. */
  readonly params: Params | object | undefined;
  /** The form of arrays and nested objects in a query. */
  readonly paramsStyle: ParamsStyle;
  /** The number of retries. */
  readonly retries: number;
  /** The longest wait for a Retry-After header, in seconds. */
  readonly maxRetryAfter: number | null | undefined;
  /** The methods that are retried if the server may have processed the request; null for all. */
  readonly retryMethods: readonly string[] | null;
  /** The header for idempotency keys. */
  readonly idempotencyHeader: string | null;
  /** The methods that the runtime may repeat by itself. */
  readonly runtimeRetries: "idempotent" | "any";
  /** True if the calls of the HTTP session share a budget for retries. */
  readonly retryBudget: boolean;
  /** The middleware around each attempt. */
  readonly middleware: readonly Middleware[];
  /** The middleware around each call. */
  readonly callMiddleware: readonly CallMiddleware[];
  /** The longest body that the toolkit reads, in bytes; null for no limit. */
  readonly maxResponseBytes: number | null;
  /** Reads the response of a call as a stream. */
  readonly stream?: StreamFormat<unknown>;
  /** The values for the middleware of a call. */
  readonly context?: RequestContext;
  /** Waits after the last attempt, too. */
  readonly finalWait: boolean | undefined;
  /** The idle timeout in seconds; null for none, undefined for that of the HTTP session. */
  readonly timeout: number | null | undefined;
  /** The deadline in seconds. */
  readonly deadline: number | null | undefined;
  /** Other statuses that are retried. */
  readonly retryOn?: readonly number[];
  /** Other statuses that are a success. */
  readonly okStatuses?: readonly number[];
  /** Aborts every call. */
  readonly signal: AbortSignal | undefined;
  /** Measures waits, timeouts and deadlines. */
  readonly clock: Clock;
  /** The error classes by status. */
  readonly errorMap: ErrorMap;
  /** Returns the messages of errors. */
  readonly errorFunc: ErrorFunction | undefined;
  /** Decodes the bodies of errors. */
  readonly errorModel: ResponseModel | undefined;
  /** The response header with the request id. */
  readonly requestIdHeader: string | null | undefined;
  /** Paths whose params and body are not logged, without outer slashes and query. */
  readonly restrictedPaths: readonly string[];
  /** Names of redacted fields. */
  readonly redactFields: readonly string[];
  /** The text that replaces a redacted value. */
  readonly redactValue: string;
  /** The logger of a call. Default: that of the session */
  readonly logger?: Logger;
}

/**
 * Checks the value of an option, and merges it over the setting of the level below.
 *
 * @param name The option
 * @param value The value; undefined for none
 * @param below The setting of the level below
 */
export function mergeSetting<T>(name: string, value: unknown, below: T): T {
  const { check, merge } = definitions[name as OptionName];
  if (value === undefined || check === undefined) return below;
  const above = check(name, value);
  return (merge === undefined ? above : merge(above as never, below as never)) as T;
}

/** A call's settings, and its options for fetch. */
export interface ResolvedCall {
  /** The settings: those of the client, if the call changes none. */
  readonly settings: Settings;
  /** The options for fetch; undefined if there are none. */
  readonly fetchInit: RequestInit | undefined;
  /** True if the call has a body. */
  readonly hasBody: boolean;
}

/**
 * Checks the options of a call, and merges them over the settings of its client.
 *
 * @param options The request options
 * @param settings The settings of the client
 * @throws {UnexpectedValueError} If an option is unknown, or not valid
 */
export function resolveCall(options: RequestOptions, settings: Settings): ResolvedCall {
  let own: Record<string, unknown> | undefined;
  let fetchInit: Record<string, unknown> | undefined;
  let hasBody = false;
  for (const name in options) {
    const { check, isForFetch, isBody } = callDefinitions.get(name) ?? rejectOption(name);
    const value = options[name as keyof RequestOptions];
    if (value === undefined) continue;
    if (isBody) hasBody = true;
    if (isForFetch) (fetchInit ??= {})[name] = value;
    if (check === undefined) continue;
    own ??= { ...settings };
    own[name] = mergeSetting(name, value, own[name]);
  }
  if (own === undefined) return { settings, fetchInit, hasBody };
  const { vendor, product, build } = settings;
  if (own["vendor"] !== vendor || own["product"] !== product || own["build"] !== build) {
    own["userAgent"] = userAgent(own as unknown as Settings);
  }
  return { settings: own as unknown as Settings, fetchInit, hasBody };
}

/** The rows of the request options. */
const callDefinitions: ReadonlyMap<string, Definition> = new Map(
  Object.entries(definitions).filter(([, { levels }]) => levels.includes("call")),
);

/**
 * Rejects an option that no call has.
 *
 * @throws {UnexpectedValueError} The error; it lists the options that exist
 */
function rejectOption(name: string): never {
  throw new UnexpectedValueError(name, `one of ${[...callDefinitions.keys()].sort().join(", ")}`);
}
