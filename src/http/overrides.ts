import { checkedFunction } from "../checks.ts";
import { Adapters } from "./adapters.ts";
import { type Auth, type AuthInput, checkedAuth } from "./auth.ts";
import { type CookieStore, isCookieStore } from "./cookie_store.ts";
import { checkedFetchOptions } from "./fetch_options.ts";
import { cookiePairs } from "./named_cookies.ts";
import type { Transport } from "./transport.ts";

/** What lies beneath a call, where somebody wants it otherwise than the HTTP session has it. */
export interface OverrideOptions {
  /**
   * Authentication: a user name and a password, or a scheme; null for none.
   *
   * @example `{ auth: ["ada", "countess"] }`
   */
  readonly auth?: AuthInput | undefined;
  /**
   * Cookies that are sent beside those that are kept, by their names; or where cookies are kept, or
   * null to neither keep nor send any. They go to whom credentials go.
   *
   * @example `{ cookies: { theme: "dark" } }`
   */
  readonly cookies?: Readonly<Record<string, string>> | CookieStore | null | undefined;
  /** Carries the requests where no adapter does. Default: the runtime's fetch */
  readonly fetch?: Transport | undefined;
  /**
   * Transports that take the place of fetch, each below a URL prefix. Default: none
   *
   * @example `{ adapters: { "https://api.example.com/v1/": myTransport } }`
   */
  readonly adapters?: Readonly<Record<string, Transport>> | undefined;
  /**
   * What else fetch, or what carries the requests in its place, is given: options that only one
   * runtime or transport knows, each as it is. Default: none
   *
   * @example `{ fetchOptions: { dispatcher: myAgent } }`
   */
  readonly fetchOptions?: object | undefined;
}

/** The same, checked. What is undefined is left as it is beneath. */
export interface Overrides {
  /** The authentication scheme; null for none. */
  readonly auth: Auth | null | undefined;
  /** Where cookies are kept; null for nowhere. */
  readonly cookieStore: CookieStore | null | undefined;
  /** Lays cookies that are sent beside those that are kept over them, as in a Cookie header. */
  readonly cookiesOver: ((kept: string) => string) | undefined;
  /** Carries the requests where no adapter does. */
  readonly fetch: Transport | undefined;
  /** Transports by URL prefix. */
  readonly adapters: Pick<Adapters, "find"> | undefined;
  /** What else the transport is given. */
  readonly fetchOptions: object | undefined;
  /** Whether the scheme is the call's own, which goes also to whom the session does not trust. */
  readonly isAuthOwn: boolean;
}

/** What one call lays over what its session has. */
export function resolveCallOverrides(options: OverrideOptions, below?: Overrides): Overrides {
  return { ...resolveOverrides(options, below), isAuthOwn: options.auth !== undefined };
}

/**
 * Checks what is laid over what lies beneath.
 *
 * @throws {UnexpectedValueError} Names the first option that is not what was expected
 */
export function resolveOverrides(
  { auth, cookies, fetch, adapters, fetchOptions }: OverrideOptions,
  below?: Overrides,
): Overrides {
  const isKept = cookies === null || isCookieStore(cookies);
  return {
    auth: auth === undefined ? below?.auth : checkedAuth(auth),
    cookieStore: isKept ? cookies : below?.cookieStore,
    // A store, or none, says nothing of the names; but null is for all cookies.
    cookiesOver: cookies === null
      ? undefined
      : isKept || cookies === undefined
      ? below?.cookiesOver
      : named(cookiePairs(cookies), below?.cookiesOver),
    fetch: checkedFunction("fetch", fetch) ?? below?.fetch,
    adapters: adapters === undefined ? below?.adapters : mounted(adapters, below?.adapters),
    fetchOptions: { ...below?.fetchOptions, ...checkedFetchOptions(fetchOptions) },
    isAuthOwn: false,
  };
}

function named(pairs: string, below: Overrides["cookiesOver"]): Overrides["cookiesOver"] {
  return (kept) => joinPairs(below?.(kept) ?? kept, pairs);
}

/** Cookies as in a Cookie header (RFC 6265 §4.2.1), laid over others name by name. */
function joinPairs(below: string, above: string): string {
  const laid = new Map(above.split("; ").map((pair) => [cookieName(pair), pair]));
  const kept = below.split("; ").flatMap((pair) => {
    const own = laid.get(cookieName(pair));
    laid.delete(cookieName(pair));
    return own ?? pair;
  });
  return [...kept, ...laid.values()].filter((pair) => pair !== "").join("; ");
}

function cookieName(pair: string): string {
  return pair.split("=", 1)[0]!;
}

function mounted(
  transports: Readonly<Record<string, Transport>>,
  below: Overrides["adapters"],
): Overrides["adapters"] {
  const adapters = new Adapters();
  adapters.mountAll(transports);
  return { find: (url) => adapters.find(url) ?? below?.find(url) };
}
