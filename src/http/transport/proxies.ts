import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import { splitUrl } from "../full_url.ts";

/** Proxies by the protocol of what is asked for; `all` is for both, null for none. */
export interface ProxyMapping {
  /** For `http:` URLs. Default: that of `all` */
  readonly http?: string | null | undefined;
  /** For `https:` URLs. Default: that of `all` */
  readonly https?: string | null | undefined;
  /** For any URL. Default: none */
  readonly all?: string | null | undefined;
}

/**
 * A mapping from protocol (`http`, `https`, `all`) to proxy URL, or pairs of them. A proxy URL is
 * `http://` or `https://`, host and port, with credentials in front where the proxy asks for them.
 *
 * @example `{ all: "http://ada:countess@proxy.example.com:3128" }`
 */
export type Proxies =
  | ProxyMapping
  | readonly (readonly [protocol: keyof ProxyMapping, url: string | null])[];

/** A proxy, as transports want it. */
export interface ProxyAddress {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The value of Proxy-Authorization, where its URL has credentials. */
  readonly authorization: string | undefined;
}

/** Proxies by the protocol of what is asked for. */
export interface ProxyTable {
  /** For `http:` URLs. */
  readonly http: ProxyAddress | undefined;
  /** For `https:` URLs. */
  readonly https: ProxyAddress | undefined;
}

/** Without any proxy. */
export const noProxies: ProxyTable = { http: undefined, https: undefined };

const protocols: readonly (keyof ProxyMapping)[] = ["http", "https", "all"];

/**
 * Checks proxies; of those that are the same there is one.
 *
 * @param value The option `proxies`
 * @throws {UnexpectedValueError} Where it is not what was expected; no URL is shown
 */
export function checkedProxies(value: unknown): ProxyTable {
  if (value === undefined || value === null) return noProxies;
  const addresses = new Map<unknown, ProxyAddress>();
  const table = new Map<unknown, ProxyAddress | undefined>();
  for (const [index, [protocol, url]] of pairsOf(value).entries()) {
    // An unknown protocol is not named: it may be a URL with credentials, in the wrong place.
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

/** The error of proxies, or of one in a list of pairs. */
function unexpected(value: unknown, index = 0): UnexpectedValueError {
  if (Array.isArray(value)) {
    const expected = 'a pair of "http", "https" or "all" and a proxy URL';
    return new UnexpectedValueError(`proxies[${index}]`, expected, value[index]);
  }
  const expected = 'a mapping from "http", "https" or "all" to proxy URLs, or pairs of them';
  return new UnexpectedValueError("proxies", expected, value);
}

function checkedProxy(option: string, proxy: unknown): ProxyAddress {
  const { url, authorization } = splitUrl(proxy, option);
  const { origin, href } = new URL(url);
  if (href === `${origin}/`) return { origin, authorization };
  const expected = "a proxy's URL without path and query, such as http://proxy.example.com:3128";
  throw new UnexpectedValueError(option, expected, proxy);
}
