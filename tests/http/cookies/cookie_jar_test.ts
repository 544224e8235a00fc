import { inspect } from "node:util";
import { assert, assertEquals, assertNotEquals, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../../mod.ts";
import { CookieJar } from "../../../src/http/cookies/mod.ts";

const home = "https://api.example.com/v1/login";

async function jarOf(url: string, ...setCookies: readonly string[]): Promise<CookieJar> {
  const jar = new CookieJar();
  await jar.keep(setCookies, url);
  return jar;
}

describe("a cookie", () => {
  /** Set-Cookie, the URL that sets it, the URL of a request, and the Cookie header of the request. */
  const cases: readonly (readonly [string, string, string, string, string])[] = [
    ["is sent to its host", "a=1", home, "https://api.example.com/v1/x", "a=1"],
    ["is sent to no other host", "a=1", home, "https://example.com/v1/x", ""],
    ["is sent to no subdomain without Domain", "a=1", home, "https://x.api.example.com/v1/x", ""],
    ["is sent to every port", "a=1", home, "https://api.example.com:8443/v1/x", "a=1"],
    ["is sent to http too without Secure", "a=1", home, "http://api.example.com/v1/x", "a=1"],
    ["is sent to the host in upper case", "a=1", home, "HTTPS://API.Example.COM/v1/x", "a=1"],

    ["is sent to its Domain", "a=1; Domain=example.com", home, "https://example.com/v1/x", "a=1"],
    [
      "is sent to subdomains of its Domain",
      "a=1; Domain=example.com",
      home,
      "https://b.example.com/v1/",
      "a=1",
    ],
    [
      "may have a Domain with a dot",
      "a=1; Domain=.example.com",
      home,
      "https://b.example.com/v1/",
      "a=1",
    ],
    [
      "may have a Domain in upper case",
      "a=1; domain=EXAMPLE.com",
      home,
      "https://example.com/v1/",
      "a=1",
    ],
    [
      "is not sent to a host that only ends like its Domain",
      "a=1; Domain=example.com",
      home,
      "https://badexample.com/v1/",
      "",
    ],

    [
      "is sent to URLs below its Path",
      "a=1; Path=/v1",
      home,
      "https://api.example.com/v1/x",
      "a=1",
    ],
    ["is sent to its Path", "a=1; Path=/v1", home, "https://api.example.com/v1", "a=1"],
    [
      "is not sent to a path that only begins like its Path",
      "a=1; Path=/v1",
      home,
      "https://api.example.com/v10",
      "",
    ],
    [
      "is not sent to URLs above its Path",
      "a=1; Path=/v1/users",
      home,
      "https://api.example.com/v1",
      "",
    ],
    ["is sent to all paths with Path /", "a=1; Path=/", home, "https://api.example.com/", "a=1"],
    [
      "is sent to URLs below the path that set it without Path",
      "a=1",
      home,
      "https://api.example.com/v2",
      "",
    ],
    [
      "is sent to URLs below the path that set it with an invalid Path",
      "a=1; Path=v2",
      home,
      "https://api.example.com/v1/x",
      "a=1",
    ],

    ["is sent to https with Secure", "a=1; Secure", home, "https://api.example.com/v1/x", "a=1"],
    ["is not sent to http with Secure", "a=1; Secure", home, "http://api.example.com/v1/x", ""],
    ["is sent with HttpOnly too", "a=1; HttpOnly", home, home, "a=1"],
    ["is sent with SameSite=Strict too", "a=1; SameSite=Strict", home, home, "a=1"],

    ["is sent during its Max-Age", "a=1; Max-Age=60", home, home, "a=1"],
    ["is sent before its Expires", "a=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT", home, home, "a=1"],
    ["is not sent with Max-Age 0", "a=1; Max-Age=0", home, home, ""],
    ["is not sent with a negative Max-Age", "a=1; Max-Age=-1", home, home, ""],
    [
      "is not sent with an Expires in the past",
      "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
      home,
      home,
      "",
    ],
    [
      "depends on Max-Age before Expires",
      "a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
      home,
      home,
      "a=1",
    ],
    ["is a session cookie with an invalid Max-Age", "a=1; Max-Age=soon", home, home, "a=1"],
    ["is a session cookie with an invalid Expires", "a=1; Expires=soon", home, home, "a=1"],

    [
      "may be named __Host- if it meets the requirements",
      "__Host-a=1; Secure; Path=/",
      home,
      home,
      "__Host-a=1",
    ],
    [
      "may be named __Secure- if it meets the requirements",
      "__Secure-a=1; Secure",
      home,
      home,
      "__Secure-a=1",
    ],

    ["may have an equals sign in its value", "a=b=c==", home, home, "a=b=c=="],
    ["may have quotes around its value", 'a="1 2"', home, home, 'a="1 2"'],
    ["may have an empty value", "a=", home, home, "a="],
    ["may have spaces around it", "  a = 1 ; Path = / ", home, home, "a=1"],
    [
      "may belong to an IP address",
      "a=1; Path=/",
      "http://127.0.0.1:8080/",
      "http://127.0.0.1:9/x",
      "a=1",
    ],
    [
      "may belong to an IPv6 address",
      "a=1; Path=/",
      "http://[::1]:8080/",
      "http://[::1]:9/x",
      "a=1",
    ],
    [
      "may belong to localhost",
      "a=1; Path=/",
      "http://localhost:8080/",
      "http://localhost:9/x",
      "a=1",
    ],
    ["is sent to no other IP address", "a=1; Path=/", "http://127.0.0.1/", "http://127.0.0.2/", ""],
  ];
  for (const [what, setCookie, from, to, header] of cases) {
    it(what, async () => {
      assertEquals(await (await jarOf(from, setCookie)).cookieHeader(to), header);
    });
  }

  it("is sent after those with a longer path or an earlier creation (RFC 6265bis section 5.8.3)", async () => {
    const jar = await jarOf(home, "a=1; Path=/", "b=2; Path=/v1", "c=3; Path=/");
    assertEquals(await jar.cookieHeader(home), "b=2; a=1; c=3");
  });

  for (const pair of ["abc", "=abc", " = abc "]) {
    it(`has an empty name if there is only a value (RFC 6265bis section 5.6): ${pair}`, async () => {
      const jar = await jarOf(home, `${pair}; Path=/; Secure`, "a=1; Path=/");
      assertEquals(await jar.cookieHeader(home), "abc; a=1");
      await jar.keep(["def; Path=/"], home);
      assertEquals(await jar.cookieHeader(home), "def; a=1");
    });
  }

  it("keeps all of its value but spaces and tabs around it", async () => {
    // The last byte of à in UTF-8 is A0, which is a space of Unicode.
    for (const value of ["voil\xc3\xa0", "\xa0a\x85", '"a b"', "a\tb", "a=b=", ""]) {
      const jar = await jarOf(home, ` \tword \t=\t ${value} \t; Path=/`);
      assertEquals(await jar.cookieHeader(home), `word=${value}`);
    }
  });

  it("is replaced by one of the same name, domain and path, and removed by one that has expired", async () => {
    const jar = await jarOf(home, "a=1; Path=/", "a=2; Path=/v1", "a=3; Path=/");
    assertEquals(await jar.cookieHeader(home), "a=2; a=3");
    await jar.keep(["a=; Path=/; Max-Age=0"], home);
    assertEquals(await jar.cookieHeader(home), "a=2");
  });
});

describe("a cookie that is refused", () => {
  const localhost = "http://localhost:8080/x";
  const cases: readonly (readonly [string, string, string])[] = [
    ["for another domain", "a=1; Domain=other.example.net; Path=/", home],
    ["for a subdomain", "a=1; Domain=x.api.example.com; Path=/", home],
    ["for a sibling domain", "a=1; Domain=b.example.com; Path=/", home],
    ["for a public suffix", "a=1; Domain=com; Path=/", home],
    ["for a public suffix of two labels", "a=1; Domain=co.uk; Path=/", "https://shop.co.uk/"],
    ["for a private public suffix", "a=1; Domain=github.io; Path=/", "https://ada.github.io/"],
    ["for another IP address", "a=1; Domain=127.0.0.2; Path=/", "http://127.0.0.1/"],
    ["for a part of an IP address", "a=1; Domain=0.0.1; Path=/", "http://127.0.0.1/"],
    ["for the host's domain, from localhost", "a=1; Domain=example.com; Path=/", localhost],
    ["named __Host- without Secure", "__Host-a=1; Path=/", home],
    ["named __Host- with a Domain", "__Host-a=1; Secure; Path=/; Domain=api.example.com", home],
    ["named __Host- without Path", "__Host-a=1; Secure", home],
    ["named __Host- with another Path", "__Host-a=1; Secure; Path=/v1", home],
    ["named __Secure- without Secure", "__Secure-a=1; Path=/", home],
    ["without a name and a value", "; Path=/", home],
    ["that is empty", "", home],
    ["that is garbage", "\0\x01\x02", home],
  ];
  for (const [what, setCookie, from] of cases) {
    // contract: http-5
    it(`is ignored, and the next cookie is kept: ${what}`, async () => {
      const jar = await jarOf(from, setCookie, "ok=1; Path=/");
      assertEquals(await jar.cookieHeader(from), "ok=1");
      for (
        const url of [
          "https://other.example.net/",
          "https://x.api.example.com/",
          "https://b.co.uk/",
        ]
      ) {
        assertEquals(await jar.cookieHeader(url), "");
      }
      assert(!JSON.stringify(jar).includes('"a"'), JSON.stringify(jar));
    });
  }

  const sizes: readonly (readonly [string, string, string, boolean])[] = [
    ["a value at the limit", "n", "v".repeat(4095), true],
    ["a value one byte above the limit", "n", "v".repeat(4096), false],
    ["a name at the limit", "n".repeat(4095), "v", true],
    ["a name one byte above the limit", "n".repeat(4096), "v", false],
    ["characters of two bytes at the limit", "n", "é".repeat(2047), true],
    ["characters of two bytes above the limit", "nn", "é".repeat(2048), false],
    ["1 MB", "n", "v".repeat(2 ** 20), false],
  ];
  for (const [what, name, value, isKept] of sizes) {
    // contract: http-16
    it(`has more than 4096 bytes in name and value, unless it is kept: ${what}`, async () => {
      const jar = await jarOf(home, `${name}=${value}`);
      assertEquals(await jar.cookieHeader(home), isKept ? `${name}=${value}` : "");
    });
  }

  it("has Secure, but comes over http (6265bis 5.7 step 12)", async () => {
    const jar = await jarOf("http://api.example.com/", "a=1; Secure; Path=/");
    assertEquals(await jar.cookieHeader("https://api.example.com/"), "");
  });

  it("comes over http and would replace a Secure one (6265bis 5.7 step 16)", async () => {
    const jar = await jarOf("https://api.example.com/", "a=1; Secure; Path=/");
    await jar.keep(["a=evil; Path=/"], "http://api.example.com/");
    assertEquals(await jar.cookieHeader("https://api.example.com/"), "a=1");
  });

  for (const name of ["__host-a", "__HOST-a", "__secure-a"]) {
    it(`has a prefix in another case (6265bis 4.1.3): ${name}`, async () => {
      assertEquals(
        await (await jarOf(home, `${name}=1; Path=/v1; Domain=example.com`)).cookieHeader(home),
        "",
      );
    });
  }

  for (const pair of ["=__Host-a=1", "=__Host-a", "__host-a", "__Secure-a", "=a=1", "=", ""]) {
    it(`has no name, and a value that is empty or looks like another cookie: ${pair}`, async () => {
      assertEquals(await (await jarOf(home, `${pair}; Path=/`)).cookieHeader(home), "");
    });
  }

  for (const control of ["\0", "\x01", "\n", "\r", "\x7f"]) {
    it(`has a control character: the code is ${control.charCodeAt(0)}`, async () => {
      for (const text of ["a=b#c", "a#b=c", "ab#c", "#", "a=b; Path=/#", "a=b; Max-Age=9#9"]) {
        const setCookie = text.replace("#", control);
        assertEquals(await (await jarOf(home, setCookie)).cookieHeader(home), "", setCookie);
      }
    });
  }
});

describe("a cookie that comes over http when there is a Secure one of the same name", () => {
  const api = "https://api.example.com/v1/login";
  const host = "sid=good; Secure; Path=/";
  const domain = "sid=good; Secure; Path=/; Domain=example.com";
  const below = "sid=good; Secure; Path=/v1";
  /** The Secure cookie, which `api` sets; the other; the URL that sets it; and if it is ignored. */
  const cases: readonly (readonly [string, string, string, string, boolean])[] = [
    ["from the same host and path", host, "sid=evil; Path=/", "http://api.example.com/", true],
    [
      "that expires, to delete it",
      host,
      "sid=; Path=/; Max-Age=0",
      "http://api.example.com/",
      true,
    ],
    [
      "from a URL that the Secure one is not sent to, such as a redirect to another path",
      below,
      "sid=evil; Path=/v1",
      "http://api.example.com/elsewhere",
      true,
    ],
    [
      "of a longer path, from another path",
      host,
      "sid=evil; Path=/v1/users",
      "http://api.example.com/",
      true,
    ],
    [
      "of a longer path than that of the Secure one, from another path",
      below,
      "sid=evil; Path=/v1/users",
      "http://api.example.com/",
      true,
    ],
    ["without Path, at a longer path", below, "sid=evil", "http://api.example.com/v1/x/y", true],
    [
      "without Path, at an encoded path",
      below,
      "sid=evil",
      "http://api.example.com/%76%31/x/y",
      true,
    ],
    ["at another port", host, "sid=evil; Path=/", "http://api.example.com:8080/", true],
    [
      "from a sibling, for the parent domain",
      host,
      "sid=evil; Path=/; Domain=example.com",
      "http://evil.example.com/",
      true,
    ],
    [
      "from a sibling, for the parent domain in another spelling",
      host,
      "sid=evil; Path=/; Domain=.EXAMPLE.com",
      "http://EVIL.example.com/",
      true,
    ],
    [
      "from a sibling, for the domain of the Secure one",
      domain,
      "sid=evil; Path=/; Domain=example.com",
      "http://evil.example.com/",
      true,
    ],
    [
      "from the host of the parent domain",
      host,
      "sid=evil; Path=/; Domain=example.com",
      "http://example.com/",
      true,
    ],
    [
      "for a subdomain of the domain of the Secure one",
      domain,
      "sid=evil; Path=/",
      "http://x.example.com/",
      true,
    ],
    [
      "of a longer path, from a sibling, for the parent domain",
      below,
      "sid=evil; Path=/v1/users; Domain=example.com",
      "http://evil.example.com/x",
      true,
    ],

    ["of another name", host, "sid2=other; Path=/", "http://api.example.com/", false],
    ["of a name in another case", host, "SID=other; Path=/", "http://api.example.com/", false],
    [
      "that is not Secure either",
      "sid=old; Path=/",
      "sid=new; Path=/",
      "http://api.example.com/",
      false,
    ],
    ["for an unrelated domain", host, "sid=other; Path=/", "http://other.example.net/", false],
    ["only for a sibling", host, "sid=other; Path=/", "http://evil.example.com/", false],
    [
      "for a domain that ends in the same way",
      domain,
      "sid=other; Path=/",
      "http://badexample.com/",
      false,
    ],
    ["of a parent path", below, "sid=other; Path=/", "http://api.example.com/", false],
    ["of another path", below, "sid=other; Path=/v2", "http://api.example.com/", false],
    [
      "of a path that begins in the same way",
      below,
      "sid=other; Path=/v10",
      "http://api.example.com/",
      false,
    ],
    [
      "after the Secure one has expired",
      "sid=good; Secure; Path=/; Max-Age=-1",
      "sid=other; Path=/",
      "http://api.example.com/",
      false,
    ],
  ];
  /** Returns the cookies that a jar has stored. */
  function stored(jar: CookieJar): readonly unknown[] {
    const { cookies } = jar.toJSON() as { cookies: readonly Record<string, unknown>[] };
    return cookies.map((
      { key, value, domain, path, secure },
    ) => [key, value, domain, path, secure]);
  }

  for (const [what, secure, plain, from, isIgnored] of cases) {
    // contract: http-5
    it(`is ${isIgnored ? "ignored" : "kept"} (RFC 6265bis section 5.7): ${what}`, async () => {
      const jar = await jarOf(api, secure);
      const before = stored(jar);
      await jar.keep([plain], from);
      if (!isIgnored) assertNotEquals(stored(jar), before);
      else {
        assertEquals(stored(jar), before);
        assertEquals(await jar.cookieHeader("https://api.example.com/v1/users/7"), "sid=good");
      }
    });
  }

  it("is kept over https, and from localhost", async () => {
    for (const from of [api, "http://localhost:8080/", "http://127.0.0.1:8080/"]) {
      const jar = await jarOf(from, "sid=old; Secure; Path=/");
      await jar.keep(["sid=new; Path=/"], from);
      assertEquals(await jar.cookieHeader(from), "sid=new");
    }
  });

  it("is ignored too if both come at the same time", async () => {
    const jar = new CookieJar();
    const http = "http://api.example.com/";
    await Promise.all([jar.keep([host], api), jar.keep(["sid=evil; Path=/"], http)]);
    assertEquals(await jar.cookieHeader(api), "sid=good");
  });

  // contract: http-16
  it("does not remove the Secure one, even with very many others", async () => {
    const jar = await jarOf(api, host);
    const flood = Array.from({ length: 1000 }, (_, index) => `c${index}=1; Path=/`);
    await jar.keep([...flood, "sid=evil; Path=/"], "http://api.example.com/");
    const header = await jar.cookieHeader(api);
    assert(header.includes("sid=good") && !header.includes("evil"), header.slice(0, 200));
  });
});

describe("a jar that is serialised", () => {
  // contract: http-6
  it("is restored from a string and from JSON, with its cookies and their attributes", async () => {
    const jar = await jarOf(
      home,
      "a=1; Path=/; Secure; HttpOnly; Max-Age=3600",
      "b=2; Domain=example.com; Path=/v1",
      "c=3",
    );
    const text = JSON.stringify(jar);
    for (const json of [text, jar.toJSON()]) {
      const read = CookieJar.fromJson(json);
      assertEquals(JSON.stringify(read), text);
      assertEquals(await read.cookieHeader(home), "b=2; c=3; a=1");
      assertEquals(await read.cookieHeader("http://api.example.com/v1/"), "b=2; c=3");
      assertEquals(await read.cookieHeader("https://example.com/v1/"), "b=2");
    }
  });

  it("is restored as an empty one if it is empty", async () => {
    const read = CookieJar.fromJson(JSON.stringify(new CookieJar()));
    assertEquals(await read.cookieHeader(home), "");
  });

  it("is restored as strict as before", async () => {
    const read = CookieJar.fromJson(JSON.stringify(new CookieJar()));
    await read.keep(["__Host-a=1; Path=/", "b=1; Domain=com", "c=1; Domain=other.test"], home);
    assertEquals(await read.cookieHeader(home), "");
  });

  it("is restored as an independent jar", async () => {
    const jar = await jarOf(home, "a=1");
    const read = CookieJar.fromJson(jar.toJSON());
    await read.keep(["a=2"], home);
    assertEquals([await jar.cookieHeader(home), await read.cookieHeader(home)], ["a=1", "a=2"]);
  });

  const garbage: readonly unknown[] = [
    "",
    "garbage",
    "{",
    "null",
    "7",
    "{}",
    "[]",
    '{"cookies":7}',
    '{"cookies":{"a":1}}',
    {},
    [],
    null,
    undefined,
    7,
  ];
  for (const [index, json] of garbage.entries()) {
    it(`bad input: a value that is not a jar is refused by name (${index + 1})`, () => {
      const error = assertThrows(() => CookieJar.fromJson(json as string), UnexpectedValueError);
      assertEquals(error.option, "json");
    });
  }

  const unnamed = { key: "", domain: "example.com", path: "/" };
  /** The mistake in the second cookie, and the property that the error names. */
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ["a number", 7, ""],
    ["a string", '{"key":"a","value":"hunter2"}', ""],
    ["null", null, ""],
    ["an empty object", {}, ".key"],
    ["no name", { value: "hunter2" }, ".key"],
    ["neither a name nor a value", { key: "", domain: "example.com", path: "/" }, ".value"],
    ["no name, and a pair as its value", { ...unnamed, value: "hunter2=1" }, ".value"],
    ["no name, and a value with a prefix", { ...unnamed, value: "__Host-hunter2" }, ".value"],
    ["a name with an equals sign", { key: "hunter2=", value: "1" }, ".key"],
    ["a name with a semicolon", { key: "hunter2;a", value: "1" }, ".key"],
    ["a name with a line break", { key: "hunter2\r\nX-Evil: 1", value: "1" }, ".key"],
    ["a name that is a number", { key: 4711, value: "1" }, ".key"],
    ["a value with a line break", { key: "a", value: "hunter2\r\nX-Evil: 1" }, ".value"],
    ["a value with a NUL", { key: "a", value: "hunter2\0" }, ".value"],
    ["a value with a control character", { key: "a", value: "hunter2\x1b[2J" }, ".value"],
    ["a value with a semicolon", { key: "a", value: "hunter2; b=1" }, ".value"],
    ["a value beyond Latin-1", { key: "a", value: "hunter2\u20ac" }, ".value"],
    ["a value that is a number", { key: "a", value: 4711 }, ".value"],
    ["a value that is an object", { key: "a", value: { a: "hunter2" } }, ".value"],
    ["no domain", { key: "a", value: "hunter2", path: "/" }, ".domain"],
    ["an empty domain", { key: "a", domain: "", path: "/" }, ".domain"],
    ["no path", { key: "a", domain: "example.com" }, ".path"],
    ["a path without a slash", { key: "a", domain: "example.com", path: "v1" }, ".path"],
    ["a Secure flag that is a string", { secure: "true" }, ".secure"],
    ["a host-only flag that is a string", { hostOnly: "true" }, ".hostOnly"],
    ["an HttpOnly flag that is a number", { httpOnly: 1 }, ".httpOnly"],
    ["an invalid expiry date", { expires: "hunter2" }, ".expires"],
    ["an invalid creation date", { creation: "soon" }, ".creation"],
  ];
  const right = { key: "a", value: "1", domain: "example.com", path: "/" };
  for (const [what, entry, property] of wrong) {
    // contract: http-6
    it(`bad input: an invalid cookie is refused by its index, and not shown: ${what}`, () => {
      const isFlawed = /secure|hostOnly|httpOnly|expires|creation/.test(property);
      const second = isFlawed ? { ...right, ...entry as object } : entry;
      const json = { cookies: [right, second] };
      for (const each of [json, JSON.stringify(json)]) {
        const error = assertThrows(() => CookieJar.fromJson(each), UnexpectedValueError);
        assertEquals(error.option, `json.cookies[1]${property}`);
        assert(!/hunter2|4711/.test(inspect(error, { depth: 9 })), error.message);
      }
    });
  }

  it("is restored with a cookie that has no name", async () => {
    const jar = await jarOf(home, "hunter2; Path=/", "a=1; Path=/");
    for (const json of [JSON.stringify(jar), jar.toJSON()]) {
      assertEquals(await CookieJar.fromJson(json).cookieHeader(home), "hunter2; a=1");
    }
  });

  it("may be written by hand, with only the required properties of a cookie", async () => {
    const json = { cookies: [right, { ...right, key: "b", value: undefined, hostOnly: null }] };
    const read = CookieJar.fromJson(json);
    assertEquals(await read.cookieHeader("https://api.example.com/"), "a=1; b=");
    assertEquals(JSON.parse(JSON.stringify(read)).cookies.length, 2);
  });

  it("cannot make the jar less strict", async () => {
    const lax = {
      rejectPublicSuffixes: false,
      enableLooseMode: true,
      enforceSecureOriginOnStorage: false,
      prefixSecurity: "unsafe-disabled",
    };
    const read = CookieJar.fromJson({ ...lax, cookies: [] });
    await read.keep(["a=1; Domain=com; Path=/"], home);
    await read.keep(["b=1; Secure; Path=/"], "http://api.example.com/");
    assertEquals(await read.cookieHeader(home), "");
  });

  it("shows no secret when the jar itself is printed", async () => {
    const shown = inspect(await jarOf(home, "sid=hunter2"), { depth: 20, showHidden: true });
    assert(!shown.includes("hunter2"), shown);
  });

  it("does not show a string that is not JSON in the error", () => {
    const error = assertThrows(() => CookieJar.fromJson('hunter2"sid"'), UnexpectedValueError);
    assert(!inspect(error, { depth: 9 }).includes("hunter2"), inspect(error));
  });
});
