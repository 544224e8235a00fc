import { Cookie, CookieJar as Jar, type SerializedCookieJar } from "tough-cookie";
import { isHeaderText } from "../header_text.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { CookieStore } from "../http/cookie_store.ts";

/** The longest name and value together that are kept, in bytes (RFC 6265bis §5.6). */
const MAX_SIZE = 4096;

/** The most cookies of one domain, and of all; a user agent may have limits (RFC 6265bis §6.1). */
const MAX_OF_DOMAIN = 180;
const MAX_IN_ALL = 3000;

/** How many cookies are taken in before the limits are looked at again. */
const SWEEP_EVERY = 100;

/**
 * A cookie store by RFC 6265bis, kept in memory.
 *
 * It can be shared between sessions, written down and read again. Cookies for another domain or for
 * a public suffix are not accepted. Of one domain it keeps about the last 180 that were used, of
 * all about the last 3000.
 *
 * @example Kept from one run of a program to the next
 * ```ts
 * import { CookieJar } from "@restwright/restwright/cookies";
 *
 * const jar = new CookieJar();
 * await jar.keep(["session=abc; Path=/; Max-Age=3600"], "https://api.example.com/login");
 * const text = JSON.stringify(jar);
 * const later = CookieJar.fromJSON(text);
 * console.log(await later.cookieHeader("https://api.example.com/users")); // session=abc
 * ```
 */
export class CookieJar implements CookieStore {
  #jar: Jar = new Jar(undefined, { prefixSecurity: "strict" });
  #taken = 0;

  /**
   * Reads a jar that was written down.
   *
   * @param json What `JSON.stringify` or `toJSON` gave
   * @throws {UnexpectedValueError} Where it is something else
   */
  static fromJSON(json: string | object): CookieJar {
    const read = new CookieJar();
    try {
      read.#jar = Jar.deserializeSync(json as string | SerializedCookieJar);
    } catch {
      // The parser's error would quote the text, which is full of secrets.
      throw new UnexpectedValueError("json", "what a CookieJar was written down as", json);
    }
    return read;
  }

  /** The value of the Cookie header for a request; empty where there are none. */
  async cookieHeader(url: string): Promise<string> {
    return await this.#jar.getCookieString(url);
  }

  /** Keeps the cookies of a response; those that are not acceptable are left out. */
  async keep(setCookies: readonly string[], url: string): Promise<void> {
    for (const setCookie of setCookies) {
      const cookie = Cookie.parse(setCookie);
      if (cookie === undefined || !await this.#isAcceptable(cookie, url)) continue;
      const kept = await this.#jar.setCookie(cookie, url, { ignoreError: true });
      if (kept !== undefined && ++this.#taken % SWEEP_EVERY === 0) await this.#sweep();
    }
  }

  /** The jar as JSON, secrets included: mind where it is kept. */
  toJSON(): object {
    return this.#jar.serializeSync() ?? {};
  }

  /** What RFC 6265bis asks for beside what the library looks at. */
  async #isAcceptable(cookie: Cookie, url: string): Promise<boolean> {
    // One that no header can hold would make every later request fail.
    if (sizeOf(cookie) > MAX_SIZE || !isHeaderText(cookie.cookieString())) return false;
    const { protocol, hostname } = new URL(url);
    const isSecure = protocol === "https:" || isLoopback(hostname);
    // §5.7: prefixes are compared without case.
    const prefix = /^__(host|secure)-/i.exec(cookie.key)?.[1]?.toLowerCase();
    if (prefix !== undefined && !(isSecure && cookie.secure)) return false;
    if (prefix === "host" && (cookie.domain !== null || cookie.path !== "/")) return false;
    if (isSecure) return true;
    // §5.7: what came over a secure connection is not overwritten over one that is not.
    const stored = await this.#jar.getCookies(url.replace(/^http:/, "https:"));
    return !stored.some(({ key, secure }) => secure && key === cookie.key);
  }

  /** Takes out what is expired, and of what is over the limits what was not used for longest. */
  async #sweep(): Promise<void> {
    const { store } = this.#jar;
    const cookies = await store.getAllCookies();
    const counts = new Map<string, number>();
    let kept = 0;
    const lastUsed = ({ lastAccessed }: Cookie) =>
      lastAccessed instanceof Date ? lastAccessed.getTime() : 0;
    // The store gives the oldest first: of those used in one millisecond the newest stay.
    cookies.reverse().sort((one, other) => lastUsed(other) - lastUsed(one));
    for (const cookie of cookies) {
      const count = (counts.get(cookie.domain ?? "") ?? 0) + 1;
      const isExpired = (cookie.expiryTime() ?? Infinity) <= Date.now();
      if (isExpired || count > MAX_OF_DOMAIN || kept >= MAX_IN_ALL) {
        await store.removeCookie(cookie.domain, cookie.path, cookie.key);
        continue;
      }
      counts.set(cookie.domain ?? "", count);
      kept++;
    }
    // The store keeps an entry for each domain, which would be looked at again and again.
    for (const domain of new Set(cookies.map((cookie) => cookie.domain ?? ""))) {
      if (!counts.has(domain)) await store.removeCookies(domain, null);
    }
  }
}

/** Hosts that are as good as secure (W3C Secure Contexts §3.1). */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function sizeOf({ key, value }: Cookie): number {
  return new TextEncoder().encode(key + value).length;
}
