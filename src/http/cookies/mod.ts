/**
 * The cookie storage that sessions use by default, according to RFC 6265bis.
 *
 * It has its own entry point, so that its cookie library is only loaded when a server sets a
 * cookie, and never in browsers, which store cookies themselves.
 *
 * @example Two clients that share their cookies
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { CookieJar } from "@restwright/restwright/cookies";
 *
 * const cookies = new CookieJar();
 * const baseUrl = "https://api.example.com";
 * const one = new APIClient({ baseUrl, cookies });
 * const other = new APIClient({ baseUrl, cookies });
 * console.log(one.httpSession.cookies === other.httpSession.cookies); // true
 * ```
 *
 * @module
 */

export type { CookieStorage } from "../cookie_storage.ts";
export { CookieJar } from "./cookie_jar.ts";
