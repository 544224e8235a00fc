/**
 * Cookies by RFC 6265bis: the store that sessions take where the server sets a cookie.
 *
 * It is an entry point of its own, so that the library behind it is not loaded before there is a
 * cookie, and never in browsers, which keep cookies by themselves.
 *
 * @example Two sessions that share their cookies
 * ```ts
 * import { HttpSession } from "@restwright/restwright";
 * import { CookieJar } from "@restwright/restwright/cookies";
 *
 * const cookies = new CookieJar();
 * const one = new HttpSession({ cookies });
 * const other = new HttpSession({ cookies });
 * console.log(one.cookies === other.cookies); // true
 * ```
 *
 * @module
 */

export type { CookieStore } from "../http/cookie_store.ts";
export { CookieJar } from "./cookie_jar.ts";
