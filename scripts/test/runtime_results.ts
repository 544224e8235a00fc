/** Evaluates the results of all runtimes: counts failures, and finds tests that differ. */
import type { ChildResult } from "../shared/child.ts";
import type { Extent } from "./options.ts";
import { type LeafTest, reasonInName, type Trouble } from "./junit.ts";
import type { RuntimeName } from "../shared/runtimes.ts";

/** The result of tests on one runtime: of one group of files, or of all. */
export interface RuntimeResult {
  name: RuntimeName;
  version: string;
  tests: readonly LeafTest[];
  /** Failures outside of the tests, such as a missing runtime. */
  troubles: readonly Trouble[];
  /** The seconds that its processes took, one after the other. */
  seconds: number;
}

/** The number of tests with each outcome. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The end of a runner's process. */
export interface RunnerExit extends Pick<ChildResult, "code" | "trouble" | "output"> {
  /** True if Node's runner reported success. Other runners do not report it. */
  readonly isSuccess?: boolean | undefined;
}

/** Counts a runtime's tests. Each of its troubles counts as a failure too. */
export function countsOf(result: RuntimeResult): Counts {
  const count = (outcome: LeafTest["outcome"]): number =>
    result.tests.filter((test) => test.outcome === outcome).length;
  return {
    passed: count("passed"),
    failed: count("failed") + result.troubles.length,
    skipped: count("skipped"),
  };
}

/**
 * Returns a line for each test that failed in one of several runs, with the number of runs. The tests
 * that failed most often come first.
 */
export function repeatedFailures(runs: readonly (readonly RuntimeResult[])[]): string[] {
  const counts = new Map<string, number>();
  for (const { name: on, tests } of runs.flat()) {
    for (const { name, outcome } of tests) {
      const key = `${name} (${on})`;
      if (outcome === "failed") counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, one], [, other]) => other - one)
    .map(([key, count]) => `failed in ${count} of ${runs.length} runs: ${key}`);
}

/** Adds counts up. */
export function total(counts: readonly Counts[]): Counts {
  return counts.reduce((sum, { passed, failed, skipped }) => ({
    passed: sum.passed + passed,
    failed: sum.failed + failed,
    skipped: sum.skipped + skipped,
  }), { passed: 0, failed: 0, skipped: 0 });
}

/** Formats the last line of a run's output. */
export function lastLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/**
 * Finds problems in a runner's report other than failed tests: no tests at all, a failure that the
 * report does not show, a test skipped without a reason. In CI, any skipped test is a problem.
 */
export function troublesOf(
  tests: readonly LeafTest[],
  reported: readonly Trouble[],
  exit: RunnerExit,
  inCi: boolean,
): Trouble[] {
  const troubles = [...reported];
  if (exit.trouble !== undefined) {
    troubles.push({ text: `the runner ${exit.trouble}`, output: exit.output });
  }
  for (const { name } of tests.filter((test) => test.outcome === "skipped")) {
    const text = reasonInName(name) === undefined
      ? `left out without a reason, or cut off: "${name}"`
      : `left out, which CI does not allow: "${name}"`;
    if (inCi || reasonInName(name) === undefined) troubles.push({ text });
  }
  const shown = tests.some((test) => test.outcome === "failed") || troubles.length > 0;
  if (exit.code !== 0 && !shown) {
    const reason = exit.isSuccess === true ? ": a program in its process set the exit code" : "";
    const text = `the runner exited with ${
      exit.code ?? "no code"
    } although no test failed${reason}`;
    troubles.push({ text, output: exit.output });
  }
  if (tests.length === 0 && troubles.length === 0) {
    troubles.push({ text: "ran no tests", output: exit.output });
  }
  return troubles;
}

/** Joins the results of all groups of files on a runtime. Two tests must not have the same name. */
export function joinResults(
  { name, version }: Pick<RuntimeResult, "name" | "version">,
  results: readonly RuntimeResult[],
): RuntimeResult {
  const tests = results.flatMap((result) => result.tests);
  const same = repeated(tests.map((test) => test.name));
  const troubles = [
    ...results.flatMap((result) => result.troubles),
    ...same.map((twice) => ({ text: `two tests are called "${twice}"` })),
  ];
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  return { name, version, tests, troubles, seconds };
}

/**
 * Returns a line for each test that a runtime lacks although another one of its kind has it. Ignores
 * runtimes without tests.
 *
 * @param results The results of all runtimes
 * @param extentOf Returns the tests that run on a runtime. Default: all
 */
export function nameDifferences(
  results: readonly RuntimeResult[],
  extentOf: (name: RuntimeName) => Extent = () => "all",
): string[] {
  const size = (name: RuntimeName) => ["version", "runtime", "all"].indexOf(extentOf(name));
  const names = results
    .filter((result) => result.tests.length > 0)
    .map(({ name, tests }) => ({ on: name, set: new Set(tests.map((test) => test.name)) }));
  const all = [...new Set(names.flatMap(({ set }) => [...set]))].sort();
  return all.flatMap((name) => {
    const has = names.filter(({ set }) => set.has(name)).map(({ on }) => on);
    // A test of a small extent runs on all runtimes, one of a larger extent on those that have it.
    const smallest = Math.min(...has.map(size));
    const lacks = names.filter(({ set, on }) => !set.has(name) && size(on) >= smallest)
      .map(({ on }) => on);
    return lacks.length === 0
      ? []
      : [`"${name}" is on ${has.join(", ")} but not on ${lacks.join(", ")}`];
  });
}

/** Groups the names of the skipped tests by reason. */
export function leftOut(results: readonly RuntimeResult[]): Map<string, string[]> {
  const byReason = new Map<string, string[]>();
  for (const { name, outcome } of results.flatMap((result) => result.tests)) {
    if (outcome !== "skipped") continue;
    const reason = reasonInName(name) ?? "no reason given";
    const names = byReason.get(reason) ?? [];
    if (!names.includes(name)) names.push(name);
    byReason.set(reason, names);
  }
  return byReason;
}

/** Returns the names that are not the first of their kind. */
function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}
