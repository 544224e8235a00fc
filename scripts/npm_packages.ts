/** Installs the packages of a folder's package-lock.json. */
import { stat } from "node:fs/promises";
import { type ChildResult, runChild } from "./child.ts";

/**
 * Runs `npm ci` if node_modules/ is missing or older than the lock file. Install scripts of
 * packages are not run.
 *
 * @returns The result of npm; undefined if there was nothing to do
 */
export async function installPackages(root: string): Promise<ChildResult | undefined> {
  const installed = await changedAt(`${root}/node_modules/.package-lock.json`);
  const locked = await changedAt(`${root}/package-lock.json`);
  if (installed !== undefined && locked !== undefined && installed >= locked) return undefined;
  return await runChild("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: root,
  });
}

async function changedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
}
