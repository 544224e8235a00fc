import { assert, assertEquals, assertRejects, assertStringIncludes, describe, it } from "#test";
import { DocumentError, generate } from "../mod.ts";
import { MAX_CHARACTERS, MAX_FILES, MAX_REFERENCES } from "../src/read/limits.ts";

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
      "a row of schemas that extend each other",
      documentOf(row((next) => ({ allOf: [ref(next), { properties: { [`p${next}`]: {} } }] }))),
      { reference: 1 },
    ],
    [
      "schemas inside of each other",
      documentOf([
        JSON.parse(`${'{"items":'.repeat(195)}{}${"}".repeat(195)}`),
      ]),
      { limit: 1 },
    ],
    ["a schema that is itself", documentOf([ref(0)]), { reference: 1 }],
    ["schemas that are each other", documentOf([ref(1), ref(0)]), { reference: 1 }],
  ];
  for (const [name, document, kinds] of documents) {
    it(`has output, and a problem for the place: ${name}`, async () => {
      const { report } = await generate(document);
      assertEquals([report.operations, report.problemsByKind], [1, kinds]);
    });
  }
});

const end = (schemas: object[]) => [...schemas, { type: "string" }];
/** Unions of three, each of which has all three of the next level. */
const levels = Array.from({ length: 20 * 3 }, (_, at) => {
  const next = 3 * (Math.floor(at / 3) + 1);
  return { anyOf: [ref(next), ref(next + 1), ref(next + 2)] };
});
const rows: readonly (readonly [name: string, schemas: object[]])[] = [
  ["a row of unions", end(row((next) => ({ anyOf: [ref(next), { type: "integer" }] })))],
  ["a row of properties", end(row((next) => ({ type: "object", properties: { p: ref(next) } })))],
  ["a row of lists", end(row((next) => ({ type: "array", items: ref(next) })))],
  ["a row of parts", end(row((next) => ({ allOf: [ref(next), { description: "A part" }] })))],
  ["unions in unions", [
    ...levels,
    ...[1, 2, 3].map((n) => ({ type: "string", enum: [`${n}`] })),
  ]],
];

describe("a parameter and a field of a form", () => {
  /** Returns a document whose first schema is that of a parameter and of a field. */
  function sending(schemas: readonly object[]): string {
    const properties = { a: ref(0), file: { type: "string", format: "binary" } };
    const form = { schema: { type: "object", properties } };
    const content = { "application/x-www-form-urlencoded": form, "multipart/form-data": form };
    return JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Chain", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: {
        "/x": {
          post: {
            operationId: "sendX",
            parameters: [{ name: "a", in: "query", schema: ref(0) }],
            requestBody: { content },
            responses: { 204: { description: "Sent" } },
          },
        },
      },
      components: { schemas: Object.fromEntries(schemas.map((each, at) => [`S${at}`, each])) },
    });
  }
  for (const [name, schemas] of rows) {
    for (const dates of [false, true]) {
      it(`can be ${name}${dates ? ", with dates" : ""}`, async () => {
        assertEquals((await generate(sending(schemas), { dates })).report.operations, 1);
      });
    }
  }
});

describe("a webhook and a callback", () => {
  /** Returns a document whose first schema is that of a webhook and of a callback. */
  function receiving(schemas: readonly object[]): string {
    const responses = { 204: { description: "Done" } };
    const post = {
      requestBody: { content: { "application/json": { schema: ref(0) } } },
      responses,
    };
    const callbacks = { done: { "{$request.query.url}": { post } } };
    return JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Chain", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: { "/x": { get: { operationId: "getX", callbacks, responses } } },
      webhooks: { changed: { post } },
      components: { schemas: Object.fromEntries(schemas.map((each, at) => [`S${at}`, each])) },
    });
  }
  for (const [name, schemas] of rows) {
    for (const dates of [false, true]) {
      it(`can be ${name}${dates ? ", with dates" : ""}`, async () => {
        const { report } = await generate(receiving(schemas), { dates, webhooks: "standard" });
        assertEquals(report.operations, 1);
      });
    }
  }
});

