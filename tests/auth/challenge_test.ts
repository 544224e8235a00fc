import { assertEquals, describe, it } from "#test";
import { readChallenges, readParams } from "../../src/auth/challenge.ts";
import { assertLinearTime } from "../support/linear_time.ts";

/** A challenge in the tables below: scheme, parameters, problem. */
type Row = readonly [scheme: string, params: Record<string, string>, problem?: string];

function rows(header: string | null): Row[] {
  return readChallenges(header).map(({ scheme, params, problem }) => {
    const row = [scheme, Object.fromEntries(params)] as const;
    return problem === undefined ? row : [...row, problem];
  });
}

describe("the challenges of WWW-Authenticate (RFC 9110 section 11.6.1)", () => {
  const cases: readonly (readonly [what: string, header: string | null, ...expected: Row[]])[] = [
    ["no header", null],
    ["an empty header", ""],
    ["only commas and spaces", " , ,\t,"],
    ["only a scheme", "Negotiate", ["negotiate", {}]],
    ["one parameter", 'Basic realm="x"', ["basic", { realm: "x" }]],
    ["the name of a scheme in upper and lower case", 'DiGeSt realm="x"', ["digest", {
      realm: "x",
    }]],
    ["names of parameters in upper and lower case", "Digest REALM=a, Nonce=b", ["digest", {
      realm: "a",
      nonce: "b",
    }]],
    ["an empty value", 'Basic realm=""', ["basic", { realm: "" }]],
    ["spaces around the equals sign", 'Basic realm = "x" , a\t=\tb', ["basic", {
      realm: "x",
      a: "b",
    }]],
    ["commas within quotes", 'Digest qop="auth,auth-int", realm="a, b=c"', ["digest", {
      qop: "auth,auth-int",
      realm: "a, b=c",
    }]],
    ["escapes within quotes", String.raw`Basic realm="a\"b\\c\d"`, ["basic", {
      realm: 'a"b\\cd',
    }]],
    [
      "two challenges in one header",
      'Digest realm="a", nonce="n", Basic realm="b"',
      ["digest", { realm: "a", nonce: "n" }],
      ["basic", { realm: "b" }],
    ],
    [
      "one challenge twice, with two algorithms",
      "Digest realm=a, algorithm=MD5, Digest realm=a, algorithm=SHA-256",
      ["digest", { realm: "a", algorithm: "MD5" }],
      ["digest", { realm: "a", algorithm: "SHA-256" }],
    ],
    [
      "the example of RFC 9110",
      'Basic realm="simple", Newauth realm="apps", type=1, title="Login to \\"apps\\""',
      ["basic", { realm: "simple" }],
      ["newauth", { realm: "apps", type: "1", title: 'Login to "apps"' }],
    ],
    [
      "a token instead of parameters",
      "Negotiate YII=, NTLM abc/+==, Digest realm=a",
      ["negotiate", {}],
      ["ntlm", {}],
      ["digest", { realm: "a" }],
    ],
    ["a scheme without parameters before another", "NTLM, Basic realm=b", ["ntlm", {}], ["basic", {
      realm: "b",
    }]],
    ["empty elements", ",, Basic realm=a,,, b=c,", ["basic", { realm: "a", b: "c" }]],
    ["an unquoted value that should have quotes", "Digest nonce=ab/c==, domain=/a;b", ["digest", {
      nonce: "ab/c==",
      domain: "/a;b",
    }]],
    ["a missing comma", 'Digest realm="a" nonce="b"', ["digest", {
      realm: "a",
      nonce: "b",
    }]],
    ["parameters without a scheme", 'realm="a", Basic realm="b"', ["basic", { realm: "b" }]],
    ["a parameter twice", "Digest nonce=a, NONCE=b, realm=c", [
      "digest",
      { nonce: "b", realm: "c" },
      "has the parameter nonce twice",
    ]],
    [
      "unreadable characters, and a challenge after them",
      'Digest realm="a", =?, Basic realm="b"',
      ["digest", { realm: "a" }, "cannot be read"],
      ["basic", { realm: "b" }],
    ],
    [
      "a quoted string in the wrong place, and a challenge after it",
      'Digest "a, Basic realm=x", Basic realm="b"',
      ["digest", {}, "cannot be read"],
      ["basic", { realm: "b" }],
    ],
    ["a quote without an end", 'Digest realm="a, Basic realm=b', [
      "digest",
      {},
      "cannot be read",
    ]],
    ["an escape at the end", 'Digest realm="a\\', ["digest", {}, "cannot be read"]],
    ["the name of a property of Object.prototype", "Digest __proto__=a, constructor=b", ["digest", {
      ["__proto__"]: "a",
      constructor: "b",
    }]],
  ];
  for (const [what, header, ...expected] of cases) {
    it(`handles ${what}`, () => assertEquals(rows(header), expected));
  }

  it("reads several headers that fetch has joined", () => {
    const headers = new Headers([
      ["WWW-Authenticate", 'Digest realm="a, b"'],
      ["WWW-Authenticate", "Negotiate"],
      ["WWW-Authenticate", 'Basic realm="c"'],
    ]);
    assertEquals(rows(headers.get("www-authenticate")), [
      ["digest", { realm: "a, b" }],
      ["negotiate", {}],
      ["basic", { realm: "c" }],
    ]);
  });

  const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);
  /** Headers of a number of parts, and the number of challenges in them. */
  const long: readonly (readonly [
    what: string,
    header: (count: number) => string,
    expected: (count: number) => number,
  ])[] = [
    [
      "parameters",
      (count) => `Digest ${names(count).map((p) => `${p}="a,b"`).join(", ")}`,
      () => 1,
    ],
    [
      "challenges",
      (count) => names(count).map((p) => `${p} realm="a"`).join(", "),
      (count) => count,
    ],
    [
      "a quote without an end, after many commas",
      (count) => `Digest ${",a".repeat(count)},b="`,
      (count) => count + 1,
    ],
    ["a long quote without an end", (count) => `Digest a="${"x".repeat(count)}`, () => 1],
    ["escapes", (count) => `Digest a="${"\\x".repeat(count)}"`, () => 1],
    ["equals signs", (count) => `Digest a${"=".repeat(count)}`, () => 1],
    ["quotes in the wrong place", (count) => `Digest ${'"a" '.repeat(count)}`, () => 1],
    ["spaces", (count) => `Digest a${" ".repeat(count)}b`, () => 2],
    ["a long token", (count) => `Digest ${"a".repeat(count)}?`, () => 1],
  ];
  for (const [what, header, expected] of long) {
    it(`bad input: takes linear time: ${what}`, () => {
      assertLinearTime((count) => {
        assertEquals(readChallenges(header(count)).length, expected(count));
      });
    });
  }
});

describe("a list of parameters (RFC 7615 section 3)", () => {
  const cases: readonly (readonly [string, string | null, Record<string, string>])[] = [
    ["no header", null, {}],
    ["the example of RFC 7616", 'nextnonce="a", qop=auth, nc=00000001', {
      nextnonce: "a",
      qop: "auth",
      nc: "00000001",
    }],
    ["a list that cannot be read", 'nextnonce="a", ?', {}],
    ["a parameter twice", "nextnonce=a, nextnonce=b", {}],
  ];
  for (const [what, header, expected] of cases) {
    it(`handles ${what}`, () => assertEquals(Object.fromEntries(readParams(header)), expected));
  }
});
