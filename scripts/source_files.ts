/** The files of the repository that the scripts work on, as paths from its root. */
import { readdir } from "node:fs/promises";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The root of the repository, without a slash at its end. */
export const ROOT: string = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/** The folders with sources, beside mod.ts at the root. */
export const SOURCE_FOLDERS: readonly string[] = ["src", "tests", "examples", "bench", "scripts"];

/** Every file below the given folders, sorted. A folder that is not there has none. */
export async function filesBelow(root: string, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    if (!existsSync(`${root}/${folder}`)) continue;
    for (
      const entry of await readdir(`${root}/${folder}`, { recursive: true, withFileTypes: true })
    ) {
      if (!entry.isFile()) continue;
      const path = `${entry.parentPath}/${entry.name}`.replaceAll("\\", "/");
      found.push(path.slice(root.length + 1));
    }
  }
  return found.sort();
}

/** Whether it is a module in TypeScript. */
export function isModule(path: string): boolean {
  return path.endsWith(".ts") && !path.endsWith(".d.ts");
}

/** The files of tests, narrowed to those whose path contains one of the given texts. */
export function testFiles(paths: readonly string[], filters: readonly string[] = []): string[] {
  return paths.filter((path) =>
    path.startsWith("tests/") && path.endsWith("_test.ts") &&
    (filters.length === 0 || filters.some((filter) => path.includes(filter)))
  );
}
