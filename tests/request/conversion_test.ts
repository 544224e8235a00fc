import { assert, assertEquals, assertStrictEquals, assertThrows, describe, it } from "#test";
import { isBox, unbox } from "../../src/box/mod.ts";
import { boxParser } from "../../src/request/parse.ts";
import type { Call, ResponseParser } from "../../src/request/call.ts";
import { type ConversionDefaults, parserFor } from "../../src/request/parse.ts";
import type { RequestOptions } from "../../src/options/types.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";

const nothing: ConversionDefaults = { box: undefined, boxAttrs: undefined, convJson: undefined };
const flags = [undefined, false, true] as const;

const request = { method: "GET" } as Call;

/** What becomes of a response, in a word or two. */
async function inWords(options: RequestOptions, defaults: ConversionDefaults): Promise<string> {
  const { convert, isRaw = false } = await parserFor(options, defaults);
  const ofJson = convert(Response.json({}), "{}", request);
  const ofText = convert(new Response("{}"), "{}", request);
  const below = ofText instanceof Response ? "raw" : "json";
  assertEquals(isRaw, ofJson instanceof Response);
  return isBox(ofJson) ? `box, otherwise ${below}` : below;
}

/** A content type as it may stand in the name of a test. */
function shown(type: string = "no content type"): string {
  return type.trim().replaceAll("\t", " (tab) ").replaceAll('"', "'");
}

/** The function that boxes what is written as JSON. */
async function boxerOf(options: RequestOptions, defaults: ConversionDefaults = nothing) {
  const { convert } = await parserFor(options, defaults);
  return (value: unknown): unknown => convert(Response.json(null), JSON.stringify(value), request);
}

describe("what becomes of a response", () => {
  it("the keyword holds, else the default, else false; box goes before conv_json", async () => {
    for (const box of flags) {
      for (const convJson of flags) {
        for (const usualBox of flags) {
          for (const usualJson of flags) {
            const found = await inWords(
              { ...(box === undefined ? {} : { box }), convJson },
              { ...nothing, box: usualBox, convJson: usualJson },
            );
            const isBox = box ?? usualBox ?? false;
            const isJson = convJson ?? usualJson ?? false;
            const below = isJson ? "json" : "raw";
            assertEquals(
              found,
              isBox ? `box, otherwise ${below}` : below,
              JSON.stringify({ box, convJson, usualBox, usualJson }),
            );
          }
        }
      }
    }
  });

  it("a keyword that is undefined is none", async () => {
    const usual = { box: true, boxAttrs: { default: "usual" }, convJson: true };
    const given = { box: undefined, boxAttrs: undefined, convJson: undefined };
    assertEquals(await inWords(given, usual), "box, otherwise json");
    assertEquals(((await boxerOf(given, usual))({}) as { a: unknown }).a, "usual");
  });

  it("without keywords and defaults it is the raw response", async () => {
    assertEquals(await inWords({}, nothing), "raw");
  });

  const attributes: readonly (readonly [string, RequestOptions, ConversionDefaults, unknown])[] = [
    ["none", { box: true }, nothing, undefined],
    ["the default's", { box: true }, { ...nothing, boxAttrs: { default: "usual" } }, "usual"],
    [
      "the keyword's",
      { box: true, boxAttrs: { default: "own" } },
      { ...nothing, boxAttrs: { default: "usual" } },
      "own",
    ],
    [
      "those of an empty keyword, which are none",
      { box: true, boxAttrs: {} },
      { ...nothing, boxAttrs: { default: "usual" } },
      undefined,
    ],
    [
      "the keyword's, where the default is a box",
      { boxAttrs: { default: null } },
      { ...nothing, box: true },
      null,
    ],
  ];
  for (const [whose, options, defaults, missing] of attributes) {
    it(`the attributes of a box are ${whose}`, async () => {
      const box = await boxerOf(options, defaults);
      assertStrictEquals((box({}) as { a: unknown }).a, missing);
    });
  }

  it("attributes replace the default's and are not merged with them", async () => {
    const defaults = { ...nothing, boxAttrs: { camelCase: true, default: "usual" } };
    const box = await boxerOf({ box: true, boxAttrs: { dots: true } }, defaults);
    const made = box({ a_b: { c: 1 } }) as Record<string, unknown>;
    assertEquals([made["aB"], made["x"], made["a_b.c"]], [undefined, undefined, 1]);
  });

  it("what is boxed: objects and arrays; scalars and null are what they are", () => {
    let parsed: unknown;
    const json = { convert: () => parsed } as unknown as ResponseParser;
    const { convert } = boxParser(undefined, json, json);
    const box = (value: unknown): unknown => {
      parsed = value;
      return convert(Response.json(null), "null", request);
    };
    const value = { a: 1 };
    assert(isBox(box(value)));
    assertStrictEquals(unbox(box(value)), value);
    const list = box([value]) as unknown[];
    assert(Array.isArray(list) && isBox(list[0]));
    for (const scalar of [null, 0, -0, "", "a", true, false]) {
      assertStrictEquals(box(scalar), scalar);
    }
  });

  it("attributes that are changed afterwards do not change it", async () => {
    const boxAttrs = { default: "before" };
    const made = boxerOf({ box: true, boxAttrs });
    boxAttrs.default = "after";
    const box = await made;
    assertEquals((box({}) as { a: unknown }).a, "before");
  });

  const wrong: readonly unknown[] = [null, 0, 1, "", "true", "false", {}, [], () => true];
  for (const [index, value] of wrong.entries()) {
    it(`a flag is true or false, in the keyword and in the default, case ${index + 1}`, () => {
      for (const name of ["box", "convJson"]) {
        const given = { [name]: value };
        const tries: (() => unknown)[] = [
          () => parserFor(given as RequestOptions, nothing),
          () => parserFor({}, { ...nothing, ...given } as ConversionDefaults),
        ];
        for (const run of tries) {
          const error = assertThrows(run, UnexpectedValueError);
          assertEquals([error.option, error.expected], [name, "true or false"]);
        }
      }
    });
  }

  it("a conv_json that is wrong is refused also where there is a box", () => {
    const options = { box: true, convJson: "yes" as never };
    assertEquals(
      assertThrows(() => parserFor(options, nothing), UnexpectedValueError).option,
      "convJson",
    );
  });

  it("a default that is wrong is not looked at where a keyword holds", async () => {
    const wrong = { box: 1, boxAttrs: 1, convJson: 1 } as unknown as ConversionDefaults;
    assertEquals(
      await inWords({ box: true, boxAttrs: {}, convJson: false }, wrong),
      "box, otherwise raw",
    );
  });

  const badAttrs: readonly (readonly [unknown, string])[] = [
    [null, "boxAttrs"],
    [7, "boxAttrs"],
    ["frozen", "boxAttrs"],
    [[], "boxAttrs"],
    [new Map(), "boxAttrs"],
    [{ frozn: true }, "boxAttrs.frozn"],
    [{ constructor: true }, "boxAttrs.constructor"],
    [{ frozen: "yes" }, "boxAttrs.frozen"],
    [{ camelCase: 1 }, "boxAttrs.camelCase"],
    [{ dots: null }, "boxAttrs.dots"],
    [{ default: () => 1 }, "boxAttrs.default"],
    [{ default: new Date(0) }, "boxAttrs.default"],
  ];
  for (const [index, [attrs, option]] of badAttrs.entries()) {
    it(`attributes that are wrong are named, case ${index + 1}: ${option}`, () => {
      const boxAttrs = attrs as never;
      const tries: (() => unknown)[] = [
        () => parserFor({ box: true, boxAttrs }, nothing),
        () => parserFor({ box: true }, { ...nothing, boxAttrs }),
      ];
      for (const run of tries) {
        assertEquals(assertThrows(run, UnexpectedValueError).option, option);
      }
    });
  }
});

