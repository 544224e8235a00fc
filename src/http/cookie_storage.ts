/**
 * The interface of cookie stores, and the merging of a call's cookies over those of its session.
 */
import { type Check, check, checkedName, hasMethods } from "../base/checks.ts";
import { isStyled } from "../base/styled_value.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/**
 * A place to keep cookies. It has two methods, so that any cookie library can implement it.
 *
 * The toolkit's own is `CookieJar` of `@restwright/restwright/cookies`. An HTTP session without a
 * storage creates one at the first Set-Cookie. Browsers keep cookies by themselves.
 *
 * @category Sessions and clients
 */
export interface CookieStorage {
  /**
   * Returns the value of the Cookie header for a request.
   *
   * @param url The URL of the request
   * @returns For example `a=1; b=2`; empty if there are no cookies. Line breaks, control characters
   * and characters beyond Latin-1 throw an `UnexpectedValueError`
   */
  cookieHeader(url: string): string | Promise<string>;

  /**
   * Keeps the cookies of a response. The storage ignores those that it does not accept.
   *
   * @param setCookies The values of the Set-Cookie headers
   * @param url The URL of the request
   */
  keep(setCookies: readonly string[], url: string): void | Promise<void>;
}

const storageOrNull = "an object with the methods cookieHeader and keep, or null";

/** Reports if a value is a storage for cookies. */
export function isCookieStorage(storage: unknown): storage is CookieStorage {
  return hasMethods(storage, ["cookieHeader", "keep"]);
}

/** Checks that a value is a cookie storage, null or undefined. */
export const checkedCookieStorage: Check<CookieStorage | null | undefined> = check(
  storageOrNull,
  (storage) => storage === undefined || storage === null || isCookieStorage(storage),
);

/** The cookies of a client or call that replace those of the HTTP session, or are sent with them. */
export interface CookieOverrides {
  /** The storage; null for none, undefined for that of the HTTP session. */
  readonly storage: CookieStorage | null | undefined;
  /** Cookies that are sent with those of the storage, in the form of a Cookie header. */
  readonly named: string;
}

/**
 * Checks the option `cookies`.
 *
 * @throws {UnexpectedValueError} If it is neither a storage, null, nor a mapping from names to values
 * that can be sent
 */
export function checkedCookies(option: string, cookies: unknown): CookieOverrides {
  if (cookies === null || isCookieStorage(cookies)) return { storage: cookies, named: "" };
  return { storage: undefined, named: namedCookies(option, cookies) };
}

/**
 * Merges cookies over others. Null removes all cookies; a storage does not change the named ones.
 */
export function mergeCookies(
  { storage, named }: CookieOverrides,
  below: CookieOverrides | undefined,
): CookieOverrides {
  if (storage === null || below === undefined) return { storage, named };
  return {
    storage: storage === undefined ? below.storage : storage,
    named: joinCookies(below.named, named),
  };
}

/**
 * Merges a Cookie header over another one (RFC 6265 §4.2.1) by the names of the cookies. A storage
 * may send several cookies of one name, for different paths; they are kept.
 */
export function joinCookies(below: string, above: string): string {
  if (above === "" || below === "") return above || below;
  const own = new Map<string, string>();
  for (const pair of above.split("; ")) {
    const name = cookieName(pair);
    const before = own.get(name);
    own.set(name, before === undefined ? pair : `${before}; ${pair}`);
  }
  const merged = below.split("; ").map((pair) => {
    const name = cookieName(pair);
    const replacement = own.get(name);
    own.delete(name);
    return replacement ?? pair;
  });
  return [...merged, ...own.values()].join("; ");
}

function cookieName(pair: string): string {
  return pair.split("=", 1)[0]!;
}

/** Returns named cookies in the form of a Cookie header (RFC 6265 §4.1.1). */
export function namedCookies(option: string, cookies: unknown): string {
  if (typeof cookies !== "object" || cookies === null || Array.isArray(cookies)) {
    const expected = `a mapping from names to values, ${storageOrNull}`;
    throw new UnexpectedValueError(option, expected, cookies);
  }
  const pairs = Object.entries(cookies).flatMap(([name, value]) => {
    checkedName(option, name);
    if (value === null || value === undefined) return [];
    if (isStyled(value)) return value.toParameter("cookie", name) ?? [];
    if (typeof value === "string" && /^(?:(?![",;\\])[!-~])*$/.test(value)) {
      return `${name}=${value}`;
    }
    throw new UnexpectedValueError(
      `${option}.${name}`,
      "an ASCII string without spaces, quotes, commas, semicolons and backslashes",
      value,
    );
  });
  return pairs.join("; ");
}
