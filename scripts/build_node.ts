/** The one build that every Node runs: the whole repository as JavaScript. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { BUILD_FOLDER } from "./build_folder.ts";
import type { ChildResult } from "./child.ts";
import { compile } from "./compile.ts";
import { compiledImports, jsrOnlyFiles, readDenoManifest, readNpmManifest } from "./manifest.ts";
import { filesBelow, isModule } from "./source_files.ts";
import { existsSync } from "node:fs";

/** The build's folder, from the root. */
export const NODE_BUILD: string = `${BUILD_FOLDER}/node`;

/** Beside modules, what tests and examples read by a path relative to themselves. */
const READ_AT_ROOT: readonly string[] = ["README.md", "CHANGELOG.md", "LICENSE", "deno.json"];

/** Builds it. Type errors are in the result, and the output is there all the same. */
export async function buildForNode(root: string): Promise<ChildResult> {
  const npm = await readNpmManifest(root);
  const deno = await readDenoManifest(root);
  await mkdir(`${root}/${NODE_BUILD}`, { recursive: true });

  const leftOut = new Set(jsrOnlyFiles(npm.imports));
  const files = await filesBelow(root, ["src", "tests", "examples", "bench", "docs"]);
  const modules = files.filter((path) => isModule(path) && !leftOut.has(path));
  if (existsSync(`${root}/mod.ts`)) modules.unshift("mod.ts");
  const others = [...files, ...READ_AT_ROOT.filter((path) => existsSync(`${root}/${path}`))]
    .filter((path) => !path.endsWith(".ts"));
  for (const path of others) {
    await mkdir(dirname(`${root}/${NODE_BUILD}/${path}`), { recursive: true });
    await cp(`${root}/${path}`, `${root}/${NODE_BUILD}/${path}`);
  }
  await writeFile(
    `${root}/${NODE_BUILD}/package.json`,
    JSON.stringify({ ...npm, imports: compiledImports(npm.imports) }, null, 2),
  );
  const job = { name: "node", files: modules, types: ["node"], outDir: NODE_BUILD };
  return await compile(root, job, deno.compilerOptions);
}
