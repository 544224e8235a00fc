import { assert, assertEquals, describe, it } from "#test";
import { holds } from "../../../tests/support/property.ts";
import { type ChangeKind, diff } from "../../mod.ts";
import fc from "fast-check";

/** A schema as a tree, which a change is made in. */
type Tree =
  | { readonly kind: "string" | "integer" | "boolean" }
  | { readonly kind: "enum"; values: string[] }
  | { readonly kind: "list"; of: Tree }
  | { readonly kind: "object"; readonly isNamed: boolean; properties: Member[] };

/** A property of an object. */
interface Member {
  name: string;
  required: boolean;
  nullable: boolean;
  value: Tree;
}

const { tree } = fc.letrec<{ tree: Tree; object: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom("string", "integer", "boolean").map((kind): Tree => ({ kind } as Tree)),
    fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1 }).map(
      (values): Tree => ({ kind: "enum", values }),
    ),
    tie("tree").map((of): Tree => ({ kind: "list", of })),
    tie("object"),
  ),
  object: fc.record({
    isNamed: fc.boolean(),
    properties: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom("id", "name", "tags", "owner", "full name"),
        required: fc.boolean(),
        nullable: fc.boolean(),
        value: tie("tree"),
      }),
      { selector: ({ name }) => name, minLength: 1, maxLength: 3 },
    ),
  }).map((each): Tree => ({ kind: "object", ...each })),
}));

/** A tree whose root is an object, so that there is a property to change. */
const root = fc.record({ required: fc.boolean(), nullable: fc.boolean(), value: tree }).map(
  (member): Tree => ({ kind: "object", isNamed: true, properties: [{ name: "root", ...member }] }),
);

/** Returns a document that takes and returns a schema, with its named objects as components. */
function documentOf(tree: Tree): string {
  const schemas: Record<string, unknown> = {};
  const schemaOf = (tree: Tree, path: string): unknown => {
    switch (tree.kind) {
      case "enum":
        return { type: "string", enum: tree.values };
      case "list":
        return { type: "array", items: schemaOf(tree.of, `${path}Item`) };
      case "object": {
        const properties = Object.fromEntries(
          tree.properties.map(({ name, nullable, value }) => {
            const schema = schemaOf(value, path + name.replace(" ", "_"));
            return [name, nullable ? { anyOf: [schema, { type: "null" }] } : schema];
          }),
        );
        const required = tree.properties.flatMap(({ name, required }) => required ? [name] : []);
        const schema = { type: "object", properties, required };
        if (!tree.isNamed) return schema;
        schemas[path] = schema;
        return { $ref: `#/components/schemas/${path}` };
      }
      default:
        return { type: tree.kind };
    }
  };
  const content = { "application/json": { schema: schemaOf(tree, "Root") } };
  const operation = {
    tags: ["pets"],
    operationId: "send",
    requestBody: { required: true, content },
    responses: { 200: { description: "", content } },
  };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Zoo", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/pets": { post: operation } },
    components: { schemas },
  });
}

/** Lists the properties of all objects in a tree, with the object around each. */
function membersOf(tree: Tree): { member: Member; all: Member[] }[] {
  switch (tree.kind) {
    case "list":
      return membersOf(tree.of);
    case "object":
      return tree.properties.flatMap((member) => [
        { member, all: tree.properties },
        ...membersOf(member.value),
      ]);
    default:
      return [];
  }
}

/** Changes a property. Returns the kinds that must be found; undefined if it does not apply. */
type Change = (member: Member, all: Member[]) => readonly ChangeKind[] | undefined;

const changes: Readonly<Record<string, Change>> = {
  "a removed property": (member, all) => {
    // An object without properties takes and returns any.
    if (all.length === 1) return undefined;
    all.splice(all.indexOf(member), 1);
    return ["property-removed"];
  },
  "a new optional property": (_, all) => {
    all.push({ name: "more", required: false, nullable: true, value: { kind: "string" } });
    return [];
  },
  "a new required property": (_, all) => {
    all.push({ name: "more", required: true, nullable: false, value: { kind: "string" } });
    return ["property-required"];
  },
  "another order": (member, all) => {
    all.splice(all.indexOf(member), 1);
    all.push(member);
    return [];
  },
  "required or optional": (member) => {
    member.required = !member.required;
    return [member.required ? "property-required" : "property-optional"];
  },
  "null or not": (member) => {
    member.nullable = !member.nullable;
    return [member.nullable ? "null-added" : "null-removed"];
  },
  "a new value": ({ value }) => {
    if (value.kind !== "enum") return undefined;
    value.values.push("new");
    return ["value-added"];
  },
  "a removed value": ({ value }) => {
    if (value.kind !== "enum" || value.values.length === 1) return undefined;
    value.values.shift();
    return ["value-removed"];
  },
  "another type": (member) => {
    const isText = member.value.kind === "string" || member.value.kind === "enum";
    member.value = { kind: isText ? "integer" : "string" };
    return ["type-changed"];
  },
};

/** The directions in which the changes break callers, if a schema is sent and returned. */
const directionsOf: Partial<Readonly<Record<ChangeKind, readonly string[]>>> = {
  "property-removed": ["request", "response"],
  "property-required": ["request"],
  "property-optional": ["response"],
  "null-added": ["response"],
  "null-removed": ["request"],
  "value-added": ["response"],
  "value-removed": ["request", "response"],
  "type-changed": ["request", "response"],
};

describe("diff of a random document", () => {
  it("finds nothing if nothing has changed", async () => {
    await holds(fc.asyncProperty(root, async (tree) => {
      const document = documentOf(tree);
      assertEquals((await diff(document, document)).changes, []);
    }));
  });

  for (const [name, change] of Object.entries(changes)) {
    it(`finds the one change if there is one: ${name}`, async () => {
      let applied = 0;
      await holds(fc.asyncProperty(root, fc.nat(), async (tree, index) => {
        const changed = structuredClone(tree);
        const members = membersOf(changed);
        const { member, all } = members[index % members.length]!;
        const { name } = member;
        const expected = change(member, all);
        if (expected === undefined) return;
        applied++;
        const found = (await diff(documentOf(tree), documentOf(changed))).changes
          // A named object may be gone with its property, and a body without one be optional.
          .filter(({ kind }) => kind !== "export-removed" && kind !== "body-required");
        assertEquals(
          found.map(({ kind, directions }) => [kind, directions]),
          expected.map((kind) => [kind, directionsOf[kind]]),
        );
        for (const { kind, place, methods } of found) {
          assertEquals(methods, ["pets.send"]);
          const last = kind === "property-required" && all.at(-1)!.name === "more" ? "more" : name;
          assert(place.includes(last), `${place} is not the place of ${last}`);
        }
      }));
      assert(applied > 20, `it was applied ${applied} times`);
    });
  }
});
