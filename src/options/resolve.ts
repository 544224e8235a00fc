import {
  checkedClock,
  checkedFunction,
  checkedHeaderNames,
  checkedSignal,
  checkedText,
  checkedTexts,
} from "../checks.ts";
import { type Clock, systemClock } from "../clock.ts";
import type { ErrorFunction } from "../errors/api_error.ts";
import type { ErrorMap } from "../errors/by_status.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { Generation } from "../generation.ts";
import { checkedAuth } from "../http/auth.ts";
import { checkedCookies, mergeCookies } from "../http/cookies.ts";
import { credentialPolicy } from "../http/credentials.ts";
import { checkedHeaders } from "../http/headers.ts";
import { HttpSession } from "../http/http_session.ts";
import type { HttpSettings } from "../http/send.ts";
import type { ConnectionOptions } from "../http/transport/port.ts";
import {
  checkedAdapters,
  checkedFetchOptions,
  checkedPrefix,
  type Transport,
} from "../http/transport.ts";
import { barePath, escapesBase, joinPath, splitUrl, withoutSlashes } from "../http/url.ts";
import type { Logger } from "../log/logger.ts";
import type { ResponseModel } from "../request/decode.ts";
import {
  checkedClientParams,
  mergeParams,
  type Params,
  type ParamsStyle,
} from "../request/params.ts";
import { userAgent, type UserAgentParts } from "../request/user_agent.ts";
import {
  checkedErrorMap,
  type Definition,
  definitions,
  type OptionName,
  optionNames,
} from "./definitions.ts";
import type { RequestOptions, ServiceOptions } from "./types.ts";

