import {
  Cookie,
  CookieJar as Jar,
  domainMatch,
  MemoryCookieStore,
  pathMatch,
  type Store,
} from "tough-cookie";
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
 * a public suffix are not accepted, nor those over http that would take the place of a Secure one. Of
 * one domain it keeps about the last 180 that were used, of all about the last 3000; Secure ones go
 * last.
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
  readonly #store: Store = new MemoryCookieStore();
  readonly #jar: Jar = new Jar(this.#store, { prefixSecurity: "strict" });
  #taken = 0;

  /**
   * Reads a jar that was written down.
   *
   * @param json The text of `JSON.stringify(jar)`, or the object that `toJSON` returned
   * @throws {UnexpectedValueError} If it is something else, or if a cookie in it cannot be sent; the
   * error names the cookie's place and does not show it
   */
  static fromJSON(json: string | object): CookieJar {
    const read = new CookieJar();
    for (const [index, entry] of serializedCookies(json).entries()) {
      const cookie = readCookie(entry, `json.cookies[${index}]`);
      read.#store.putCookie(cookie, () => {});
    }
    return read;
  }

  /** The value of the Cookie header for a request; empty where there are none. */
  async cookieHeader(url: string): Promise<string> {
    return await this.#jar.getCookieString(url);
  }

  /** Keeps the cookies of a response; those that are not acceptable are left out. */
  // deno-lint-ignore require-await -- no await: nothing may come between the check and the storing
  async keep(setCookies: readonly string[], url: string): Promise<void> {
    const { protocol, hostname } = new URL(url);
    const isSecure = protocol === "https:" || isLoopback(hostname);
    const protectedOnes = isSecure
      ? []
      : this.#all().filter((cookie) => cookie.secure && !isExpired(cookie));
    for (const setCookie of setCookies) {
      const cookie = Cookie.parse(setCookie);
      if (cookie === undefined || !isAcceptable(cookie, isSecure)) continue;
      if (shadows(cookie, url, protectedOnes)) continue;
      const kept = this.#jar.setCookieSync(cookie, url, { ignoreError: true });
      if (kept !== undefined && ++this.#taken % SWEEP_EVERY === 0) this.#sweep();
    }
  }

  /** The jar as JSON, secrets included: mind where it is kept. */
  toJSON(): object {
    return this.#jar.serializeSync() ?? {};
  }

  /** Returns all cookies, the oldest first. */
  #all(): Cookie[] {
    let all: Cookie[] = [];
    // The store is in memory, and calls back at once.
    this.#store.getAllCookies((_error, cookies = []) => all = cookies);
    return all;
  }

  /** Takes out what is expired, and of what is over the limits what was not used for longest. */
  #sweep(): void {
    const store = this.#store;
    const done = () => {};
    const cookies = this.#all();
    const counts = new Map<string, number>();
    let kept = 0;
    const lastUsed = ({ lastAccessed }: Cookie) =>
      lastAccessed instanceof Date ? lastAccessed.getTime() : 0;
    // Secure cookies go last (§5.7): else a flood over http could push them out and replace them.
    // The store gives the oldest first: of those used in one millisecond the newest stay.
    cookies.reverse().sort((one, other) =>
      Number(other.secure) - Number(one.secure) || lastUsed(other) - lastUsed(one)
    );
    for (const cookie of cookies) {
      const count = (counts.get(cookie.domain ?? "") ?? 0) + 1;
      if (isExpired(cookie) || count > MAX_OF_DOMAIN || kept >= MAX_IN_ALL) {
        store.removeCookie(cookie.domain, cookie.path, cookie.key, done);
        continue;
      }
      counts.set(cookie.domain ?? "", count);
      kept++;
    }
    // The store keeps an entry for each domain, which would be looked at again and again.
    for (const domain of new Set(cookies.map((cookie) => cookie.domain ?? ""))) {
      if (!counts.has(domain)) store.removeCookies(domain, null, done);
    }
  }
}

/** Returns the cookies of a serialized jar, which are not checked yet. */
function serializedCookies(json: unknown): readonly unknown[] {
  let jar: unknown;
  try {
    jar = typeof json === "string" ? JSON.parse(json) : json;
  } catch {
    // The parser's error would quote the text, which is full of secrets.
  }
  const { cookies } = (jar ?? {}) as { readonly cookies?: unknown };
  if (Array.isArray(cookies)) return cookies;
  throw new UnexpectedValueError("json", "a CookieJar that was written down as JSON", json);
}

