/**
 * `deno task faults [--only deno,bun,…] [PART OF A NAME…]`: runs all cases of the fault matrix on Deno,
 * Node and Bun.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { endChildrenWithUs, runChild, succeeded } from "../shared/child.ts";
import { chooseEdition, type Edition, editionEnv } from "../shared/edition.ts";
import { faultReport, faultsLine } from "./report.ts";
import { installPackages } from "../shared/npm_packages.ts";
import {
  getRuntime,
  namedRuntimes,
  type Runtime,
  RUNTIME_NAMES,
  type RuntimeName,
} from "../shared/runtimes.ts";
import { ROOT } from "../shared/source_files.ts";

/** Seconds after which a runtime is considered to hang. It needs a few minutes. */
const LIMIT = 7200;

const PROGRAM = "tests/support/faults/run_all.ts";

/** Runs the program on one runtime, and prints its report. Returns false if a case failed. */
async function runOn(name: RuntimeName, filters: readonly string[], edition: Edition) {
  const runtime = await getRuntime(ROOT, name);
  if ("trouble" in runtime) throw new Error(`${name}: ${runtime.trouble}`);
  const env = runtime.kind === "deno" ? editionEnv(edition) : {};
  const args = [...argumentsFor(runtime), PROGRAM, ...filters];
  const child = await runChild(runtime.path, args, { cwd: ROOT, env, limit: LIMIT });
  const report = faultReport(child.stdout);
  if (report === undefined) throw new Error(`${PROGRAM} failed on ${name}\n${child.output}`);
  console.log(faultsLine(`${runtime.kind} ${runtime.version}`, report));
  for (const each of report.failed) console.log(`  ${each}`);
  if (!succeeded(child)) console.log(`  ${child.trouble ?? child.output}`);
  return succeeded(child) && report.failed.length === 0;
}

function argumentsFor({ kind }: Runtime): string[] {
  return kind === "deno" ? ["run", "-q", "-A", "--no-check"] : kind === "bun" ? ["run"] : [];
}

async function main(): Promise<boolean> {
  const { values, positionals: filters } = parseArgs({
    allowPositionals: true,
    options: { only: { type: "string" } },
  });
  const only = values.only === undefined ? RUNTIME_NAMES : namedRuntimes(values.only);
  const { edition } = await chooseEdition(process.execPath);
  const npm = await installPackages(ROOT);
  if (npm !== undefined && !succeeded(npm)) throw new Error(`npm ci failed\n${npm.output}`);
  let isGood = true;
  for (const name of only) isGood = await runOn(name, filters, edition) && isGood;
  return isGood;
}

endChildrenWithUs();
try {
  process.exitCode = await main() ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
