import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { ShapeError } from "../../src/base/errors.ts";
import { generate } from "../../src/generate.ts";
import { readSource } from "../../src/read/read.ts";
import { readStainless, type StainlessConfig } from "../../src/sdk/config.ts";

const SCHEMAS = {
  Boat: {
    type: "object",
    required: ["name", "mast"],
    properties: { name: { type: "string" }, mast: { type: "string", default: "one" } },
  },
  Ship: { type: "object", properties: { boat: { $ref: "#/components/schemas/Boat" } } },
  Fault: { type: "object", properties: { message: { type: "string" } } },
  Failure: { properties: { message: { type: "string" } }, type: "object" },
};
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Harbour", version: "1", description: "Boats." },
  paths: {
    "/boats": {
      get: {
        operationId: "listBoats",
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer" } },
          { name: "old", in: "query", deprecated: true, schema: { type: "string" } },
          { name: "older", in: "query", deprecated: true, schema: { type: "string" } },
          { name: "size", in: "query", schema: { type: "integer" } },
        ],
        responses: { 204: { description: "None" } },
      },
    },
  },
  components: { schemas: SCHEMAS },
};

const SMALL = { openapi: "3.1.0", info: { title: "T", version: "1" }, paths: {} };

type Json = Readonly<Record<string, unknown>>;

/** Returns transforms of which each doubles the size of a document. */
function doubling(times: number): Json[] {
  return Array.from({ length: times }, (_, index) => ({
    command: "copy",
    args: { from: "$.info", to: `$.info.x${index}` },
  }));
}

function configOf(...transforms: readonly Json[]): StainlessConfig {
  return readStainless(JSON.stringify({ openapi: { transforms } }));
}

/** Returns the value of a path in the document after transforms, and what they report. */
async function after(
  path: string,
  ...transforms: readonly Json[]
): Promise<{ readonly value: unknown; readonly problems: readonly string[] }> {
  const config = configOf(...transforms);
  const source = await readSource(JSON.stringify(DOCUMENT), { changes: config.changes });
  let value = source.root.value;
  for (const key of path === "" ? [] : path.split(" ")) {
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[key];
  }
  return {
    value: value === undefined ? undefined : JSON.parse(JSON.stringify(value)),
    problems: config.problems().map(({ message }) => message),
  };
}

const parameterNames = (parameters: unknown): string[] =>
  (parameters as readonly { readonly name: string }[]).map(({ name }) => name);

