import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { after, assert, assertEquals, assertStringIncludes, before, describe, it } from "#test";
import { docs, generate, type GenerateOptions, tests } from "../../mod.ts";
import { OPTIONS } from "../../../tests/support/type_errors.ts";
import { apiMdOf } from "../support/api_md.ts";
import { passedTests, runTests } from "../support/own_runner.ts";
import { writeWithSources } from "../support/written.ts";

const support = (name: string) => readFile(new URL(`../support/${name}`, import.meta.url), "utf8");
const library = new URL("../../../examples/generated/library.yaml", import.meta.url);

/** Compiles modules, and returns the errors in them. */
function errorsIn(paths: readonly string[]): string[] {
  const typeRoots = [fileURLToPath(new URL("../../../node_modules/@types", import.meta.url))];
  const options = { ...OPTIONS, typeRoots, types: ["node"] };
  const host = ts.createCompilerHost(options);
  // The compiler knows no URLs.
  host.resolveModuleNameLiterals = (names, file) =>
    names.map(({ text }) =>
      ts.resolveModuleName(
        text.startsWith("file:") ? fileURLToPath(text) : text,
        file,
        options,
        host,
      )
    );
  const program = ts.createProgram(paths, options, host);
  return paths.flatMap((path) => {
    const source = program.getSourceFile(path)!;
    return [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(({ messageText, start = 0 }) =>
      `${path} ${source.text.slice(start, start + 80)}: ` +
      ts.flattenDiagnosticMessageText(messageText, "\n")
    );
  });
}

describe("the tests of the programs in a README", () => {
  let folder: string;
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "restwright-programs-")));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Writes an SDK with the tests of the programs of its README. */
  async function write(
    name: string,
    document: string,
    options: GenerateOptions = {},
    change: (text: string) => string = (text) => text,
  ): Promise<{ readonly path: string; readonly text: string; readonly programs: number }> {
    const outputs = [docs.with({ sdk: "./mod.ts" }), tests.with({ sdk: "./mod.ts" })];
    const result = await generate(document, { ...options, outputs });
    const text = result.outputs.get("tests")!.get("the_readme_test.ts")!;
    const files = new Map([...result.files].map(([path, each]) => [path, change(each)]));
    await writeWithSources(join(folder, name), files);
    await writeWithSources(join(folder, name), new Map([["the_readme_test.ts", text]]));
    const readme = result.outputs.get("docs")!.get("README.md")!;
    const programs = readme.match(/^```ts$/gm)!.length;
    return { path: `${name}/the_readme_test.ts`, text, programs };
  }

  it("compile and run each of them, for documents with all that a guide shows", async () => {
    const written = [
      await write("library", await readFile(library, "utf8"), { webhooks: "standard" }),
      await write("payments", await support("pages/payments.yaml"), { webhooks: "standard" }),
      await write("media", await support("pages/media.yaml"), { dates: true }),
      await write("shop", await support("shop.yaml"), { models: "xml" }),
      await write("feed", await support("feed.yaml"), { dates: true, bigint: true }),
      await write("loans", await support("loans.yaml"), { dates: true, bigint: true }),
    ];
    for (const name of ["payments", "media", "feed"]) {
      const document = await support(name === "feed" ? "feed.yaml" : `pages/${name}.yaml`);
      const apiMd = await apiMdOf(document, {});
      const options = { apiMd, webhooks: "standard" };
      written.push(await write(`resources_${name}`, document, options));
    }
    const paths = written.map(({ path }) => path);
    assertEquals(errorsIn(paths.map((path) => join(folder, path))), []);
    const result = await runTests(folder, paths);
    assertEquals(result.code, 0, result.output.slice(-6000));
    const count = written.reduce((sum, { programs }) => sum + programs, 0);
    assert(count > 90, `${count} programs`);
    assertEquals(passedTests(result), count);
  });

  it("fail if the SDK does not do what the README says", async () => {
    const { path } = await write(
      "changed",
      await support("pages/payments.yaml"),
      { webhooks: "standard" },
      (text) => text.replace("path`/payments/${paymentId}`", "path`/payment/${paymentId}`"),
    );
    const result = await runTests(folder, [path]);
    assert(result.code !== 0, result.output);
    assertStringIncludes(result.output, "the README sets a time limit");
  });
});
