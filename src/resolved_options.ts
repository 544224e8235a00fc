import { checkedFunction } from "./checks.ts";
import type { EngineDefaults } from "./engine/engine_options.ts";
import { type EngineSettings, resolveSettings } from "./engine/settings.ts";
import { joinPath } from "./engine/url.ts";
import { type SdkParts, userAgent } from "./engine/user_agent.ts";
import type { Generation } from "./generation.ts";
import { checkedPrefix } from "./http/adapters.ts";
import { type CookieStore, isCookieStore } from "./http/cookie_store.ts";
import { checkedFetchOptions } from "./http/fetch_options.ts";
import { checkedHeaders, type HeaderOverrides } from "./http/headers.ts";
import { HttpSession } from "./http/http_session.ts";
import { cookiePairs } from "./http/named_cookies.ts";
import { type OverrideOptions, resolveOverrides } from "./http/overrides.ts";
import type { ConnectionOptions } from "./http/transport/port.ts";
import type { Transport } from "./http/transport.ts";
import { checkedSession, type ServiceOptions } from "./service_options.ts";

/** What a session or client is made of: its options over its class's statics, checked. */
export interface ResolvedOptions {
  /** What its engine works by. */
  readonly settings: EngineSettings;
  /** The HTTP session of its own; where it shares another's, what it would have been made of. */
  readonly http: HttpSession;
  /** Carries the requests below `adapterPath` in place of fetch. */
  readonly adapter: Transport | undefined;
  /** The URL prefix of the adapter. */
  readonly adapterPath: string;
  /** How servers are reached; what is undefined is as the HTTP session has it. */
  readonly connection: ConnectionOptions;
  /** The User-Agent that its HTTP session has; undefined where that was made by somebody else. */
  readonly maker: string | undefined;
  /** Headers that are ownHeaders over those of an HTTP session that is shared. */
  readonly headers: HeaderOverrides | undefined;
}

/** Where a session or client begins, which the two generations give by other names. */
export interface BaseOptions {
  /** The generation. */
  readonly generation: Generation;
  /** The base URL, as it was given. */
  readonly url: unknown;
  /** The path between the base URL and that of a request, as it was given. */
  readonly basePath: string;
}

/** The statics of a class that an option of the same name overrides, and two more. */
export interface ServiceDefaults extends EngineDefaults, ConnectionOptions, SdkParts {
  /** The transport in place of fetch. */
  readonly adapter: Transport | undefined;
  /** The URL prefix of the adapter. */
  readonly adapterPath: string | undefined;
}

/**
 * Checks what a session or client is made of.
 *
 * @param options The options; what is undefined is taken from the class
 * @param defaults The class's statics
 * @param base Where it begins
 * @param origin What the one is made of that it is derived from, whose HTTP session it shares
 * @throws {UnexpectedValueError} Names the first option that is not what was expected
 */
export function resolveOptions(
  options: ServiceOptions,
  defaults: ServiceDefaults,
  base: BaseOptions,
  origin: ResolvedOptions | undefined,
): ResolvedOptions {
  const { session, auth, cookies, fetch, headers = {} } = options;
  const fetchOptions = checkedFetchOptions(options.fetchOptions);
  if (session !== undefined) checkedSession("session", "an HttpSession", session);
  const own = resolveSettings(options, defaults, base);
  const { adapter = defaults.adapter, adapterPath: path = defaults.adapterPath } = options;
  checkedFunction("adapter", adapter);
  const adapterPath = path === undefined
    ? joinPath(own.base, base.basePath)
    : checkedPrefix("adapterPath", path);
  const isShared = origin !== undefined || session !== undefined;
  // What the HTTP session has from the other is mounted on the other's prefix.
  const isMounted = origin !== undefined && adapter !== undefined &&
    (options.adapter !== undefined || adapterPath !== origin.adapterPath);
  const adapters = isMounted
    ? { ...options.adapters, [adapterPath]: adapter }
    : options.adapters && { ...options.adapters };
  // Cookies that are named belong to the calls; the rest is the HTTP session's own.
  const named = namedCookies(cookies);
  const store = named === undefined ? cookies as CookieStore | null | undefined : undefined;
  const agent = userAgent(own, defaults);
  const ownHeaders = checkedHeaders(headers);
  const ofHttpSession = { auth, cookies: store, fetch, adapters };
  const http = new HttpSession({
    ...ofHttpSession,
    headers: { "user-agent": agent, ...ownHeaders },
  });
  // Of a name and a password it has made a scheme.
  const ownOverrides = isShared && { ...ofHttpSession, auth: auth && http.auth };
  const connection = connectionOf(options, defaults);
  // A mistake is told of by the constructor, long before the HTTP session is asked for.
  (isShared ? new HttpSession() : http).setConnection(connection);
  // The HTTP session has the User-Agent of the one that made it: others lay theirs over it.
  const maker = isShared ? origin?.maker : agent;
  const renamed = maker === agent ? undefined : agent;
  const shared = isShared ? { ...origin?.headers, ...ownHeaders } : undefined;
  return {
    settings: {
      ...own,
      redactFields: [...origin?.settings.redactFields ?? [], ...own.redactFields],
      headersFor({ vendor, product, build }) {
        const isNamed = vendor !== own.vendor || product !== own.product || build !== own.build;
        const other = isNamed ? userAgent({ vendor, product, build }, defaults) : renamed;
        return other === undefined ? shared : { "user-agent": other, ...shared };
      },
      overrides: overridesOf(
        { ...ownOverrides, ...(named && { cookies: named }), fetchOptions },
        origin?.settings.overrides,
      ),
      // The one that shares an HTTP session verifies in its own way; what makes one sets it there.
      verify: origin === undefined
        ? session && connection.sslVerify
        : options.sslVerify ?? origin.settings.verify,
    },
    http,
    adapter,
    adapterPath,
    connection,
    maker,
    headers: shared,
  };
}

/** Resolves the options that override those of a shared HTTP session. */
function overridesOf(
  options: OverrideOptions,
  below: EngineSettings["overrides"],
): EngineSettings["overrides"] {
  if (Object.values(options).every((value) => value === undefined)) return below;
  return resolveOverrides(options, below);
}

/** Cookies by their names, copied; undefined where they are none, or a place to keep them. */
function namedCookies(
  cookies: OverrideOptions["cookies"],
): Readonly<Record<string, string>> | undefined {
  if (cookies === undefined || cookies === null || isCookieStore(cookies)) return undefined;
  cookiePairs(cookies); // names what is wrong with them
  return { ...cookies };
}

function connectionOf(options: ServiceOptions, defaults: ServiceDefaults): ConnectionOptions {
  const { proxies = defaults.proxies, cert = defaults.cert, ca = defaults.ca } = options;
  // A class that verifies, as every class does by default, leaves it to a ready-made session.
  const { sslVerify = defaults.sslVerify === true ? undefined : defaults.sslVerify } = options;
  return { proxies, cert, ca, sslVerify };
}
