/** Targets for the headers of responses. */
import { assert, assertEquals } from "#test";
import fc from "fast-check";
import { Cookie, CookieJar as OracleJar } from "tough-cookie";
import { readChallenges } from "../../src/auth/challenge.ts";
import { DigestAuth, DigestChallengeError } from "../../src/auth/digest/mod.ts";
import { CookieJar } from "../../src/cookies/mod.ts";
import { PagingError } from "../../src/errors/paging_error.ts";
import { readRetryAfter } from "../../src/errors/retry_after.ts";
import { readLimits } from "../../src/middleware/rate_limit_fields.ts";
import { nextLink } from "../../src/paging/link_header.ts";
import { paramsOf } from "../support/digest_server.ts";
import { exchanging, sentHeaders } from "../support/exchanging.ts";
import { parsedByOracle, parsedByToolkit } from "../support/structured_fields.ts";
import { type FuzzTarget, fuzzTarget } from "./fuzz_target.ts";
import { textsLike } from "./inputs.ts";

/** Returns a text as a header can have it. */
function inHeader(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "").trim();
}

const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A quoted string, and a token or a quoted string (RFC 9110 section 5.6.4). */
const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
const token = fc.constantFrom("a", "Next", "abc.d-e_f", "7", "!#$%&'*+.^`|~");
const anyValue = fc.array(fc.constantFrom("a", " ", ",", ";", '"', "\\", "<", ">", "=", "é"), {
  maxLength: 6,
}).map((all) => all.join(""));
const space = fc.constantFrom("", " ", "\t", "  ");

const page = "https://api.example.com/v1/items?page=1";

/** A Link header, and the URL of the next page if it is known. */
interface LinkInput {
  readonly header: string;
  readonly next?: string | null;
}

const link = fc.record({
  target: fc.constantFrom("/a", "b?x=1,2;3", "https://other.example/c d", "?page=2", ""),
  rel: fc.constantFrom("next", "NEXT", "prev", "prev next", "nextish"),
  isQuoted: fc.boolean(),
  title: fc.option(anyValue),
  anchor: fc.constantFrom(undefined, undefined, "#here", "/other"),
  space,
});

const wellFormedLinks: fc.Arbitrary<LinkInput> = fc.array(link, { maxLength: 4 }).map((links) => {
  const found = links.find(({ rel, anchor }) =>
    rel.toLowerCase().split(" ").includes("next") && anchor !== "/other"
  );
  const header = links.map(({ target, rel, isQuoted, title, anchor, space: gap }) => {
    const params = [
      ...(title === null ? [] : [`title=${quoted(title)}`]),
      `rel=${isQuoted || rel.includes(" ") ? quoted(rel) : rel}`,
      ...(anchor === undefined ? [] : [`anchor${gap}=${gap}"${anchor}"`]),
      "REL=next",
    ];
    return `<${target}>${params.map((param) => `${gap};${gap}${param}`).join("")}`;
  }).join(",");
  return { header, next: found ? new URL(found.target, page).href : null };
});

const anyLinks: fc.Arbitrary<LinkInput> = textsLike(
  ['<https://api.example.com/?page=2>; rel="next", </1>; rel=prev; title="a, b"', "</x>;rel=next"],
  [
    "<",
    ">",
    ";",
    ",",
    "=",
    '"',
    "\\",
    " ",
    "rel=next",
    "rel",
    "anchor",
    "*",
    "/x",
    "https://a:b@c",
  ],
).map((header) => ({ header: inHeader(header) }));

const linkTarget = fuzzTarget("link", fc.oneof(wellFormedLinks, anyLinks), ({ header, next }) => {
  let found: string | undefined;
  try {
    found = nextLink(new Response(null, { headers: { link: header } }), page);
  } catch (error) {
    assert(error instanceof PagingError && next === undefined, String(error));
    assert(error.message.length < 500, error.message);
    return;
  }
  if (next !== undefined) assertEquals(found, next ?? undefined);
  if (found === undefined) return;
  const { protocol, username, password, hash, href } = new URL(found);
  assert(/^https?:$/.test(protocol) && username + password + hash === "", found);
  assertEquals(href, found);
});

const now = Date.UTC(2026, 5, 15, 12);

/** A Retry-After header, and its seconds if they are known. */
interface RetryAfterInput {
  readonly header: string;
  readonly seconds?: number | undefined;
  readonly isKnown: boolean;
}

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The three formats of an HTTP-date (RFC 9110 section 5.6.7). */
const dateFormats: readonly ((date: Date) => string)[] = [
  (date) => date.toUTCString(),
  (date) => {
    const [, day, month, year, time] = date.toUTCString().split(/,? /);
    return `${days[date.getUTCDay()]}, ${day}-${month}-${year!.slice(2)} ${time} GMT`;
  },
  (date) => {
    const [weekday, day, month, year, time] = date.toUTCString().split(/,? /);
    return `${weekday} ${month} ${day!.replace(/^0/, " ")} ${time} ${year}`;
  },
];

