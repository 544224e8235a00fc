/** Checks that no type of the output has a name that a file imports from the toolkit. */
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { assert, assertEquals, describe, it } from "#test";
import { exportedNames } from "../../../scripts/shared/pages/exported_names.ts";
import { sourceRoot } from "../../../tests/support/contract_page.ts";
import { generate, type GenerateOptions, type Output } from "../../mod.ts";
import { resources } from "../../src/outputs/resources/mod.ts";
import { conversionNames, TypeNames, webhookNames } from "../../src/names/type_names.ts";

const root = sourceRoot();
const { exports } = JSON.parse(readFileSync(new URL("deno.json", root), "utf8")) as {
  readonly exports: Readonly<Record<string, string>>;
};

/** The names of classes and types that the entries of the toolkit export. */
const toolkitNames = new Set(
  Object.values(exports).flatMap((path) => [
    ...exportedNames(root, path.replace("./", "")).keys(),
  ]).filter((name) => /^[A-Z]/.test(name)),
);

/** Returns the words in the texts of a file, its imports aside. */
function wordsIn(path: URL): string[] {
  const file = ts.createSourceFile("", readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const words: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || "rawText" in node) {
      words.push(...(node as ts.LiteralLikeNode).text.match(/\b[A-Z]\w+/g) ?? []);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return words;
}

/** A document whose schemas and tags have every name of the toolkit, with all that is converted. */
function crowdedDocument(): string {
  const names = [...toolkitNames];
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = Object.fromEntries(names.map((name, index) => [name, {
    type: "object",
    xml: { name: "item" },
    required: ["at"],
    properties: {
      at: { type: "string", format: "date-time" },
      pair: { prefixItems: [{ type: "string", format: "date" }, { type: "string" }], maxItems: 2 },
      next: reference(names[index - 1] ?? name),
      count: { type: "integer", format: "int64" },
    },
  }]));
  const media = { schema: reference("Model") };
  const content = { "application/xml": media };
  const paths = Object.fromEntries(names.map((name) => [`/${name}`, {
    post: {
      tags: [name],
      operationId: `send${name}`,
      requestBody: { content },
      responses: {
        200: { description: "", content },
        422: { description: "", content: { "application/json": { schema: reference(name) } } },
      },
    },
    put: {
      tags: [name],
      operationId: `put${name}`,
      requestBody: {
        content: { "multipart/form-data": { schema: { properties: { a: { format: "binary" } } } } },
      },
      responses: {
        200: { description: "", content: { "application/json": { schema: reference(name) } } },
      },
    },
  }]));
  const login = { tokenUrl: "https://example.com/token", scopes: {} };
  const securitySchemes = {
    login: { type: "oauth2", flows: { clientCredentials: login } },
    key: { type: "apiKey", in: "header", name: "X-Key" },
  };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Crowded", version: "1" },
    security: [{ login: [] }, { key: [] }],
    components: { schemas, securitySchemes },
    paths,
  });
}

/** Returns the names that a file declares and imports as well. */
function namesTwice([path, text]: readonly [path: string, text: string]): string[] {
  const imported = new Set(
    [...text.matchAll(/^import (?:type )?\{([^}]*)\}/gm)]
      .flatMap(([, list]) => list!.split(",").map((name) => name.replace("type ", "").trim())),
  );
  const declared = [...text.matchAll(/^export (?:class|const|interface|type) (\w+)/gm)];
  return declared.map(([, name]) => name!).filter((name) => imported.has(name))
    .map((name) => `${path} ${name}`);
}

describe("the names of types", () => {
  it("are none that the generator writes and the toolkit exports", () => {
    const folders = ["print", "outputs"].map((name) => new URL(`generate/src/${name}/`, root));
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts")).map((path) => new URL(path, folder))
    );
    files.push(new URL("generate/src/plan/methods/signatures.ts", root));
    files.push(new URL("generate/src/plan/results/errors.ts", root));
    const written = new Set(files.flatMap(wordsIn).filter((name) => toolkitNames.has(name)));
    assert(written.size > 50, `${written.size} names`);

    const names = new TypeNames([
      ...[...conversionNames, ...webhookNames],
      ...resources.reservedNames ?? [],
    ]);
    assertEquals([...written].filter((name) => !names.has(name)), []);
  });

  const rows: Readonly<Record<string, GenerateOptions>> = {
    "dates": { dates: true },
    "models and dates": { models: "xml", dates: true },
  };
  for (const [name, options] of Object.entries(rows)) {
    it(`leave all names to the imports of their file with ${name}`, async () => {
      const { files } = await generate(crowdedDocument(), options);

      assert(toolkitNames.size > 200, `${toolkitNames.size} names`);
      assertEquals([...files].flatMap(namesTwice), []);
    });
  }

  it("are none that an output reserves", async () => {
    const output: Output = { name: "hooks", reservedNames: ["Model"], files: () => new Map() };
    const { files } = await generate(crowdedDocument(), { outputs: [output] });

    const declared = files.get("models.ts")!.match(/^export interface Model\w* /gm)!;
    assertEquals(declared.includes("export interface Model "), false);
    assertEquals(declared.includes("export interface ModelModel "), true);
  });

  it("are those of the document if nothing imports them", async () => {
    const { files } = await generate(crowdedDocument());

    assertEquals([...files].flatMap(namesTwice), []);
    assertEquals(
      conversionNames.filter((name) =>
        !files.get("models.ts")!.includes(`export interface ${name} {`)
      ),
      [],
    );
  });
});
