import { assert, assertEquals, assertStrictEquals, assertThrows, describe, it } from "#test";
import { isBox, unbox } from "../../src/box/mod.ts";
import type { Format, RunningCall } from "../../src/call/call.ts";
import { boxFormat } from "../../src/call/formats/box.ts";
import { rawFormat } from "../../src/call/formats/raw.ts";
import { type ConversionDefaults, formatOf } from "../../src/call/formats/choose.ts";
import type { Settings } from "../../src/options/settings.ts";
import type { RequestOptions } from "../../src/options/request_options.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";

const nothing: ConversionDefaults = { box: undefined, boxAttrs: undefined, convJson: undefined };
const flags = [undefined, false, true] as const;

const run = { call: { method: "GET" } } as RunningCall;

/** Returns the format of a call that sets only result options. */
const formatFor = (options: RequestOptions, defaults: ConversionDefaults): Format =>
  formatOf(options, {} as Settings, defaults);

/** Returns the conversion of a response in a word or two. */
async function conversionOf(
  options: RequestOptions,
  defaults: ConversionDefaults,
): Promise<string> {
  const format = await formatFor(options, defaults);
  const ofJson = format.convert({ response: Response.json({}), body: "{}" }, run);
  const ofText = format.convert({ response: new Response("{}"), body: "{}" }, run);
  const otherwise = ofText instanceof Response ? "raw" : "json";
  return isBox(ofJson) ? `box, otherwise ${otherwise}` : otherwise;
}

/** Returns a content type without the characters that the name of a test cannot have. */
function shown(type: string = "no content type"): string {
  return type.trim().replaceAll("\t", " (tab) ").replaceAll('"', "'");
}

/** Returns a function that boxes a value as if it came in a JSON response. */
async function boxerOf(options: RequestOptions, defaults: ConversionDefaults = nothing) {
  const format = await formatFor(options, defaults);
  return (value: unknown): unknown =>
    format.convert({ response: Response.json(null), body: JSON.stringify(value) }, run);
}

