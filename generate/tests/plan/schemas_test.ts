import { assert, assertEquals, describe, it } from "#test";
import { TypePlanner } from "../../src/plan/types/mod.ts";
import { TypeNames } from "../../src/names/type_names.ts";
import type { Declaration, Property, Type } from "../../src/model/mod.ts";
import type { LoadedSource } from "../../src/read/loaded_source.ts";
import { readSource } from "../../src/read/read.ts";
import { assertReadsWithin } from "../../../tests/support/linear_time.ts";
import { cornerCases, textOf, typesOf } from "../support/corner_cases.ts";
import type * as v31 from "./schemas/corner_cases_3_1.ts";

const none = { text: "", tags: [] };
const text: Type = { kind: "string" };

/** Returns a property without a comment. */
function property(name: string, type: Type, optional = false): Property {
  return { name, type, optional, comment: none };
}

/** Returns the declarations of schemas. */
async function declared(
  schemas: Readonly<Record<string, unknown>>,
  options = {},
): Promise<{ source: LoadedSource; planner: TypePlanner; declarations: Declaration[] }> {
  const document = { openapi: "3.1.0", info: { title: "T" }, components: { schemas } };
  const source = await readSource(JSON.stringify(document));
  const planner = new TypePlanner(source, new TypeNames(), options);
  return { source, planner, declarations: planner.declarations() };
}

