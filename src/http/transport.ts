/** The interface of transports, and the adapters that replace fetch below a URL. */
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { checkedHeaders } from "./headers.ts";
import { splitUrl } from "./url.ts";

/**
 * A function that sends a request, with the parameters of fetch.
 *
 * If no response arrived, it may throw a `TransportError`, which is retried. Any other error that
 * does not look like a failed connection counts as a bug and is thrown at once.
 *
 * @example An adapter that answers from memory
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import type { Transport } from "@restwright/restwright/http";
 *
 * const canned: Transport = (url) => Promise.resolve(Response.json({ url }));
 * const session = new APISession({ url: "https://api.example.com", adapter: canned });
 * console.log(await (await session.get("status")).json());
 * ```
 *
 * @param url The full URL, without credentials
 * @param init The method, headers, body, redirect mode and signal, as for fetch
 *
 * @category HTTP
 */
export type Transport = (url: string, init: TransportInit) => Promise<Response>;

/**
 * The second parameter of a {@linkcode Transport}: the `init` of fetch, with its known parts.
 *
 * @category HTTP
 */
export interface TransportInit extends RequestInit {
  /** The HTTP method as it is sent. */
  readonly method: string;
  /** The headers, with names in lower case. */
  readonly headers: Record<string, string>;
  /** "manual", because the toolkit follows redirects; in browsers, fetch may follow them. */
  readonly redirect: "manual" | "follow";
}

/** Finds the transport for a URL. */
export type AdapterLookup = (url: string) => Transport | undefined;

/** Transports that replace fetch below URL prefixes. The longest prefix wins. */
export class Adapters {
  readonly #mounted = new Map<string, Transport>();

  /**
   * Mounts a transport. It replaces the one with the same prefix.
   *
   * A prefix ends at a boundary: `https://host/v1` matches `https://host/v1/x` but not
   * `https://host/v10`. `https://` matches every URL with this scheme.
   *
   * @param prefix The prefix
   * @param transport The transport
   * @param option The name of both in errors. Default: `adapter`, and `adapterPath` for the prefix
   * @throws {UnexpectedValueError} If the prefix is neither a full URL nor a scheme
   */
  mount(prefix: string, transport: Transport, option?: string): void {
    if (typeof transport !== "function") {
      throw new UnexpectedValueError(option ?? "adapter", "a function", transport);
    }
    // A URL that is sent may have the spelling of the prefix or the normal one.
    this.#mounted.set(normalPrefix(prefix, option ?? "adapterPath"), transport);
    this.#mounted.set(prefix, transport);
  }

  /**
   * Mounts several transports.
   *
   * @param transports The transports by prefix
   * @throws {UnexpectedValueError} If one of them is not valid
   */
  mountAll(transports: Readonly<Record<string, Transport>>): void {
    if (typeof transports !== "object" || transports === null) {
      throw new UnexpectedValueError("adapters", "a mapping from URLs to transports", transports);
    }
    for (const [prefix, transport] of Object.entries(transports)) {
      this.mount(prefix, transport, "adapters");
    }
  }

  /** Returns the transport for a URL; undefined if no prefix matches. */
  find(url: string): Transport | undefined {
    let longest = "";
    for (const prefix of this.#mounted.keys()) {
      // The end of the URL is a boundary too: every string includes the empty one.
      const isMatch = url.startsWith(prefix) &&
        (prefix.endsWith("/") || "/?#".includes(url.charAt(prefix.length)));
      if (isMatch && prefix.length > longest.length) longest = prefix;
    }
    return this.#mounted.get(longest);
  }
}

/** Checks the option `adapters`, and returns a function that finds the transport for a URL. */
export function checkedAdapters(_option: string, transports: unknown): AdapterLookup {
  const adapters = new Adapters();
  adapters.mountAll(transports as Readonly<Record<string, Transport>>);
  return (url) => adapters.find(url);
}

/** Checks the prefix of an adapter. */
export function checkedPrefix(option: string, prefix: string): string {
  normalPrefix(prefix, option);
  return prefix;
}

/** Returns a prefix in the form of the URLs that are sent: scheme and host in lower case. */
function normalPrefix(prefix: string, option: string): string {
  if (typeof prefix === "string" && /^https?:\/\/$/i.test(prefix)) return prefix.toLowerCase();
  const { url } = splitUrl(prefix, option);
  return prefix.endsWith("/") ? url : url.replace(/\/$/, "");
}

/** The parts of `init` that the toolkit sets itself. */
const ownParts = ["body", "duplex", "headers", "method", "redirect", "signal"];

/** Returns the first part of an `init` that only fetch knows; undefined if there is none. */
export function foreignOption(init: object): string | undefined {
  return Object.entries(init)
    .find(([name, value]) => value !== undefined && !ownParts.includes(name))?.[0];
}

/**
 * Checks the option `fetchOptions` and copies it.
 *
 * @throws {UnexpectedValueError} If it is not a mapping, or has a part that the toolkit sets itself
 */
export function checkedFetchOptions(option: string, options: unknown): object {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new UnexpectedValueError(option, "a mapping", options);
  }
  // Bun sends the headers of an http proxy beside those of the request.
  const proxyHeaders = "proxy" in options && Object(options.proxy).headers;
  if (proxyHeaders) checkedHeaders(proxyHeaders, `${option}.proxy.headers`);
  const name = ownParts.find((part) => part in options);
  if (name === undefined) return { ...options };
  throw new UnexpectedValueError(
    `${option}.${name}`,
    "left out, because other options of the toolkit set it",
    Reflect.get(options, name),
  );
}
