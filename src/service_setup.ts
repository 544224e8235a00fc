import { checkedFunction, checkedHeaderText } from "./checks.ts";
import type { EngineDefaults } from "./engine/engine_options.ts";
import { type BaseAddress, type EngineSettings, readSettings } from "./engine/settings.ts";
import { type AgentOptions, userAgent } from "./engine/user_agent.ts";
import { checkedPrefix } from "./http/adapters.ts";
import { type CookieStore, isCookieStore } from "./http/cookie_store.ts";
import { type HeaderOverlay, headerOverlay } from "./http/headers.ts";
import { HttpSession } from "./http/http_session.ts";
import { cookiePairs } from "./http/named_cookies.ts";
import type { Overlay, OverlayOptions } from "./http/overlay.ts";
import type { ConnectionOptions } from "./http/transport/port.ts";
import type { Transport } from "./http/transport.ts";
import { onDemand } from "./on_demand.ts";
import { detectRuntime } from "./runtime.ts";
import { checkSession, type ServiceOptions } from "./service_options.ts";

const overlays = onDemand(() => import("./http/overlay.ts"));

/** What a session or client is made of: its options over its class's statics, checked. */
export interface Setup {
  /** What its engine works by. */
  readonly settings: EngineSettings;
  /** The HTTP session of its own; where it shares another's, what it would have been made of. */
  readonly http: HttpSession;
  /** Carries the requests below `adapterPath` in place of fetch. */
  readonly adapter: Transport | undefined;
  /** The URL prefix of the adapter. */
  readonly adapterPath: string;
  /** Gives what is laid over an HTTP session that is shared; undefined where nothing is. */
  readonly overlay: (() => Promise<Overlay | undefined>) | undefined;
  /** Headers that are laid over those of an HTTP session that is shared. */
  readonly headers: HeaderOverlay | undefined;
  /** How servers are reached; what is undefined is as the HTTP session has it. */
  readonly connection: ConnectionOptions;
  /** The User-Agent. */
  readonly agent: string;
  /** The User-Agent of one call; undefined where it has none of its own. */
  readonly agentFor: (options: AgentOptions) => string | undefined;
}

/** The statics of a class that an option of the same name overrides, and two more. */
export interface ServiceDefaults extends EngineDefaults, ConnectionOptions {
  /** The vendor of the integration. */
  readonly vendor: string;
  /** The product of the integration. */
  readonly product: string;
  /** The build of the integration. */
  readonly build: string;
  /** The SDK's name, by the class alone. */
  readonly libName: string;
  /** The SDK's version, by the class alone. */
  readonly libVersion: string;
  /** The transport in place of fetch. */
  readonly adapter: Transport | undefined;
  /** The URL prefix of the adapter. */
  readonly adapterPath: string | undefined;
}

/** What surrounds the making of a session or client. */
export interface SetupContext {
  /** Where its paths begin. */
  readonly address: BaseAddress;
  /** What the one is made of that it is derived from, whose HTTP session it shares. */
  readonly origin: Setup | undefined;
}

/**
 * Checks what a session or client is made of.
 *
 * @param options The options; what is undefined is taken from the class
 * @param defaults The class's statics
 * @param context What surrounds it
 * @throws {UnexpectedValueError} Names the first option that is not what was expected
 */
