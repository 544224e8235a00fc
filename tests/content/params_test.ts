import { assertEquals, assertThrows, describe, it } from "#test";
import { addQuery, encodeParams, type Params, paramsMapping } from "../../src/content/params.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";

describe("writing query parameters", () => {
  const cases: readonly (readonly [string, Params, string])[] = [
    ["an object", { a: "1", b: "x y" }, "a=1 b=x+y"],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), "a=1"],
    ["pairs, in their order", [["b", 1], ["a", 2], ["b", 3]], "b=1 a=2 b=3"],
    ["URLSearchParams", new URLSearchParams("b=1&a=2&b=3"), "b=1 a=2 b=3"],
    ["numbers", { a: 0, b: -1.5, c: 1e21 }, "a=0 b=-1.5 c=1e%2B21"],
    ["bigints", { a: 12345678901234567890n }, "a=12345678901234567890"],
    ["booleans, which are written as true and false", { a: true, b: false }, "a=true b=false"],
    ["null and undefined, which are left out", { a: null, b: undefined, c: 1 }, "c=1"],
    ["an empty string, which is kept", { a: "" }, "a="],
    ["arrays, which repeat the key", { a: [1, "two", true] }, "a=1 a=two a=true"],
    ["null in an array, which is left out", { a: [1, null, undefined, 2] }, "a=1 a=2"],
    ["an empty array, which is left out", { a: [], b: 1 }, "b=1"],
    ["null in pairs, which is left out", [["a", null], ["b", 1]], "b=1"],
    [
      "characters with a meaning in a URL, which are encoded",
      { "a&b": "c=d&e#f?g%/" },
      "a%26b=c%3Dd%26e%23f%3Fg%25%2F",
    ],
    ["text beyond ASCII, in UTF-8", { ü: "€😀" }, "%C3%BC=%E2%82%AC%F0%9F%98%80"],
    ["a line break", { a: "b\r\nc" }, "a=b%0D%0Ac"],
    ["a lone surrogate", { a: "\ud800" }, "a=%EF%BF%BD"],
    ["an empty object", {}, ""],
    ["no pairs", [], ""],
    ["a key named __proto__", JSON.parse('{"__proto__":"1"}'), "__proto__=1"],
  ];
  for (const [what, params, expected] of cases) {
    // contract: reading-23
    it(`accepts ${what.replaceAll("&", "and")}`, () => {
      assertEquals(encodeParams(params, "params").replaceAll("&", " "), expected);
    });
  }

  it("accepts an instance of a class by its own fields", () => {
    class Page {
      readonly page = 2;
      readonly size = 50;
    }
    assertEquals(encodeParams({ ...new Page() }, "params"), "page=2&size=50");
    assertEquals(encodeParams(new Page() as unknown as Params, "params"), "page=2&size=50");
  });

  const refused: readonly (readonly [string, unknown, string])[] = [
    ["a string", "a=1", "params"],
    ["null", null, "params"],
    ["a number", 1, "params"],
    ["a Map, which has no fields", new Map([["a", 1]]), "params"],
    ["a Set, which has no fields", new Set(["a"]), "params"],
    ["FormData", new FormData(), "params"],
    ["a list that is not one of pairs", ["a", "b"], "params[0]"],
    ["a list of triples", [["a", 1], ["a", 1, 2]], "params[1]"],
    ["a pair whose key is a number", [[1, "a"]], "params[0]"],
    ["a value that is an object", { a: { b: 1 } }, "params.a"],
    ["a value that is a Date", { a: new Date(0) }, "params.a"],
    ["a value that is a function", { a: () => 1 }, "params.a"],
    ["a value that is a symbol", { a: Symbol("x") }, "params.a"],
    ["an array in an array", { a: [1, [1]] }, "params.a[1]"],
    ["an object in a pair", [["a", {}]], "params.a"],
  ];
  for (const [what, params, option] of refused) {
    it(`refuses ${what}`, () => {
      const error = assertThrows(
        () => encodeParams(params as Params, "params"),
        UnexpectedValueError,
      );
      assertEquals(error.option, option);
    });
  }

  it("names the option in the error", () => {
    const error = assertThrows(() => encodeParams("x" as never, "data"), UnexpectedValueError);
    assertEquals(error.option, "data");
  });
});

describe("parameters in the log", () => {
  const cases: readonly (readonly [string, Params | undefined, unknown])[] = [
    ["rule 6: default to an empty mapping", undefined, {}],
    ["are an unchanged mapping if they are a mapping", { a: 1, b: [true, null] }, {
      a: 1,
      b: [true, null],
    }],
    ["are a mapping if they are pairs", [["a", 1], ["b", "2"]], { a: 1, b: "2" }],
    ["have a list for a repeated pair", [["a", 1], ["a", 2], ["a", 3]], { a: [1, 2, 3] }],
    ["are a mapping if they are URLSearchParams", new URLSearchParams("a=1&b=2&a=3"), {
      a: ["1", "3"],
      b: "2",
    }],
  ];
  for (const [what, params, expected] of cases) {
    it(what, () => {
      assertEquals(paramsMapping(params), expected as Readonly<Record<string, unknown>>);
    });
  }

  it("can have the key __proto__ like any other", () => {
    assertEquals(JSON.stringify(paramsMapping([["__proto__", "1"]])), '{"__proto__":"1"}');
  });
});

describe("adding a query to a URL", () => {
  const base = "https://api.example.com/x";
  for (
    const [what, url, query, expected] of [
      ["adds it to a URL without a query", base, "a=1", `${base}?a=1`],
      ["appends it to the query that is there", `${base}?b=2`, "a=1", `${base}?b=2&a=1`],
      ["inserts it before the fragment", `${base}#top`, "a=1", `${base}?a=1#top`],
      ["inserts it between query and fragment", `${base}?b=2#top`, "a=1", `${base}?b=2&a=1#top`],
      ["appends it to a bare question mark", `${base}?`, "a=1", `${base}?a=1`],
      ["appends it to an ampersand", `${base}?b=2&`, "a=1", `${base}?b=2&a=1`],
      ["ignores a question mark in the fragment", `${base}#a?b`, "a=1", `${base}?a=1#a?b`],
      ["changes nothing if it is empty", `${base}?#top`, "", `${base}?#top`],
    ] as const
  ) {
    it(what, () => assertEquals(addQuery(url, query), expected));
  }
});
