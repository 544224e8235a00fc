/** `deno task npm`: runs make_npm.ts in the edition that is available. */
import process from "node:process";
import { chooseEdition, editionEnv } from "./edition.ts";
import { passThrough } from "./pass_through.ts";
import { ROOT } from "./source_files.ts";

const { edition } = await chooseEdition(process.execPath);
const args = ["run", "-q", "-A", "scripts/make_npm.ts", ...process.argv.slice(2)];
process.exit(await passThrough(process.execPath, args, { cwd: ROOT, env: editionEnv(edition) }));