describe("a schema with many levels", () => {
  const date = { type: "string", format: "date-time" };
  const text = { type: "string" };
  const one = (name: string, schema: object) => ({
    type: "object",
    required: [name],
    properties: { [name]: schema },
  });
  const wraps: readonly (readonly [name: string, wrap: (schema: object) => object])[] = [
    ["unions in lists", (items) => ({ anyOf: [{ type: "integer" }, { type: "array", items }] })],
    ["maps", (schema) => ({ type: "object", additionalProperties: schema })],
    ["objects", (schema) => one("aNameThatTakesUpSomeSpace", schema)],
    ["tuples", (schema) => ({ type: "array", prefixItems: [schema, text] })],
    ["unions of objects", (schema) => ({ anyOf: [one("a", schema), one("b", date)] })],
  ];
  for (const [name, wrap] of wraps) {
    for (const dates of [false, true]) {
      it(`can be of ${name} inside of each other${dates ? ", with dates" : ""}`, async () => {
        let schema: object = date;
        for (let level = 0; level < 30; level++) schema = wrap(schema);
        const { report } = await generate(documentOf([schema]), { dates });
        assertEquals([report.operations, report.problems], [1, []]);
      });
    }
  }

  /** Returns the models of a schema that is a date or the second schema. */
  const besideDate = async (schemas: readonly object[]) => {
    const { files } = await generate(documentOf([{ anyOf: [date, ref(1)] }, ...schemas]), {
      dates: true,
    });
    return files.get("models.ts")!;
  };

  it("can be a union beside a date, and refer to itself", async () => {
    const items = ref(1);
    const models = await besideDate([{ anyOf: [{ type: "integer" }, { type: "array", items }] }]);
    assertStringIncludes(models, "anyOf(date, ");
  });

  it("can be unions in different unions beside a date", async () => {
    const levels = Array.from({ length: 2 * 20 }, (_, at) => {
      const next = 2 * Math.floor(at / 2) + 3;
      return { anyOf: [ref(next), ref(next + 1), { const: `c${at}` }] };
    });
    const models = await besideDate([...levels, { const: "last" }, { type: "integer" }]);
    assertStringIncludes(models, "export const S0: Document<S0>");
    assert(models.length < 20_000, `${models.length} characters`);
  });
});

describe("a document beyond a limit", () => {
  const limitsOf = async (text: string, options = {}) => {
    const { report } = await generate(text, options);
    return report.problems.map(({ kind, pointer, message }) => [kind, pointer, message]);
  };

  it("is refused if it is too large", async () => {
    const error = await assertRejects(
      () => generate(" ".repeat(MAX_CHARACTERS + 1)),
      DocumentError,
    );
    assertEquals(error.message, "document: has more than 100000000 characters");
  });

  it("has a problem for the first reference that is one too many", async () => {
    const references = `{"$ref":"#/info"},`.repeat(MAX_REFERENCES);
    const text = `{"openapi":"3.1.0","info":{},"x-all":[${references}{"$ref":"#/info"}]}`;
    assertEquals(await limitsOf(text), [[
      ...["limit", `#/x-all/${MAX_REFERENCES}/$ref`],
      `this and all following are more than ${MAX_REFERENCES} references`,
    ]]);
  });

  it("has a problem for each file that is one too many", async () => {
    const schemas = Array.from({ length: MAX_FILES + 1 }, (_, index) => [
      ...[`S${index}`, { $ref: `${index}.json` }],
    ]);
    const text = JSON.stringify({
      openapi: "3.1.0",
      components: { schemas: Object.fromEntries(schemas) },
    });
    assertEquals(await limitsOf(text, { read: () => "{}" }), [[
      ...["reference", `#/components/schemas/S${MAX_FILES}`],
      `"${MAX_FILES}.json" cannot be read: there are more than ${MAX_FILES} files`,
    ]]);
  });
});
