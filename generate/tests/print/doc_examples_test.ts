import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { after, assert, assertEquals, before, describe, it } from "#test";
import { exampleModule, examplesIn } from "../../../scripts/shared/doc_examples.ts";
import { runChild } from "../../../scripts/shared/child.ts";
import { TYPESCRIPT_7 } from "../../../scripts/shared/package/compile.ts";
import { ROOT } from "../../../scripts/shared/source_files.ts";
import { type GenerateOptions, tests } from "../../mod.ts";
import { generatePlanned } from "../../src/generate.ts";
import { apiMdOf } from "../support/api_md.ts";
import { cornerCases, textOf } from "../support/corner_cases.ts";
import { oddNamesDocument, plainHostileDocument } from "../support/hostile_document.ts";
import { writeWithSources } from "../support/written.ts";

const library = new URL("../../../examples/generated/library.yaml", import.meta.url);
const support = (name: string) => readFile(new URL(`../support/${name}`, import.meta.url), "utf8");

/** Returns a document with one operation. */
function documentWith(operation: object, schemas: object = {}, verb = "post"): string {
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "https://shop.example.com" }],
    paths: { "/a/{id}": { [verb]: { tags: ["orders"], operationId: "send", ...operation } } },
    components: { schemas },
  });
}

const id = { name: "id", in: "path", required: true, schema: { type: "string" }, example: "a-1" };
const done = { 204: { description: "" } };
const json = (media: object) => ({ content: { "application/json": media } });

/** Returns the text of the only endpoint of a document. */
async function endpointOf(document: string, options: GenerateOptions = {}): Promise<string> {
  const { files } = await generatePlanned(document, options);
  return files.get("endpoints/orders.ts")!;
}

/** Returns the example of the only method of a document. */
async function exampleOf(operation: object, schemas?: object, verb?: string): Promise<string> {
  const [example, ...others] = examplesIn(
    await endpointOf(
      documentWith({ parameters: [id], responses: done, ...operation }, schemas, verb),
    ),
  );
  assertEquals(others, []);
  return example!;
}

