import { assertEquals, assertThrows, describe, it } from "#test";
import type { SessionOptions } from "../../mod.ts";
import {
  type CredentialPolicy,
  credentialPolicy,
  crossOriginHeaders,
  keepsCallCredentials,
} from "../../src/http/credentials.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

function policy({ base = "https://a.example/v1", origins = [] }: {
  base?: string;
  origins?: readonly string[];
} = {}): CredentialPolicy {
  return credentialPolicy(base, origins, []);
}

describe("the origins that get the credentials of a session", () => {
  const secure = policy({ origins: ["https://b.example/ignored", "http://plain.example"] });
  const plain = policy({ base: "http://a.example", origins: ["https://b.example"] });
  const cases: readonly (readonly [string, CredentialPolicy, string, boolean])[] = [
    ["a URL below the base", secure, "https://a.example/v1/x", true],
    ["the base itself", secure, "https://a.example/v1", true],
    ["the base with a query", secure, "https://a.example/v1?x=1", true],
    ["the origin of the base, above its path", secure, "https://a.example/other", true],
    ["the origin of the base in another spelling", secure, "HTTPS://A.EXAMPLE:443/x", true],
    ["another port", secure, "https://a.example:444/v1/x", false],
    ["another host", secure, "https://c.example/v1/x", false],
    ["a subdomain", secure, "https://x.a.example/v1/x", false],
    ["the domain above", secure, "https://example/v1/x", false],
    ["a host that begins like the base's", secure, "https://a.example.evil.test/v1/x", false],
    ["a host with a dot at its end", secure, "https://a.example./v1/x", false],
    ["a user name that looks like the host", secure, "https://a.example@evil.test/v1/x", false],
    ["the base in the path of another", secure, "https://evil.test/https://a.example/v1/", false],
    ["the base's host over http", secure, "http://a.example/v1/x", false],
    ["a trusted origin that was passed with another path", secure, "https://b.example/y", true],
    ["a trusted origin at another port", secure, "https://b.example:8443/y", false],
    ["a trusted origin over http", secure, "http://b.example/y", false],
    ["an http origin that is listed, with an https base", secure, "http://plain.example/", false],
    ["an https origin that is listed with http", secure, "https://plain.example/", false],
    ["the base's own origin over http", plain, "http://a.example/x", true],
    ["the base's host over https, which is another origin", plain, "https://a.example/x", false],
    ["a trusted https origin, with an http base", plain, "https://b.example/x", true],
    ["a scheme other than http and https", secure, "ftp://a.example/v1/x", false],
    ["a URL without an origin", secure, "data:text/plain,x", false],
  ];
  for (const [what, of, url, isAllowed] of cases) {
    // contract: reading-19
    it(`${isAllowed ? "include" : "do not include"} ${what}`, () =>
      assertEquals(of.allows(url), isAllowed));
  }

  it("may be an IPv6 host, an IPv4 host or localhost", () => {
    for (const base of ["http://[::1]:8080", "http://127.0.0.1:8080", "http://localhost:8080"]) {
      assertEquals(policy({ base }).allows(`${base}/x`), true);
      assertEquals(policy({ base }).allows(base.replace("8080", "8081")), false);
    }
    assertEquals(policy({ base: "http://127.0.0.1" }).allows("http://localhost/"), false);
  });

  it("cause a TypeError for a string that is not a URL", () => {
    assertThrows(() => secure.allows("garbage"), TypeError);
  });
});

