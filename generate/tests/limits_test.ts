import { assertEquals, describe, it } from "#test";
import { generate } from "../mod.ts";

/** The number of schemas that refer to each other in a row. */
const COUNT = 3000;

const ref = (index: number): object => ({ $ref: `#/components/schemas/S${index}` });

/** Returns a document whose only result is the first schema. */
function documentOf(schemas: readonly object[]): string {
  const content = { "application/json": { schema: ref(0) } };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Chain", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/x": { get: { operationId: "getX", responses: { 200: { content } } } } },
    components: { schemas: Object.fromEntries(schemas.map((each, index) => [`S${index}`, each])) },
  });
}

const row = (make: (next: number) => object): object[] =>
  Array.from({ length: COUNT }, (_, index) => make(index + 1));

describe("a document without an end", () => {
  const documents: readonly (readonly [name: string, document: string, kinds: object])[] = [
    ["a row of references", documentOf(row(ref)), { reference: 1 }],
    ["a row of properties", documentOf(row((next) => ({ properties: { a: ref(next) } }))), {
      reference: 1,
    }],
    ["a row of unions", documentOf(row((next) => ({ oneOf: [ref(next), { type: "string" }] }))), {
      reference: 1,
    }],
    [
      "schemas inside of each other",
      documentOf([
        JSON.parse(`${'{"items":'.repeat(195)}{}${"}".repeat(195)}`),
      ]),
      { limit: 1 },
    ],
    ["a schema that is itself", documentOf([ref(0)]), { schema: 1 }],
  ];
  for (const [name, document, kinds] of documents) {
    it(`has output, and a problem for the place: ${name}`, async () => {
      const { report } = await generate(document);
      assertEquals([report.operations, report.problemsByKind], [1, kinds]);
    });
  }
});
