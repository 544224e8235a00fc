/** Targets for the headers Link, Retry-After, RateLimit and those around it. */
import { assert, assertEquals } from "#test";
import fc from "fast-check";
import { PagingError } from "../../src/errors/paging_error.ts";
import { readRetryAfter } from "../../src/errors/retry_after.ts";
import { readLimits } from "../../src/middleware/rate_limit_fields.ts";
import { parseNextLink } from "../../src/paging/link_header.ts";
import { parsedByOracle, parsedByToolkit } from "../support/structured_fields.ts";
import { type FuzzTarget, fuzzTarget } from "./fuzz_target.ts";
import { inHeader, quotable, quoted, space, textsLike } from "./inputs.ts";

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
  title: fc.option(quotable),
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
    found = parseNextLink(new Response(null, { headers: { link: header } }), page);
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
  rateLimitTarget,
];
