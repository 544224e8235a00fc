import { checkedFunction, checkedHeaderText } from "./checks.ts";
import { type EngineDefaults, type EngineSettings, readSettings } from "./engine/settings.ts";
import { userAgent } from "./engine/user_agent.ts";
import { checkedPrefix } from "./http/adapters.ts";
import { type ConnectionOptions, Routes } from "./http/transport/routes.ts";
import type { Transport } from "./http/transport.ts";
import { detectRuntime } from "./runtime.ts";
import { checkSession, type SessionOptions } from "./session_options.ts";

/** What a session is made of: its options over its class's statics, checked. */
export interface Setup {
  /** What its engine works by. */
  readonly settings: EngineSettings;
  /** Carries the requests below `adapterPath` in place of fetch. */
  readonly adapter: Transport | undefined;
  /** The URL prefix of the adapter. */
  readonly adapterPath: string;
  /** How servers are reached; what is undefined is as the HTTP session has it. */
  readonly connection: ConnectionOptions;
  /** The User-Agent. */
  readonly agent: string;
}

/** The statics of a session's class that an option of the same name overrides, and two more. */
export interface SessionDefaults extends EngineDefaults, ConnectionOptions {
  /** The base URL. */
  readonly url: string;
  /** The path between the base URL and the request's path. */
  readonly basePath: string;
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

/**
 * Checks what a session is made of.
 *
 * @param options The options; what is undefined is taken from the class
 * @param defaults The class's statics
 * @throws {UnexpectedValueError} Names the first option that is not what was expected
 */
export function readSetup(options: SessionOptions, defaults: SessionDefaults): Setup {
  const { url = defaults.url, basePath = defaults.basePath } = options;
  const settings = readSettings(options, defaults, { url, option: "url", basePath });
  const { adapter = defaults.adapter, adapterPath = defaults.adapterPath } = options;
  checkSession(options.session);
  return {
    settings,
    adapter: checkedFunction("adapter", adapter),
    adapterPath: adapterPath === undefined
      ? `${settings.base}/${basePath.replace(/^\/+/, "")}`
      : checkedPrefix("adapterPath", adapterPath),
    connection: connectionOf(options, defaults),
    agent: agentOf(options, defaults),
  };
}

function connectionOf(options: SessionOptions, defaults: SessionDefaults): ConnectionOptions {
  const { proxies = defaults.proxies, cert = defaults.cert, ca = defaults.ca } = options;
  // A class that verifies, as every class does by default, leaves it to a ready-made session.
  const { sslVerify = defaults.sslVerify === true ? undefined : defaults.sslVerify } = options;
  const connection = { proxies, cert, ca, sslVerify };
  // A mistake is told of by the constructor, long before the HTTP session is made.
  new Routes().lay(connection);
  return connection;
}

function agentOf(options: SessionOptions, defaults: SessionDefaults): string {
  const { vendor = defaults.vendor, product = defaults.product, build = defaults.build } = options;
  const { libName, libVersion } = defaults;
  const parts = { vendor, product, build, libName, libVersion };
  for (const [name, value] of Object.entries(parts)) checkedHeaderText(name, value);
  return userAgent(parts, detectRuntime());
}
