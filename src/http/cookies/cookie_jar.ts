/**
 * The cookie store in memory: applies the rules and limits of RFC 6265bis, and is saved as JSON.
 */
import {
  Cookie,
  CookieJar as Jar,
  domainMatch,
  MemoryCookieStore,
  pathMatch,
  type Store,
} from "tough-cookie";
import { isHeaderText } from "../../base/checks.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import type { CookieStorage } from "../cookie_storage.ts";
import { isLoopback } from "../url.ts";

/** The maximum size of a cookie: name plus value, in bytes (RFC 6265bis §5.6). */
const MAX_SIZE = 4096;

/** The maximum number of cookies per domain, and in all (limits are allowed: RFC 6265bis §6.1). */
const MAX_OF_DOMAIN = 180;
const MAX_IN_ALL = 3000;

/** The number of cookies that are stored before the limits are enforced again. */
const SWEEP_EVERY = 100;

/**
 * A cookie storage in memory, according to RFC 6265bis.
 *
 * It can be shared between sessions, saved as JSON and loaded again. It rejects cookies for another
 * domain or for a public suffix, and cookies over http that would replace a Secure one. It keeps
 * about the 180 most recently used cookies per domain, and about 3000 in all. Beyond these limits,
 * cookies that are not Secure are removed first.
 *
 * @example Save the cookies and load them in the next run of a program
 * ```ts
 * import { CookieJar } from "@restwright/restwright/cookies";
 *
 * const jar = new CookieJar();
 * await jar.keep(["session=abc; Path=/; Max-Age=3600"], "https://api.example.com/login");
 * const text = JSON.stringify(jar);
 * const later = CookieJar.fromJson(text);
 * console.log(await later.cookieHeader("https://api.example.com/users")); // session=abc
 * ```
 *
 * @category Sessions and clients
 */
export class CookieJar implements CookieStorage {
  readonly #store: Store = new MemoryCookieStore();
  readonly #jar: Jar = new Jar(this.#store, { prefixSecurity: "strict" });
  #taken = 0;

  /**
   * Loads a jar from JSON.
   *
   * @param json The text of `JSON.stringify(jar)`, or the object that `toJSON` returned
   * @throws {UnexpectedValueError} If the JSON is not a jar, or contains a cookie that cannot be
   * sent. The error names the cookie's index and does not show its values
   */
  static fromJson(json: string | object): CookieJar {
    const read = new CookieJar();
    for (const [index, entry] of serializedCookies(json).entries()) {
      const cookie = readCookie(entry, `json.cookies[${index}]`);
      read.#store.putCookie(cookie, () => {});
    }
    return read;
  }

  /** Returns the value of the Cookie header for a request; empty if no cookie applies. */
  async cookieHeader(url: string): Promise<string> {
    return await this.#jar.getCookieString(url);
  }

  /** Stores the cookies of a response. Cookies that RFC 6265bis does not allow are ignored. */
  // deno-lint-ignore require-await -- no await: other calls must not run between check and storing
  async keep(setCookies: readonly string[], url: string): Promise<void> {
    const { protocol, hostname } = new URL(url);
    const isSecure = protocol === "https:" || isLoopback(hostname);
    const protectedOnes = isSecure
      ? []
      : this.#all().filter((cookie) => cookie.secure && !isExpired(cookie));
    for (const setCookie of setCookies) {
      const cookie = parseCookie(setCookie);
      if (cookie === undefined || !isAcceptable(cookie, isSecure)) continue;
      if (shadows(cookie, url, protectedOnes)) continue;
      const kept = this.#jar.setCookieSync(cookie, url, { ignoreError: true });
      if (kept !== undefined && ++this.#taken % SWEEP_EVERY === 0) this.#sweep();
    }
  }

  /** Returns the jar for `JSON.stringify`. It contains secrets: store it in a safe place. */
  toJSON(): object {
    const { cookies = [], ...jar } = this.#jar.serializeSync() ?? {};
    // The cookie library leaves out an empty name.
    return { ...jar, cookies: cookies.map((cookie) => ({ key: "", ...cookie })) };
  }

  /** Returns all cookies, oldest first. */
  #all(): Cookie[] {
    let all: Cookie[] = [];
    // The store is in memory and calls back synchronously.
    this.#store.getAllCookies((_error, cookies = []) => all = cookies);
    return all;
  }

  /** Removes expired cookies and, above the limits, the least recently used ones. */
  #sweep(): void {
    const store = this.#store;
    const done = () => {};
    const cookies = this.#all();
    const counts = new Map<string, number>();
    let kept = 0;
    const lastUsed = ({ lastAccessed }: Cookie) =>
      lastAccessed instanceof Date ? lastAccessed.getTime() : 0;
    // Secure cookies are removed last (§5.7). Otherwise an attacker could push them out with many
    // cookies over http, and then set replacements. The store returns the oldest first; `reverse`
    // keeps the newest of those that were last used in the same millisecond.
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
    // The store still has an empty entry for each of these domains, which every lookup would visit.
    for (const domain of new Set(cookies.map((cookie) => cookie.domain ?? ""))) {
      if (!counts.has(domain)) store.removeCookies(domain, null, done);
    }
  }
}

/** Returns the cookies of a serialized jar without checking them. */
function serializedCookies(json: unknown): readonly unknown[] {
  let jar: unknown;
  try {
    jar = typeof json === "string" ? JSON.parse(json) : json;
  } catch {
    // Ignores the parser's error, because it would quote the text, which contains secrets.
  }
  const { cookies } = (jar ?? {}) as { readonly cookies?: unknown };
  if (Array.isArray(cookies)) return cookies;
  throw new UnexpectedValueError("json", "the JSON of a CookieJar", json);
}