const dates: fc.Arbitrary<RetryAfterInput> = fc.tuple(
  // A year of two digits is at most 50 years in the future.
  fc.date({
    min: new Date(Date.UTC(1980, 0)),
    max: new Date(Date.UTC(2070, 0)),
    noInvalidDate: true,
  }),
  fc.constantFrom(...dateFormats),
).map(([date, format]) => {
  const seconds = Math.max(0, (Math.floor(date.getTime() / 1000) * 1000 - now) / 1000);
  return { header: format(date), seconds, isKnown: true };
});

const delays: fc.Arbitrary<RetryAfterInput> = fc.tuple(fc.nat(), fc.option(fc.nat(999)), space)
  .map(([whole, fraction, gap]) => {
    const text = fraction === null ? `${whole}` : `${whole}.${fraction}`;
    return { header: `${gap}${text}${gap}`, seconds: Number(text), isKnown: true };
  });

const anyRetryAfter: fc.Arbitrary<RetryAfterInput> = textsLike(
  ["Sun, 06 Nov 2094 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 2094"],
  ["120", "1e9", "-", ".", ":", "99", " ", "GMT", "Feb", "30", "Infinity", "0x10", "+1", ","],
).map((header) => ({ header: inHeader(header), isKnown: false }));

const retryAfterTarget = fuzzTarget(
  "retry-after",
  fc.oneof(dates, delays, anyRetryAfter),
  ({ header, seconds, isKnown }) => {
    const found = readRetryAfter(header, now);
    if (isKnown) assertEquals(found, seconds);
    assert(found === undefined || Number.isFinite(found) && found >= 0, `${found}`);
    assertEquals(readRetryAfter(` ${header}\t`, now), found);
  },
);

/** A challenge as `readChallenges` returns it, with its text. */
const challenge = fc.record({
  scheme: fc.constantFrom("Basic", "digest", "X-Own", "Negotiate"),
  params: fc.uniqueArray(fc.tuple(fc.constantFrom("a", "Realm", "nonce", "x*"), anyValue), {
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
    const cookie = Cookie.parse(setCookie);
    if (cookie !== undefined) oracle.setCookieSync(cookie, cookieUrl, { ignoreError: true });
    if (header !== "") assertEquals(header, oracle.getCookieStringSync(cookieUrl));
    for (const url of ["https://example.org/a/b", "https://com/a/b"]) {
      assertEquals(await jar.cookieHeader(url), "");
    }
    const loaded = CookieJar.fromJSON(JSON.stringify(jar));
    assertEquals(await loaded.cookieHeader(cookieUrl), header);
  },
);

const limitText = textsLike(
  [
    '"default";r=50;t=30',
    '"a";r=-1;t=-2',
    '"a";q=100;w=60;qu="content-bytes", "b";q=9;pk=:YQ==:',
    "(1 2);x",
    "50",
  ],
  ['"a"', ";", "=", ",", "r=", "t=", "q=", "w=", "?1", ":YQ==:", "(", ")", "-", ".", "9", " ", "*"],
).map(inHeader);

const limitInput = fc.record({
  status: fc.constantFrom(200, 429, 503),
  headers: fc.dictionary(
    fc.constantFrom(
      ...["ratelimit", "ratelimit-policy", "retry-after", "ratelimit-remaining", "ratelimit-reset"],
      ...["x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-limit"],
    ),
    fc.oneof(limitText, fc.nat().map(String), fc.constantFrom("1e9", "1781524800", "-1", "1.5")),
    { maxKeys: 4 },
  ),
});

const rateLimitTarget = fuzzTarget("rate-limit", limitInput, ({ status, headers }) => {
  for (const limit of readLimits(new Response(null, { status, headers }), now)) {
    const { remaining, reset, quota, name } = limit;
    assert(Number.isInteger(remaining) && remaining >= 0, JSON.stringify(limit));
    assert(Number.isFinite(reset) && reset >= 0, JSON.stringify(limit));
    assert(quota === undefined || Number.isInteger(quota) && quota >= 0, JSON.stringify(limit));
    assertEquals(typeof name, "string");
  }
  for (const text of Object.values(headers)) {
    // The package refuses dates before the end of a list.
    if (!text.includes("@")) assertEquals(parsedByToolkit(text), parsedByOracle(text));
  }
});

/** The targets for headers. */
export const headerTargets: readonly FuzzTarget[] = [
  linkTarget,
  retryAfterTarget,
  challengeTarget,
  cookieTarget,
  rateLimitTarget,
];
