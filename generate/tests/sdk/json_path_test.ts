import { assertEquals, assertThrows, describe, it } from "#test";
import { pointerOf } from "../../src/read/pointers.ts";
import { readJsonPath } from "../../src/sdk/json_path.ts";
import { JsonPathError, type Match } from "../../src/sdk/json_path_filter.ts";

const DOCUMENT = {
  paths: {
    "/boats/{id}": {
      get: {
        deprecated: true,
        parameters: [
          { name: "id", in: "path", schema: { type: "string" } },
          { name: "limit", in: "query", schema: { type: "integer", maximum: 50 } },
        ],
      },
      put: { tags: ["boats", "admin"] },
    },
  },
  components: { schemas: { Boat: { type: "object" }, "Boat.Name": { type: "string" } } },
};

/** Returns the pointers of the values that a path leads to. */
function found(path: string, document: unknown = DOCUMENT): string[] {
  const keys = ({ key, parent }: Match): string[] =>
    parent === undefined ? [] : [...keys(parent), key];
  return readJsonPath(path).find(document, () => {}).map((match) => pointerOf(keys(match)));
}

const GET = "#/paths/~1boats~1{id}/get";

describe("a JSONPath", () => {
  it("leads to the values that its steps name", () => {
    const cases: readonly (readonly [path: string, pointers: readonly string[]])[] = [
      ["$", ["#"]],
      ["$.components.schemas.Boat", ["#/components/schemas/Boat"]],
      ["$['components']['schemas'][\"Boat.Name\"].type", ["#/components/schemas/Boat.Name/type"]],
      ["$.components.schemas['Boat','Boat.Name']", [
        "#/components/schemas/Boat",
        "#/components/schemas/Boat.Name",
      ]],
      ["$.components.schemas[Boat]", ["#/components/schemas/Boat"]],
      ["$.paths./boats/{id}.get.deprecated", [`${GET}/deprecated`]],
      ["$.paths['/boats/{id}'].get.parameters[1].name", [`${GET}/parameters/1/name`]],
      ["$.paths.*.get.parameters[-1]", [`${GET}/parameters/1`]],
      ["$.paths.*.get.parameters[0:1]", [`${GET}/parameters/0`]],
      ["$.paths.*.get.parameters[1:]", [`${GET}/parameters/1`]],
      ["$.paths.*.get.parameters[*].schema.type", [
        `${GET}/parameters/0/schema/type`,
        `${GET}/parameters/1/schema/type`,
      ]],
      ["$..maximum", [`${GET}/parameters/1/schema/maximum`]],
      ["$..maximum^", [`${GET}/parameters/1/schema`]],
      ["$.paths..parameters[0].name", [`${GET}/parameters/0/name`]],
      ["$.paths.nothing.here", []],
      ["$.components.schemas.Boat.type.length", []],
      ["$.paths.*.get.parameters.length", []],
    ];
    for (const [path, pointers] of cases) assertEquals(found(path), pointers, path);
  });

  it("selects values by filters", () => {
    const one = [`${GET}/parameters/1`];
    const both = [`${GET}/parameters/0`, `${GET}/parameters/1`];
    const cases: readonly (readonly [filter: string, pointers: readonly string[]])[] = [
      ['@.name == "limit"', one],
      ["@.name === 'limit' && @.in=='query'", one],
      ["@.name != 'id'", one],
      ["@.name !== 'x' || @.in == 'y'", both],
      ["@.schema.maximum", one],
      ["!@.schema.maximum", [`${GET}/parameters/0`]],
      ["!(@.in == 'path')", one],
      ["@.schema.maximum >= 50", one],
      ["@.schema.maximum > 50", []],
      ["@.schema['maximum'] < 51", one],
      ["@.schema.maximum <= 49", []],
      ["@property == 1", []],
      ["@property == '1'", one],
      ["@.name.startsWith('li')", one],
      ["@.name.endsWith('it')", one],
      ["@.name.includes('imi')", one],
      ["@.name.length == 5", one],
      ["@parent[0].name == 'id'", both],
      ["@parentProperty == 'parameters'", both],
      ["$.components.schemas.Boat.type == 'object'", both],
      ["@.name.nothing.here", []],
      ["true", both],
      ["@.schema.minimum == null", []],
      ["@.schema.minimum == undefined", both],
    ];
    for (const [filter, pointers] of cases) {
      assertEquals(found(`$.paths.*.get.parameters[?(${filter})]`), pointers, filter);
    }
    assertEquals(found("$.paths.*[?(@.deprecated == true)]"), [GET]);
    assertEquals(found("$.paths.*[?@.tags.includes('admin')]"), ["#/paths/~1boats~1{id}/put"]);
  });

  it("leads to values in the order of the document", () => {
    const document = { a: [{ b: 1 }, { b: 2 }], c: { b: 3 } };
    assertEquals(found("$..b", document), ["#/a/0/b", "#/a/1/b", "#/c/b"]);
  });

  it("lists each value once", () => {
    assertEquals(found("$..parameters..name").length, 2);
    assertEquals(found("$..*..name").length, 2);
  });

  it("does not lead to what objects and lists inherit", () => {
    for (const path of ["$.__proto__", "$.constructor", "$..toString", "$.paths.length", "$[0]"]) {
      assertEquals(found(path, JSON.parse('{"paths":[1]}')), [], path);
    }
    assertEquals(found("$.__proto__.a", JSON.parse('{"__proto__":{"a":1}}')), ["#/__proto__/a"]);
  });

  it("is refused if it is not supported, and no text is run", () => {
    const paths = [
      ...["", "components", "$components", "$.", "$..", "$.a[", "$.a[]", "$.a['b]", "$.a[?(@.b]"],
      ...["$.a[(@.length-1)]", "$.a[?(@.b.match(/x/))]", "$.a[?(process.exit(1))]", "$.a.b~"],
      ...["$.a[?(@.b == )]", "$.a[?()]", "$.a[?(@.b.constructor('x')())]", `$${".a".repeat(2000)}`],
      ...["$.a[?(@.b = 1)]", "$.a[1", "$.a.@string()"],
    ];
    for (const path of paths) {
      assertThrows(() => readJsonPath(path), JsonPathError, undefined, path);
    }
  });
});
