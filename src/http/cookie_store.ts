import { type Check, check, hasMethods } from "../checks.ts";

/**
 * Where cookies are kept: two methods, so that any cookie library can stand behind them.
 *
 * The toolkit's own is `CookieJar` of `@restwright/restwright/cookies`; a session without a store
 * takes one at the first Set-Cookie. Browsers keep cookies by themselves.
 */
export interface CookieStore {
  /**
   * The value of the Cookie header for a request.
   *
   * @param url The URL that the request goes to
   * @returns As in `a=1; b=2`; empty where there are none. Line breaks, control characters and
   * characters beyond Latin-1 raise an `UnexpectedValueError`
   */
  cookieHeader(url: string): string | Promise<string>;

  /**
   * Keeps the cookies of a response; those that the store does not accept are left out.
   *
   * @param setCookies The values of its Set-Cookie headers
   * @param url The URL that it came from
   */
  keep(setCookies: readonly string[], url: string): void | Promise<void>;
}

/** What is expected where there has to be a store or none. */
export const storeOrNull = "an object with the methods cookieHeader and keep, or null";

/** Whether something is a store for cookies. */
export function isCookieStore(store: unknown): store is CookieStore {
  return hasMethods(store, ["cookieHeader", "keep"]);
}

/** A store, null, or undefined. */
export const checkedCookieStore: Check<CookieStore | null | undefined> = check(
  storeOrNull,
  (store) => store === undefined || store === null || isCookieStore(store),
);
