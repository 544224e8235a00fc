/**
 * `deno task live [DOCUMENT...]`: calls each method of generated SDKs against Prism, a mock server of
 * the document, with sampled arguments. It lists each call that failed with its reason. Without
 * documents, it takes Scalar's galaxy and the train travel API. Prism is installed by this task alone.
 */
import { resolve } from "node:path";
import process from "node:process";
import { succeeded } from "../shared/child.ts";
import { chooseEdition, editionEnv } from "../shared/edition.ts";
import { installInto } from "../shared/npm_packages.ts";
import { passThrough } from "../shared/pass_through.ts";
import { checkDetails } from "../shared/report.ts";
import { ROOT } from "../shared/source_files.ts";

const FOLDER = `${ROOT}/.tools/live`;

/** The documents without arguments. */
const DOCUMENTS: readonly string[] = [
  `${FOLDER}/node_modules/@scalar/galaxy/dist/latest.yaml`,
  `${FOLDER}/node_modules/@readme/oas-examples/3.1/yaml/train-travel.yaml`,
];

const npm = await installInto(`${ROOT}/scripts/shared/prism`, FOLDER);
if (npm !== undefined && !succeeded(npm)) throw new Error(checkDetails("npm ci", npm));
const given = process.argv.slice(2).map((path) => resolve(path));
const { edition } = await chooseEdition(process.execPath);
const args = ["run", "-q", "-A", "scripts/live/play.ts", ...given.length > 0 ? given : DOCUMENTS];
process.exit(await passThrough(process.execPath, args, { cwd: ROOT, env: editionEnv(edition) }));
