import { assertEquals, describe, it } from "#test";
import { algorithmOf, hexHash, hexHashOf } from "../../../src/auth/digest/algorithm.ts";
import { readDigestChallenges } from "../../../src/auth/digest/digest_challenge.ts";
import { answerTo, challengeOf, digestExamples } from "../../support/digest_examples.ts";

describe("the response to a Digest challenge (RFC 7616 section 3.4)", () => {
  for (const [name, example, expected] of digestExamples) {
    // contract: auth-3
    it(`is that of ${name}`, () => assertEquals(answerTo(example), expected));
  }

  // The test computes each form again, directly from hashes.
  const forms: readonly (readonly [name: string, isSession: boolean])[] = [
    ["MD5", false],
    ["MD5-sess", true],
    ["SHA-256", false],
    ["SHA-256-sess", true],
    ["SHA-512-256", false],
    ["SHA-512-256-sess", true],
    ["SHA-512", false],
    ["SHA-512-sess", true],
    ["md5-SESS", true],
  ];
  for (const [name, isSession] of forms) {
    for (const qop of ["auth", "auth-int"] as const) {
      it(`is computed as the RFC requires: ${name}, ${qop}`, () => {
        const h = (text: string) => hexHash(algorithmOf(name)!.hash, text);
        const example = {
          challenge: `realm=r, nonce=n, qop="${qop}", algorithm=${name}`,
          method: "POST",
          body: "hello",
          proof: { qop, count: 0x2a, uri: "/a?b=c" },
        };
        const plain = h("Mufasa:r:x");
        const secret = isSession ? h(`${plain}:n:c`) : plain;
        const a2 = qop === "auth" ? "POST:/a?b=c" : `POST:/a?b=c:${h("hello")}`;
        const response = h(`${secret}:n:0000002a:c:${qop}:${h(a2)}`);
        assertEquals(
          answerTo(example),
          `Digest username="Mufasa", realm="r", uri="/a?b=c", algorithm=${name}, nonce="n", ` +
            `nc=0000002a, cnonce="c", qop=${qop}, response="${response}"`,
        );
      });
    }
  }

  it("has a cnonce in the -sess forms even without qop, since the secret contains it", () => {
    const sent = answerTo({
      challenge: "realm=r, nonce=n, algorithm=MD5-sess",
      proof: { qop: undefined },
    });
    assertEquals(/cnonce="c"/.test(sent) && !/nc=|qop=/.test(sent), true);
  });

  it("can hash a body in chunks, with the same result as for the whole body", async () => {
    const { hash } = algorithmOf("SHA-256")!;
    const chunks = async function* () {
      for (const text of ["hel", "", "lo"]) {
        yield await Promise.resolve(new TextEncoder().encode(text));
      }
    };
    assertEquals(await hexHashOf(hash, chunks()), hexHash(hash, "hello"));
  });
});

describe("the user name of a Digest answer", () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ["escaped quotes and backslashes", 'a"b\\c', "", String.raw`username="a\"b\\c"`],
    ["a comma and an equals sign within the quotes", "a, b=c", "", 'username="a, b=c"'],
    ["an empty name", "", "", 'username=""'],
    [
      "beyond ASCII without a charset, as bytes of UTF-8",
      "zo\u00eb",
      "",
      'username="zo\u00c3\u00ab"',
    ],
    [
      "beyond Latin-1 without a charset, as bytes of UTF-8",
      "\u20ac",
      "",
      'username="\u00e2\u0082\u00ac"',
    ],
    ["beyond Latin-1 with charset=UTF-8", "\u20ac", "charset=UTF-8", "username*=UTF-8''%E2%82%AC"],
    ["beyond the first plane", "\u{1f511}", "charset=utf-8", "username*=UTF-8''%F0%9F%94%91"],
    [
      "in normalization form C with charset=UTF-8",
      "e\u0301",
      "charset=UTF-8",
      "username*=UTF-8''%C3%A9",
    ],
    ["not normalized without a charset", "e\u0301", "", 'username="e\u00cc\u0081"'],
    [
      "characters that would end a username* early",
      "\u00e9'%*()",
      "charset=UTF-8",
      "username*=UTF-8''%C3%A9%27%25%2A%28%29",
    ],
    ["ASCII with charset=UTF-8", 'a"b', "charset=UTF-8", String.raw`username="a\"b"`],
    ["another charset", "\u00e9", "charset=latin1", 'username="\u00c3\u00a9"'],
  ];
  for (const [what, username, more, expected] of cases) {
    it(`is sent correctly: ${what}`, () => {
      const sent = answerTo({
        challenge: `realm=r, nonce=n, qop=auth, ${more}`,
        username,
        proof: {},
      });
      const field = /^Digest (.*?), realm="r"/.exec(sent)?.[1];
      assertEquals(field, expected);
    });
  }
});

