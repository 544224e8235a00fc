import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, type ParamsStyle, UnexpectedValueError } from "../../mod.ts";
import { checkedParamsStyle, encodeParams, type Params } from "../../src/content/params.ts";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

const brackets: ParamsStyle = { arrays: "brackets", objects: "brackets" };
const comma: ParamsStyle = { arrays: "comma", objects: "brackets" };

/** Encodes parameters and decodes the brackets, so that a test is easy to read. */
function written(params: Params | object, style: ParamsStyle): string {
  return encodeParams(params, "params", style).replaceAll("%5B", "[").replaceAll("%5D", "]");
}

describe("the style of parameters", () => {
  const repeated = new URLSearchParams("a=1&b=2&a=3");
  const cases: readonly (readonly [string, ParamsStyle, Params | object, string])[] = [
    ["repeats keys by default", {}, { a: [1, 2] }, "a=1&a=2"],
    ["repeats keys", { arrays: "repeat" }, { a: [1, 2] }, "a=1&a=2"],
    ["writes arrays in brackets", brackets, { a: [1, 2], b: 3 }, "a[]=1&a[]=2&b=3"],
    ["does not add brackets twice", brackets, { "a[]": [1, 2] }, "a[]=1&a[]=2"],
    ["writes comma lists", comma, { a: [1, 2], b: 3 }, "a=1,2&b=3"],
    ["encodes a comma in a list", comma, { a: ["x,y", "z &"] }, "a=x%2Cy,z+%26"],
    ["encodes a comma in a text and in a key", comma, { "k,": "x,y" }, "k%2C=x%2Cy"],
    ["keeps an empty text in a list", comma, { a: ["", "x", ""] }, "a=,x,"],
    [
      "writes nested objects",
      { objects: "brackets" },
      { f: { a: { b: 1 }, c: "x" } },
      "f[a][b]=1&f[c]=x",
    ],
    [
      "repeats keys in nested objects",
      { objects: "brackets" },
      { f: { a: [1, 2] } },
      "f[a]=1&f[a]=2",
    ],
    [
      "writes arrays in nested objects in brackets",
      brackets,
      { f: { a: [1, 2] } },
      "f[a][]=1&f[a][]=2",
    ],
    ["writes comma lists in nested objects", comma, { f: { a: [1, 2] } }, "f[a]=1,2"],
    ["leaves null and undefined out", comma, { a: [1, null, undefined, 2], b: null }, "a=1,2"],
    ["leaves null and undefined in objects out", brackets, { f: { a: null, b: undefined } }, ""],
    ["leaves empty arrays and objects out", comma, { a: [], b: [null], f: {}, c: 1 }, "c=1"],
    [
      "writes booleans and bigints",
      comma,
      { a: [true, false], f: { b: 2n } },
      "a=true,false&f[b]=2",
    ],
    ["takes a key that repeats in URLSearchParams as an array", comma, repeated, "a=1,3&b=2"],
    [
      "takes a key that repeats in pairs as an array",
      brackets,
      [["a", 1], ["a", 2]],
      "a[]=1&a[]=2",
    ],
    ["keeps the order of pairs that repeat", { arrays: "repeat" }, repeated, "a=1&b=2&a=3"],
    ["can be a function that returns text", () => "a=1;2", { a: 1 }, "a=1;2"],
    ["ignores a question mark before the text", () => "?a=1", { a: 1 }, "a=1"],
    ["can be a function that returns pairs", () => [["a", "x y"], ["a", "&"]], {}, "a=x+y&a=%26"],
    ["can be a function that returns URLSearchParams", () => repeated, {}, "a=1&b=2&a=3"],
    ["can be a function that returns nothing to send", () => "", { a: 1 }, ""],
    [
      "can be a generator function",
      function* (params) {
        for (const [key, value] of Object.entries(params)) yield [`x.${key}`, String(value)];
      },
      { a: [1, 2], b: { toString: () => "text" } },
      "x.a=1%2C2&x.b=text",
    ],
  ];
  for (const [what, style, params, expected] of cases) {
    it(what, () => assertEquals(written(params, style), expected));
  }

  it("passes a mapping to the function, whatever the parameters are", () => {
    const seen: unknown[] = [];
    const style: ParamsStyle = (params) => {
      seen.push(params);
      return "";
    };
    encodeParams({ a: { b: new Date(0) }, c: null, d: undefined }, "params", style);
    encodeParams([["a", 1], ["a", 2]], "params", style);
    encodeParams(repeated, "params", style);

    assertEquals(seen, [{ a: { b: new Date(0) } }, { a: [1, 2] }, { a: ["1", "3"], b: "2" }]);
  });

  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  let deep: object = { x: 1 };
  for (let depth = 0; depth < 200; depth++) deep = { d: deep };
  const refused: readonly (readonly [string, ParamsStyle, unknown, string])[] = [
    ["a nested object by default", {}, { f: { a: 1 } }, "params.f"],
    ["a nested object with arrays alone", { arrays: "brackets" }, { f: { a: 1 } }, "params.f"],
    ["a Date", brackets, { a: new Date(0) }, "params.a"],
    ["a Date in a nested object", brackets, { f: { a: new Date(0) } }, "params.f.a"],
    ["a Date in an array", comma, { a: [new Date(0)] }, "params.a[0]"],
    ["an instance of a class", brackets, {
      a: new (class Price {
        x = 1;
      })(),
    }, "params.a"],
    ["an object in an array", brackets, { f: { a: [{ b: 1 }] } }, "params.f.a[0]"],
    ["an array in an array", comma, { a: [1, [2]] }, "params.a[1]"],
    ["a function in a nested object", brackets, { f: { a: () => 1 } }, "params.f.a"],
    ["a string", comma, "a=1", "params"],
    ["a string for a function", () => "a=1", "a=1", "params"],
    ["a Map for a function", () => "a=1", new Map([["a", 1]]), "params"],
  ];
  for (const [what, style, params, option] of refused) {
    it(`refuses ${what}`, () => {
      const error = assertThrows(() => written(params as object, style), UnexpectedValueError);
      assertEquals(error.option, option);
    });
  }

  it("refuses objects with cycles and objects that are nested too deep", () => {
    for (const params of [{ f: cyclic }, { f: deep }]) {
      const error = assertThrows(() => written(params, brackets), UnexpectedValueError);
      assert(error.message.includes("must be an object without cycles, nested at most 100 deep"));
    }
  });

  it("names the option that accepts nested objects", () => {
    const error = assertThrows(() => written({ f: { a: 1 } }, {}), UnexpectedValueError);
    assertEquals(
      error.message,
      '"params.f" must be a string, a number, a boolean, null or an array of these (for nested ' +
        'objects, set paramsStyle: { objects: "brackets" }), but is an object',
    );
    const inForm = assertThrows(() => encodeParams({ f: {} }, "data"), UnexpectedValueError);
    assert(!inForm.message.includes("paramsStyle"));
  });

  it("shows how to convert a Date", () => {
    for (const params of [{ a: new Date(0) }, { a: [new Date(0)] }]) {
      const error = assertThrows(() => written(params, {}), UnexpectedValueError);
      assert(error.message.includes("(convert a Date to text: date.toISOString())"), error.message);
    }
  });

  const results: readonly (readonly [string, unknown, string, string])[] = [
    ["undefined", undefined, "paramsStyle", "one that returns undefined"],
    ["a number", 1, "paramsStyle", "one that returns 1"],
    ["a mapping", { a: "secret" }, "paramsStyle", "one that returns an object"],
    ["a promise", Promise.resolve("a=1"), "paramsStyle", "one that returns an instance of Promise"],
    ["text with a fragment", "a=1#secret", "paramsStyle", "one that returns a string of 10 char"],
    ["a list of strings", ["a=secret"], "paramsStyle[0]", "a string of 8 characters"],
    ["pairs with objects", [["a", {}]], "paramsStyle.a", "an object"],
  ];
  for (const [what, result, option, shown] of results) {
    it(`refuses a function that returns ${what}`, () => {
      const error = assertThrows(
        () => written({ a: 1 }, (() => result) as ParamsStyle),
        UnexpectedValueError,
      );
      assertEquals(error.option, option);
      assert(error.message.includes(`but is ${shown}`), error.message);
      assert(!error.message.includes("secret"));
    });
  }

  it("reports a function that throws, with its error as the cause", () => {
    const cause = new RangeError("too many");
    const fail = (): never => {
      throw cause;
    };
    // The second throws while its pairs are read.
    const throwing: readonly ParamsStyle[] = [fail, function* () {
      yield fail();
    }];
    for (const style of throwing) {
      const error = assertThrows(() => written({ a: 1 }, style), UnexpectedValueError);
      assertEquals([error.option, error.cause], ["paramsStyle", cause]);
      assert(error.message.endsWith("but is one that throws"));
    }
  });
});

