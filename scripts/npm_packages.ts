/** A folder's node_modules/, as its package-lock.json has it. */
import { stat } from "node:fs/promises";
import { type ChildResult, runChild } from "./child.ts";

/**
 * Runs `npm ci` where node_modules/ is missing or older than the lock file. Undefined means that
 * there was nothing to do. No package runs a script of its own.
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
