/** Installs the packages of a folder's package-lock.json. */
import { copyFile, mkdir, readFile, stat } from "node:fs/promises";
import { type ChildResult, runChild } from "./child.ts";

const LOCK = "package-lock.json";

/**
 * Runs `npm ci` if node_modules/ is missing or older than the lock file. Install scripts of
 * packages are not run.
 *
 * @returns The result of npm; undefined if there was nothing to do
 */
export async function installPackages(root: string): Promise<ChildResult | undefined> {
  const installed = await changedAt(`${root}/node_modules/.package-lock.json`);
  const locked = await changedAt(`${root}/${LOCK}`);
  if (installed !== undefined && locked !== undefined && installed >= locked) return undefined;
  return await runChild("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: root,
  });
}

/**
 * Installs the packages that a folder describes into another folder, unless they are installed
 * already. Use it for packages that only one task needs: Deno downloads those of the root's
 * package.json before any task.
 *
 * @param description The folder with the package.json and the package-lock.json
 * @param folder The folder to install into
 * @returns The result of npm; undefined if there was nothing to do
 */
export async function installInto(
  description: string,
  folder: string,
): Promise<ChildResult | undefined> {
  if (await textOf(`${folder}/${LOCK}`) !== await textOf(`${description}/${LOCK}`)) {
    await mkdir(folder, { recursive: true });
    for (const name of ["package.json", LOCK]) {
      await copyFile(`${description}/${name}`, `${folder}/${name}`);
    }
  }
  return await installPackages(folder);
}

async function changedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}