/** Whether a box is made of a response, as its headers say. */
function saysJson(response: Response): boolean {
  const json = { convert: () => ({}) } as unknown as ResponseParser;
  const raw = { convert: () => response } as unknown as ResponseParser;
  const { convert } = boxParser(undefined, json, raw);
  return isBox(convert(response, "{}", { method: "GET" } as Call));
}

describe("whether a response says that it is JSON", () => {
  const types: readonly (readonly [string | undefined, boolean])[] = [
    ["application/json", true],
    ["application/json; charset=utf-8", true],
    ["application/json;charset=utf-8", true],
    ["application/json ;charset=utf-8", true],
    ["application/json\t; charset=utf-8", true],
    ["application/json;", true],
    ['application/json; profile="a;b, text/html"', true],
    ["APPLICATION/JSON", true],
    ["Application/Json; Charset=UTF-8", true],
    ["  application/json  ", true],
    [undefined, false],
    ["", false],
    ["json", false],
    ["application/", false],
    ["text/json", false],
    ["text/plain; type=application/json", false],
    ["text/plain;application/json", false],
    ["application/jsonp", false],
    ["application/json5", false],
    ["application/json-seq", false],
    ["application/json+ld", false],
    ["application/x-json", false],
    ["application/ld+json", false],
    ["application/problem+json", false],
    ["application/vnd.api+json; charset=utf-8", false],
    ["application/x-ndjson", false],
    ["application /json", false],
    ["application/json charset=utf-8", false],
    ["xapplication/json", false],
  ];
  for (const [index, [type, isJson]] of types.entries()) {
    it(`case ${index + 1}: ${shown(type)}`, () => {
      const response = new Response(null, {
        headers: type === undefined ? {} : [["content-type", type]],
      });
      assertEquals(saysJson(response), isJson);
    });
  }

  it("a response that has a type by its body alone says that", () => {
    assertEquals(saysJson(Response.json({})), true);
    assertEquals(saysJson(new Response("{}")), false); // text/plain
  });
});
