/** Checks the options of a session or client, and merges them over the statics of its class. */
import { isOfCopy } from "../base/foreign_objects.ts";
import {
  checkedClock,
  checkedFunction,
  checkedSignal,
  checkedText,
  checkedTexts,
} from "../base/checks.ts";
import { systemClock } from "../base/clock.ts";
import { optionHint } from "../errors/option_hints.ts";
import { UnexpectedValueError, withHint } from "../errors/unexpected_value_error.ts";
import type { Generation } from "./generation.ts";
import type { Auth } from "../http/auth.ts";
import { credentialPolicy } from "../http/credentials.ts";
import { checkedHeaders } from "../http/headers.ts";
import { HttpSession, type HttpSessionOptions } from "../http/http_session.ts";
import type { ConnectionOptions } from "../http/transport/port.ts";
import type { Logger } from "../log/logger.ts";
import { checkedPrefix, type Transport } from "../http/transport.ts";
import { escapesBase, joinPath, splitUrl, withoutSlashes } from "../http/url.ts";
import { checkedClientParams, overlayParams } from "../content/params.ts";
import { userAgent } from "../content/user_agent.ts";
import { type ClassDefaults, type ClassSettings, settingsOfClass } from "./class_settings.ts";
import { type Definition, definitions, type OptionName } from "./definitions.ts";
import { mergeSetting, type Settings } from "./settings.ts";
import type { ClientBaseOptions } from "./client_options.ts";

/**
 * The base of a session's URLs. The two generations have different options for it.
 *
 * @internal
 */
export interface UrlBase {
  /** The generation. */
  readonly generation: Generation;
  /** The base URL, as it was passed. */
  readonly url: unknown;
  /** The path between the base URL and that of a request. */
  readonly basePath: string;
  /** Other origins that get the credentials, unless the option sets them; undefined for the static. */
  readonly trustedOrigins?: readonly string[] | undefined;
}

/** The checked options of a session or client, merged over its class's statics. */
export interface ResolvedClient {
  /** The settings. */
  readonly settings: Settings;
  /** The logger. It is not a setting, because `_log` may be overridden. */
  readonly logger: Logger;
  /** The options of its own HTTP session; undefined if it shares another one. */
  readonly http: HttpSessionOptions | undefined;
  /** Its own scheme, which is closed with it. */
  readonly auth: Auth | null | undefined;
  /** The adapter. */
  readonly adapter: Transport | undefined;
  /** The URL prefix of the adapter; empty without an adapter. */
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
  options: ClientBaseOptions,
  statics: ClassDefaults,
  base: UrlBase,
  origin: ResolvedClient | undefined,
): ResolvedClient {
  const ofClass = settingsOfClass(statics, options);
  const settings = resolveSettings(options, statics, base, ofClass);
  const { session } = options;
  if (session !== undefined) checkedSession("session", "an HttpSession", session);
  const { adapter, adapterPath, adapters } = resolveAdapters(
    options,
    statics,
    () => joinPath(settings.base, base.basePath),
    origin,
  );
  const { ownHeaders, fetchOptions, cookies, ...others } = mergeShared(
    options,
    adapters,
    origin?.settings ?? {},
  );
  const { auth, fetch } = others;
  const agent = agentOf(settings, ofClass);
  const headers = agent === ofClass.agent && ownHeaders === undefined
    ? ofClass.headers
    : { "user-agent": agent, ...ownHeaders };
  const isShared = origin !== undefined || session !== undefined;
  const connection = connectionOf(options, statics);
  if (connection !== unchanged) {
    // Reports a mistake here, and not when the HTTP session is first used.
    new HttpSession({ fetch: isShared ? undefined : fetch }).setConnection(connection);
  }
  const sessionAgent = isShared ? origin?.sessionAgent : agent;
  return {
    settings: {
      ...settings,
      userAgent: sessionAgent === agent ? undefined : agent,
      fetchOptions,
      // A shared HTTP session does not change: each call merges these over it.
      ...(isShared ? { ...others, cookies } : {
        cookies: cookies && { ...cookies, storage: undefined },
      }),
      // Each session that shares an HTTP session decides on its own if TLS is verified.
      verify: origin === undefined
        ? session && connection.sslVerify
        : options.sslVerify ?? origin.settings.verify,
      logger: undefined,
    },
    logger: settings.logger ?? ofClass.logger,
    http: isShared ? undefined : { auth, cookies: cookies?.storage, fetch, adapters, headers },
    auth,
    adapter,
    adapterPath,
    connection,
    sessionAgent,
  };
}

/** The adapter of a client, and all adapters that its requests use. */
interface ResolvedAdapters extends Pick<ResolvedClient, "adapter" | "adapterPath"> {
  /** The adapters by URL prefix. The adapter of an original is mounted on its HTTP session already. */
  readonly adapters: Readonly<Record<string, Transport>> | undefined;
}