describe("the check of paramsStyle", () => {
  it("accepts an object and returns a copy", () => {
    const style = { arrays: "comma", objects: undefined };
    const checked = checkedParamsStyle("paramsStyle", style);
    style.arrays = "nonsense";
    assertEquals(checked as unknown, { arrays: "comma", objects: undefined });
  });

  for (
    const [style, message] of [
      [
        "comma",
        '"paramsStyle" must be an object such as { arrays: "comma" }, or a function that returns the query, but is a string of 5 characters',
      ],
      [
        null,
        '"paramsStyle" must be an object such as { arrays: "comma" }, or a function that returns the query, but is null',
      ],
      [
        { arrays: "comas" },
        '"paramsStyle.arrays" must be "repeat" or "brackets" or "comma", but is a string of 5 characters',
      ],
      [{ objects: true }, '"paramsStyle.objects" must be "brackets", but is true'],
      [{ array: "comma" }, '"paramsStyle.array" is not a known option: did you mean "arrays"?'],
    ] as const
  ) {
    it(`refuses ${JSON.stringify(style).replaceAll('"', "")} everywhere`, async () => {
      const options = { url: "https://a.example", paramsStyle: style as ParamsStyle };
      const error = assertThrows(() => new APISession(options), UnexpectedValueError);
      assertEquals(error.message, message);
      const session = new APISession({ url: options.url, adapter: scripted(200) });
      const ofCall = await assertRejects(
        () => session.get("x", { paramsStyle: options.paramsStyle }),
        UnexpectedValueError,
      );
      assertEquals(ofCall.message, message);
    });
  }
});