describe("the examples in doc comments", () => {
  let folder: string;
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "restwright-doc-examples-")));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Compiles modules with all that they import, and returns the lines of the errors in them. */
  async function compile(paths: readonly string[]) {
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ target: "ES2022", module: "nodenext", allowImportingTsExtensions: true, noEmit: true },
      ...{ skipLibCheck: true, types: [] },
      lib: ["ES2024", "ESNext.Disposable", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    };
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: paths }),
    );
    await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
    const compiler = join(ROOT, TYPESCRIPT_7, "bin/tsc");
    const { output } = await runChild("node", [compiler, "--pretty", "false", "-p", "."], {
      cwd: folder,
    });
    return { output, errors: output.split("\n").filter((line) => /examples\.ts\(\d/.test(line)) };
  }

  it("compile, one for each method, of endpoints and of resources", async () => {
    const xml = { models: "xml" } as const;
    const converted = { dates: true, bigint: true };
    const documents: readonly (readonly [string, string, GenerateOptions])[] = [
      ["library", await readFile(library, "utf8"), {}],
      ["shop", await support("shop.yaml"), xml],
      ["feed", await support("feed.yaml"), converted],
      ["loans", await support("loans.yaml"), converted],
      ["hostile", plainHostileDocument(), {}],
      ["odd_names", oddNamesDocument(), {}],
      ...cornerCases.map(([name, options]) => [name, textOf(`${name}.yaml`), options] as const),
    ];
    const paths: string[] = [];
    const write = async (name: string, document: string, options: GenerateOptions) => {
      const { files, plan } = await generatePlanned(document, options);
      const methods = plan.groups.flatMap((each) => each.methods);
      const text = exampleModule(files, plan.client.className, "./mod.ts");
      // Some names of parts and headers cannot be sent.
      const called = methods.filter(({ example }) => example !== undefined);
      if (!name.endsWith("odd_names")) assertEquals(called.length, methods.length, name);
      assertEquals(text.match(/^export async function/gm)?.length ?? 0, called.length, name);
      await writeWithSources(join(folder, name), files);
      paths.push(join(folder, name, "examples.ts"));
      await writeFile(paths.at(-1)!, text);
    };
    for (const [name, document, options] of documents) {
      await write(name, document, options);
      // One with resources has parameters that cannot be sent, and whose names each object inherits.
      const apiMd = name === "hostile" ? "" : await apiMdOf(document, options);
      if (apiMd !== "") await write(`resources_${name}`, document, { ...options, apiMd });
    }
    // One that does not compile shows that the others were read.
    paths.push(join(folder, "wrong_examples.ts"));
    await writeFile(paths.at(-1)!, "export const wrong: number = true;\n");
    const { errors, output } = await compile(paths);
    assertEquals(errors.map((line) => line.split("(")[0]), ["wrong_examples.ts"], output);
  });

  it("are the same with and without tests of the SDK", async () => {
    for (const name of ["shop.yaml", "feed.yaml"]) {
      const document = await support(name);
      const plain = await generatePlanned(document, {});
      const outputs = [tests.with({ sdk: "./mod.ts" })];
      const tested = await generatePlanned(document, { outputs });
      assertEquals([...tested.files], [...plain.files]);
    }
  });

  it("have the examples of the document where they fit the schema, and else samples", async () => {
    const schema = {
      type: "object",
      required: ["title"],
      properties: {
        title: { type: "string" },
        copies: { type: "integer", example: "many" },
      },
    };
    const example = { title: "The Amber Almanac", copies: "three" };
    assertEquals(
      await exampleOf({ requestBody: json({ schema, example }) }),
      'await client.orders.send("a-1", { title: "The Amber Almanac", copies: 1 });\n',
    );
    assertEquals(
      await exampleOf({ requestBody: json({ schema }) }),
      'await client.orders.send("a-1", { title: "sample", copies: 1 });\n',
    );
  });

  it("leave out optional parameters, and optional fields of a long body", async () => {
    const text = { type: "string", example: "x".repeat(150) };
    const schema = {
      type: "object",
      required: ["title"],
      properties: { title: { type: "string", example: "Moss" }, a: text, b: text, c: text },
    };
    const size = { name: "size", in: "query", schema: { type: "integer" } };
    const lang = { ...size, name: "lang", required: true, schema: { enum: ["en", "fr"] } };
    assertEquals(
      await exampleOf({ parameters: [id, size, lang], requestBody: json({ schema }) }),
      'await client.orders.send("a-1", { title: "Moss" }, { lang: "en" });\n',
    );
  });

  it("have a variable with the name of the result, and loops over lists and streams", async () => {
    const order = { type: "object", properties: { id: { type: "string" } } };
    const responses = (content: object) => ({ 200: { description: "", content } });
    const one = { "application/json": { schema: { $ref: "#/components/schemas/Order" } } };
    const events = { "text/event-stream": { schema: { type: "string" } } };
    const call = 'client.orders.send("a-1")';
    const loop = (item: string) => ` {\n  console.log(${item});\n}\n`;
    const get = (content: object) =>
      exampleOf({ responses: responses(content) }, { Order: order }, "get");
    assertEquals(await get(one), `const order = await ${call};\n`);
    assertEquals(await get({ "text/plain": {} }), `const text = await ${call};\n`);
    assertEquals(await get({ "image/png": {} }), `const response = await ${call};\n`);
    assertEquals(
      await get(events),
      `const stream = await ${call};\nfor await (const event of stream)${loop("event")}`,
    );
    const page = {
      ...{ type: "object", required: ["items", "next_cursor"] },
      properties: { items: { type: "array", items: order }, next_cursor: { type: "string" } },
    };
    const cursor = { name: "cursor", in: "query", schema: { type: "string" } };
    const list = await exampleOf(
      { parameters: [id, cursor], responses: responses({ "application/json": { schema: page } }) },
      {},
      "get",
    );
    assert(/^for await \(const item of client\.orders\.\w+\("a-1"\)\) \{\n/.test(list), list);
  });

  it("cannot end the comment, begin a tag or a block", async () => {
    const hostile = "*/ alert(1) /* {@link x} ``` @deprecated";
    const schema = {
      ...{ type: "object", required: ["@type", "a"] },
      properties: { "@type": { type: "string" }, a: { type: "string" } },
    };
    const example = { "@type": hostile, a: `\n@x\n\`\`\`\n${"y".repeat(90)}` };
    const text = await endpointOf(
      documentWith({ parameters: [id], responses: done, requestBody: json({ schema, example }) }),
    );
    const { parseDiagnostics, statements } = ts.createSourceFile(
      "orders.ts",
      text,
      ts.ScriptTarget.Latest,
      true,
    ) as ts.SourceFile & { readonly parseDiagnostics: readonly unknown[] };
    assertEquals(parseDiagnostics, []);
    const methods = statements.filter(ts.isClassDeclaration).flatMap(({ members }) =>
      members.filter(ts.isMethodDeclaration)
    );
    const tags = methods.flatMap((each) =>
      ts.getJSDocTags(each).map(({ tagName }) => tagName.text)
    );
    assertEquals(tags.filter((tag) => tag === "deprecated" || tag === "x"), []);
    const [shown = ""] = examplesIn(text);
    const [, sent] = /send\("a-1", (\{[^]*\})\);\n$/.exec(shown) ?? [];
    assertEquals(new Function(`return ${sent}`)(), example);
  });

  it("have the first fields of a long body that requires none", async () => {
    const text = { type: "string", example: "x".repeat(80) };
    const names = ["a", "b", "c", "d", "e"];
    const properties = Object.fromEntries(names.map((name) => [name, text]));
    const shown = await exampleOf({
      requestBody: json({ schema: { type: "object", properties } }),
    });
    assertEquals(shown.match(/\b[a-e]: "x/g), ['a: "x', 'b: "x', 'c: "x']);
  });
});

describe("the doc comments of methods", () => {
  it("link to the types of the body, of the parameters and of the result", async () => {
    const ref = { schema: { $ref: "#/components/schemas/Order" } };
    const size = { name: "size", in: "query", schema: { type: "integer" } };
    const text = await endpointOf(
      documentWith({
        parameters: [id, size],
        requestBody: { description: "The order.", ...json(ref) },
        responses: { 200: { description: "", ...json(ref) } },
      }, { Order: { type: "object", properties: { id: { type: "string" } } } }),
    );
    for (
      const line of [
        "@param body The order. {@link Order}",
        "@param params {@link OrdersSendParams}",
        "@returns {@link Order}",
      ]
    ) assert(text.includes(`   * ${line}\n`), text);
  });

  it("say what to use instead of a deprecated method, if the document does", async () => {
    const deprecated = (more: object) =>
      endpointOf(documentWith({ parameters: [id], responses: done, deprecated: true, ...more }));
    const cases: readonly (readonly [more: object, text: string])[] = [
      [{}, ""],
      [{ description: "Sends an order. It is slow." }, ""],
      [{ description: "Sends it. Use the `size` parameter to send more." }, ""],
      [{ description: "Sends it. Use `POST /b` instead. More." }, " Use `POST /b` instead."],
      [{ description: "**Deprecated**: use `POST /b`." }, " Use `POST /b`."],
      [
        { description: "This is deprecated. Use `POST /b`." },
        " Use `POST /b`.",
      ],
      [{ summary: "Send (deprecated in favor of /b)" }, " Send (deprecated in favor of /b)"],
      [
        {
          description:
            "> [!WARNING]\n> **Closing down notice:** It ends. Use\n> [this](b) instead.\n\nSends.",
        },
        " Use [this](b) instead.",
      ],
      [{ "x-stainless-deprecation-message": "Use b.", description: "x" }, " Use b."],
      [{ "x-speakeasy-deprecation-replacement": "none" }, ""],
      [{ "x-speakeasy-deprecation-replacement": "send" }, " Use `orders.send` instead."],
    ];
    for (const [more, expected] of cases) {
      const text = await deprecated(more);
      assert(text.includes(`   * @deprecated${expected}\n`), `${JSON.stringify(more)}\n${text}`);
    }
  });

  it("say what to use instead of a deprecated parameter or property", async () => {
    const old = { name: "old", in: "query", deprecated: true, schema: { type: "string" } };
    const description = "Deprecated, use created_at";
    const { files } = await generatePlanned(
      documentWith({
        parameters: [id, { ...old, description: "The page. Use `cursor` instead." }],
        requestBody: json({ schema: { $ref: "#/components/schemas/Order" } }),
        responses: done,
      }, {
        Order: {
          type: "object",
          properties: { created: { type: "string", deprecated: true, description } },
        },
      }),
      {},
    );
    assert(files.get("endpoints/orders.ts")!.includes("@deprecated Use `cursor` instead."));
    assert(files.get("models.ts")!.includes("@deprecated Use created_at"), files.get("models.ts"));
  });
});
