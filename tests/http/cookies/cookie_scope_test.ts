/** Compares the cookie jar with a model of RFC 6265bis, for random cookies and URLs. */
import { assert, assertEquals, describe, it } from "#test";
import fc from "fast-check";
import { CookieJar } from "../../../src/http/cookies/mod.ts";
import { joinCookies } from "../../../src/http/cookie_storage.ts";
import { anyString, holds, stringOf } from "../../support/property.ts";

/** A cookie that a response sets. */
interface SetCookie {
  readonly url: string;
  readonly name: string;
  readonly value: string;
  readonly domain?: string;
  readonly path?: string;
  readonly secure: boolean;
  readonly isExpired: boolean;
}

/** A cookie of the model. */
interface Kept {
  readonly key: string;
  readonly pair: string;
  readonly domain: string;
  readonly isHostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
}

const publicSuffixes = ["com", "co.uk"];

const domainMatches = (host: string, domain: string) =>
  host === domain || host.endsWith(`.${domain}`);

const pathMatches = (path: string, prefix: string) =>
  path === prefix || path.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);

/** Keeps a cookie in the model (RFC 6265bis section 5.7), or ignores it. */
function keep(kept: readonly Kept[], cookie: SetCookie): readonly Kept[] {
  const { name, value, secure, isExpired } = cookie;
  const { protocol, hostname, pathname } = new URL(cookie.url);
  const domain = cookie.domain?.replace(/^\./, "");
  const isPublic = domain !== undefined && publicSuffixes.includes(domain);
  if (domain !== undefined && !domainMatches(hostname, domain) || isPublic) return kept;
  const defaultPath = pathname.replace(/\/[^/]*$/, "") || "/";
  const path = cookie.path?.startsWith("/") ? cookie.path : defaultPath;
  const own: Kept = {
    key: name,
    pair: `${name}=${value}`,
    domain: domain ?? hostname,
    isHostOnly: domain === undefined,
    path,
    secure,
  };
  const isOverTls = protocol === "https:";
  if (secure && !isOverTls) return kept;
  if (/^__secure-/i.test(name) && !secure) return kept;
  if (/^__host-/i.test(name)) {
    if (!secure || domain !== undefined || cookie.path !== "/") return kept;
  }
  const isRival = (other: Kept) =>
    other.secure && other.key === name && pathMatches(path, other.path) &&
    (domainMatches(other.domain, own.domain) || domainMatches(own.domain, other.domain));
  if (!isOverTls && kept.some(isRival)) return kept;
  const others = kept.filter((other) =>
    other.key !== name || other.domain !== own.domain || other.path !== path
  );
  return isExpired ? others : [...others, own];
}

/** Returns the cookies that the model sends (RFC 6265bis section 5.8.3), sorted by their text. */
function sent(kept: readonly Kept[], url: string): string[] {
  const { protocol, hostname, pathname } = new URL(url);
  return kept.filter(({ domain, isHostOnly, path, secure }) =>
    (isHostOnly ? hostname === domain : domainMatches(hostname, domain)) &&
    pathMatches(pathname, path) && (!secure || protocol === "https:")
  ).map(({ pair }) => pair).sort();
}

function headerOf(cookie: SetCookie): string {
  const { name, value, domain, path, secure, isExpired } = cookie;
  return [
    `${name}=${value}`,
    ...(domain === undefined ? [] : [`Domain=${domain}`]),
    ...(path === undefined ? [] : [`Path=${path}`]),
    ...(secure ? ["Secure"] : []),
    ...(isExpired ? ["Max-Age=0"] : []),
  ].join("; ");
}

// The first host is the usual one, so that cookies meet each other.
const host = fc.oneof(
  { arbitrary: fc.constant("example.com"), weight: 4 },
  fc.constantFrom("a.example.com", "b.a.example.com", "badexample.com", "example.co.uk"),
);
const path = fc.constantFrom("/", "/a", "/a/", "/a/b", "/ab");
const url = fc.tuple(fc.constantFrom("http", "https"), host, path)
  .map(([scheme, name, place]) => `${scheme}://${name}${place}`);

const cookie: fc.Arbitrary<SetCookie> = fc.record({
  url,
  name: fc.constantFrom("a", "a", "a", "b", "__Secure-a", "__HOST-a"),
  value: fc.constantFrom("1", "2", "3"),
  domain: fc.oneof(host, host.map((name) => `.${name}`), fc.constantFrom("com", "co.uk")),
  path: fc.oneof(path, fc.constant("a")),
  secure: fc.boolean(),
  isExpired: fc.oneof(fc.constant(false), fc.constant(false), fc.boolean()),
}, { requiredKeys: ["url", "name", "value", "secure", "isExpired"] });

/** Returns the cookies in a Cookie header, sorted by their text. */
function cookiesIn(header: string): string[] {
  return header === "" ? [] : header.split("; ").sort();
}

describe("a cookie jar", () => {
  it("sends the cookies that a model of RFC 6265bis sends, also after it was saved as JSON", async () => {
    await holds(
      fc.asyncProperty(fc.array(cookie, { maxLength: 8 }), url, async (cookies, asked) => {
        const jar = new CookieJar();
        let kept: readonly Kept[] = [];
        for (const each of cookies) {
          await jar.keep([headerOf(each)], each.url);
          kept = keep(kept, each);
        }
        const expected = sent(kept, asked);
        assertEquals(cookiesIn(await jar.cookieHeader(asked)), expected);
        const loaded = CookieJar.fromJson(JSON.stringify(jar));
        assertEquals(cookiesIn(await loaded.cookieHeader(asked)), expected);
      }),
      1500,
    );
  });

  it("sends only what a header can carry, whatever a server sets, and can be saved", async () => {
    const part = stringOf(
      ...["a", "b", "=", ";", ",", " ", "\t", "\0", "\n", '"', "é", "€", "\x7f", "__Host-"],
      ...["; Path=", "; Domain=", "; Max-Age=", "; Expires=", "; Secure", "example.com", "/"],
    );
    await holds(
      fc.asyncProperty(fc.array(fc.oneof(part, anyString), { maxLength: 4 }), async (cookies) => {
        const jar = new CookieJar();
        const asked = "https://example.com/a";
        await jar.keep(cookies, asked);
        const header = await jar.cookieHeader(asked);
        assert(/^[\t\x20-\x7e\x80-\xff]*$/.test(header), header);
        const loaded = CookieJar.fromJson(JSON.stringify(jar));
        assertEquals(await loaded.cookieHeader(asked), header);
      }),
      500,
    );
  });
});

describe("joined Cookie headers", () => {
  it("have each name of the upper one once, and the others of the lower one", async () => {
    const header = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"))
      .chain((names) =>
        fc.tuple(...names.map((name) => fc.nat(9).map((each) => `${name}=${each}`)))
      )
      .map((pairs) => pairs.join("; "));
    await holds(fc.property(header, header, (below, above) => {
      const own = new Map(
        [...cookiesIn(below), ...cookiesIn(above)].map((pair) => [pair[0], pair]),
      );
      assertEquals(cookiesIn(joinCookies(below, above)), [...own.values()].sort());
    }));
  });
});
