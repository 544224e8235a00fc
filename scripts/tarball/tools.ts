/** The tools of the judges, which no other task needs. */
import { copyFile, mkdir, readFile } from "node:fs/promises";
import type { ChildResult } from "../child.ts";
import { installPackages } from "../npm_packages.ts";

/**
 * Where they are installed, from the root. The repository's own packages are downloaded by Deno
 * before any task; these are not among them, and are had by `npm ci` when they are needed.
 */
export const TOOLS_FOLDER = ".tools";

const DESCRIPTION = "scripts/tarball/tools";
const LOCK = "package-lock.json";

/**
 * Installs the tools that scripts/tarball/tools/ names, in its versions, unless they are there.
 *
 * @param root The repository
 * @returns What npm did; undefined where there was nothing to do
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

/** The path of a tool's file, from the root. */
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
