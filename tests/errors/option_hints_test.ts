import { assert, assertEquals, describe, it } from "#test";
import { optionHint, optionHints } from "../../src/errors/option_hints.ts";
import { definitions } from "../../src/options/definitions.ts";

describe("the table of names that other libraries have", () => {
  it("leads only to options that exist", () => {
    const known = [...Object.keys(definitions), "baseUrl", "url"];
    for (const [name, hint] of Object.entries(optionHints)) {
      for (const each of hint.split("|")) {
        const option = /^\w+/.exec(each)?.[0];
        assert(option !== undefined && known.includes(option), `${name}: ${each}`);
        assert(option !== name, `${name} leads to itself`);
      }
    }
  });
});

describe("the hint for an unknown option", () => {
  const rows: readonly (readonly [name: string, known: string[], hint: string | undefined])[] = [
    ["maxRetries", ["retries"], 'did you mean "retries"?'],
    ["apiKey", ["auth"], "pass auth: new ApiKeyAuth(key)"],
    ["baseURL", ["url"], 'did you mean "url"?'],
    ["baseURL", ["baseUrl", "url"], 'did you mean "baseUrl"?'],
    ["model", ["mode", "responseModel"], 'did you mean "responseModel"?'],
    ["model", ["mode"], 'did you mean "mode"?'],
    ["Scopes", ["scope"], 'did you mean "scope"?'],
    ["retires", ["retries"], 'did you mean "retries"?'],
    ["tiemout", ["timeout"], 'did you mean "timeout"?'],
    ["time", ["timeout"], undefined],
    ["cat", ["ca"], undefined],
    ["apiKey", ["retries"], undefined],
    ["toString", ["timeout"], undefined],
    ["constructor", ["timeout"], undefined],
  ];
  for (const [name, known, hint] of rows) {
    it(`is ${hint?.replaceAll('"', "'") ?? "none"} for ${name} if ${known} is known`, () => {
      assertEquals(optionHint(name, known), hint);
    });
  }

  it("names the place if the option can be set elsewhere", () => {
    const placeOf = (option: string) =>
      ["okStatuses", "mode"].includes(option) ? "there" : undefined;

    assertEquals(optionHint("mode", ["node"], placeOf), "pass it there");
    assertEquals(
      optionHint("validateStatus", ["retries"], placeOf),
      "pass okStatuses: [404] there",
    );
    assertEquals(optionHint("mode", ["node"]), 'did you mean "node"?');
  });
});
