/** `deno task demo`: runs examples/demo.ts in the edition that is available. */
import process from "node:process";
import { chooseEdition, editionEnv } from "../shared/edition.ts";
import { passThrough } from "../shared/pass_through.ts";
import { ROOT } from "../shared/source_files.ts";

const { edition } = await chooseEdition(process.execPath);
const args = [
  "run",
  "-q",
  "--allow-net=127.0.0.1",
  "--allow-read=examples",
  "examples/demo.ts",
  ...process.argv.slice(2),
];
process.exit(await passThrough(process.execPath, args, { cwd: ROOT, env: editionEnv(edition) }));
