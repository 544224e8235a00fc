import { assertEquals, assertStringIncludes, describe, it } from "#test";
import { tests } from "../../../generate/mod.ts";
import { generatePlanned } from "../../../generate/src/generate.ts";
import {
  compileFolders,
  figuresDetails,
  figuresOf,
  figuresTable,
  testCountsIn,
  typeErrorsIn,
} from "../../../scripts/corpora/figures.ts";

const text = { type: "string" };
const pets = { type: "array", items: { type: "object", properties: { id: text } } };

/** Returns a GET whose result has a schema. */
function get(schema: object, query: Readonly<Record<string, object>> = {}) {
  return {
    parameters: Object.entries(query).map(([name, schema]) => ({ name, in: "query", schema })),
    responses: { 200: { description: "", content: { "application/json": { schema } } } },
  };
}

/** Returns the figures of a document with these paths. */
async function figures(paths: object) {
  const document = {
    name: "pets",
    path: "pets.json",
    text: JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Pets", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths,
    }),
    read: () => Promise.resolve(undefined),
  };
  const result = await generatePlanned(document.text, {
    outputs: [tests.with({ sdk: "../mod.ts" })],
  });
  return await figuresOf(document, result);
}

describe("the figures of a document", () => {
  it("have its operations, and those that are lost with the reason", async () => {
    const { operations, lost, untested, tests } = await figures({
      "/pets/{id}": { get: get(text), trace: { responses: {} } },
    });
    assertEquals(operations, 2);
    assertEquals(lost, ["TRACE /pets/{id}: fetch forbids the method TRACE"]);
    assertEquals([untested, tests], [[], 1]);
  });

  it("have the operations of a path item elsewhere", async () => {
    const { operations, lost } = await figures({
      "/cats": { $ref: "#/paths/~1pets" },
      "/pets": { get: get(text), post: { responses: {} } },
      "x-note": { get: {} },
    });
    assertEquals([operations, lost], [4, []]);
  });

  it("have the GETs that look like lists in pages, and those that are not read so", async () => {
    const number = { type: "integer" };
    const time = { type: "string", format: "date-time" };
    const { lists, wholeLists } = await figures({
      "/by-page": { get: get(pets, { page: number }) },
      "/by-cursor": { get: get({ type: "object", properties: { pets } }, { cursor: text }) },
      "/whole": { get: get(pets) },
      "/limited": { get: get(pets, { limit: number }) },
      "/since": { get: get(pets, { since: time, limit: number }) },
      "/single": { get: get({ type: "object", properties: { id: text } }, { page: number }) },
      "/warned": { get: get({ type: "object", properties: { messages: pets } }, { page: number }) },
      "/pets/{id}": {
        get: get({ type: "object", properties: { id: text, parents: pets } }, { cursor: text }),
      },
      "/window": {
        get: get(pets, { start: { ...number, description: "A time" }, limit: number }),
      },
    });
    assertEquals(lists, 2);
    assertEquals(wholeLists.map((each) => each.split(":")[0]), ["GET /by-cursor"]);
  });
});

describe("the figures of a run", () => {
  it("are a table, with a line for each document", async () => {
    const generated = [
      await figures({ "/pets": { get: get(pets, { page: { type: "integer" } }) } }),
    ];
    const typeErrors = new Map([["pets", 2]]);
    const counts = new Map([["node 24.0.0", { passed: 0, failed: 1 }]]);
    const table = figuresTable({ documents: 2, generated, typeErrors, tests: counts });
    for (
      const row of [
        "| documents | 2 |",
        "| generated | 1 |",
        "| without an error of tsc | 0 |",
        "| operations lost | 0 |",
        "| of them in pages | 1 (100.0 %) |",
        `| tests on node 24.0.0 | 0 of ${generated[0]!.tests} passed, 1 failed |`,
      ]
    ) assertStringIncludes(table, row);
    assertEquals(figuresDetails(generated, typeErrors).length, 1);
    assertStringIncludes(figuresDetails(generated, typeErrors)[0]!, "2 errors of tsc");
  });
});

describe("the output of a tool", () => {
  for (
    const [runtime, output] of [
      ["Deno", "ok | 12 passed (30 steps) | 3 failed (2s)\n"],
      ["Node", "ℹ tests 15\nℹ pass 12\nℹ fail 3\n"],
      ["Bun", " 12 pass\n 3 fail\n 40 expect() calls\n"],
    ] as const
  ) {
    it(`has the number of tests that passed and failed on ${runtime}`, () => {
      assertEquals(testCountsIn(output), { passed: 12, failed: 3 });
    });
  }

  it("has an error of each SDK with which tsc crashes, found one by one", async () => {
    const results: Readonly<Record<string, readonly [code: number, output: string]>> = {
      "a b c": [2, "panic: no memory\n"],
      a: [0, ""],
      b: [2, "b/mod.ts(1,2): error TS1: x\nb/mod.ts(3,4): error TS1: y\n"],
      c: [2, "panic: no memory\n"],
    };
    const compile = (folders: readonly string[]) => {
      const [code, output] = results[folders.join(" ")]!;
      return Promise.resolve({ code, output, stdout: output, seconds: 1, trouble: undefined });
    };
    const crashed = await compileFolders(["a", "b", "c"], compile);
    assertEquals([...crashed.typeErrors], [["b", 2], ["c", 1]]);
    assertEquals(crashed.failed.length, 2);
    const { typeErrors } = await compileFolders(["b"], compile);
    assertEquals([...typeErrors], [["b", 2]]);
  });

  it("has no tests if a runtime did not begin with them", () => {
    assertEquals(testCountsIn("error: no module\n"), { passed: 0, failed: 0 });
  });

  it("has the errors of tsc by folders, and those of no folder by their files", () => {
    const output =
      "sdk/pets/mod.ts(1,2): error TS2304: a\nsdk/pets/models.ts(3,4): error TS1: b\n" +
      "sdk/pets_two/mod.ts(1,2): error TS2: c\nlib.d.ts(1,1): error TS3: d\n";
    assertEquals([...typeErrorsIn(output, ["sdk/pets", "sdk/pets_two"])], [
      ["sdk/pets", 2],
      ["sdk/pets_two", 1],
      ["lib.d.ts", 1],
    ]);
  });
});
