/** Checks that samples of hostile schemas end, and stay small. */
import { assert, assertEquals, describe, it } from "#test";
import { generate, tests } from "../../mod.ts";
import { Patterns } from "../../src/plan/samples/patterns.ts";
import { sampleOf } from "../../src/plan/samples/schema_samples.ts";
import { readSource } from "../../src/read/read.ts";

const withTests = { outputs: [tests.with({ sdk: "./mod.ts" })] };

type Schemas = Readonly<Record<string, unknown>>;

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Returns a document whose body and result are the first one of its schemas. */
function documentOf(schemas: Schemas): string {
  const [first = ""] = Object.keys(schemas);
  const content = { "application/json": { schema: reference(first) } };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Samples", version: "1" },
    servers: [{ url: "https://samples.example.com" }],
    paths: {
      "/a": {
        post: {
          operationId: "send",
          requestBody: { required: true, content },
          responses: { 200: { description: "", content } },
        },
      },
    },
    components: { schemas },
  });
}

/** Returns the sample of the first schema. */
async function sampleIn(schemas: Schemas, place = {}): Promise<unknown> {
  const source = await readSource(documentOf(schemas));
  const [first = ""] = Object.keys(schemas);
  const node = ["components", "schemas", first].reduce(
    (node, key) => source.child(node, key)!,
    source.root,
  );
  return sampleOf(source, node, place);
}

/** Returns schemas that refer to the next one several times. */
function levels(count: number, refer: (next: object) => object): Schemas {
  return Object.fromEntries([
    ...Array.from(
      { length: count },
      (_, index) => [`S${index}`, refer(reference(`S${index + 1}`))],
    ),
    [`S${count}`, { type: "object", required: ["x"], properties: { x: { type: "string" } } }],
  ]);
}

/** Forms of schemas that refer to the next one twice. */
const forms: Readonly<Record<string, (next: object) => object>> = {
  "the parts of allOf": (next) => ({ allOf: [next, next] }),
  "the parts of allOf, one inside of the other": (next) => ({
    allOf: [next, { allOf: [next, { description: "more" }] }],
  }),
  "alternatives of oneOf": (next) => ({ oneOf: [next, next] }),
  "alternatives of anyOf": (next) => ({ anyOf: [next, next] }),
  "required properties": (next) => ({
    type: "object",
    required: ["a", "b"],
    properties: { a: next, b: next },
  }),
  "items and required properties": (next) => ({
    type: "object",
    required: ["a", "b"],
    properties: { a: { type: "array", items: next, minItems: 2 }, b: next },
  }),
};

describe("samples of schemas", () => {
  for (const [form, refer] of Object.entries(forms)) {
    it(`end if each of 60 levels names the next one twice: ${form}`, async () => {
      const document = documentOf(levels(60, refer));
      const { outputs, report } = await generate(document, withTests);
      const text = [...outputs.get("tests")!.values()].join("");
      assert(text.length < 200_000, `${text.length} characters`);
      if (!form.includes("properties")) assertEquals(report.problems, []);
      if (form.includes("allOf")) {
        assertEquals(JSON.stringify(await sampleIn(levels(60, refer))), '{"x":"sample"}');
      }
      await sampleIn(levels(60, refer), { optionalDepth: 9 });
    });
  }

  it("end if a schema extends itself", async () => {
    const schemas = { A: { allOf: [reference("B")] }, B: { allOf: [reference("A")] } };
    await sampleIn(schemas);
    await generate(documentOf(schemas), withTests);
  });

  it("end if required properties lead back to the first of 30 levels", async () => {
    const { S30: _, ...others } = levels(30, forms["required properties"]!);
    const back = { S30: forms["required properties"]!(reference("S0")) };
    const { report } = await generate(documentOf({ ...others, ...back }), withTests);
    assertEquals(report.problems.map(({ action }) => action), ["its method has no test"]);
  });

  it("have as many items and characters as fit, whatever the schema requires", async () => {
    const text = { type: "string", minLength: 1e9 };
    const list = { type: "array", minItems: 1e9, items: { type: "integer" } };
    const [texts, items] = [await sampleIn({ A: text }), await sampleIn({ A: list })];
    assertEquals([(texts as string).length, (items as unknown[]).length], [1000, 100]);
    for (const minItems of [1e9, -1, "many", 3.5, 1e999]) {
      const schemas = {
        A: { ...list, minItems, maxItems: 1e9 },
        B: { ...text, minLength: minItems },
      };
      await generate(documentOf(schemas), withTests);
    }
  });

  it("do not wait for a pattern without an end", async () => {
    const example = `${"a".repeat(60)}!`;
    const schemas = {
      A: { type: "string", pattern: "^(a+)+$", example },
      B: { type: "string", pattern: "(x+x+)+y", example: "x".repeat(60) },
    };
    assertEquals(await sampleIn(schemas), "sample");
    const { report } = await generate(documentOf(schemas), withTests);
    assertEquals(report.problems, []);
  });
});

describe("the patterns of a document", () => {
  it("find the first text that matches", () => {
    const patterns = new Patterns();
    const texts = ["sample", "1", "a1"];
    for (
      const [pattern, found] of [
        ["^\\d$", "1"],
        ["^(?:[a-z]\\d)+$", "a1"],
        ["^(?<first>s)(?:a|m|p|l|e){1,9}$", "sample"],
        ["^\\p{Lu}", undefined],
        ["^(?:x)+$", undefined],
        ["(", undefined],
        ["(?:a){2,1}(", undefined],
      ] as const
    ) {
      assertEquals(patterns.first(pattern, texts), found, pattern);
      assertEquals(patterns.first(pattern, texts), found, pattern);
    }
  });

  it("are stopped if they do not end, and after some of them no doubtful one is run", () => {
    const patterns = new Patterns();
    const endless = `${"a".repeat(60)}!`;
    for (let index = 0; index < 200; index++) {
      assertEquals(patterns.first(`^(a+)+${index}$`, [endless]), undefined);
    }
    assertEquals(patterns.first("^(?:b)+$", ["b"]), undefined);
    assertEquals(patterns.first("^b+$", ["b"]), "b");
  });
});
