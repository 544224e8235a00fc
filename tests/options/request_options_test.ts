import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { firstGeneration } from "../../src/generation.ts";
import { resolveCall } from "../../src/options/resolve.ts";
import type { RequestOptions } from "../../src/options/types.ts";
import { resolveSettings, type Settings } from "../../src/options/resolve.ts";
import { APIError } from "../../src/errors/api_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { defaults } from "../support/engine_defaults.ts";

const usual: Settings = resolveSettings({}, defaults, {
  url: "https://a.example",
  generation: firstGeneration,
  basePath: "",
});

/** What fetch is given of the keywords. */
function forFetchOf(options: RequestOptions): RequestInit | undefined {
  return resolveCall(options, usual).fetchInit;
}

describe("the keywords that go to fetch", () => {
  it("all other keywords are passed to the underlying HTTP client, as far as fetch knows them", () => {
    const forFetch = {
      cache: "no-store",
      credentials: "omit",
      integrity: "sha256-x",
      keepalive: true,
      mode: "cors",
      referrer: "about:client",
      referrerPolicy: "no-referrer",
    } as const;
    const picked = forFetchOf({ ...forFetch, json: 1, params: {}, timeout: 5, retryOn: [] });
    assertEquals<unknown>(picked, forFetch);
  });

  it("false goes to fetch as well, undefined does not", () => {
    assertEquals(forFetchOf({ keepalive: false, cache: undefined as never }), {
      keepalive: false,
    });
  });

  it("where there are none, none are made", () => {
    assertEquals(forFetchOf({}), undefined);
    assertEquals(forFetchOf({ json: 1, useBase: true }), undefined);
  });

  for (
    const keyword of [
      "jsn",
      "method",
      "body",
      "redirect",
      "window",
      "constructor",
      "toString",
      "hasOwnProperty",
    ]
  ) {
    it(`a keyword that is not known is refused by name: ${keyword}`, () => {
      const error = assertThrows(
        () => forFetchOf({ [keyword]: "secret" } as RequestOptions),
        UnexpectedValueError,
      );
      assertEquals(error.option, keyword);
      assert(!error.message.includes("secret"));
    });
  }

  it("a keyword named __proto__ is refused", () => {
    const options: RequestOptions = JSON.parse('{"__proto__":{"json":1}}');
    assertThrows(() => forFetchOf(options), UnexpectedValueError);
  });
});

describe("the keywords that are settings", () => {
  const settingsOf = (options: RequestOptions) => resolveCall(options, usual).settings;

  it("each takes the place of the session's, null for none; undefined is no keyword", () => {
    const options = { retries: 0, backoff: undefined, timeout: null, deadline: 5, retryOn: [500] };
    assertEquals(settingsOf(options), {
      ...usual,
      retries: 0,
      timeout: null,
      deadline: 5,
      retryOn: [500],
    });
  });

  it("where there are none they are the session's own, which nothing touches", () => {
    const before = { ...usual };
    assert(settingsOf({}) === usual && settingsOf({ json: 1, retries: undefined }) === usual);
    settingsOf({ retries: 0, errorMap: { 404: APIError } });
    assertEquals(usual, before);
  });

  it("errorMap is laid over the session's", () => {
    const { errorMap } = settingsOf({ errorMap: { 404: APIError, 499: APIError } });
    assertEquals(errorMap, { ...usual.errorMap, 404: APIError, 499: APIError });
  });
});
