/** Checks the option `proxies`, and finds the proxy of a URL's protocol. */
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { splitUrl } from "../url.ts";

/**
 * Proxies by the protocol of the requested URL. `all` is for both protocols; null is for no proxy.
 *
 * @category HTTP
 */
export interface ProxyMapping {
  /** The proxy for `http:` URLs. Default: that of `all` */
  readonly http?: string | null | undefined;
  /** The proxy for `https:` URLs. Default: that of `all` */
  readonly https?: string | null | undefined;
  /** The proxy for any URL. Default: none */
  readonly all?: string | null | undefined;
}

/**
 * A mapping from protocol (`http`, `https`, `all`) to proxy URL, or a list of such pairs. A proxy
 * URL consists of `http://` or `https://`, host and port. Credentials go in front of the host if
 * the proxy requires them.
 *
 * @example `{ all: "http://ada:countess@proxy.example.com:3128" }`
 *
 * @category HTTP
 */
export type Proxies =
  | ProxyMapping
  | readonly (readonly [protocol: keyof ProxyMapping, url: string | null])[];

/** A proxy, in the form that transports need. */
export interface ProxyAddress {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The value of the Proxy-Authorization header; undefined if the URL has no credentials. */
  readonly authorization: string | undefined;
}

/** Proxies by the protocol of the requested URL. */
export interface ProxyTable {
  /** The proxy for `http:` URLs. */
  readonly http: ProxyAddress | undefined;
  /** The proxy for `https:` URLs. */
  readonly https: ProxyAddress | undefined;
}

/** A table without a proxy. */
export const noProxies: ProxyTable = { http: undefined, https: undefined };

const protocols: readonly (keyof ProxyMapping)[] = ["http", "https", "all"];

/**
 * Checks proxies. Entries with the same URL share one {@linkcode ProxyAddress}.
 *
 * @param value The value of the `proxies` option
 * @throws {UnexpectedValueError} If the value is not valid. The error shows no URL.
 */
export function checkedProxies(value: unknown): ProxyTable {
  if (value === undefined || value === null) return noProxies;
  const addresses = new Map<unknown, ProxyAddress>();
  const table = new Map<unknown, ProxyAddress | undefined>();
  for (const [index, [protocol, url]] of pairsOf(value).entries()) {
    // The error does not name an unknown protocol: it may be a URL with credentials.
    if (!protocols.some((each) => each === protocol)) throw unexpected(value, index);
    if (url === undefined) continue;
    const address = url === null
      ? undefined
      : addresses.get(url) ?? checkedProxy(`proxies.${protocol}`, url);
    if (address !== undefined) addresses.set(url, address);
    table.set(protocol, address);
  }
  const proxyFor = (protocol: string) =>
    table.has(protocol) ? table.get(protocol) : table.get("all");
  return { http: proxyFor("http"), https: proxyFor("https") };
}

function pairsOf(value: unknown): readonly (readonly unknown[])[] {
  if (!Array.isArray(value)) {
    if (typeof value === "object" && value !== null) return Object.entries(value);
    throw unexpected(value);
  }
  const wrong = value.findIndex((each) => !Array.isArray(each) || each.length !== 2);
  if (wrong >= 0) throw unexpected(value, wrong);
  return value;
}

/** Creates the error for `proxies`, or for one pair in a list. */
function unexpected(value: unknown, index = 0): UnexpectedValueError {
  if (Array.isArray(value)) {
    const expected = 'a pair of "http", "https" or "all" and a proxy URL';
    return new UnexpectedValueError(`proxies[${index}]`, expected, value[index]);
  }
  const expected = 'a mapping from "http", "https" or "all" to proxy URLs, or a list of such pairs';
  return new UnexpectedValueError("proxies", expected, value);
}

function checkedProxy(option: string, proxy: unknown): ProxyAddress {
  const { url, authorization } = splitUrl(proxy, option);
  const { origin, href } = new URL(url);
  if (href === `${origin}/`) return { origin, authorization };
  const expected =
    "the URL of a proxy, without path and query, such as http://proxy.example.com:3128";
  throw new UnexpectedValueError(option, expected, proxy);
}
