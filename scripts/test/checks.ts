/** The checks that run before the tests: format, lint, types, documentation, publish dry run. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import process from "node:process";
import { BUILD_FOLDER } from "../shared/build_folder.ts";
import { cancelCheck } from "./checks/awaited_cancels.ts";
import { castCheck } from "./checks/cast_comparisons.ts";
import type { Check } from "./checks/check.ts";
import { runChild } from "../shared/child.ts";
import { BROWSER_LIBRARIES, compile } from "../shared/package/compile.ts";
import { dryRun } from "./checks/dry_run.ts";
import { type Edition, editionEnv } from "../shared/edition.ts";
import { jsrOnlyFiles, readDenoManifest, readNpmManifest } from "../shared/manifest.ts";
import { proseCheck } from "./checks/prose.ts";
import { slowPatternCheck } from "./checks/slow_patterns.ts";
import {
  documentPaths,
  filesBelow,
  GENERATOR,
  isModule,
  SOURCE_FOLDERS,
} from "../shared/source_files.ts";

/** A command of Deno that checks something. */
export interface DenoCheck {
  name: string;
  args: readonly string[];
}

/** The modules of the repository that are checked, and Deno's commands for them. */
export interface DenoChecks {
  /** The modules whose types are checked. */
  modules: readonly string[];
  /** The modules that must work with the standard library of the web alone. */
  webOnly: readonly string[];
  commands: readonly DenoCheck[];
}

/** The module that imports all modules whose types are checked. */
const allModules = `${BUILD_FOLDER}/all_modules.ts`;

/**
 * Returns a module that imports others.
 *
 * `deno check` gets this module instead of their names: almost 900 names are longer than a command
 * on Windows may be.
 *
 * @param paths The others, relative to the root
 * @param root The root, relative to the module
 */
export function importingAll(paths: readonly string[], root: string): string {
  return paths.map((path) => `import "${root}/${path}";\n`).join("");
}

/** Returns Deno's checks for an edition. */
export async function denoChecks(root: string, edition: Edition): Promise<DenoChecks> {
  const deno = await readDenoManifest(root);
  const npm = await readNpmManifest(root);
  const jsrOnly = new Set(jsrOnlyFiles(npm.imports));
  // The clients in bench/peers are not installed for the tests. The template imports the package.
  const files = (await filesBelow(root, SOURCE_FOLDERS))
    .filter((path) => isModule(path) && !/^(?:bench\/peers|examples\/template)\//.test(path));
  const entries = Object.values(deno.exports);
  const generator = await readDenoManifest(`${root}/${GENERATOR}`);
  const ofGenerator = Object.values(generator.exports)
    .map((path) => path.replace(/^\./, `./${GENERATOR}`));
  const entryFiles = entries.map((path) => path.replace(/^\.\//, ""))
    .filter((path) => existsSync(`${root}/${path}`));

  // Without a list of files, `deno check` would read both editions' files, and fail without JSR.
  const modules = [...new Set([...entryFiles, ...files])]
    .filter((path) => edition === "jsr" || !jsrOnly.has(path));
  const webOnly = modules.filter((path) =>
    (path.startsWith("src/") || entryFiles.includes(path)) && !jsrOnly.has(path)
  );
  return {
    modules,
    webOnly,
    commands: [
      { name: "format", args: ["fmt", "--check"] },
      { name: "lint", args: ["lint"] },
      { name: "types (deno check)", args: ["check", "--quiet", allModules] },
      { name: "doc lint", args: ["doc", "--lint", ...entries, ...ofGenerator] },
      {
        name: "types of the documents and of the examples in doc comments",
        args: ["check", "--quiet", "--doc-only", ...await documentPaths(root), ...webOnly],
      },
    ],
  };
}

/** Returns all checks for an edition. */
export async function checksOf(root: string, edition: Edition): Promise<Check[]> {
  const { compilerOptions } = await readDenoManifest(root);
  const { modules, webOnly, commands } = await denoChecks(root, edition);
  await mkdir(`${root}/${BUILD_FOLDER}`, { recursive: true });
  await writeFile(`${root}/${allModules}`, importingAll(modules, "../.."));
  const generator = `${root}/${GENERATOR}`;
  return [
    ...commands.map(({ name, args }) => ({
      name,
      run: () => runChild(process.execPath, args, { cwd: root, env: editionEnv(edition) }),
    })),
    proseCheck(root),
    castCheck(root),
    cancelCheck(root),
    slowPatternCheck(root),
    { name: "publish dry run", run: () => dryRun(root, edition) },
    // It has no ports, so both editions publish the same.
    { name: "publish dry run of the generator", run: () => dryRun(generator, "jsr") },
    {
      name: "src on web standards alone (tsc)",
      run: () =>
        compile(
          root,
          { name: "web", files: webOnly, types: [], libraries: BROWSER_LIBRARIES },
          compilerOptions,
        ),
    },
  ];
}