/** The settings of a session or client, or of a call that changes some of them. */
export interface Settings extends HttpSettings, UserAgentParts {
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
  /** Seconds to wait before a retry, multiplied by its number. */
  readonly backoff: number;
  /** The longest wait for a Retry-After header, in seconds. */
  readonly maxRetryAfter: number | null | undefined;
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
 * The base of a session's URLs. The two generations have different options for it.
 *
 * @category Types
 */
export interface BaseOptions {
  /** The generation. */
  readonly generation: Generation;
  /** The base URL, as it was passed. */
  readonly url: unknown;
  /** The path between the base URL and that of a request. */
  readonly basePath: string;
}

/** The statics of a class that are not in the table, or that are read by name. */
export interface ClassDefaults extends ConnectionOptions {
  /** The SDK's name. */
  readonly libName: string;
  /** The SDK's version. */
  readonly libVersion: string;
  /** The adapter. */
  readonly adapter?: Transport | undefined;
  /** The URL prefix of the adapter. */
  readonly adapterPath?: string | undefined;
  /** Other origins that get credentials. */
  readonly trustedOrigins?: readonly string[] | undefined;
  /** Names of other headers that go to every origin. */
  readonly crossOriginHeaders: readonly string[];
  /** The base error map. */
  readonly baseErrorMap: ErrorMap;
  /** Paths whose params and body are not logged. */
  readonly restrictedPaths: readonly string[];
}

/** The checked options of a session or client, merged over its class's statics. */
export interface ResolvedClient {
  /** The settings. */
  readonly settings: Settings;
  /** Its own HTTP session; unused if it shares another one. */
  readonly http: HttpSession;
  /** The adapter. */
  readonly adapter: Transport | undefined;
  /** The URL prefix of the adapter. */
  readonly adapterPath: string;
  /** The connection options; an undefined one is that of the HTTP session. */
  readonly connection: ConnectionOptions;
  /** The User-Agent of its HTTP session; undefined if that was passed in. */
  readonly sessionAgent: string | undefined;
}

/**
 * Checks the options of a session or client, and merges them over the statics of its class.
 *
 * @param options The options
 * @param statics The class
 * @param base The base of its URLs
 * @param origin The session or client that it was derived from by `withOptions`
 * @throws {UnexpectedValueError} If an option is not valid; the error names the first one
 */
export function resolveClient(
  options: ServiceOptions,
  statics: ClassDefaults,
  base: BaseOptions,
  origin: ResolvedClient | undefined,
): ResolvedClient {
  const settings = resolveSettings(options, statics, base);
  const { session, adapter = statics.adapter, adapterPath = statics.adapterPath } = options;
  if (session !== undefined) checkedSession("session", "an HttpSession", session);
  checkedFunction("adapter", adapter);
  const mountPath = adapterPath === undefined
    ? joinPath(settings.base, base.basePath)
    : checkedPrefix("adapterPath", adapterPath);
  // The adapter of the origin is mounted on the shared HTTP session already.
  const isMountedHere = origin !== undefined && adapter !== undefined &&
    (options.adapter !== undefined || mountPath !== origin.adapterPath);
  const adapters = isMountedHere
    ? { ...options.adapters, [mountPath]: adapter }
    : options.adapters && { ...options.adapters };
  const auth = options.auth === undefined ? undefined : checkedAuth("auth", options.auth);
  const cookies = options.cookies === undefined
    ? undefined
    : checkedCookies("cookies", options.cookies);
  const fetchOptions = options.fetchOptions === undefined
    ? undefined
    : checkedFetchOptions("fetchOptions", options.fetchOptions);
  const headers = options.headers === undefined ? {} : checkedHeaders(options.headers);
  const agent = userAgent(settings);
  const http = new HttpSession({
    auth,
    cookies: cookies?.store,
    fetch: options.fetch,
    adapters,
    headers: { "user-agent": agent, ...headers },
  });
  const isShared = origin !== undefined || session !== undefined;
  const connection = connectionOf(options, statics);
  // Reports a mistake here, and not when the HTTP session is first used.
  (isShared ? new HttpSession() : http).setConnection(connection);
  const sessionAgent = isShared ? origin?.sessionAgent : agent;
  const inherited: Partial<Settings> = origin?.settings ?? {};
  return {
    settings: Object.freeze({
      ...settings,
      redactFields: [...inherited.redactFields ?? [], ...settings.redactFields],
      userAgent: sessionAgent === agent ? undefined : agent,
      headers: isShared ? { ...inherited.headers, ...headers } : undefined,
      // Named cookies belong to the calls, a store to the HTTP session.
      cookies: cookies === undefined
        ? inherited.cookies
        : mergeCookies(isShared ? cookies : { ...cookies, store: undefined }, inherited.cookies),
      fetchOptions: fetchOptions === undefined
        ? inherited.fetchOptions
        : { ...inherited.fetchOptions, ...fetchOptions },
      ...(isShared && {
        auth: auth === undefined ? inherited.auth : auth,
        fetch: options.fetch ?? inherited.fetch,
        adapters: adapters === undefined
          ? inherited.adapters
          : lookupOver(checkedAdapters("adapters", adapters), inherited.adapters),
      }),
      // Each session that shares an HTTP session decides on its own if TLS is verified.
      verify: origin === undefined
        ? session && connection.sslVerify
        : options.sslVerify ?? origin.settings.verify,
    }),
    http,
    adapter,
    adapterPath: mountPath,
    connection,
    sessionAgent,
  };
}

/**
 * Resolves the settings that do not depend on the HTTP session.
 *
 * @param options The options
 * @param statics The class
 * @param base The base of its URLs
 * @throws {UnexpectedValueError} If an option is not valid; the error names the first one
 */
export function resolveSettings(
  options: ServiceOptions,
  statics: ClassDefaults,
  { url, basePath, generation: { baseUrl: option } }: BaseOptions,
): Settings {
  const split = splitUrl(url, option);
  if (/[?#]/.test(split.url)) {
    throw new UnexpectedValueError(option, "a URL without a query or a fragment", url);
  }
  const base = withoutSlashes(split.url);
  const settings = mergeLevels(options, statics);
  const { trustedOrigins = statics.trustedOrigins } = options;
  return {
    ...settings,
    base,
    prefix: withoutSlashes(joinPath(base, basePath)),
    useBase: true,
    credentials: split.authorization,
    libName: statics.libName,
    libVersion: statics.libVersion,
    // Null disables the timeout of the HTTP session; the default of the class does not.
    timeout: options.timeout === null ? null : settings.timeout ?? undefined,
    trust: credentialPolicy(
      base,
      checkedTexts("trustedOrigins", trustedOrigins ?? []).map(checkedOrigin),
      checkedHeaderNames("crossOriginHeaders", statics.crossOriginHeaders),
    ),
    params: checkedClientParams(options.params, settings.paramsStyle),
    signal: checkedSignal("signal", options.signal),
    errorMap: {
      ...checkedErrorMap("baseErrorMap", statics.baseErrorMap),
      ...settings.errorMap,
    },
    restrictedPaths: checkedTexts("restrictedPaths", statics.restrictedPaths).map(barePath),
    clock: checkedClock("clock", options.clock) ?? systemClock,
  };
}

/** Merges the options of a client over the statics of its class. */
function mergeLevels(options: ServiceOptions, statics: object): Settings {
  const settings: Record<string, unknown> = {};
  for (const [name, { levels, check, merge }] of Object.entries(definitions)) {
    if (check === undefined || !levels.includes("class")) continue;
    const ofClass: unknown = Reflect.get(statics, name);
    const ofClient = levels.includes("client") ? options[name as keyof ServiceOptions] : undefined;
    const below: unknown = ofClient === undefined || merge ? check(name, ofClass) : undefined;
    if (ofClient === undefined) settings[name] = below;
    else {
      const above = check(name, ofClient);
      settings[name] = merge === undefined ? above : merge(above as never, below as never);
    }
  }
  return settings as unknown as Settings;
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
    const { check, merge, isForFetch, isBody } = callDefinitions.get(name) ?? definitionOf(name);
    const value = options[name as keyof RequestOptions];
    if (value === undefined) continue;
    if (isBody) hasBody = true;
    if (isForFetch) (fetchInit ??= {})[name] = value;
    if (check === undefined) continue;
    own ??= { ...settings };
    const above = check(name, value);
    own[name] = merge === undefined ? above : merge(above as never, own[name] as never);
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
 * Returns the row of a request option.
 *
 * @throws {UnexpectedValueError} If there is no request option of this name
 */
export function definitionOf(name: string): Definition {
  const definition = callDefinitions.get(name);
  if (definition !== undefined) return definition;
  const names = [...callDefinitions.keys()].sort();
  throw new UnexpectedValueError(name, `one of ${names.join(", ")}`);
}

/**
 * Returns the options of a session or client that `withOptions` derives from another one.
 *
 * @param options The options of the other one
 * @param changes The changes; undefined changes nothing
 */
export function derivedOptions(options: ServiceOptions, changes: ServiceOptions): ServiceOptions {
  const derived: Record<string, unknown> = { ...options };
  for (const [name, definition] of Object.entries(definitions)) {
    if (definition.derived === "not set again") derived[name] = undefined;
  }
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || name === "session") continue;
    if (Object.hasOwn(definitions, name) && definitions[name as OptionName].derived === "fixed") {
      const expected =
        "left out, because a copy shares the connections of its original; create another one with new";
      throw new UnexpectedValueError(name, expected, value);
    }
    derived[name] = name === "params" ? mergeParams(value, options.params) : value;
  }
  return derived;
}

/**
 * Rejects options that neither the toolkit nor the class declares (contract, Errors, rule 6).
 *
 * @param options The options of the constructor
 * @param service The class; its `optionNames` and those of its ancestors are declared
 * @param generation The generation, which has options of its own
 * @throws {UnexpectedValueError} If there are unknown options; the error lists them
 */
export function rejectUnknownOptions(
  options: object,
  service: object,
  { ownOptions }: Generation,
): void {
  const known = new Set([...optionNames("client"), ...ownOptions, ...declaredNames(service)]);
  const unknown = Object.keys(options).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new UnexpectedValueError(unknown.join(", "), `one of ${[...known].sort().join(", ")}`);
}

/** Returns the option names that a class and its ancestors declare. */
function declaredNames(service: object): string[] {
  if (!("optionNames" in service)) return [];
  const own = checkedTexts("optionNames", service.optionNames);
  return [...own, ...declaredNames(Object.getPrototypeOf(service))];
}

/**
 * Checks that a value is an HTTP session.
 *
 * @param option The name of the option in the error
 * @param expected The expected value, as a noun phrase
 * @param session The value
 */
export function checkedSession(option: string, expected: string, session: unknown): HttpSession {
  if (session instanceof HttpSession) return session;
  throw new UnexpectedValueError(option, expected, session);
}

/** Checks a base path, an option of the first generation. */
export function checkedBasePath(basePath: unknown): string {
  const text = checkedText("basePath", basePath);
  if (!/[?#]/.test(text) && !escapesBase(withoutSlashes(text))) return text;
  const expected =
    "a path without a query or a fragment, which must not lead above the base URL through dot segments (..)";
  throw new UnexpectedValueError("basePath", expected, basePath);
}

/** Checks an origin. A path would look like a limit that it is not. */
function checkedOrigin(origin: string, index: number): string {
  const option = `trustedOrigins[${index}]`;
  const { url, authorization } = splitUrl(origin, option);
  if (authorization === undefined && url === `${new URL(url).origin}/`) return url;
  const expected = "an origin: a scheme and a host, without credentials and path";
  throw new UnexpectedValueError(option, expected, origin);
}

function lookupOver(
  above: NonNullable<Settings["adapters"]>,
  below: Settings["adapters"],
): Settings["adapters"] {
  return (url) => above(url) ?? below?.(url);
}

function connectionOf(options: ServiceOptions, statics: ClassDefaults): ConnectionOptions {
  const { proxies = statics.proxies, cert = statics.cert, ca = statics.ca } = options;
  // The default of the class, to verify, does not change an HTTP session that is passed in.
  const { sslVerify = statics.sslVerify === true ? undefined : statics.sslVerify } = options;
  return { proxies, cert, ca, sslVerify };
}
