/**
 * `deno task test`: installs everything, runs the checks and runs every test on Deno, Node and Bun.
 * It works in a fresh clone on a machine with only Node and npm. The last line of its output is
 * `N passed, N failed`.
 */
import process from "node:process";
import { removeOldBuilds } from "./build_folder.ts";
import { checksOf } from "./checks.ts";
import { endChildrenWithUs, succeeded } from "./child.ts";
import { chooseEdition, type Edition } from "./edition.ts";
import { installPackages } from "./npm_packages.ts";
import {
  agreementLine,
  checkDetails,
  checkLine,
  differenceDetails,
  failedTests,
  leftOutLines,
  runtimeLine,
  troubleDetails,
} from "./report.ts";
import { partialRun, readOptions, type RunOptions, USAGE } from "./run_options.ts";
import { runOn, type RuntimeRun } from "./run_runtime.ts";
import { getRuntime, type MissingRuntime, type Runtime } from "./runtimes.ts";
import { filesBelow, ROOT, testFiles } from "./source_files.ts";
import {
  type Counts,
  countsOf,
  lastLine,
  leftOut,
  nameDifferences,
  type RuntimeResult,
  total,
} from "./runtime_results.ts";

const PASSED: Counts = { passed: 1, failed: 0, skipped: 0 };
const FAILED: Counts = { passed: 0, failed: 1, skipped: 0 };

/** The texts to print at the end, after the lines of the checks and runtimes. */
const details: string[] = [];

/** Installs packages and runtimes, and returns the runtimes. A missing one counts as a failure. */
async function setUp(options: RunOptions): Promise<(Runtime | MissingRuntime)[]> {
  await removeOldBuilds();
  const npm = await installPackages(ROOT);
  if (npm !== undefined) {
    console.log(checkLine("npm ci", npm));
    if (!succeeded(npm)) throw new Error(checkDetails("npm ci", npm));
  }
  const runtimes: (Runtime | MissingRuntime)[] = [];
  for (const name of options.only) {
    const fetching = (what: string): void => console.log(`  fetching ${what}`);
    runtimes.push(await getRuntime(ROOT, name, fetching));
  }
  return runtimes;
}

async function runChecks(options: RunOptions, edition: Edition): Promise<Counts> {
  const checks = options.checks ? await checksOf(ROOT, edition) : [];
  const counts: Counts[] = [];
  async function worker(): Promise<void> {
    for (let check = checks.shift(); check !== undefined; check = checks.shift()) {
      const result = await check.run();
      console.log(checkLine(check.name, result));
      counts.push(succeeded(result) ? PASSED : FAILED);
      if (!succeeded(result)) details.push(checkDetails(check.name, result));
    }
  }
  // Two at a time, because most checks use one core and CI machines have two.
  await Promise.all([worker(), worker()]);
  return total(counts);
}

async function runTests(
  options: RunOptions,
  edition: Edition,
  runtimes: readonly (Runtime | MissingRuntime)[],
): Promise<Counts> {
  const files = testFiles(await filesBelow(ROOT, ["tests"]), options.filters);
  if (files.length === 0) throw new Error(`no test file matches ${options.filters.join(" or ")}`);
  const runs: RuntimeRun[] = [];
  for (const runtime of runtimes) {
    const run = "trouble" in runtime
      ? { result: missingResult(runtime), output: "" }
      : await runOn(ROOT, runtime, files, edition);
    runs.push(run);
    console.log(runtimeLine(run.result));
  }
  const results = runs.map((run) => run.result);
  details.push(...failedTests(results), ...troubleDetails(runs));
  leftOutLines(leftOut(results), options.verbose).forEach((line) => console.log(line));

  const counts = results.map(countsOf);
  if (results.length > 1) {
    const differences = nameDifferences(results);
    const same = differences.length === 0;
    console.log(agreementLine(same));
    if (!same) details.push(differenceDetails(differences));
    counts.push(same ? PASSED : FAILED);
  }
  return total(counts);
}

function missingResult({ name, trouble }: MissingRuntime): RuntimeResult {
  const troubles = [{ text: trouble, seeOutput: false }];
  return { name, version: "missing", tests: [], troubles, seconds: 0 };
}

async function main(): Promise<Counts> {
  let options: RunOptions;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    console.log(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return FAILED;
  }
  const { edition, reason } = await chooseEdition(process.execPath);
  console.log(`edition: ${edition} (${reason})`);
  const counts: Counts[] = [];
  try {
    const runtimes = await setUp(options);
    counts.push(await runChecks(options, edition));
    counts.push(await runTests(options, edition, runtimes));
  } catch (error) {
    details.push(error instanceof Error ? error.message : String(error));
    counts.push(FAILED);
  }
  if (details.length > 0) console.log(`\n${details.join("\n")}`);
  const partial = partialRun(options);
  if (partial !== undefined) console.log(`This was a partial run: ${partial}.`);
  return total(counts);
}

endChildrenWithUs();
const counts = await main();
console.log(lastLine(counts));
process.exit(counts.failed > 0 ? 1 : 0);
