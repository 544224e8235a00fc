/** Runs `tests/public/` against the installed package, so that the published code is tested. */
import { readFile } from "node:fs/promises";
import { runChild } from "../shared/child.ts";
import type { DenoManifest } from "../shared/manifest.ts";
import { compiledImports, compiledPath, readNpmManifest } from "../shared/manifest.ts";
import type { Runtime } from "../shared/runtimes.ts";
import { filesBelow, isModule, testFiles } from "../shared/source_files.ts";
import { faultsOfRun, type Judge, orThrow } from "../shared/package/judge.ts";
import { importingPackage } from "./importing_package.ts";
import type { Project } from "../shared/package/project.ts";
import { emitConfig } from "./type_checks.ts";

/** The folder for the tests. It is in the project, so that imports of the package resolve. */
const FOLDER = "public";

/**
 * Compiles the tests in the project and returns a judge for each runtime except Deno. The tests
 * import the package instead of the sources.
 *
 * @param root The root of the repository
 * @param deno The repository's deno.json
 * @param project The project in which the package is installed
 * @param runtimes The installed runtimes
 * @throws {Error} If there are no tests or the compiler fails
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
    const changed = importingPackage(code, path, deno);
    await project.write(`${FOLDER}/ts/${path}`, changed);
  }
  const tests = testFiles(files);
  if (tests.length === 0) throw new Error("tests/public has no tests");

  const { "#test": port = {} } = npm.imports;
  // The compiler needs the port's source files; the runtimes need its compiled files.
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

/** Returns the number of passed tests in the summary of Node (`# pass 4`) or Bun (` 4 pass`). */
export function passedTests(output: string): number {
  const [, node, bun] = /^(?:# pass (\d+)| *(\d+) pass)$/m.exec(output) ?? [];
  return Number(node ?? bun ?? 0);
}