describe("the conversion of a response", () => {
  it("uses the option, then the default, then false, and box before convJson", async () => {
    for (const box of flags) {
      for (const convJson of flags) {
        for (const usualBox of flags) {
          for (const usualJson of flags) {
            const found = await conversionOf(
              { ...(box === undefined ? {} : { box }), convJson },
              { ...nothing, box: usualBox, convJson: usualJson },
            );
            const isBox = box ?? usualBox ?? false;
            const isJson = convJson ?? usualJson ?? false;
            const otherwise = isJson ? "json" : "raw";
            assertEquals(
              found,
              isBox ? `box, otherwise ${otherwise}` : otherwise,
              JSON.stringify({ box, convJson, usualBox, usualJson }),
            );
          }
        }
      }
    }
  });

  it("ignores an option that is undefined", async () => {
    const usual = { box: true, boxAttrs: { default: "usual" }, convJson: true };
    const passed = { box: undefined, boxAttrs: undefined, convJson: undefined };
    assertEquals(await conversionOf(passed, usual), "box, otherwise json");
    assertEquals(((await boxerOf(passed, usual))({}) as { a: unknown }).a, "usual");
  });

  it("is the raw response without options and defaults", async () => {
    assertEquals(await conversionOf({}, nothing), "raw");
  });

  const attributes: readonly (readonly [string, RequestOptions, ConversionDefaults, unknown])[] = [
    ["none", { box: true }, nothing, undefined],
    [
      "those of the default",
      { box: true },
      { ...nothing, boxAttrs: { default: "usual" } },
      "usual",
    ],
    [
      "those of the option",
      { box: true, boxAttrs: { default: "own" } },
      { ...nothing, boxAttrs: { default: "usual" } },
      "own",
    ],
    [
      "none if the option is empty",
      { box: true, boxAttrs: {} },
      { ...nothing, boxAttrs: { default: "usual" } },
      undefined,
    ],
    [
      "those of the option if box is only the default",
      { boxAttrs: { default: null } },
      { ...nothing, box: true },
      null,
    ],
  ];
  for (const [source, options, defaults, missing] of attributes) {
    it(`the attributes of a box are ${source}`, async () => {
      const box = await boxerOf(options, defaults);
      assertStrictEquals((box({}) as { a: unknown }).a, missing);
    });
  }

  it("uses the attributes of the option without merging them with those of the default", async () => {
    const defaults = { ...nothing, boxAttrs: { camelCase: true, default: "usual" } };
    const box = await boxerOf({ box: true, boxAttrs: { dots: true } }, defaults);
    const created = box({ a_b: { c: 1 } }) as Record<string, unknown>;
    assertEquals([created["aB"], created["x"], created["a_b.c"]], [undefined, undefined, 1]);
  });

  it("boxes objects and arrays, but not scalars and null", async () => {
    const box = await boxerOf({ box: true });
    const value = { a: 1 };
    assert(isBox(box(value)));
    assertEquals(unbox(box(value)), value);
    const list = box([value]) as unknown[];
    assert(Array.isArray(list) && isBox(list[0]));
    const format = formatFor({ box: true }, nothing);
    for (const body of ["null", "0", "-0", '""', '"a"', "true", "false"]) {
      const converted = format.convert({ response: Response.json(null), body }, run);
      assertStrictEquals(converted, JSON.parse(body));
    }
  });

  it("does not depend on later changes of the attributes", async () => {
    const boxAttrs = { default: "before" };
    const created = boxerOf({ box: true, boxAttrs });
    boxAttrs.default = "after";
    const box = await created;
    assertEquals((box({}) as { a: unknown }).a, "before");
  });

  const wrong: readonly unknown[] = [null, 0, 1, "", "true", "false", {}, [], () => true];
  for (const [index, value] of wrong.entries()) {
    it(`requires a flag to be true or false, in the option and in the default, case ${index + 1}`, () => {
      for (const name of ["box", "convJson"]) {
        const passed = { [name]: value };
        const tries: (() => unknown)[] = [
          () => formatFor(passed as RequestOptions, nothing),
          () => formatFor({}, { ...nothing, ...passed } as ConversionDefaults),
        ];
        for (const run of tries) {
          const error = assertThrows(run, UnexpectedValueError);
          assertEquals([error.option, error.expected], [name, "true or false"]);
        }
      }
    });
  }

  it("refuses an invalid convJson even if there is a box", () => {
    const options = { box: true, convJson: "yes" as never };
    assertEquals(
      assertThrows(() => formatFor(options, nothing), UnexpectedValueError).option,
      "convJson",
    );
  });

  it("does not check an invalid default if the option is set", async () => {
    const wrong = { box: 1, boxAttrs: 1, convJson: 1 } as unknown as ConversionDefaults;
    assertEquals(
      await conversionOf({ box: true, boxAttrs: {}, convJson: false }, wrong),
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
    it(`names invalid attributes, case ${index + 1}: ${option}`, () => {
      const boxAttrs = attrs as never;
      const tries: (() => unknown)[] = [
        () => formatFor({ box: true, boxAttrs }, nothing),
        () => formatFor({ box: true }, { ...nothing, boxAttrs }),
      ];
      for (const run of tries) {
        assertEquals(assertThrows(run, UnexpectedValueError).option, option);
      }
    });
  }
});

/** Reports if a response is boxed because of its headers. */
function isBoxed(response: Response): boolean {
  return isBox(boxFormat(undefined, rawFormat).convert({ response, body: "{}" }, run));
}

describe("boxing a response by its content type", () => {
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
    it(`case ${index + 1} ${isJson ? "is boxed" : "is not boxed"}: ${shown(type)}`, () => {
      const response = new Response(null, {
        headers: type === undefined ? {} : [["content-type", type]],
      });
      assertEquals(isBoxed(response), isJson);
    });
  }

  it("uses the content type that Response sets for its body", () => {
    assertEquals(isBoxed(Response.json({})), true);
    assertEquals(isBoxed(new Response("{}")), false); // text/plain
  });
});
