/** Lists the repository's files for the scripts. Paths are relative to its root. */
import { readdir } from "node:fs/promises";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The absolute path of the repository's root, without a slash at its end. */
export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** The folder of the generator, which is a package of its own. */
export const GENERATOR = "generate";

/** The folders with sources. The root has another source file, mod.ts. */
export const SOURCE_FOLDERS: readonly string[] = [
  ...["src", "tests", "examples", "bench", "scripts", GENERATOR],
];

/** The folders with test files: of the toolkit, and of the generator. */
export const TEST_FOLDERS: readonly string[] = ["tests", "generate/tests"];

/**
 * Lists all files in the folders and their subfolders, sorted. Skips folders that do not exist, and
 * installed packages.
 */
export async function filesBelow(root: string, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    if (!existsSync(`${root}/${folder}`)) continue;
    for (
      const entry of await readdir(`${root}/${folder}`, { recursive: true, withFileTypes: true })
    ) {
      if (!entry.isFile()) continue;
      const path = `${entry.parentPath}/${entry.name}`.replaceAll("\\", "/");
      const relative = path.slice(root.length + 1);
      if (!relative.includes("/node_modules/")) found.push(relative);
    }
  }
  return found.sort();
}

/** Reports if a file is a TypeScript module, not a declaration file. */
export function isModule(path: string): boolean {
  return path.endsWith(".ts") && !path.endsWith(".d.ts");
}

/** Returns the test files. With filters, only those whose path contains one of the texts. */
export function testFiles(paths: readonly string[], filters: readonly string[] = []): string[] {
  return paths.filter((path) =>
    TEST_FOLDERS.some((folder) => path.startsWith(`${folder}/`)) && path.endsWith("_test.ts") &&
    (filters.length === 0 || filters.some((filter) => path.includes(filter)))
  );
}

/** Returns the paths of the documents whose code is checked, relative to the root. */
export async function documentPaths(root: string): Promise<string[]> {
  const pages = (await filesBelow(root, ["docs"])).filter((path) => path.endsWith(".md"));
  return existsSync(`${root}/README.md`) ? ["README.md", ...pages] : pages;
}