/** The properties of a serialized cookie: the expected value in words, and the check for it. */
const cookieProperties: Readonly<Record<string, readonly [string, (value: unknown) => boolean]>> = {
  key: [
    "text without `=`, `;`, control characters or characters beyond Latin-1, and not empty",
    (key) => isCookieText(key) && key !== "" && !key.includes("="),
  ],
  value: [
    "text without `;`, control characters or characters beyond Latin-1",
    (value) => value === undefined || isCookieText(value),
  ],
  domain: ["the domain that the cookie is for", (domain) => isText(domain) && domain !== ""],
  path: ["a path that begins with a slash", (path) => isText(path) && path.startsWith("/")],
  secure: ["true or false", isFlag],
  httpOnly: ["true or false", isFlag],
  hostOnly: ["true, false or null", (flag) => flag === null || isFlag(flag)],
  expires: ["a date, Infinity or null", isDate],
  creation: ["a date, Infinity or null", isDate],
  lastAccessed: ["a date, Infinity or null", isDate],
};

/**
 * Reads a serialized cookie.
 *
 * @param place The place that an error names
 * @throws {UnexpectedValueError} If a property is not what was expected; it does not show the value
 */
function readCookie(entry: unknown, place: string): Cookie {
  const cookie = typeof entry === "object" ? Cookie.fromJSON(entry) : undefined;
  if (cookie === undefined) throw new UnexpectedValueError(place, "a cookie", withoutValue(entry));
  for (const [name, [expected, isExpected]] of Object.entries(cookieProperties)) {
    const value = (entry as Readonly<Record<string, unknown>>)[name];
    if (isExpected(value)) continue;
    throw new UnexpectedValueError(`${place}.${name}`, expected, withoutValue(value));
  }
  return cookie;
}

/** Wraps a number, which an error would show: it may be a secret. Of an object the class is shown. */
function withoutValue(value: unknown): unknown {
  return typeof value === "number" || typeof value === "bigint" ? Object(value) : value;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Returns true if a Cookie header can carry a text as a part of a cookie. */
function isCookieText(value: unknown): value is string {
  return isText(value) && isHeaderText(value) && !value.includes(";");
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

function isDate(value: unknown): boolean {
  if (value === undefined || value === null || value === "Infinity") return true;
  return !Number.isNaN(new Date(value as string | number | Date).getTime());
}

/** Checks a cookie by the rules of RFC 6265bis that the library does not look at. */
function isAcceptable(cookie: Cookie, isSecure: boolean): boolean {
  // One that no header can hold would make every later request fail.
  if (sizeOf(cookie) > MAX_SIZE || !isHeaderText(cookie.cookieString())) return false;
  // §5.7: prefixes are compared without case.
  const prefix = /^__(host|secure)-/i.exec(cookie.key)?.[1]?.toLowerCase();
  if (prefix !== undefined && !(isSecure && cookie.secure)) return false;
  return prefix !== "host" || cookie.domain === null && cookie.path === "/";
}

/**
 * Returns true if a cookie that came over http would replace a Secure one, or be sent in its place.
 *
 * RFC 6265bis §5.7, step 16: the cookie is ignored if a Secure one has the same name, a domain that
 * domain-matches the new one's or the other way round, and a path that the new one's path-matches.
 *
 * @param cookie The cookie
 * @param url The http URL that it came from
 * @param protectedOnes The stored Secure cookies
 */
function shadows(cookie: Cookie, url: string, protectedOnes: readonly Cookie[]): boolean {
  const rivals = protectedOnes.filter(({ key }) => key === cookie.key);
  if (rivals.length === 0) return false;
  // An empty jar tells the domain and the path that the cookie would be stored with.
  const placed = new Jar().setCookieSync(cookie.clone() ?? cookie, url, { ignoreError: true });
  const { domain, path } = placed ?? {};
  if (domain == null || path == null) return false;
  return rivals.some((stored) =>
    stored.domain !== null && stored.path !== null &&
    (domainMatch(stored.domain, domain, false) || domainMatch(domain, stored.domain, false)) &&
    pathMatch(path, stored.path)
  );
}

/** Hosts that are as good as secure (W3C Secure Contexts §3.1). */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function isExpired(cookie: Cookie): boolean {
  return (cookie.expiryTime() ?? Infinity) <= Date.now();
}

function sizeOf({ key, value }: Cookie): number {
  return new TextEncoder().encode(key + value).length;
}
