import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { firstGeneration } from "../../src/options/generation.ts";
import { resolveCall } from "../../src/options/settings.ts";
import type { RequestOptions } from "../../src/options/request_options.ts";
import { resolveSettings } from "../../src/options/resolve.ts";
import type { Settings } from "../../src/options/settings.ts";
import { APIError } from "../../src/errors/api_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { defaults } from "../support/class_defaults.ts";

const usual: Settings = resolveSettings({}, defaults, {
  url: "https://a.example",
  generation: firstGeneration,
  basePath: "",
});

/** Returns the request options that are passed to fetch. */
function forFetchOf(options: RequestOptions): RequestInit | undefined {
  return resolveCall(options, usual).fetchInit;
}

describe("the request options that are passed to fetch", () => {
  it("include all other options that fetch knows", () => {
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

  it("include false, but not undefined", () => {
    assertEquals(forFetchOf({ keepalive: false, cache: undefined as never }), {
      keepalive: false,
    });
  });

  it("are undefined if there are none", () => {
    assertEquals(forFetchOf({}), undefined);
    assertEquals(forFetchOf({ json: 1, useBase: true }), undefined);
  });

  for (
    const option of [
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
    it(`do not include an unknown option, which is refused by name: ${option}`, () => {
      const error = assertThrows(
        () => forFetchOf({ [option]: "secret" } as RequestOptions),
        UnexpectedValueError,
      );
      assertEquals(error.option, option);
      assert(!error.message.includes("secret"));
    });
  }

  for (const options of [null, 5, "", true, [], () => ({})]) {
    const what = typeof options === "object" ? JSON.stringify(options) : typeof options;
    it(`have to be an object: ${what} is refused`, () => {
      const error = assertThrows(() => forFetchOf(options as never), UnexpectedValueError);
      assertEquals(error.option, "options");
    });
  }

  it("do not include __proto__, which is refused", () => {
    const options: RequestOptions = JSON.parse('{"__proto__":{"json":1}}');
    assertThrows(() => forFetchOf(options), UnexpectedValueError);
  });
});

describe("the request options that are settings", () => {
  const settingsOf = (options: RequestOptions) => resolveCall(options, usual).settings;

  it("replace those of the session, with null for none, and undefined is ignored", () => {
    const options = { retries: 0, backoff: undefined, timeout: null, deadline: 5, retryOn: [500] };
    assertEquals(settingsOf(options), {
      ...usual,
      retries: 0,
      timeout: null,
      deadline: 5,
      retryOn: [500],
    });
  });

  it("are the settings of the session if there are none, and never change them", () => {
    const before = { ...usual };
    assert(settingsOf({}) === usual && settingsOf({ json: 1, retries: undefined }) === usual);
    settingsOf({ retries: 0, errorMap: { 404: APIError } });
    assertEquals(usual, before);
  });

  it("include an errorMap, which is merged over the session's", () => {
    const { errorMap } = settingsOf({ errorMap: { 404: APIError, 499: APIError } });
    assertEquals(errorMap, { ...usual.errorMap, 404: APIError, 499: APIError });
  });
});
