/**
 * `deno task test`: installs everything, runs the checks and runs every test on Deno, Node and Bun.
 * It works in a fresh clone on a machine with only Node and npm. The last line of its output is
 * `N passed, N failed`.
 */
import process from "node:process";
import { removeOldBuilds } from "../shared/build_folder.ts";
import type { Check } from "./checks/check.ts";
import { checksOf } from "./checks.ts";
import { endChildrenWithUs, succeeded } from "../shared/child.ts";
import { chooseEdition, type Edition } from "../shared/edition.ts";
import { runJobs, WORKERS } from "../shared/jobs.ts";
import { installPackages } from "../shared/npm_packages.ts";
import { startLoad } from "./load.ts";
import { Progress } from "./progress.ts";
import {
  agreementLine,
  differenceDetails,
  failedTests,
  leftOutLines,
  runtimeLine,
  troubleDetails,
} from "./report.ts";
import { checkDetails, checkLine } from "../shared/report.ts";
import { partialRun, readOptions, type RunOptions, USAGE } from "./options.ts";
import { extentOf, filesOf, runGroup, testGroups, type TestSetting } from "./run_runtime.ts";
import { getRuntime, type MissingRuntime, type Runtime } from "../shared/runtimes.ts";
import { filesBelow, ROOT, TEST_FOLDERS, testFiles } from "../shared/source_files.ts";
import {
  type Counts,
  countsOf,
  joinResults,
  lastLine,
  leftOut,
  nameDifferences,
  repeatedFailures,
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

/** A step of the run. Its result is the lines to print. */
interface Step {
  readonly name: string;
  run(): Promise<readonly string[]>;
}

/** Runs all checks and tests. */
async function runAll(
  options: RunOptions,
  edition: Edition,
  runtimes: readonly (Runtime | MissingRuntime)[],
): Promise<{ counts: Counts; results: readonly RuntimeResult[] }> {
  const files = testFiles(await filesBelow(ROOT, TEST_FOLDERS), options.filters);
  if (files.length === 0) throw new Error(`no test file matches ${options.filters.join(" or ")}`);
  const checks = options.checks ? await checksOf(ROOT, edition) : [];
  const setting: TestSetting = { edition, bothGenerations: options.bothGenerations };
  const counts: Counts[] = [];
  const results: RuntimeResult[] = [];
  const steps = [
    ...checks.map((check) => checkStep(check, counts)),
    ...runtimes.flatMap((runtime, index) => {
      const own = filesOf(extentOf(runtime.name, options.tests), files);
      if (own.length === 0) {
        throw new Error(`no test of ${options.filters.join(" or ")} depends on the runtime`);
      }
      return testSteps(runtime, own, setting, (result) => void (results[index] = result));
    }),
  ];
  const progress = new Progress(steps.length);
  await runJobs(steps.map(({ name, run }) => () => progress.run(name, run)));
  leftOutLines(leftOut(results), options.verbose).forEach((line) => console.log(line));

  counts.push(...results.map(countsOf));
  if (results.length > 1) {
    const differences = nameDifferences(results, (name) => extentOf(name, options.tests));
    const same = differences.length === 0;
    console.log(agreementLine(same));
    if (!same) details.push(differenceDetails(differences));
    counts.push(same ? PASSED : FAILED);
  }
  return { counts: total(counts), results };
}

/** Runs everything as often as the options ask for, and prints the tests that failed. */
async function runRepeatedly(
  options: RunOptions,
  edition: Edition,
  runtimes: readonly (Runtime | MissingRuntime)[],
): Promise<Counts> {
  if (options.repeat === 1) {
    const { counts, results } = await runAll(options, edition, runtimes);
    details.push(...failedTests(results), ...troubleDetails(results));
    return counts;
  }
  const stopLoad = startLoad();
  const counts: Counts[] = [];
  const runs: (readonly RuntimeResult[])[] = [];
  try {
    while (runs.length < options.repeat) {
      console.log(`run ${runs.length + 1} of ${options.repeat}, beside a load`);
      const run = await runAll(options, edition, runtimes);
      counts.push(run.counts);
      runs.push(run.results);
    }
  } finally {
    stopLoad();
  }
  details.push(...failedTests(runs.flat()), ...troubleDetails(runs.flat()));
  repeatedFailures(runs).forEach((line) => console.log(`  ${line}`));
  return total(counts);
}

/** Returns the step that runs a check and counts it. */
function checkStep(check: Check, counts: Counts[]): Step {
  return {
    name: check.name,
    async run() {
      const result = await check.run();
      counts.push(succeeded(result) ? PASSED : FAILED);
      if (!succeeded(result)) details.push(checkDetails(check.name, result));
      return [checkLine(check.name, result)];
    },
  };
}

/** Returns a step for each group of files. The last one that ends has the line of the runtime. */
function testSteps(
  runtime: Runtime | MissingRuntime,
  files: readonly string[],
  setting: TestSetting,
  done: (result: RuntimeResult) => void,
): Step[] {
  const finish = (result: RuntimeResult): string[] => {
    done(result);
    return [runtimeLine(result)];
  };
  const { name } = runtime;
  if ("trouble" in runtime) {
    return [{ name, run: () => Promise.resolve(finish(missingResult(runtime))) }];
  }
  const groups = testGroups(files, WORKERS);
  const results: RuntimeResult[] = [];
  return groups.map((group, index) => ({
    name: `${name} (${index + 1} of ${groups.length})`,
    async run() {
      results.push(await runGroup(ROOT, runtime, group, setting, index));
      return results.length === groups.length ? finish(joinResults(runtime, results)) : [];
    },
  }));
}

function missingResult({ name, trouble }: MissingRuntime): RuntimeResult {
  return { name, version: "missing", tests: [], troubles: [{ text: trouble }], seconds: 0 };
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
    counts.push(await runRepeatedly(options, edition, runtimes));
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