describe("a Digest challenge (RFC 7616 section 3.3)", () => {
  it("is repeated to the server unchanged, including escapes and bytes", () => {
    const challenge = String.raw`realm="a\"b\\c` + "\u00c3\u00ab" +
      `", nonce=n, opaque="\\"o\\"", qop=auth`;
    const sent = answerTo({ challenge, proof: {} });
    assertEquals(
      sent.includes(String.raw`realm="a\"b\\c` + "\u00c3\u00ab" + '"') &&
        sent.includes(String.raw`opaque="\"o\""`),
      true,
    );
  });

  it("is repeated as bytes if it was read as UTF-8", () => {
    const challenge = 'realm="\u20acr", nonce="\u20acn", opaque="\u20aco"';
    const sent = answerTo({ challenge, proof: {} });
    const values = ["realm", "nonce", "opaque"].map((name) =>
      new RegExp(`${name}="(.*?)"`).exec(sent)?.[1]
    );
    const euro = "\u00e2\u0082\u00ac";
    assertEquals(values, [`${euro}r`, `${euro}n`, `${euro}o`]);
  });

  const strongest: readonly (readonly [string, string, string])[] = [
    ["the last one", "MD5, SHA-256", "SHA-256"],
    ["the first one", "SHA-256, MD5", "SHA-256"],
    ["SHA-512-256 before SHA-256", "SHA-256, SHA-512-256, MD5", "SHA-512-256"],
    ["SHA-512 before SHA-512-256", "SHA-512-256, SHA-512", "SHA-512"],
    ["the first of equal strength", "SHA-256-sess, SHA-256, MD5", "SHA-256-sess"],
    ["without an unknown one", "SHA3-512, MD5", "MD5"],
  ];
  for (const [what, names, expected] of strongest) {
    it(`is chosen by the strongest algorithm: ${what}`, () => {
      const header = names.split(", ").map((name) => `Digest realm=r, nonce=n, algorithm=${name}`);
      const { known } = readDigestChallenges(header.join(", "));
      assertEquals(known[0]?.algorithmName, expected);
    });
  }

  const bad: readonly (readonly [string, string, string])[] = [
    ["no realm", "nonce=n", "has no realm"],
    ["no nonce", "realm=r", "has no nonce"],
    ["an empty nonce", 'realm=r, nonce=""', "has no nonce"],
    [
      "an unknown algorithm",
      "realm=r, nonce=n, algorithm=SHA-1",
      "requires the unsupported algorithm SHA-1",
    ],
    [
      "an algorithm named like a property of Object.prototype",
      "realm=r, nonce=n, algorithm=constructor",
      "requires the unsupported algorithm constructor",
    ],
    [
      "an empty algorithm",
      'realm=r, nonce=n, algorithm=""',
      "requires the unsupported algorithm (name not shown)",
    ],
    [
      "an algorithm of odd characters",
      'realm=r, nonce=n, algorithm="<b>"',
      "requires the unsupported algorithm (name not shown)",
    ],
    [
      "only -sess",
      "realm=r, nonce=n, algorithm=-sess",
      "requires the unsupported algorithm -sess",
    ],
    ["an unknown qop", "realm=r, nonce=n, qop=auth-conf", "requires the unsupported qop auth-conf"],
    ["a parameter twice", "realm=r, nonce=n, nonce=m", "has the parameter nonce twice"],
    ["a quote without an end", 'nonce=n, realm="r', "cannot be read"],
  ];
  for (const [what, header, problem] of bad) {
    it(`bad input: its problem is described: ${what}`, () => {
      assertEquals(readDigestChallenges(`Digest ${header}`), { known: [], problems: [problem] });
    });
  }

  it("has no qop if it is empty, and no unknown qop next to a known one", () => {
    assertEquals(challengeOf('realm=r, nonce=n, qop=""').qops, []);
    assertEquals(challengeOf('realm=r, nonce=n, qop="auth-conf, AUTH"').qops, ["auth"]);
  });
});