/** Returns an object with its keys, and those of all objects in it, in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).reverse().map(([key, each]) => [key, reversed(each)]),
  );
}

describe("a planner of types", () => {
  it("makes one object of an allOf whose parts state a property differently", async () => {
    const { declarations } = await declared({
      Pet: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
      Page: {
        type: "object",
        properties: {
          data: { type: "array", items: { type: "object" } },
          next: { type: "string" },
        },
      },
      Pets: {
        allOf: [
          { $ref: "#/components/schemas/Page" },
          { properties: { data: { type: "array", items: { $ref: "#/components/schemas/Pet" } } } },
        ],
      },
    });
    assertEquals<unknown>(declarations.find(({ name }) => name === "Pets")?.type, {
      kind: "object",
      properties: [
        property("data", { kind: "array", items: { kind: "reference", name: "Pet" } }, true),
        property("next", text, true),
      ],
    });
  });

  it("makes one object of an allOf of a map and properties of other types", async () => {
    const { declarations } = await declared({
      Labels: { type: "object", additionalProperties: { type: "string" } },
      Counted: {
        allOf: [{ $ref: "#/components/schemas/Labels" }, { $ref: "#/components/schemas/Count" }],
      },
      Count: { type: "object", required: ["count"], properties: { count: { type: "integer" } } },
    });
    assertEquals<unknown>(declarations.find(({ name }) => name === "Counted")?.type, {
      kind: "object",
      properties: [property("count", { kind: "number" })],
      additional: { kind: "union", members: [text, { kind: "number" }] },
    });
  });

  it("leaves out of a type the parts that have no property in its direction", async () => {
    const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const key = { type: "string", readOnly: true };
    const { planner, source } = await declared({
      Base: { type: "object", properties: { id: key, self: key } },
      Label: { type: "object", properties: { label: { type: "string" } } },
      Shelf: { allOf: [reference("Base"), { properties: { label: { type: "string" } } }] },
      Both: { allOf: [reference("Base"), reference("Label")] },
      Either: { allOf: [reference("Base")], oneOf: [reference("Label"), { type: "string" }] },
      Alone: { allOf: [reference("Base")] },
      Tagged: {
        oneOf: [reference("Cat"), reference("Label")],
        discriminator: { propertyName: "kind", mapping: { cat: "Cat" } },
      },
      Cat: { type: "object", properties: { kind: key } },
    });
    const schemas = source.child(source.child(source.root, "components")!, "schemas")!;
    const names = ["Shelf", "Both", "Either", "Alone", "Tagged"];
    const label = { kind: "reference", name: "Label" };

    const types = names.map((name) => planner.typeOf(source.child(schemas, name)!, "request"));
    assertEquals<unknown>(types, [
      { kind: "object", properties: [property("label", text, true)], additional: undefined },
      label,
      { kind: "union", members: [label, text] },
      { kind: "reference", name: "BaseInput" },
      {
        kind: "union",
        members: [
          { kind: "object", properties: [property("kind", { kind: "literal", value: "cat" })] },
          label,
        ],
      },
    ]);
  });

  it("makes plain data of schemas", async () => {
    const { declarations } = await declared({
      Pet: {
        type: "object",
        description: "A pet.",
        required: ["name"],
        properties: {
          name: { type: "string", deprecated: true },
          tags: { type: "array", items: { enum: ["a", 1] }, default: [] },
          owner: { $ref: "#/components/schemas/Owner" },
        },
      },
      Owner: { allOf: [{ $ref: "#/components/schemas/Pet" }, { properties: { id: {} } }] },
    });
    assertEquals<unknown>(declarations, [
      {
        name: "Pet",
        comment: { text: "A pet.", tags: [] },
        type: {
          kind: "object",
          additional: undefined,
          properties: [
            { ...property("name", text), comment: { text: "", tags: [["deprecated", ""]] } },
            {
              ...property("tags", {
                kind: "array",
                items: {
                  kind: "union",
                  members: [{ kind: "literal", value: "a" }, { kind: "literal", value: 1 }],
                },
              }, true),
              comment: { text: "", tags: [["default", "[]"]] },
            },
            property("owner", { kind: "reference", name: "Owner" }, true),
          ],
        },
      },
      {
        name: "Owner",
        comment: none,
        type: {
          kind: "object",
          extends: ["Pet"],
          properties: [property("id", { kind: "unknown" }, true)],
        },
      },
    ]);
  });

  for (const each of cornerCases) {
    const [name] = each;
    it(`makes the types beside the document: ${name}`, async () => {
      const { types } = await typesOf(each);
      // If they are to change, run generate/tests/support/corner_cases.ts.
      assertEquals(types.split("\n"), textOf(`${name}.ts`).split("\n"));
    });
  }

  it("reports each mistake of a document, with its place", async () => {
    const { problems } = await typesOf(["corner_cases_3_1", {}]);
    const places = problems.map((line) => line.replace(/^\d+ #\/components\/schemas\//, ""));
    assertEquals(places, [
      'Itself/allOf/0: the type of "Itself" would contain itself (taken as unknown)',
      'Ping/oneOf/0: the type of "Ping" would contain itself (taken as unknown)',
      'Loop: "#/components/schemas/Loop" leads back to itself (taken as unknown)',
      'Dangling/properties/a: "#/components/schemas/Missing" does not exist (taken as unknown)',
      'WrongType: "strong" is not a type of JSON Schema (ignored)',
      "WrongEnum: enum must be a list with at least one value (ignored)",
      "WrongProperties: required must be a list of names (ignored)",
      "WrongProperties/properties: properties must be an object (ignored)",
      "WrongSchema/items: a schema must be an object or a boolean (taken as unknown)",
      "WrongUnion/oneOf: oneOf must be a list with at least one schema (ignored)",
      "WrongUnion/allOf: allOf must be a list with at least one schema (ignored)",
      "Conditional: then has no counterpart in TypeScript (ignored, so that more values are allowed)",
    ]);
    const { problems: older } = await typesOf(["corner_cases_3_0", {}]);
    assertEquals(older.map((line) => line.replace(/^\d+ #\/components\/schemas\//, "")), [
      'Wrong/discriminator: without a mapping, the values of "petType" must be the schemas\' names ' +
      "(not used to tell the schemas apart)",
      "Nameless/discriminator: a discriminator needs a propertyName (ignored)",
    ]);
  });

  it("makes types that narrow by a discriminator", () => {
    const radius = (shape: v31.Shape) => shape.kind === "round" ? shape.radius : undefined;
    assertEquals(radius({ kind: "round", radius: 2 }), 2);
    const detail = (event: v31.Event) => event.type === "Stop" ? event.reason : event.at;
    assertEquals(detail({ type: "Stop", reason: "none" }), "none");
    const cat: v31.Cat = { name: "Tom", age: 3, lives: undefined };
    const animal: v31.Animal = cat;
    assertEquals(animal.age, 3);
    // @ts-expect-error The id is read only.
    const account: v31.AccountInput = { id: 1, password: "", profile: {} };
    assertEquals(account.password, "");
  });

  it("gives the same names if the document's keys are in another order", async () => {
    for (const [name] of cornerCases) {
      const { root } = await readSource(textOf(`${name}.yaml`));
      const [one, other] = await Promise.all(
        [root.value, reversed(root.value)].map(async (document) => {
          const source = await readSource(JSON.stringify(document));
          const planner = new TypePlanner(source, new TypeNames(), {});
          return planner.declarations().map((each) => each.name);
        }),
      );
      assertEquals(one!.toSorted(), other!.toSorted());
      assertEquals(one!.length, new Set(one!.map((each) => each.toLowerCase())).size);
    }
  });

  it("names schemas in other files by their pointer or file, whatever refers to them first", async () => {
    const files: Readonly<Record<string, string>> = {
      "models/pet.yaml": "type: object\nproperties: { owner: { $ref: 'people.yaml#/Owner' } }\n",
      "models/people.yaml": "Owner: { type: object, properties: { id: { type: string } } }\n" +
        "Pet: { type: string }\n",
    };
    const names = await Promise.all([false, true].map(async (isReversed) => {
      const document = {
        openapi: "3.1.0",
        paths: {
          "/": { get: { responses: { 200: { schema: { $ref: "models/people.yaml#/Pet" } } } } },
        },
        components: { schemas: { Animal: { $ref: "models/pet.yaml" } } },
      };
      const ordered = isReversed ? reversed(document) : document;
      const source = await readSource(JSON.stringify(ordered), { read: (path) => files[path] });
      const planner = new TypePlanner(source, new TypeNames(), {});
      const keys = ["paths", "/", "get", "responses", "200", "schema"];
      const schema = keys.reduce((node, key) => source.child(node, key)!, source.root);
      assertEquals<unknown>(planner.typeOf(schema, "response"), { kind: "reference", name: "Pet" });
      return planner.declarations().map(({ name }) => name);
    }));
    assertEquals(names, [["Animal", "Owner", "Pet"], ["Animal", "Owner", "Pet"]]);
  });

  it("declares only components, and what types refer to", async () => {
    const { declarations } = await declared({
      A: {
        type: "object",
        properties: { b: { type: "string", readOnly: true } },
        $defs: { X: {} },
      },
    });
    assertEquals(declarations.map(({ name }) => name), ["A"]);
  });

  it("opens enums of responses by an option, but not those of requests and single values", async () => {
    const schemas = {
      State: { enum: ["a", "b", null] },
      Only: { enum: ["list"] },
      Level: { enum: [1, 2] },
    };
    const { declarations, planner, source } = await declared(schemas, { openEnums: true });
    const kinds = declarations.map(({ type }) =>
      type.kind === "union" ? type.members.map(({ kind }) => kind).join(" ") : type.kind
    );
    assertEquals(kinds, [
      "literal literal openString null",
      "literal",
      "literal literal openNumber",
    ]);
    const keys = ["components", "schemas", "State"];
    const state = keys.reduce((node, key) => source.child(node, key)!, source.root);
    const closed = planner.typeOf(state, "request");
    assert(closed.kind === "union" && closed.members.length === 3);
  });

  it("stops at limits, and reports them", async () => {
    let deep: unknown = { type: "string" };
    for (let n = 0; n < 150; n++) deep = { type: "array", items: deep };
    const chain: Record<string, unknown> = {};
    for (let n = 0; n < 3000; n++) {
      chain[`C${n}`] = {
        allOf: [{ $ref: `#/components/schemas/C${n + 1}` }, { properties: { [`p${n}`]: {} } }],
      };
    }
    const { source, declarations } = await declared({
      Deep: deep,
      ...chain,
      C3000: { type: "object" },
    });
    assertEquals(declarations.length, 3002);
    assertEquals(source.problems().map(({ kind, message }) => `${kind}: ${message}`), [
      "limit: the schema is nested in more than 100 others",
    ]);
  });

  it("takes no time that grows with the square of the schemas", async () => {
    const schemasOf = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`S${n}`, {
        allOf: [{ $ref: `#/components/schemas/S${n % 7}` }],
        oneOf: [{ $ref: `#/components/schemas/S${(n * 31) % count}` }, { type: "string" }],
        properties: {
          next: { $ref: `#/components/schemas/S${(n + 1) % count}` },
          id: { readOnly: true },
        },
      }]));
    const [few, many] = [schemasOf(200), schemasOf(1600)];
    // It would be 64 times as long.
    await assertReadsWithin(32, () => declared(few), () => declared(many));
  });

  it("takes no time that grows with the square of the values of a discriminator", async () => {
    const unionOf = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `Member${index}`);
      const properties = { type: { type: "string" } };
      const pointer = (name: string) => `#/components/schemas/${name}`;
      const mapping = Object.fromEntries(names.map((name) => [name.toLowerCase(), pointer(name)]));
      return {
        ...Object.fromEntries(names.map((name) => [name, { type: "object", properties }])),
        Union: {
          oneOf: names.map((name) => ({ $ref: pointer(name) })),
          discriminator: { propertyName: "type", mapping },
        },
      };
    };
    const [few, many] = [unionOf(150), unionOf(1200)];
    await assertReadsWithin(32, () => declared(few), () => declared(many));
  });
});