/** Checks the adapters of a session or client. The default prefix is its base URL with its path. */
function resolveAdapters(
  options: ClientBaseOptions,
  statics: ClassDefaults,
  defaultPath: () => string,
  origin: ResolvedClient | undefined,
): ResolvedAdapters {
  const { adapter = statics.adapter, adapterPath: given = statics.adapterPath } = options;
  checkedFunction("adapter", adapter);
  if (given !== undefined) checkedPrefix("adapterPath", given);
  const adapters = options.adapters && { ...options.adapters };
  if (adapter === undefined) return { adapter, adapterPath: "", adapters };
  const adapterPath = given ?? defaultPath();
  const isMountedHere = origin !== undefined &&
    (options.adapter !== undefined || adapterPath !== origin.adapterPath);
  return {
    adapter,
    adapterPath,
    adapters: isMountedHere ? { ...adapters, [adapterPath]: adapter } : adapters,
  };
}

/** Merges the options that calls merge over a shared HTTP session over those of the original. */
function mergeShared(
  options: ClientBaseOptions,
  adapters: ResolvedAdapters["adapters"],
  inherited: Partial<Settings>,
) {
  const merged = <K extends "auth" | "cookies" | "fetch" | "fetchOptions">(name: K) =>
    mergeSetting(name, options[name], inherited[name]);
  const ownHeaders = options.headers === undefined ? undefined : checkedHeaders(options.headers);
  return {
    ownHeaders,
    headers: { ...inherited.headers, ...ownHeaders },
    cookies: merged("cookies"),
    auth: merged("auth"),
    fetch: merged("fetch"),
    fetchOptions: merged("fetchOptions"),
    adapters: mergeSetting("adapters", adapters, inherited.adapters),
  };
}

/**
 * Resolves the settings that do not depend on the HTTP session.
 *
 * @param options The options
 * @param statics The class
 * @param base The base of its URLs
 * @param ofClass The settings of the class
 * @throws {UnexpectedValueError} If an option is not valid; the error names the first one
 */
export function resolveSettings(
  options: ClientBaseOptions,
  statics: ClassDefaults,
  base: UrlBase,
  ofClass: ClassSettings = settingsOfClass(statics, options),
): Settings {
  const urls = urlsOf(options, statics, base, ofClass);
  const settings = mergeLevels(options, ofClass.settings);
  return {
    ...settings,
    base: urls.base,
    prefix: urls.prefix,
    credentials: urls.credentials,
    trust: urls.trust,
    useBase: true,
    waitsForReset: base.generation.waitsForReset,
    // Null disables the timeout of the HTTP session; the default of the class does not.
    timeout: settings.timeout ?? (options.timeout === undefined ? undefined : null),
    params: checkedClientParams(options.params, settings.paramsStyle),
    signal: checkedSignal("signal", options.signal),
    clock: checkedClock("clock", options.clock) ?? systemClock,
  };
}

/** The settings that follow from the base URL. */
type UrlSettings = Pick<Settings, "base" | "prefix" | "credentials" | "trust">;

/** The settings that follow from the base URL of a class, and all that they depend on. */
interface ClassUrls extends UrlSettings {
  readonly sources: readonly unknown[];
}

const urlsByClass = new WeakMap<ClassSettings, ClassUrls>();

/**
 * Returns the settings that follow from the base URL. Clients share those of a base URL that is a static
 * of their class. Any other one may contain a secret, also in its path, and is not kept longer than
 * its client.
 */