describe("a transform", () => {
  it("changes the document as its command says", async () => {
    const cases: readonly (readonly [transform: Json, path: string, value: unknown])[] = [
      [
        { command: "update", args: { target: "$.info.title", value: "Port" } },
        "info title",
        "Port",
      ],
      [
        { command: "update", args: { target: "$.components.schemas.*.type", value: null } },
        "components schemas Ship type",
        null,
      ],
      [
        {
          command: "update",
          args: {
            target: "$.info.description",
            value: "[old] {{value}} $& {{value}}",
            template: true,
          },
        },
        "info description",
        "[old] Boats. $& Boats.",
      ],
      [
        {
          command: "update",
          args: {
            target: [{
              matches_schema: "$.components.schemas.Fault",
              ignore: "$.components.schemas.Fault",
            }],
            value: { $ref: "#/components/schemas/Fault" },
          },
        },
        "components schemas Failure",
        { $ref: "#/components/schemas/Fault" },
      ],
      [
        {
          command: "append",
          args: { target: "$.components.schemas.Boat.required", value: "keel" },
        },
        "components schemas Boat required",
        ["name", "mast", "keel"],
      ],
      [
        {
          command: "append",
          args: {
            target: "$.components.schemas.Fault.properties",
            value: { code: { type: "integer" } },
          },
        },
        "components schemas Fault properties",
        { message: { type: "string" }, code: { type: "integer" } },
      ],
      [
        {
          command: "merge",
          args: {
            target: '$..parameters[?(@.name == "limit")]',
            value: { schema: { maximum: 9 }, required: true },
          },
        },
        "paths /boats get parameters 0",
        { name: "limit", in: "query", schema: { type: "integer", maximum: 9 }, required: true },
      ],
      [
        {
          command: "remove",
          args: { target: "$.components.schemas.Boat.properties.mast.default" },
        },
        "components schemas Boat properties mast",
        { type: "string" },
      ],
      [
        {
          command: "remove",
          args: {
            target: ["$.components.schemas.Boat.properties", "$.components.schemas.Boat.required"],
            keys: ["mast"],
          },
        },
        "components schemas Boat",
        { type: "object", required: ["name"], properties: { name: { type: "string" } } },
      ],
      [
        {
          command: "copy",
          args: { from: "$.components.schemas.Fault", to: "$.components.schemas.Leak" },
        },
        "components schemas Leak",
        SCHEMAS.Fault,
      ],
      [
        {
          command: "copy",
          args: {
            from: "$.components.schemas.Fault",
            to: ["$.components.schemas.Boat", "$.paths./boats.get.responses.204.content"],
          },
        },
        "paths /boats get responses 204 content",
        SCHEMAS.Fault,
      ],
      [
        {
          command: "move",
          args: {
            from: "$.components.schemas.Boat.properties.mast",
            to: "$.components.schemas.Ship.properties.pole",
          },
        },
        "components schemas Ship properties pole",
        { type: "string", default: "one" },
      ],
    ];
    for (const [transform, path, value] of cases) {
      const name = JSON.stringify(transform);
      assertEquals(
        await after(path, { reason: "a test", ...transform }),
        { value, problems: [] },
        name,
      );
    }
  });

  it("removes all items that a filter finds", async () => {
    const { value } = await after("paths /boats get parameters", {
      command: "remove",
      args: { target: "$.paths..parameters[?(@.deprecated == true)]" },
    });
    assertEquals(parameterNames(value), ["limit", "size"]);
  });

  it("renames a schema in its place, and the references to it", async () => {
    const { value } = await after("components schemas", {
      command: "move",
      args: { from: "$.components.schemas.Boat", to: "$.components.schemas.Vessel" },
    });
    const schemas = value as Readonly<Record<string, Json>>;
    assertEquals(Object.keys(schemas), ["Vessel", "Ship", "Fault", "Failure"]);
    assertEquals(schemas["Ship"]!["properties"], { boat: { $ref: "#/components/schemas/Vessel" } });
  });

  it("sees what those before it did, also in the older list of configurations", async () => {
    const transforms = [
      {
        command: "copy",
        args: { from: "$.components.schemas.Fault", to: "$.components.schemas.Leak" },
      },
      { command: "merge", args: { target: "$.components.schemas.Leak", value: { title: "L" } } },
    ];
    const { value } = await after("components schemas", ...transforms);
    const schemas = value as Readonly<Record<string, Json>>;
    assertEquals([schemas["Leak"]!["title"], schemas["Fault"]!["title"]], ["L", undefined]);
    const older = readStainless(JSON.stringify({ openapi: { transformations: transforms } }));
    const source = await readSource(JSON.stringify(DOCUMENT), { changes: older.changes });
    assert(JSON.stringify(source.root.value).includes('"Leak"'));
  });

  it("is left out, and becomes a problem with its place, if it does not fit the document", async () => {
    const cases: readonly (readonly [transform: Json, message: string])[] = [
      [
        { command: "update", args: { target: "$.info.summary", value: "S" } },
        '"$.info.summary" leads to nothing in the document',
      ],
      [
        { command: "update", args: { target: "$", value: {} } },
        "the whole document cannot be replaced",
      ],
      [
        { command: "update", args: { target: "$.info", value: "{{value}}", template: true } },
        "a template needs a string in the document",
      ],
      [{ command: "remove", args: { target: "$" } }, "the whole document cannot be removed"],
      [
        { command: "remove", args: { target: "$.info.title", keys: ["a"] } },
        "only objects and lists have keys",
      ],
      [
        { command: "append", args: { target: "$.info", value: { title: "T" } } },
        'the property "title" exists already',
      ],
      [
        { command: "append", args: { target: "$.info.title", value: "T" } },
        "only lists and objects can be appended to",
      ],
      [
        { command: "append", args: { target: "$.info", value: "T" } },
        "only properties can be appended to an object",
      ],
      [
        { command: "merge", args: { target: "$.info.title", value: {} } },
        "only objects can be merged",
      ],
      [
        { command: "copy", args: { from: "$.components.schemas.*", to: "$.info" } },
        '"$.components.schemas.*" leads to 4 values, but only one can be copied or moved',
      ],
      [
        { command: "move", args: { from: "$.components.schemas.Leak", to: "$.info" } },
        '"$.components.schemas.Leak" leads to nothing in the document',
      ],
      [{ command: "move", args: { from: "$", to: "$.x" } }, "the whole document cannot be moved"],
      [
        { command: "move", args: { from: "$.info", to: "$.components.schemas.*" } },
        '"$.components.schemas.*" leads to more than one place',
      ],
      [
        { command: "move", args: { from: "$.components", to: "$.components.schemas.All" } },
        '"$.components.schemas.All" is inside of the value that is moved',
      ],
      [
        { command: "copy", args: { from: "$.info", to: "$.a.b" } },
        '"$.a.b" leads to nothing, and to no object that could have it',
      ],
      [
        { command: "rename" },
        "the command is not one of append, copy, merge, move, remove, update",
      ],
      [
        { command: "remove", args: { target: "$.info[?(@.x.match(/y/))]" } },
        'the JSONPath cannot be read: "$.info[?(@.x.match(/y/))]", character 19: ' +
        "only startsWith, endsWith and includes can be called",
      ],
    ];
    for (const [transform, message] of cases) {
      const { value, problems } = await after("", transform);
      assertEquals([value, problems], [DOCUMENT, [message]], JSON.stringify(transform));
    }
    const config = readStainless(
      "openapi:\n  transforms:\n    - command: remove\n      args:\n        target: $.nothing\n",
    );
    await readSource(JSON.stringify(DOCUMENT), { changes: config.changes });
    const [problem] = config.problems();
    assertEquals([problem?.file, problem?.line, problem?.column], ["stainless.yml", 5, 9]);
  });

  it("is refused with its place if it is not a command with its settings", () => {
    const cases: readonly (readonly [transform: unknown, message: string])[] = [
      [{ args: {} }, "must be an object with a command"],
      [{ command: "remove" }, "must be an object with `args`"],
      [{ command: "remove", args: {} }, "must be an object with `target`"],
      [{ command: "copy", args: { from: "$.a" } }, "must be an object with `to`"],
      [{ command: "update", args: { target: "$.a" } }, "must be an object with `value`"],
      [{ command: "merge", args: { target: "$.a", value: [] } }, "must be an object, not []"],
      [{ command: "remove", args: { target: 7 } }, "must be a JSONPath"],
      [{ command: "remove", args: { target: "$.a", keys: "b" } }, "must be a list"],
      ["remove", "must be an object"],
    ];
    for (const [transform, message] of cases) {
      const error = assertThrows(() => configOf(transform as Json), ShapeError);
      assert(error.message.includes(message), error.message);
      assert(/^stainless\.yml:1:\d+: openapi\.transforms\.0/.test(error.message), error.message);
    }
  });

  it("leaves problems of the document at their places in its text", async () => {
    const document = `openapi: 3.1.0
info: {title: Harbour, version: "1"}
servers: [{url: https://harbour.example}]
paths:
  /boats:
    get:
      operationId: listBoats
      parameters:
        - {name: old, in: query, deprecated: true, schema: {type: string}}
        - {name: size, in: query, schema: {$ref: "#/components/schemas/Size"}}
      responses: {204: {description: None}}
components:
  schemas:
    Boat: {type: object, properties: {keel: {$ref: "#/components/schemas/Keel"}}}
`;
    const stainless = `resources: {boats: {methods: {list: get /boats}}}
openapi:
  transforms:
    - {command: remove, args: {target: "$..parameters[?(@.deprecated)]"}}
    - {command: move, args: {from: $.components.schemas.Boat, to: $.components.schemas.Ship}}
`;
    const { report } = await generate(document, { stainless });
    assertEquals(
      report.problems.map(({ message, line, column }) => `${line}:${column} ${message}`),
      [
        '10:35 "#/components/schemas/Size" does not exist',
        '14:39 "#/components/schemas/Keel" does not exist',
      ],
    );
  });

  it("changes a value that an alias repeats only where it is meant", async () => {
    const config = configOf({ command: "merge", args: { target: "$.info.x-b", value: { k: 2 } } });
    const document = `openapi: 3.1.0
info: {title: T, version: "1", x-a: &a {k: 1, l: 1}, x-b: *a, x-c: [*a, *a]}
paths: {}
`;
    const { root } = await readSource(document, { changes: config.changes });
    const { info } = root.value as { readonly info: Readonly<Record<string, unknown>> };
    assertEquals(
      JSON.stringify([info["x-a"], info["x-b"], info["x-c"]]),
      '[{"k":1,"l":1},{"k":2,"l":1},[{"k":1,"l":1},{"k":1,"l":1}]]',
    );
  });

  it("of Swagger 2.0 changes the document as it was written", async () => {
    const config = configOf({
      command: "remove",
      args: { target: "$.definitions.Boat.properties.keel" },
    });
    const document = JSON.stringify({
      ...{ swagger: "2.0", info: { title: "T", version: "1" }, paths: {} },
      definitions: { Boat: { properties: { keel: {}, mast: {} } } },
    });
    const { root } = await readSource(document, { changes: config.changes });
    assert(!JSON.stringify(root.value).includes("keel"));
    assert(JSON.stringify(root.value).includes("mast"));
  });

  it("cannot fill the memory by copies", async () => {
    const { changes } = configOf(...doubling(40));
    await assertRejects(
      () => readSource(JSON.stringify(SMALL), { changes }),
      ShapeError,
      "stainless.yml: the transforms copy more than 300000 values",
    );
  });

  it("cannot find more values than the memory has room for", async () => {
    const all = { command: "update", args: { target: "$..*..*", value: 1 } };
    const { changes } = configOf(...doubling(17), all);
    await assertRejects(
      () => readSource(JSON.stringify(SMALL), { changes }),
      ShapeError,
      "stainless.yml: the transforms look at too many values",
    );
  });
});
