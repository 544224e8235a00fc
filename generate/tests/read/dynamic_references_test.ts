import { assertEquals, describe, it } from "#test";
import { generate } from "../../mod.ts";

/** Returns the types of schemas, each as one line, and the problems. */
async function typesOf(
  schemas: object,
  files: Readonly<Record<string, object>> = {},
): Promise<{ types: Record<string, string>; problems: string[] }> {
  const document = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: {},
    components: { schemas },
  };
  const read = (path: string) => files[path] && JSON.stringify(files[path]);
  const { files: output, report } = await generate(JSON.stringify(document), {
    file: "api.json",
    read,
  });
  const text = output.get("models.ts")!.replaceAll(/\s+/g, " ").replaceAll("; }", " }");
  const found = text.matchAll(/export (?:interface|type) (\w+) (.*?)(?= export |$)/g);
  return {
    types: Object.fromEntries(Array.from(found, ([, name, type]) => [name, type!.trim()])),
    problems: report.problems.map(({ message }) => message),
  };
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: "string" };

/** A page of anything. */
const page = {
  type: "object",
  required: ["items"],
  properties: {
    items: { type: "array", items: { $dynamicRef: "#item" } },
    total: { type: "integer" },
  },
  $defs: { item: { $dynamicAnchor: "item" } },
};

/** Returns the part of a schema that binds the items of a page. */
const binding = (schema: object) => ({ $defs: { item: { $dynamicAnchor: "item", ...schema } } });

describe("a template with a $dynamicRef", () => {
  it("has the types that each schema binds", async () => {
    const { types, problems } = await typesOf({
      Page: page,
      Pet: { type: "object", required: ["name"], properties: { name: text } },
      Pets: { ...ref("Page"), ...binding(ref("Pet")) },
      Names: { ...ref("Page"), ...binding(text) },
      Totals: { allOf: [ref("Page"), { properties: { sum: text } }], ...binding(ref("Pet")) },
    });
    assertEquals(types, {
      Page: "{ items: unknown[]; total?: number | undefined }",
      Pet: "{ name: string }",
      Pets: "{ items: Pet[]; total?: number | undefined }",
      Names: "{ items: string[]; total?: number | undefined }",
      Totals: "{ items: Pet[]; total?: number | undefined; sum?: string | undefined }",
    });
    assertEquals(problems, []);
  });

  it("is bound through a schema between, and in a property", async () => {
    const { types } = await typesOf({
      Page: page,
      Between: { type: "object", properties: { page: ref("Page"), at: text } },
      Direct: { properties: { page: ref("Page") }, ...binding(text) },
      Indirect: { properties: { between: ref("Between") }, ...binding({ type: "integer" }) },
    });
    assertEquals(types.Between, "{ page?: Page | undefined; at?: string | undefined }");
    assertEquals(
      types.Direct,
      "{ page?: { items: string[]; total?: number | undefined } | undefined }",
    );
    assertEquals(
      types.Indirect,
      "{ between?: { page?: { items: number[]; total?: number | undefined } | undefined; " +
        "at?: string | undefined } | undefined }",
    );
  });

  it("that is recursive has the type of the schema that extends it", async () => {
    const { types, problems } = await typesOf({
      Tree: {
        $dynamicAnchor: "node",
        type: "object",
        properties: { data: {}, children: { type: "array", items: { $dynamicRef: "#node" } } },
      },
      Strict: { $dynamicAnchor: "node", ...ref("Tree"), required: ["data"] },
      Named: { $dynamicAnchor: "node", allOf: [ref("Strict"), { properties: { name: text } }] },
    });
    assertEquals(types.Tree, "{ data?: unknown; children?: Tree[] | undefined }");
    assertEquals(types.Strict, "{ data: unknown; children?: Strict[] | undefined }");
    assertEquals(
      types.Named,
      "{ data: unknown; children?: Named[] | undefined; name?: string | undefined }",
    );
    assertEquals(problems, []);
  });

  it("can refer to itself, and is bound in the same way there", async () => {
    const { types } = await typesOf({
      List: {
        type: "object",
        properties: { value: { $dynamicRef: "#item" }, next: ref("List") },
        $defs: { item: { $dynamicAnchor: "item" } },
      },
      Texts: { ...ref("List"), ...binding(text) },
      Holder: { properties: { list: ref("List") }, ...binding(text) },
    });
    assertEquals(types.Texts, "{ value?: string | undefined; next?: Texts | undefined }");
    assertEquals(
      types.Holder,
      "{ list?: { value?: string | undefined; next?: HolderList | undefined } | undefined }",
    );
    assertEquals(
      types.HolderList,
      "{ value?: string | undefined; next?: HolderList | undefined }",
    );
  });

  it("can be in another file, also by its $id", async () => {
    const other = { Row: { properties: { id: text } }, Page: page };
    const { types, problems } = await typesOf({
      Rows: {
        $ref: "other/pages.json#/Page",
        ...binding({ $ref: "other/pages.json#/Row" }),
      },
      Sheet: { ...page, $id: "https://example.com/sheet" },
      Texts: { $ref: "https://example.com/sheet", ...binding(text) },
    }, { "other/pages.json": other });
    assertEquals(types.Rows, "{ items: Row[]; total?: number | undefined }");
    assertEquals(types.Texts, "{ items: string[]; total?: number | undefined }");
    assertEquals(problems, []);
  });

  it("is bound through schemas up to a limit of levels, which is a problem", async () => {
    const count = 1000;
    const chain = Array.from({ length: count }, (_, index) => [
      ...[`S${index}`, { properties: { a: ref(index + 1 < count ? `S${index + 1}` : "Page") } }],
    ]);
    const { types, problems } = await typesOf({
      Page: page,
      ...Object.fromEntries(chain),
      Texts: { ...ref("Page"), ...binding(text) },
      Deep: { ...ref("S0"), ...binding(text) },
    });
    assertEquals(types.Texts, "{ items: string[]; total?: number | undefined }");
    const message = "the schemas that bind a $dynamicRef would have copies of more than 200 levels";
    assertEquals(problems.filter((each) => each === message).length, 1);
  });

  it("is bound up to a limit of values, which is a problem", async () => {
    const examples = Array.from({ length: 1000 }, () => ({}));
    const uses = Array.from({ length: 310 }, (_, index) => [
      ...[`U${index}`, { ...ref("Large"), ...binding(text) }],
    ]);
    const { types, problems } = await typesOf({
      Large: { ...page, examples },
      ...Object.fromEntries(uses),
    });
    assertEquals(problems, [
      "the schemas that bind a $dynamicRef would have copies of more than 300000 values",
    ]);
    assertEquals(types.U0, "{ items: string[]; total?: number | undefined }");
    assertEquals(types.U309, "= Large;");
    const others = Object.keys(types).filter((name) => !/^(?:U\d+|Large)$/.test(name));
    assertEquals(others, []);
  });

  it("is taken as unknown where nothing binds it, which is a problem", async () => {
    const { types, problems } = await typesOf({
      Loose: { type: "array", items: { $dynamicRef: "#item" } },
      One: { $dynamicAnchor: "item", type: "string" },
      Two: { $dynamicAnchor: "item", type: "integer" },
    });
    assertEquals(types.Loose, "= unknown[];");
    assertEquals(problems, [
      '"#item" means another schema for each use, because several have this $dynamicAnchor',
    ]);
  });
});
