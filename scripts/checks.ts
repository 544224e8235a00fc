/** The checks that run before the tests: format, lint, types, documentation, publish dry run. */
import { existsSync } from "node:fs";
import process from "node:process";
import type { Check } from "./check.ts";
import { runChild } from "./child.ts";
import { compile } from "./compile.ts";
import { dryRun } from "./dry_run.ts";
import { type Edition, editionEnv } from "./edition.ts";
import { jsrOnlyFiles, readDenoManifest, readNpmManifest } from "./manifest.ts";
import { proseCheck } from "./prose.ts";
import { filesBelow, isModule, SOURCE_FOLDERS } from "./source_files.ts";

/** Returns the paths of the documents whose code is checked, relative to the root. */
export async function documentPaths(root: string): Promise<string[]> {
  const pages = (await filesBelow(root, ["docs"])).filter((path) => path.endsWith(".md"));
  return existsSync(`${root}/README.md`) ? ["README.md", ...pages] : pages;
}

/** Returns all checks for an edition. */
export async function checksOf(root: string, edition: Edition): Promise<Check[]> {
  const deno = await readDenoManifest(root);
  const npm = await readNpmManifest(root);
  const jsrOnly = new Set(jsrOnlyFiles(npm.imports));
  // The clients in bench/peers are not installed for the tests. The template imports the package.
  const files = (await filesBelow(root, SOURCE_FOLDERS))
    .filter((path) => isModule(path) && !/^(?:bench\/peers|examples\/template)\//.test(path));
  const entries = Object.values(deno.exports);
  const entryFiles = entries.map((path) => path.replace(/^\.\//, ""))
    .filter((path) => existsSync(`${root}/${path}`));

  // Without a list of files, `deno check` would read both editions' files, and fail without JSR.
  const roots = [...entryFiles, ...files]
    .filter((path) => edition === "jsr" || !jsrOnly.has(path));
  const webOnly = [...entryFiles, ...files.filter((path) => path.startsWith("src/"))]
    .filter((path) => !jsrOnly.has(path));

  const denoCheck = (name: string, args: readonly string[]): Check => ({
    name,
    run: () => runChild(process.execPath, args, { cwd: root, env: editionEnv(edition) }),
  });
  return [
    denoCheck("format", ["fmt", "--check"]),
    denoCheck("lint", ["lint"]),
    denoCheck("types (deno check)", ["check", "--quiet", ...roots]),
    denoCheck("doc lint", ["doc", "--lint", ...entries]),
    // Runs every example in a doc comment as a test.
    denoCheck("doc examples", [
      "test",
      "--doc",
      "-A",
      "--quiet",
      ...webOnly.filter((path) => path.endsWith(".ts")),
    ]),
    denoCheck("types of the documents", [
      "check",
      "--quiet",
      "--doc-only",
      ...await documentPaths(root),
    ]),
    proseCheck(root),
    { name: "publish dry run", run: () => dryRun(root, edition) },
    {
      name: "src on web standards alone (tsc)",
      run: () =>
        compile(
          root,
          { name: "web", files: [...new Set(webOnly)], types: [] },
          deno.compilerOptions,
        ),
    },
  ];
}
