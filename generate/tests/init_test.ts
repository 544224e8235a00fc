import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  afterEach,
  assert,
  assertEquals,
  assertStringIncludes,
  beforeEach,
  describe,
  it,
} from "#test";
import { runCommand } from "../src/write/command.ts";
import { TEMPLATE_MODULE, templateModule } from "./support/template_files.ts";

const library = fileURLToPath(new URL("../../examples/generated/library.yaml", import.meta.url));

describe("init", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "restwright-init-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const at = (path: string): string => join(folder, path);
  const read = (path: string): Promise<string> => readFile(at(path), "utf8");

  async function run(args: readonly string[], input = "") {
    const printed: string[] = [];
    const errors: string[] = [];
    const code = await runCommand(args, {
      readInput: () => Promise.resolve(input),
      print: (line) => printed.push(line),
      printError: (line) => errors.push(line),
    });
    return { code, printed, errors };
  }

  async function files(): Promise<string[]> {
    const entries = await readdir(at("sdk"), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(at("sdk").length + 1))
      .map((path) => path.replaceAll("\\", "/")).sort();
  }

  /** Generates the SDK of the repository again, and returns what would change. */
  const check = () => run(["--config", at("sdk/restwright.json"), "--check", "--quiet"]);

  it("makes a repository with the SDK, its tests, packages and workflows", async () => {
    const { code, printed, errors } = await run(
      ["init", library, at("sdk"), "--package", "@acme/library", "--npm", "acme-library"],
    );
    assertEquals([code, errors], [0, []]);
    assertEquals(await files(), [
      ".github/workflows/publish.yml",
      ".github/workflows/test.yml",
      ".gitignore",
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "deno.json",
      "docs/reference.md",
      "names.json",
      "openapi/library.yaml",
      "package.json",
      "restwright.json",
      "scripts/since_release.sh",
      "src/api/client.ts",
      "src/api/endpoints/books.ts",
      "src/api/endpoints/librarian.ts",
      "src/api/endpoints/members.ts",
      "src/api/errors.ts",
      "src/api/mod.ts",
      "src/api/models.ts",
      "src/client.ts",
      "src/mod.ts",
      "tests/api/books_test.ts",
      "tests/api/librarian_test.ts",
      "tests/api/members_test.ts",
      "tests/api/the_readme_test.ts",
      "tests/version_test.ts",
      "tsconfig.json",
    ]);
    assertEquals(JSON.parse(await read("sdk/deno.json")).name, "@acme/library");
    assertEquals(JSON.parse(await read("sdk/package.json")).name, "acme-library");
    const readme = await read("sdk/README.md");
    assertStringIncludes(readme, 'import { Library } from "acme-library";');
    assertStringIncludes(
      readme,
      "for await (const book of client.books.list()) {\n  console.log(book.title);\n}",
    );
    assertStringIncludes(readme, "npm install acme-library ");
    assertStringIncludes(readme, "deno add jsr:@acme/library ");
    assertStringIncludes(readme, "## Working on it");
    const workflow = await read("sdk/.github/workflows/test.yml");
    assertStringIncludes(workflow, "npm run generate -- --check");
    assertStringIncludes(workflow, "  release:\n");
    for (const name of ["test", "publish"]) {
      const text = await read(`sdk/.github/workflows/${name}.yml`);
      assertEquals(text.split("sh scripts/since_release.sh").length, 2, name);
      // Without the history, git finds no tag.
      const job = text.slice(0, text.indexOf("sh scripts/since_release.sh")).split("steps:").at(
        -1,
      )!;
      assertStringIncludes(job, "actions/checkout@v5\n        with:\n          fetch-depth: 0\n");
    }
    assertStringIncludes(await read("sdk/CHANGELOG.md"), "## [Unreleased]\n\n### Added\n\n- ");
    assertEquals(
      JSON.parse(await read("sdk/package.json")).scripts.changelog,
      "sh scripts/since_release.sh --changelog",
    );
    assertStringIncludes(printed.join(), "28 files (28 written)");
    assertEquals((await check()).code, 0);
    const next = `next: cd ${at("sdk")} && git init -b main && npm install && npm test`;
    assertEquals(printed.at(-1), next);
  });

  it("installs packed packages, if they are in no registry", async () => {
    await writeFile(at("toolkit-0.1.0.tgz"), "the toolkit");
    await writeFile(at("generate-0.1.0.tgz"), "the generator");
    const [toolkit, generator] = [at("toolkit-0.1.0.tgz"), at("generate-0.1.0.tgz")];
    const packed = ["--toolkit", toolkit, "--generator", generator];
    const { code, errors } = await run(["init", library, at("sdk"), ...packed]);
    assertEquals([code, errors], [0, []]);
    assertEquals(await read("sdk/vendor/toolkit-0.1.0.tgz"), "the toolkit");
    assertEquals(await read("sdk/vendor/generate-0.1.0.tgz"), "the generator");
    const { dependencies, devDependencies } = JSON.parse(await read("sdk/package.json"));
    assertEquals(dependencies, { "@restwright/restwright": "file:vendor/toolkit-0.1.0.tgz" });
    assertEquals(devDependencies["@restwright/generate"], "file:vendor/generate-0.1.0.tgz");
    assertEquals(devDependencies["@types/node"], "*");
    const deno = await read("sdk/deno.json");
    assert(!deno.includes("jsr:"), deno);
    assertEquals(JSON.parse(deno).nodeModulesDir, "manual");
    assertEquals(JSON.parse(await read("sdk/restwright.json")).toolkit, undefined);

    const wrong: readonly (readonly [args: readonly string[], message: string])[] = [
      [["--toolkit", toolkit], "--toolkit and --generator need each other"],
      [
        ["--toolkit", toolkit, "--generator", at("none.tgz")],
        "none.tgz must be a file that npm pack",
      ],
      [["--toolkit", toolkit, "--generator", library], "library.yaml must be a file that npm pack"],
      [["--toolkit", toolkit, "--generator", toolkit], "name the same file"],
    ];
    for (const [args, message] of wrong) {
      const result = await run(["init", library, at("other"), ...args]);
      assertEquals(result.code, 2, message);
      assertStringIncludes(result.errors.join(), message);
    }
  });

  it("prints nothing with --quiet, also if the document has problems", async () => {
    await writeFile(
      at("pets.yaml"),
      "openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\npaths: 1\n",
    );
    const { code, printed, errors } = await run(["init", at("pets.yaml"), at("sdk"), "--quiet"]);
    assertEquals([code, printed, errors], [0, [], []]);
  });

  it("has a configuration and scripts that make the same SDK again", async () => {
    const options = ["--name", "Shelf", "--dates", "--open-enums", "--no-bigint"];
    const safety = ["--timeout", "20", "--idempotency-header", "Request-Key"];
    await run(["init", library, at("sdk"), "--quiet", ...options, ...safety]);
    assertEquals(JSON.parse(await read("sdk/restwright.json")), {
      $schema: "./node_modules/@restwright/generate/restwright.schema.json",
      ...{ document: "openapi/library.yaml", out: "src/api", tests: "tests/api", docs: "docs" },
      ...{ docsReadme: "README.md", docsNpm: "@example/shelf", docsJsr: "@example/shelf" },
      ...{ names: "names.json", name: "Shelf", dates: true, openEnums: true },
      ...{ timeout: 20, idempotencyHeader: "Request-Key" },
    });
    const readme = (await read("sdk/README.md")).replace(/\s+/g, " ");
    assertStringIncludes(readme, "An attempt fails after 20 seconds without data");
    assertStringIncludes(readme, "Each POST and PATCH gets a key in the header `Request-Key`");
    const { scripts } = JSON.parse(await read("sdk/package.json"));
    const { tasks } = JSON.parse(await read("sdk/deno.json"));
    assertEquals(scripts.generate, "restwright-generate");
    assert(/^deno run -A jsr:@restwright\/generate@\S+\/cli$/.test(tasks.generate), tasks.generate);
    const { code, printed } = await check();
    assertEquals([code, printed], [0, []]);
  });

  it("copies the module with the scheme of webhooks", async () => {
    await writeFile(at("own.ts"), "export const webhookScheme = {};\n");
    await run(["init", library, at("sdk"), "--quiet", "--webhooks", at("own.ts")]);
    assertEquals(JSON.parse(await read("sdk/restwright.json")).webhooks, "src/webhook_scheme.ts");
    assertEquals(await read("sdk/src/webhook_scheme.ts"), "export const webhookScheme = {};\n");
    const text = await read("sdk/src/api/webhooks.ts");
    assertStringIncludes(text, 'import { webhookScheme } from "../webhook_scheme.ts";');
    assertEquals((await check()).code, 0);
  });

  it("copies the files that the document refers to, its overrides and its overlays", async () => {
    await mkdir(at("api/schemas"), { recursive: true });
    await writeFile(at("overrides.json"), '{"GET /pets": {"pages": false}}');
    await writeFile(
      at("api/schemas/pet.yaml"),
      "type: object\nproperties: {name: {type: string}}\n",
    );
    await writeFile(
      at("api/pets.yaml"),
      `openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /pets:
    get:
      responses:
        200: {description: OK, content: {application/json: {schema: {$ref: schemas/pet.yaml}}}}
`,
    );
    const overlay = JSON.stringify({
      ...{ overlay: "1.0.0", info: { title: "Fixes", version: "1" }, extends: "pets.yaml" },
      actions: [{ target: "$.info", update: { title: "Cats" } }],
    });
    await writeFile(at("api/fixes.overlay.json"), overlay);
    const files = ["--overrides", at("overrides.json"), "--overlay", at("api/fixes.overlay.json")];
    const args = ["init", at("api/pets.yaml"), at("sdk"), ...files];
    assertEquals((await run(args)).code, 0);
    assertStringIncludes(await read("sdk/openapi/schemas/pet.yaml"), "name: {type: string}");
    assertEquals(await read("sdk/overrides.json"), '{"GET /pets": {"pages": false}}');
    const { overrides, overlays } = JSON.parse(await read("sdk/restwright.json"));
    assertEquals([overrides, overlays], ["overrides.json", ["openapi/fixes.overlay.json"]]);
    assertEquals(await read("sdk/openapi/fixes.overlay.json"), overlay);
    assertStringIncludes(await read("sdk/src/api/client.ts"), "class Cats ");
    assertEquals((await check()).code, 0);

    await writeFile(at("pets.yaml"), overlay.replace("extends", "x-extends"));
    const { code, errors } = await run([
      ...args.slice(0, 2),
      at("other"),
      "--overlay",
      at("pets.yaml"),
    ]);
    assertEquals(code, 2);
    assertStringIncludes(errors.join(), "pets.yaml cannot be copied to openapi/pets.yaml");

    const elsewhere = at("elsewhere.json");
    await writeFile(elsewhere, overlay.replace('"pets.yaml"', '"api/pets.yaml"'));
    const moved = await run([...args.slice(0, 2), at("other"), "--overlay", elsewhere]);
    assertEquals(moved.code, 2);
    assertStringIncludes(
      moved.errors.join(),
      "elsewhere.json cannot be copied beside the document",
    );
  });

  it("keeps the call sites of stainless.yml or api.md, with a copy of the file", async () => {
    await mkdir(at("lists"));
    await writeFile(
      at("stainless.yml"),
      "resources:\n  books: {methods: {find: get /books}, models: {volume: Book}}\n",
    );
    const line = (name: string) =>
      `- <code title="get /books">client.books.<a href="x">${name}</a>() -> BooksPage</code>\n`;
    await writeFile(at("lists/api.md"), `${line("find")}\n# [More](more/api.md)\n`);
    await mkdir(at("lists/more"));
    await writeFile(
      at("lists/more/api.md"),
      '# More\n\n- <code title="get /tip">client.more.<a href="x">tip</a>() -> string</code>\n',
    );
    for (
      const [option, source, name] of [
        ["--stainless", at("stainless.yml"), "stainless.yml"],
        ["--api-md", at("lists/api.md"), "api.md"],
      ] as const
    ) {
      await rm(at("sdk"), { recursive: true, force: true });
      const { code } = await run(["init", library, at("sdk"), option, source, "--name", "Shelf"]);
      assertEquals(code, 0);
      const all = await files();
      assert(all.includes("src/api/resources/books.ts"), all.join());
      assert(all.includes("tests/api/books_test.ts"), all.join());
      assertEquals(all.filter((path) => /names\.json|src\/client/.test(path)), []);
      assertStringIncludes(await read(`sdk/${name}`), await readFile(source, "utf8"));
      assertStringIncludes(await read("sdk/src/mod.ts"), 'export { default } from "./api/mod.ts";');
      assertStringIncludes(await read("sdk/README.md"), "client.books.find(");
      assert(!(await read("sdk/tests/version_test.ts")).includes("src/mod.ts"));
      const configuration = JSON.parse(await read("sdk/restwright.json"));
      assertEquals(configuration[option === "--api-md" ? "apiMd" : "stainless"], name);
      assertEquals([configuration.name, configuration.names], ["Shelf", undefined]);
      assertEquals((await check()).code, 0);
    }
  });

  it("reads the standard input", async () => {
    const { code } = await run(["init", "-", at("sdk")], await readFile(library, "utf8"));
    assertEquals(code, 0);
    assert((await files()).includes("openapi/openapi.yaml"));
  });

  it("refuses a folder that is not empty, and takes one that is", async () => {
    await mkdir(at("sdk"));
    await writeFile(at("sdk/mine.txt"), "mine");
    const { code, errors } = await run(["init", library, at("sdk")]);
    assertEquals([code, await files()], [2, ["mine.txt"]]);
    assertStringIncludes(errors.join(), "is not empty");
    await rm(at("sdk/mine.txt"));
    assertEquals((await run(["init", library, at("sdk")])).code, 0);
  });

  it("ends with 2 and writes nothing if something is missing or wrong", async () => {
    await writeFile(at("file"), "");
    await mkdir(at("api"));
    await writeFile(at("shared.yaml"), "type: string\n");
    await writeFile(
      at("api/pets.yaml"),
      `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      responses:
        200: {description: OK, content: {application/json: {schema: {$ref: ../shared.yaml}}}}
`,
    );
    const wrong: readonly (readonly [args: readonly string[], message: string])[] = [
      [[library], "there must be a document and a folder"],
      [[at("none.yaml"), at("sdk")], "does not exist"],
      [[library, at("file")], "is not a folder"],
      [[library, at("sdk"), "--package", "pets"], "--package must be a name with a scope"],
      [[library, at("sdk"), "--npm", "../pets"], "--npm must be the name of a package"],
      [[library, at("sdk"), "--name", "pets"], "name must be the name of a class"],
      [[library, at("sdk"), "--out", "x"], "--out"],
      [[library, at("sdk"), "--api-md", at("none.md")], "none.md does not exist"],
      [[library, at("sdk"), "--api-md", library, "--stainless", library], "pass one of them"],
      [[at("api/pets.yaml"), at("sdk")], "refers to ../shared.yaml"],
    ];
    for (const [args, message] of wrong) {
      const { code, errors } = await run(["init", ...args]);
      assertEquals(code, 2, message);
      assertStringIncludes(errors.join(), message);
      assertEquals((await readdir(folder)).includes("sdk"), false, message);
    }
  });

  it("prints its help", async () => {
    const { code, printed } = await run(["init", "--help"]);
    assertEquals(code, 0);
    assertStringIncludes(printed.join(), "--package NAME");
  });

  it("has the template of examples/template as it is", async () => {
    assertEquals(await readFile(TEMPLATE_MODULE, "utf8"), templateModule());
  });
});