describeGenerations("a session with a paramsStyle", ({ Session }) => {
  const url = "https://api.example.com";

  it("takes it from the call, then the option, then the class", async () => {
    class Shop extends Session {
      static override readonly paramsStyle: ParamsStyle = { arrays: "comma" };
    }
    const adapter = scripted(200);
    const params = { a: [1, 2] };
    const shop = new Shop({ url, adapter });
    await shop.get("x", { params });
    await new Shop({ url, adapter, paramsStyle: { arrays: "brackets" } }).get("x", { params });
    await shop.get("x", { params, paramsStyle: { arrays: "repeat" } });
    await shop.withOptions({ paramsStyle: () => "q" }).get("x", { params });

    assertEquals(adapter.calls.map((call) => new URL(call.url).search), [
      "?a=1,2",
      "?a%5B%5D=1&a%5B%5D=2",
      "?a=1&a=2",
      "?q",
    ]);
  });

  it("sends nested parameters of its own, which a call replaces by their first key", async () => {
    const adapter = scripted(200);
    const own = { filter: { name: "Ada", age: 3 }, tags: ["a"] };
    const session = new Session({ url, adapter, params: own, paramsStyle: brackets });
    await session.get("x", { params: { filter: { name: "Bob" } } });
    await session.withOptions({ params: { filter: { city: "x" } } }).get("x");

    assertEquals(adapter.calls.map((call) => decodeURIComponent(new URL(call.url).search)), [
      "?filter[name]=Bob&tags[]=a",
      "?filter[city]=x&tags[]=a",
    ]);
  });

  it("does not repeat its parameters that the link to the next page has", async () => {
    const adapter = scripted(200);
    const params = { filter: { name: "Ada" }, tags: ["a"], v: 2 };
    const session = new Session({ url, adapter, params, paramsStyle: brackets });
    const own = session.withOptions({
      paramsStyle: (params) => Object.keys(params).map((key) => [`${key}.x`, "1"]),
    });
    await session.get(`${url}/x?filter%5Bname%5D=Eve&tags[]=b&page=2`);
    await own.get(`${url}/x?filter.name=Eve&tags[0]=b&page=2`);

    assertEquals(adapter.calls.map((call) => call.url), [
      `${url}/x?filter%5Bname%5D=Eve&tags[]=b&page=2&v=2`,
      `${url}/x?filter.name=Eve&tags[0]=b&page=2&v.x=1`,
    ]);
  });

  it("compares whole names with a link if no style writes brackets", async () => {
    const adapter = scripted(200);
    const params = { page: 1, "filter[name]": "Ada" };
    const session = new Session({ url, adapter, params });
    await session.get(`${url}/x?page[size]=5&filter%5Bname%5D=Eve`);

    assertEquals(adapter.calls[0]!.url, `${url}/x?page[size]=5&filter%5Bname%5D=Eve&page=1`);
  });

  it("refuses parameters of its own that its style cannot write", () => {
    const options = { url, params: { filter: { name: "Ada" } } };
    const error = assertThrows(() => new Session(options), UnexpectedValueError);
    assertEquals(error.option, "params.filter");
    new Session({ ...options, paramsStyle: { objects: "brackets" } });
    new Session({
      ...options,
      paramsStyle: () => {
        throw new Error("called by the constructor");
      },
    });
  });

  it("refuses a call whose function throws, and sends nothing", async () => {
    const adapter = scripted(200);
    const session = new Session({ url, adapter, paramsStyle: () => null as never });
    const error = await assertRejects(
      () => session.get("x", { params: { a: 1 } }),
      UnexpectedValueError,
    );
    assertEquals([error.option, adapter.calls.length], ["paramsStyle", 0]);
  });

  it("does not call the function for a call without parameters", async () => {
    const adapter = scripted(200);
    const session = new Session({ url, adapter, paramsStyle: () => "a=1" });
    await session.get("x");
    assertEquals(adapter.calls[0]!.url, `${url}/x`);
  });

  it("redacts nested fields and lists in the log and in the URLs of errors", async () => {
    const params = { user: { password: "s3cret", name: "Ada" }, token: ["s3cret", "s3cret"] };
    const flat: ParamsStyle = () => "user.password=s3cret&token=s3cret;s3cret&name=Ada";
    for (const paramsStyle of [brackets, comma, flat]) {
      const logger = recordingLogger();
      const session = new Session({
        url,
        adapter: scripted(404),
        logger,
        paramsStyle,
        redactFields: ["password", "token"],
      });
      const error = await assertRejects(() => session.get("x", { params }), Error);
      const [record] = logger.json("debug");

      assert(error.message.includes("REDACTED") && error.message.includes("Ada"));
      assert(!`${error.message}${logger.messages().join("\n")}`.includes("s3cret"));
      assertEquals(record!["params"], {
        user: { password: "REDACTED", name: "Ada" },
        token: "REDACTED",
      });
    }
  });
});
