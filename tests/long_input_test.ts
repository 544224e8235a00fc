/**
 * Feeds long repetitions of a character to everything that parses text of others. The time must grow
 * with the length, not with its square: otherwise one header or field would block the program.
 */
import { assert, assertEquals, describe, it } from "#test";
import { readChallenges, readParams } from "../src/auth/challenge.ts";
import { readDigestChallenges } from "../src/auth/digest/digest_challenge.ts";
import { mediaTypeOf } from "../src/base/media_type.ts";
import { pathOf, snakeCase } from "../src/box/names.ts";
import { paramName } from "../src/content/params.ts";
import { formatIssue } from "../src/errors/format_issue.ts";
import { pathForMessage } from "../src/errors/message_text.ts";
import { readRetryAfter } from "../src/errors/retry_after.ts";
import { barePath, escapesBase, joinBySlash, withoutFragment } from "../src/http/url.ts";
import { readLimits } from "../src/middleware/rate_limit_fields.ts";
import { parseList } from "../src/middleware/structured_fields.ts";
import { parseJson } from "../src/models/json_text.ts";
import { renamer } from "../src/models/rename.ts";
import { parseNextLink } from "../src/paging/mod.ts";
import { withoutQuery } from "../src/telemetry/attributes.ts";
import { redactCassette } from "../src/testing/cassettes/redact_cassette.ts";
import { parseFragment } from "../src/xml/fragment.ts";
import { assertLinearTime } from "./support/linear_time.ts";

const responseWith = (name: string, text: string) =>
  new Response(null, { headers: { [name]: text } });

/** Redacts a recorded response with a text in its body, a cookie and its URL. */
function redacted(text: string, type: string): unknown {
  const headers = { "content-type": type, "set-cookie": text };
  return redactCassette({
    version: 1,
    interactions: [{
      request: { method: "GET", url: `https://a.example/?${text}`, headers: {} },
      response: { status: 200, headers, text },
    }],
  });
}

const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  challenge: readChallenges,
  "Digest challenge": (text) => readDigestChallenges(`Digest ${text}`),
  "parameters of a header": readParams,
  "media type": (text) => mediaTypeOf(`text/plain;${text}`),
  "Retry-After": (text) => readRetryAfter(text, 0),
  RateLimit: (text) => readLimits(responseWith("ratelimit", `a${text}b`), 0),
  "structured field": parseList,
  "Link header": (text) => parseNextLink(responseWith("link", `<a>${text}`), "https://a.example"),
  "path that is compared": barePath,
  "path that is checked": escapesBase,
  "prefix of a URL": (text) => joinBySlash(`${text}x`, "/a"),
  fragment: withoutFragment,
  query: withoutQuery,
  "path of a message": pathForMessage,
  "name of a parameter": (text) => paramName(text, { arrays: "brackets" }),
  "message of an issue": (message) => formatIssue("", { message }),
  "key of a box": (text) => [snakeCase(text), pathOf(text)],
  "name of a property": renamer("rename", "snake_case"),
  "number of JSON": (text) => parseJson("Row", `0.1${"0".repeat(text.length)}1`, true),
  "XML content": (text) => parseFragment(`<a ${text}/>`),
  "recorded text": (text) => redacted(text, "text/plain"),
  "recorded form": (text) => redacted(text, "application/x-www-form-urlencoded"),
  "recorded XML": (text) => redacted(`<a ${text}`, "application/xml"),
};

/** Pieces that the grammars of these texts repeat, or separate their parts with. */
const pieces = [" ", "0", "A", "e\u0301", "a=", "=", ",", ";", '"', "\\", "/", "?", "<", "&"];

/** Pieces for recorded texts, which take longer to read. */
const fewPieces = [" ", "A", "a=", "<"];

/** The length of the long text. Two of the patterns that were quadratic took 0.2 to 0.3 s for it. */
const LENGTH = 20_000;

/** Ignores the error of a text that is not valid. */
function tried(parse: (text: string) => unknown, text: string): void {
  try {
    parse(text);
  } catch (error) {
    assert(error instanceof Error);
  }
}

describe("the time to read long input grows with its length", () => {
  for (const [what, parse] of Object.entries(parsers)) {
    it(`as ${what}`, () => {
      let texts = 0;
      for (const piece of what.startsWith("recorded") ? fewPieces : pieces) {
        // No two texts are the same, because some results are kept.
        const textOf = (length: number) => `${piece.repeat(length / piece.length)}\u00a7${texts++}`;
        assertLinearTime((length) => tried(parse, textOf(length)), LENGTH);
      }
    });
  }

  it("and it is read as before", () => {
    const spaces = " ".repeat(100);
    assertEquals(parseList(`${spaces}a${spaces}`)?.length, 1);
    assertEquals(joinBySlash("/v1///", "/books"), "/v1/books");
    assertEquals(parseJson("Row", "1.500", true), 1.5);
    assertEquals(withoutFragment("/a#b#c"), "/a");
  });
});
