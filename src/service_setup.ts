import { Routes } from "#transport";
import { checkedFunction, checkedHeaderText } from "./checks.ts";
import type { RequestOptions } from "./engine/request_options.ts";
import type { EngineDefaults } from "./engine/engine_options.ts";
import { type BaseAddress, type EngineSettings, readSettings } from "./engine/settings.ts";
import { type AgentOptions, userAgent } from "./engine/user_agent.ts";
import { Adapters, checkedPrefix } from "./http/adapters.ts";
import { type HeaderOverlay, headerOverlay } from "./http/headers.ts";
import { HttpSession } from "./http/http_session.ts";
import { type Overlay, readOverlay } from "./http/overlay.ts";
import type { ConnectionOptions } from "./http/transport/port.ts";
import type { Transport } from "./http/transport.ts";
import { detectRuntime } from "./runtime.ts";
import { checkSession, type ServiceOptions } from "./service_options.ts";

/** What a session or client is made of: its options over its class's statics, checked. */
export interface Setup {
  /** What its engine works by. */
  readonly settings: EngineSettings;
  /** Makes the HTTP session where none was passed in. */
  readonly makeSession: () => HttpSession;
  /** Carries the requests below `adapterPath` in place of fetch. */
  readonly adapter: Transport | undefined;
  /** The URL prefix of the adapter. */
  readonly adapterPath: string;
  /** What is laid over an HTTP session that is shared. */
  readonly overlay: Overlay | undefined;
  /** Headers that are laid over those of an HTTP session that is shared. */
  readonly headers: HeaderOverlay | undefined;
  /** How servers are reached; what is undefined is as the HTTP session has it. */
  readonly connection: ConnectionOptions;
  /** The User-Agent. */
  readonly agent: string;
  /** The User-Agent of one call; undefined where it has none of its own. */
  readonly agentFor: (options: RequestOptions) => string | undefined;
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
  const overlay = readOverlay(options, origin?.overlay);
  // What the HTTP session has from the other is mounted on the other's prefix.
  const isLaid = origin !== undefined && adapter !== undefined &&
    (options.adapter !== undefined || adapterPath !== origin.adapterPath);
  const headers = options.headers === undefined ? undefined : headerOverlay(options.headers);
  const adapters = { ...options.adapters };
  return {
    settings,
    makeSession() {
      // Cookies that are named belong to the calls; the rest is the HTTP session's own.
      const { auth, cookieStore: cookies, fetch } = overlay ?? nothingLaid;
      return new HttpSession({ auth, cookies, fetch, adapters, headers });
    },
    adapter: checkedFunction("adapter", adapter),
    adapterPath,
    overlay: isLaid
      ? withAdapter(overlay, adapterPath, adapter)
      : isShared || overlay?.cookiePairs === undefined
      ? isShared ? overlay : undefined
      : { ...nothingLaid, cookiePairs: overlay.cookiePairs },
    headers: isShared ? headersOver(origin?.headers, headers) : undefined,
    connection: origin === undefined ? connectionOf(options, defaults) : origin.connection,
    agent: agentOf(options, defaults),
    agentFor({ vendor, product, build }) {
      if (vendor === undefined && product === undefined && build === undefined) return undefined;
      const usual = { vendor: options.vendor, product: options.product, build: options.build };
      return agentOf({ ...usual, ...defined({ vendor, product, build }) }, defaults);
    },
  };
}

const nothingLaid: Overlay = {
  auth: undefined,
  cookieStore: undefined,
  cookiePairs: undefined,
  fetch: undefined,
  adapters: undefined,
};

/** The HTTP session is another's: the adapter is mounted above it. */
function withAdapter(below: Overlay | undefined, prefix: string, adapter: Transport): Overlay {
  const adapters = new Adapters(below?.adapters);
  adapters.mount(prefix, adapter);
  return { ...nothingLaid, ...below, adapters };
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
  const connection = { proxies, cert, ca, sslVerify };
  // A mistake is told of by the constructor, long before the HTTP session is made.
  new Routes().lay(connection);
  return connection;
}

function agentOf(options: AgentOptions, defaults: ServiceDefaults): string {
  const { vendor = defaults.vendor, product = defaults.product, build = defaults.build } = options;
  const { libName, libVersion } = defaults;
  const parts = { vendor, product, build, libName, libVersion };
  for (const [name, value] of Object.entries(parts)) checkedHeaderText(name, value);
  return userAgent(parts, detectRuntime());
}

function defined<T extends object>(values: T): Partial<T> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}
