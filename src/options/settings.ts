/** The settings of a call: checks its options, and merges them over those of its client. */
import type { Clock } from "../base/clock.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { HttpSettings } from "../http/send.ts";
import type { ConnectionOptions } from "../http/transport/port.ts";
import type { Logger } from "../log/logger.ts";
import type { Params } from "../content/params.ts";
import { userAgent, type UserAgentParts } from "../content/user_agent.ts";
import type { ClassOptions } from "./client_options.ts";
import { type Definition, definitions, type OptionName } from "./definitions.ts";
import { isLikelyMilliseconds } from "./likely_mistakes.ts";
import type { RequestOptions } from "./request_options.ts";
import { rejectCallOption } from "./unknown_options.ts";

/** The statics that set up the HTTP session. They are not settings of a call. */
type OfHttpSession = keyof ConnectionOptions | "adapter" | "adapterPath" | "trustedOrigins";

/** The settings that follow from the table of options: an option's own type, once it has a value. */
type OptionSettings =
  & Omit<ClassOptions, OfHttpSession | "timeout" | "logger">
  & Pick<RequestOptions, "retryOn" | "okStatuses" | "context" | "format">;

/** The settings of a session or client, or of a call that changes some of them. */
export interface Settings
  extends OptionSettings, Omit<HttpSettings, keyof OptionSettings>, UserAgentParts {
  /** The base URL, without credentials and without a slash at its end. */
  readonly base: string;
  /** The base URL with the base path, without a slash at its end. */
  readonly prefix: string;
  /** True if the base path is part of the URLs. */
  readonly useBase: boolean;
  /** Query parameters of every request to a trusted origin. */
  readonly params: Params | object | undefined;
  /** The idle timeout in seconds; null for none, undefined for that of the HTTP session. */
  readonly timeout: number | null | undefined;
  /** True if a 429 without Retry-After waits until the reset of its rate limit. */
  readonly waitsForReset: boolean;
  /** Aborts every call. */
  readonly signal: AbortSignal | undefined;
  /** Measures waits, timeouts and deadlines. */
  readonly clock: Clock;
  /** Paths whose params and body are not logged, without outer slashes and query. */
  readonly restrictedPaths: readonly string[];
  /** The logger of a call. Default: that of the session */
  readonly logger?: Logger | undefined;
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
  /** The options that were probably meant in milliseconds; undefined if there are none. */
  readonly suspectTimes: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Checks the options of a call, and merges them over the settings of its client.
 *
 * @param options The request options
 * @param settings The settings of the client
 * @throws {UnexpectedValueError} If an option is unknown, or not valid
 */
export function resolveCall(options: RequestOptions, settings: Settings): ResolvedCall {
  checkedCallOptions(options);
  let own: Record<string, unknown> | undefined;
  let fetchInit: Record<string, unknown> | undefined;
  let suspectTimes: Record<string, unknown> | undefined;
  let hasBody = false;
  for (const name in options) {
    if (!Object.hasOwn(options, name)) continue; // some programs extend Object.prototype
    const { check, isForFetch, isBody, isSeconds } = callDefinitions.get(name) ??
      rejectCallOption(name);
    const value = options[name as keyof RequestOptions];
    if (value === undefined) continue;
    if (isBody) hasBody = true;
    if (isForFetch) (fetchInit ??= {})[name] = value;
    if (check === undefined) continue;
    own ??= { ...settings };
    own[name] = mergeSetting(name, value, own[name]);
    if (isSeconds && isLikelyMilliseconds(name, value)) (suspectTimes ??= {})[name] = value;
  }
  if (own === undefined) return { settings, fetchInit, hasBody, suspectTimes };
  const { vendor, product, build } = settings;
  if (own["vendor"] !== vendor || own["product"] !== product || own["build"] !== build) {
    own["userAgent"] = userAgent(own as unknown as Settings);
  }
  return { settings: own as unknown as Settings, fetchInit, hasBody, suspectTimes };
}

/**
 * Checks that the options of a call are an object. Any other value would be a call without options.
 *
 * @throws {UnexpectedValueError} If they are not
 */
export function checkedCallOptions<T>(options: T): T {
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  throw new UnexpectedValueError(
    "options",
    "an object with request options, or undefined",
    options,
  );
}

/** The rows of the request options. */
const callDefinitions: ReadonlyMap<string, Definition> = new Map(
  Object.entries(definitions).filter(([, { levels }]) => levels.includes("call")),
);