describe("credentials after a redirect", () => {
  const own = policy({ origins: ["https://b.example", "https://c.example"] });
  const mixed = policy({ base: "http://a.example", origins: ["https://b.example"] });
  const cases: readonly (readonly [string, CredentialPolicy, string, string, boolean])[] = [
    ["to the same origin", own, "https://a.example/x", "https://a.example/y", true],
    [
      "within an origin that is not trusted",
      own,
      "https://z.example/x",
      "https://z.example/",
      true,
    ],
    ["to a trusted origin", own, "https://a.example/x", "https://b.example/y", true],
    ["from one trusted origin to another", own, "https://b.example/x", "https://c.example/", true],
    ["back to the base", own, "https://b.example/x", "https://a.example/y", true],
    ["to another origin", own, "https://a.example/x", "https://z.example/y", false],
    ["from another origin to the base", own, "https://z.example/x", "https://a.example/y", false],
    [
      "from another origin to a trusted one",
      own,
      "https://z.example/",
      "https://b.example/",
      false,
    ],
    ["to another port", own, "https://a.example/x", "https://a.example:444/x", false],
    ["to a subdomain", own, "https://a.example/x", "https://x.a.example/x", false],
    ["from https to http", own, "https://a.example/x", "http://a.example/x", false],
    ["from http to https of the host", mixed, "http://a.example/", "https://a.example/", false],
    ["from http up to a trusted https", mixed, "http://a.example/", "https://b.example/", true],
    ["from a trusted https down to http", mixed, "https://b.example/", "http://a.example/", false],
  ];
  for (const [what, of, from, to, isKept] of cases) {
    // contract: reading-19
    it(`are ${isKept ? "kept" : "dropped"}: ${what}`, () => {
      assertEquals(keepsCallCredentials(of, from, to), isKept);
    });
  }
});

describe("headers that are sent to every origin", () => {
  const own = credentialPolicy("https://a.example", [], ["X-Source", "X-API-Version"]);
  const harmless = [
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "accept-profile",
    "cache-control",
    "content-encoding",
    "content-language",
    "content-type",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "pragma",
    "range",
    "user-agent",
  ];
  const others = [
    "authorization",
    "cookie",
    "proxy-authorization",
    "x-api-key",
    "x-apikeys",
    "x-cookie",
    "x-auth-token",
    "private-token",
    "x-accept",
    "acceptance",
    "x-user-agent",
    "if",
    "content-location",
    "referer",
    "origin",
    "forwarded",
    "idempotency-key",
    "__proto__",
    "constructor",
    "",
  ];
  const cases: readonly (readonly [string, CredentialPolicy, readonly string[], boolean])[] = [
    ["harmless", policy(), harmless, true],
    ["harmless, with others that a class lists", own, harmless, true],
    ["listed by the class, in upper or lower case", own, ["x-source", "x-api-version"], true],
    ["unknown", policy(), [...others, "x-source"], false],
    ["unknown and not listed by the class", own, others, false],
  ];
  for (const [what, of, names, isCrossOrigin] of cases) {
    // contract: http-13
    it(`${isCrossOrigin ? "include" : "do not include"} those that are ${what}`, () => {
      assertEquals(names.filter((name) => of.isCrossOrigin(name) !== isCrossOrigin), []);
    });
  }

  it("stay removed if null removes them", () => {
    const headers = { "accept": "*/*", "x-source": "s", "x-key": "k", "cookie": null };
    assertEquals(crossOriginHeaders(headers, own), {
      "accept": "*/*",
      "x-source": "s",
      "cookie": null,
    });
  });
});

describeGenerations("the credentials of a base URL", ({ Session }) => {
  function start(options: SessionOptions = {}) {
    const log = recordingLogger();
    const defaults = {
      url: "https://a.example",
      logger: log,
      clock: fakeClock({ autoAdvance: true }),
      retries: 1,
    };
    return { session: new Session({ ...defaults, ...options }), log };
  }

  // contract: reading-31
  it("are sent to a full URI of the same origin", async () => {
    const adapter = scripted(200);
    const { session } = start({
      url: "https://ada:secret@a.example/v1",
      adapter,
      adapterPath: "https://",
    });
    for (
      const path of ["https://a.example/v1/x", "https://a.example/x", "HTTPS://A.Example:443/"]
    ) {
      await session.get(path);
    }
    assertEquals(
      adapter.calls.map(({ init }) => init.headers["authorization"]),
      Array.from({ length: 3 }, () => `Basic ${btoa("ada:secret")}`),
    );
  });
});