export function readSetup(
  options: ServiceOptions,
  defaults: ServiceDefaults,
  { address, origin }: SetupContext,
): Setup {
  checkSession(options.session);
  const settings = readSettings(options, defaults, address);
  const { adapter = defaults.adapter, adapterPath: path = defaults.adapterPath } = options;
  const adapterPath = path === undefined
    ? `${settings.base}/${String(address.basePath).replace(/^\/+/, "")}`
    : checkedPrefix("adapterPath", path);
  const isShared = origin !== undefined || options.session !== undefined;
  const { auth, cookies, fetch, headers } = options;
  const adapters = options.adapters === undefined ? undefined : { ...options.adapters };
  // Cookies that are named belong to the calls; the rest is the HTTP session's own.
  const named = namedCookies(cookies);
  const store = named === undefined ? cookies as CookieStore | null | undefined : undefined;
  const http = new HttpSession({ auth, cookies: store, fetch, adapters, headers });
  const connection = origin === undefined ? connectionOf(options, defaults) : origin.connection;
  // A mistake is told of by the constructor, long before the HTTP session is asked for.
  (isShared ? new HttpSession() : http).setConnection(connection);
  // What the HTTP session has from the other is mounted on the other's prefix.
  const isMounted = origin !== undefined && adapter !== undefined &&
    (options.adapter !== undefined || adapterPath !== origin.adapterPath);
  const laid = headers === undefined ? undefined : headerOverlay(headers);
  return {
    settings,
    http,
    adapter: checkedFunction("adapter", adapter),
    adapterPath,
    overlay: overlayOf(
      isShared ? { auth, cookies: named ?? cookies, fetch, adapters } : { cookies: named },
      origin?.overlay,
      isMounted ? [adapterPath, adapter] : undefined,
    ),
    headers: isShared ? headersOver(origin?.headers, laid) : undefined,
    connection,
    agent: agentOf(options, defaults),
    agentFor({ vendor, product, build }) {
      if (vendor === undefined && product === undefined && build === undefined) return undefined;
      const own = {
        vendor: vendor === undefined ? options.vendor : vendor,
        product: product === undefined ? options.product : product,
        build: build === undefined ? options.build : build,
      };
      return agentOf(own, defaults);
    },
  };
}

/** What is laid over an HTTP session that is shared, made when it is first asked for. */
function overlayOf(
  options: OverlayOptions,
  below: Setup["overlay"],
  mounted: readonly [prefix: string, adapter: Transport] | undefined,
): Setup["overlay"] {
  const isSilent = Object.values(options).every((value) => value === undefined);
  if (isSilent && mounted === undefined) return below;
  let overlay: Promise<Overlay | undefined> | undefined;
  const make = async () => {
    const { readOverlay, withAdapter } = await overlays();
    const made = readOverlay(options, await below?.());
    return mounted === undefined ? made : withAdapter(made, ...mounted);
  };
  return () =>
    overlay ??= make().catch((error) => {
      overlay = undefined; // what could not be loaded is tried again
      throw error;
    });
}

/** Cookies by their names, copied; undefined where they are none, or a place to keep them. */
function namedCookies(
  cookies: OverlayOptions["cookies"],
): Readonly<Record<string, string>> | undefined {
  if (cookies === undefined || cookies === null || isCookieStore(cookies)) return undefined;
  cookiePairs(cookies); // names what is wrong with them
  return { ...cookies };
}

/** Headers laid over others. */
function headersOver(
  below: HeaderOverlay | undefined,
  above: HeaderOverlay | undefined,
): HeaderOverlay | undefined {
  return below === undefined || above === undefined ? above ?? below : { ...below, ...above };
}

function connectionOf(options: ServiceOptions, defaults: ServiceDefaults): ConnectionOptions {
  const { proxies = defaults.proxies, cert = defaults.cert, ca = defaults.ca } = options;
  // A class that verifies, as every class does by default, leaves it to a ready-made session.
  const { sslVerify = defaults.sslVerify === true ? undefined : defaults.sslVerify } = options;
  return { proxies, cert, ca, sslVerify };
}

function agentOf(options: AgentOptions, defaults: ServiceDefaults): string {
  const { vendor = defaults.vendor, product = defaults.product, build = defaults.build } = options;
  const { libName, libVersion } = defaults;
  const parts = { vendor, product, build, libName, libVersion };
  for (const [name, value] of Object.entries(parts)) checkedHeaderText(name, value);
  return userAgent(parts, detectRuntime());
}
