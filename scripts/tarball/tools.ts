/** Installs the tools that only the judges need. */
import { copyFile, mkdir, readFile } from "node:fs/promises";
import type { ChildResult } from "../child.ts";
import { installPackages } from "../npm_packages.ts";

/**
 * The folder in which the tools are installed, relative to the root. They are not among the
 * repository's own packages, because Deno downloads those before any task.
 */
export const TOOLS_FOLDER = ".tools";

const DESCRIPTION = "scripts/tarball/tools";
const LOCK = "package-lock.json";

/**
 * Installs the tools in the versions of the lock file in scripts/tarball/tools/, unless they are
 * installed already.
 *
 * @param root The root of the repository
 * @returns The result of npm; undefined if there was nothing to do
 */
export async function installTools(root: string): Promise<ChildResult | undefined> {
  const folder = `${root}/${TOOLS_FOLDER}`;
  if (await textOf(`${folder}/${LOCK}`) !== await textOf(`${root}/${DESCRIPTION}/${LOCK}`)) {
    await mkdir(folder, { recursive: true });
    for (const name of ["package.json", LOCK]) {
      await copyFile(`${root}/${DESCRIPTION}/${name}`, `${folder}/${name}`);
    }
  }
  return await installPackages(folder);
}

/** Returns the path of a tool's file, relative to the root. */
export function toolPath(path: string): string {
  return `${TOOLS_FOLDER}/node_modules/${path}`;
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}