/** The properties of a serialized cookie: a description of the expected value, and a check. */
const cookieProperties: Readonly<Record<string, readonly [string, (value: unknown) => boolean]>> = {
  key: [
    "a string without `=`, `;`, control characters or characters beyond Latin-1",
    (key) => isCookieText(key) && !key.includes("="),
  ],
  value: [
    "a string without `;`, control characters or characters beyond Latin-1",
    (value) => value === undefined || isCookieText(value),
  ],
  domain: ["the domain of the cookie", (domain) => isText(domain) && domain !== ""],
  path: ["a path that begins with a slash", (path) => isText(path) && path.startsWith("/")],
  secure: ["true or false", isFlag],
  httpOnly: ["true or false", isFlag],
  hostOnly: ["true, false or null", (flag) => flag === null || isFlag(flag)],
  expires: ["a date, Infinity or null", isDate],
  creation: ["a date, Infinity or null", isDate],
  lastAccessed: ["a date, Infinity or null", isDate],
};

/**
 * Parses a serialized cookie.
 *
 * @param place The name of the cookie in an error, as in `json.cookies[0]`
 * @throws {UnexpectedValueError} If a property is invalid; the error does not show its value
 */
function readCookie(entry: unknown, place: string): Cookie {
  const cookie = typeof entry === "object" ? Cookie.fromJSON(entry) : undefined;
  if (cookie === undefined) throw new UnexpectedValueError(place, "a cookie", withoutValue(entry));
  for (const [name, [expected, isExpected]] of Object.entries(cookieProperties)) {
    const value = (entry as Readonly<Record<string, unknown>>)[name];
    if (isExpected(value)) continue;
    throw new UnexpectedValueError(`${place}.${name}`, expected, withoutValue(value));
  }
  if (cookie.key === "" && !isNameless(cookie.value)) {
    const expected = "a non-empty string without `=`, because the cookie has no name";
    throw new UnexpectedValueError(`${place}.value`, expected, withoutValue(cookie.value));
  }
  return cookie;
}

/**
 * Wraps a number in an object, because it may be a secret. An error shows the value of a number,
 * but only the class of an object.
 */
function withoutValue(value: unknown): unknown {
  return typeof value === "number" || typeof value === "bigint" ? Object(value) : value;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Returns true if a string can be part of a cookie in a Cookie header. */
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

/**
 * Parses a Set-Cookie header by RFC 6265bis §5.6. The cookie library reads the attributes only: it would
 * end the pair at some control characters, trim more than spaces and tabs, and refuse an empty name.
 */
function parseCookie(setCookie: string): Cookie | undefined {
  // Step 1: a control character other than a tab.
  if (/[^\t\x20-\x7e\x80-\uffff]/.test(setCookie)) return undefined;
  const [pair = ""] = setCookie.split(";", 1);
  const cookie = Cookie.parse(`name=value${setCookie.slice(pair.length)}`);
  if (cookie === undefined) return undefined;
  const equals = pair.indexOf("=");
  cookie.key = withoutSpaces(pair.slice(0, Math.max(equals, 0)));
  cookie.value = withoutSpaces(pair.slice(equals + 1));
  return cookie;
}

/** Removes the spaces and tabs around a text. */
function withoutSpaces(text: string): string {
  return text.replace(/^[\t ]+|(?<![\t ])[\t ]+$/g, "");
}

/**
 * Reports if a value can be a cookie without a name. It must not look like a name with a value, or
 * begin with a prefix of names that are protected (RFC 6265bis §5.7): a server sees only the value.
 */
function isNameless(value: string): boolean {
  return value !== "" && !value.includes("=") && !/^__(?:host|secure)-/i.test(value);
}

/** Checks a cookie against the rules of RFC 6265bis that the cookie library does not check. */
function isAcceptable(cookie: Cookie, isSecure: boolean): boolean {
  if (cookie.key === "" && !isNameless(cookie.value)) return false;
  // A cookie that cannot be in a header would make every later request fail.
  if (sizeOf(cookie) > MAX_SIZE || !isHeaderText(cookie.cookieString())) return false;
  // §5.7: the case of prefixes is ignored.
  const prefix = /^__(host|secure)-/i.exec(cookie.key)?.[1]?.toLowerCase();
  if (prefix !== undefined && !(isSecure && cookie.secure)) return false;
  return prefix !== "host" || cookie.domain === null && cookie.path === "/";
}

/**
 * Returns true if a cookie from an http response would replace a Secure one, or be sent instead of
 * it.
 *
 * RFC 6265bis §5.7, step 16: a new cookie is ignored if there is a Secure one with the same name,
 * one of the two domains domain-matches the other, and the new path path-matches the path of the
 * Secure one.
 *
 * @param cookie The new cookie
 * @param url The http URL of the response
 * @param protectedOnes The stored Secure cookies
 */
function shadows(cookie: Cookie, url: string, protectedOnes: readonly Cookie[]): boolean {
  const rivals = protectedOnes.filter(({ key }) => key === cookie.key);
  if (rivals.length === 0) return false;
  // Uses an empty jar to find out which domain and path the cookie would be stored with.
  const placed = new Jar().setCookieSync(cookie.clone() ?? cookie, url, { ignoreError: true });
  const { domain, path } = placed ?? {};
  if (domain == null || path == null) return false;
  return rivals.some((stored) =>
    stored.domain !== null && stored.path !== null &&
    (domainMatch(stored.domain, domain, false) || domainMatch(domain, stored.domain, false)) &&
    pathMatch(path, stored.path)
  );
}

function isExpired(cookie: Cookie): boolean {
  return (cookie.expiryTime() ?? Infinity) <= Date.now();
}

function sizeOf({ key, value }: Cookie): number {
  return new TextEncoder().encode(key + value).length;
}