function urlsOf(
  options: ClientBaseOptions,
  statics: ClassDefaults,
  { url, basePath, trustedOrigins: defaultOrigins, generation: { baseUrl: option } }: UrlBase,
  ofClass: ClassSettings,
): UrlSettings {
  const { trustedOrigins = defaultOrigins ?? statics.trustedOrigins } = options;
  if (url === undefined || url === "") throw missingUrl(option, url, options, statics);
  const origins = checkedTexts("trustedOrigins", trustedOrigins ?? []);
  const sources = [url, basePath, ...origins];
  const known = urlsByClass.get(ofClass);
  if (
    known?.sources.length === sources.length &&
    known.sources.every((source, index) => source === sources[index])
  ) return known;
  const { url: full, authorization: credentials } = splitUrl(url, option);
  if (/[?#]/.test(full)) {
    throw new UnexpectedValueError(option, "a URL without a query or a fragment", url);
  }
  const base = withoutSlashes(full);
  const prefix = basePath === "" ? base : withoutSlashes(joinPath(base, basePath));
  const trust = credentialPolicy(base, origins.map(checkedOrigin), ofClass.crossOriginHeaders);
  const urls: UrlSettings = { base, prefix, credentials, trust };
  const isOfClass = url === Reflect.get(statics, option) &&
    basePath === (Reflect.get(statics, "basePath") ?? "");
  if (isOfClass) urlsByClass.set(ofClass, { ...urls, sources });
  return urls;
}

/** Returns the error for a base URL that is missing. */
function missingUrl(
  option: string,
  url: unknown,
  options: ClientBaseOptions,
  statics: ClassDefaults,
): UnexpectedValueError {
  const expected =
    `set, as the option "${option}", or in the class with "static override readonly ` +
    `${option}: string = …" (a field that is not static has no effect)`;
  // The name of the other generation, or of another library, as an option or a static.
  const other = [...Object.keys(options), ...Object.keys(statics)]
    .find((name) => name !== option && optionHint(name, [option]) !== undefined);
  const actual = other === undefined ? url : withHint(url, `Write "${option}" for "${other}"`);
  return new UnexpectedValueError(option, expected, actual);
}

/** The options of a client that replace a static, or are merged over it. */
const ownSettings = Object.entries<Definition>(definitions)
  .filter(([, { check, levels }]) =>
    check !== undefined && levels.includes("class") && levels.includes("client")
  )
  .map(([name]) => name as keyof ClientBaseOptions);

/** Merges the options of a client over the settings of its class. */
function mergeLevels(options: ClientBaseOptions, ofClass: Settings): Settings {
  const settings: Record<string, unknown> = { ...ofClass };
  for (const name of ownSettings) {
    const value = options[name];
    if (value !== undefined) settings[name] = mergeSetting(name, value, settings[name]);
  }
  return settings as unknown as Settings;
}

/** Returns the User-Agent of a client. */
function agentOf(settings: Settings, { settings: usual, agent }: ClassSettings): string {
  const { vendor, product, build } = settings;
  const isUsual = vendor === usual.vendor && product === usual.product && build === usual.build;
  return isUsual ? agent : userAgent(settings);
}

/**
 * Returns the options of a session or client that `withOptions` derives from another one.
 *
 * @param options The options of the other one
 * @param changes The changes; undefined changes nothing
 */
export function derivedOptions(
  options: ClientBaseOptions,
  changes: ClientBaseOptions,
): ClientBaseOptions {
  const derived: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (definitionOf(name)?.derived !== "not set again") derived[name] = value;
  }
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    const definition = definitionOf(name);
    if (definition?.derived === "fixed" || name === "session") {
      const expected =
        "left out, because a copy shares the connections of its original; create another one with new";
      throw new UnexpectedValueError(name, expected, value);
    }
    const before = derived[name];
    if (name === "params") derived[name] = overlayParams(value, options.params);
    else if (definition?.merge && before !== undefined) {
      derived[name] = mergeSetting(name, value, before);
    } else derived[name] = value;
  }
  return derived;
}

function definitionOf(name: string): Definition | undefined {
  return Object.hasOwn(definitions, name) ? definitions[name as OptionName] : undefined;
}

/**
 * Returns the options of a copy with a base URL of another origin. Those that may contain credentials
 * do not follow, nor does the HTTP session with its cookies.
 *
 * @param options The options of the original
 * @param changes The changes; undefined changes nothing
 * @param credentials The names of the class's own options with credentials
 */
export function optionsForOtherOrigin(
  options: ClientBaseOptions,
  changes: ClientBaseOptions,
  credentials: readonly string[],
): ClientBaseOptions {
  const { auth: _a, cookies: _c, headers: _h, params: _p, session: _s, ...rest } = options;
  const others = { ...rest, ...Object.fromEntries(credentials.map((name) => [name, undefined])) };
  const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...others, ...Object.fromEntries(changed) };
}

/** The members of an HTTP session that a call uses. */
const sessionMembers = [
  "auth",
  "cookieHeader",
  "headers",
  "keepCookies",
  "timeout",
  "transportFor",
];

/**
 * Checks that a value is an HTTP session, also one of another copy of the toolkit.
 *
 * @param option The name of the option in the error
 * @param expected The expected value, as a noun phrase
 * @param session The value
 */
export function checkedSession(option: string, expected: string, session: unknown): HttpSession {
  if (session instanceof HttpSession || isOfCopy(session, "HttpSession", sessionMembers)) {
    return session as HttpSession;
  }
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

/** The connection options of a client that sets none. */
const unchanged: ConnectionOptions = {
  proxies: undefined,
  cert: undefined,
  ca: undefined,
  sslVerify: undefined,
};

function connectionOf(options: ClientBaseOptions, statics: ClassDefaults): ConnectionOptions {
  const { proxies = statics.proxies, cert = statics.cert, ca = statics.ca } = options;
  // The default of the class, to verify, does not change an HTTP session that is passed in.
  const { sslVerify = statics.sslVerify === true ? undefined : statics.sslVerify } = options;
  const connection = { proxies, cert, ca, sslVerify };
  return Object.values(connection).every((each) => each === undefined) ? unchanged : connection;
}
