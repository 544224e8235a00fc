/** Installs the tools that only the judges need. */
import type { ChildResult } from "../shared/child.ts";
import { installInto } from "../shared/npm_packages.ts";

/** The folder in which the tools are installed, relative to the root. */
export const TOOLS_FOLDER = ".tools";

/**
 * Installs the tools in the versions of the lock file in scripts/npm/tools/, unless they are
 * installed already.
 *
 * @param root The root of the repository
 * @returns The result of npm; undefined if there was nothing to do
 */
export async function installTools(root: string): Promise<ChildResult | undefined> {
  return await installInto(`${root}/scripts/npm/tools`, `${root}/${TOOLS_FOLDER}`);
}

/** Returns the path of a tool's file, relative to the root. */
export function toolPath(path: string): string {
  return `${TOOLS_FOLDER}/node_modules/${path}`;
}
