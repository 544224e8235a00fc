/** `tests/public/` against the installed package: what is tested is what is published. */
import { readFile } from "node:fs/promises";
import { runChild } from "../child.ts";
import type { DenoManifest } from "../manifest.ts";
import { compiledImports, compiledPath, readNpmManifest } from "../manifest.ts";
import type { Runtime } from "../runtimes.ts";
import { filesBelow, isModule, testFiles } from "../source_files.ts";
import { faultsOfRun, type Judge, orThrow } from "./judge.ts";
import { importingPackage } from "./npm_names.ts";
import type { Project } from "./project.ts";
import { emitConfig } from "./type_checks.ts";

/** The folder of the tests in the project; the package is found from there. */
const FOLDER = "public";

/**
 * Puts the tests into the project, with the package in place of the sources.
 *
 * @param root The repository
 * @param deno Its manifest
 * @param project Where the package is installed
 * @param runtimes Those to test on
 */
export async function publicTestJudges(
  root: string,
  deno: DenoManifest,
  project: Project,
  runtimes: readonly Runtime[],
): Promise<Judge[]> {
  const npm = await readNpmManifest(root);
  const files = (await filesBelow(root, ["tests/public", "tests/support", "examples"]))
    .filter(isModule);
  for (const path of files) {
    const code = await readFile(`${root}/${path}`, "utf8");
    const changed = importingPackage(code, path, deno.exports, npm.name);
    await project.write(`${FOLDER}/ts/${path}`, changed);
  }
  const tests = testFiles(files);
  if (tests.length === 0) throw new Error("there are no public tests");

  const { "#test": port = {} } = npm.imports;
  // The compiler follows the table to the source, the runtimes to what it made of it.
  const imports = { "#test": port["default"] };
  await project.write(`${FOLDER}/ts/package.json`, JSON.stringify({ type: "module", imports }));
  const compiled = { type: "module", imports: compiledImports({ "#test": port }) };
  await project.write(`${FOLDER}/js/package.json`, JSON.stringify(compiled));
  const config = emitConfig(tests, "../js");
  await project.write(`${FOLDER}/ts/tsconfig.json`, JSON.stringify(config));
  const tsc = [`${root}/node_modules/typescript/bin/tsc`, "-p", `${FOLDER}/ts`];
  orThrow(faultsOfRun("tsc", await runChild("node", tsc, { cwd: project.folder })));

  const paths = tests.map((path) => `./${FOLDER}/js/${compiledPath(path)}`);
  return runtimes.filter(({ kind }) => kind !== "deno").map((runtime): Judge => ({
    name: `tests/public on ${runtime.kind} ${runtime.version}`,
    async judge() {
      const args = runtime.kind === "node" ? ["--test", "--test-reporter=tap"] : ["test"];
      const result = await runChild(runtime.path, [...args, ...paths], { cwd: project.folder });
      const failed = faultsOfRun("the tests", result);
      if (failed.length > 0) return failed;
      const passed = passedTests(result.output);
      return passed > 0 ? [] : [`no test ran\n${result.output}`];
    },
  }));
}

/** How many tests passed, by the summary of Node (`# pass 4`) or Bun (` 4 pass`). */
export function passedTests(output: string): number {
  const [, node, bun] = /^(?:# pass (\d+)| *(\d+) pass)$/m.exec(output) ?? [];
  return Number(node ?? bun ?? 0);
}
