/** Targets for the headers WWW-Authenticate and Set-Cookie. */
import { assert, assertEquals } from "#test";
import fc from "fast-check";
import { Cookie, CookieJar as OracleJar } from "tough-cookie";
import { readChallenges } from "../../src/auth/challenge.ts";
import { DigestAuth, DigestChallengeError } from "../../src/auth/digest/mod.ts";
import { CookieJar } from "../../src/http/cookies/mod.ts";
import { paramsOf } from "../support/digest_server.ts";
import { exchanging, sentHeaders } from "../support/exchanging.ts";
import { type FuzzTarget, fuzzTarget } from "./fuzz_target.ts";
import { inHeader, quotable, quoted, space, textsLike } from "./inputs.ts";

const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;

const token = fc.constantFrom("a", "Next", "abc.d-e_f", "7", "!#$%&'*+.^`|~");

/** A challenge as `readChallenges` returns it, with its text. */
const challenge = fc.record({
  scheme: fc.constantFrom("Basic", "digest", "X-Own", "Negotiate"),
  params: fc.uniqueArray(fc.tuple(fc.constantFrom("a", "Realm", "nonce", "x*"), quotable), {
    selector: ([name]) => name,
    maxLength: 3,
  }),
  token: fc.option(token),
  credentials: fc.constantFrom("YII=", "abc/+==", "x"),
  space,
}).map(({ scheme, params, token: plain, credentials, space: gap }) => {
  const all = params.map(([name, value]) => [name, plain ?? value] as const);
  const written = all.map(([name, value]) =>
    `${name}${gap}=${gap}${plain === null ? quoted(value) : value}`
  );
  return {
    text: `${scheme} ${written.length === 0 ? credentials : written.join(`${gap},${gap}`)}`,
    expected: [scheme.toLowerCase(), all.map(([name, value]) => [name.toLowerCase(), value])],
  };
});

const challenges = fc.record({
  wellFormed: fc.array(challenge, { maxLength: 3 }),
  rest: textsLike(
    ['Digest realm="a", nonce="b", qop="auth,auth-int", algorithm=MD5', "Basic realm=x, NTLM"],
    [
      "Digest ",
      "Basic ",
      "realm=",
      "nonce=",
      '"',
      "\\",
      ",",
      "=",
      " ",
      "\t",
      "a",
      "qop=auth",
      "MD5",
    ],
  ).map(inHeader),
});

const challengeTarget = fuzzTarget(
  "www-authenticate",
  challenges,
  async ({ wellFormed, rest }) => {
    const header = [...wellFormed.map(({ text }) => text), `Last x=1, ${rest}`].join(", ");
    const found = readChallenges(header);
    assertEquals(
      found.slice(0, wellFormed.length).map(({ scheme, params, problem }) => {
        assertEquals(problem, undefined);
        return [scheme, [...params]];
      }),
      wellFormed.map(({ expected }) => expected),
    );
    assertEquals(found[wellFormed.length]?.scheme, "last");

    // The answer of the Digest scheme repeats parts of the challenge.
    const refusal = new Response(null, { status: 401, headers: { "www-authenticate": rest } });
    const auth = new DigestAuth("ada", "pass");
    const { send, transport } = exchanging({ answers: [refusal], session: { auth } });
    try {
      await send();
    } catch (error) {
      assert(error instanceof DigestChallengeError, String(error));
      assert(error.message.length < 1000, error.message);
    }
    const sent = sentHeaders(transport).flatMap(({ authorization }) => authorization ?? []);
    for (const answer of sent) {
      assert(headerText.test(answer), answer);
      assertEquals(paramsOf(answer).get("username"), "ada");
      assert(/^[\da-f]{32,128}$/.test(paramsOf(answer).get("response") ?? ""), answer);
    }
  },
);

const cookieUrl = "https://www.example.com/a/b";

/**
 * Parses a cookie by RFC 6265bis section 5.6: without an equals sign, its name is empty, and all of the
 * pair is its value. The library refuses it, or takes the name from the value, so it only reads the
 * attributes.
 */
function oracleCookie(setCookie: string): Cookie | undefined {
  const [pair = "", ...attributes] = setCookie.split(";");
  const equals = pair.indexOf("=");
  const cookie = Cookie.parse(["name=value", ...attributes].join(";"));
  if (cookie === undefined) return undefined;
  const trimmed = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, "");
  cookie.key = equals < 0 ? "" : trimmed(pair.slice(0, equals));
  cookie.value = trimmed(pair.slice(equals + 1));
  return cookie;
}

const cookieTarget = fuzzTarget(
  "set-cookie",
  textsLike(
    [
      "id=abc; Path=/; Domain=example.com; Max-Age=60; Secure; HttpOnly; SameSite=Lax",
      "__Host-a=b",
    ],
    [
      "=",
      ";",
      " ",
      ",",
      '"',
      "Path=",
      "Domain=",
      "Max-Age=",
      "Expires=",
      "Sun, 06 Nov 2094 08:49:37",
      "example.com",
      ".com",
      "/",
      "__Secure-",
      "Secure",
      "\0",
      "é",
      "\xa0",
      "€",
      "-1",
      "99999999999999999",
    ],
  ),
  async (setCookie) => {
    const jar = new CookieJar();
    await jar.keep([setCookie], cookieUrl);
    const header = await jar.cookieHeader(cookieUrl);
    assert(headerText.test(header), header);
    // The jar refuses more than its library does, and never sends anything else.
    const oracle = new OracleJar();
    const cookie = oracleCookie(setCookie);
    if (cookie !== undefined) oracle.setCookieSync(cookie, cookieUrl, { ignoreError: true });
    if (header !== "") assertEquals(header, oracle.getCookieStringSync(cookieUrl));
    for (const url of ["https://example.org/a/b", "https://com/a/b"]) {
      assertEquals(await jar.cookieHeader(url), "");
    }
    const loaded = CookieJar.fromJson(JSON.stringify(jar));
    assertEquals(await loaded.cookieHeader(cookieUrl), header);
  },
);

/** The targets for credentials. */
export const credentialTargets: readonly FuzzTarget[] = [challengeTarget, cookieTarget];
