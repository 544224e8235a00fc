/** Parses the options of `deno task test`. */
import { parseArgs } from "node:util";
import { namedRuntimes, RUNTIME_NAMES, type RuntimeName } from "../shared/runtimes.ts";

/**
 * The tests that run on a runtime: `all`; `runtime`, those whose result depends on the runtime;
 * `version`, those of these whose result depends on the version of Node.
 */
export type Extent = "all" | "runtime" | "version";

/** The tests to run on each runtime; `usual` for all on Deno and Bun, and fewer on Node. */
export type TestSelection = "all" | "runtime" | "usual";

/** Options that limit a run to a part of the tests and checks. */
export interface RunOptions {
  /** The runtimes to run. */
  only: readonly RuntimeName[];
  /** True if the checks (format, lint, types …) run too. */
  checks: boolean;
  /** Runs only test files whose path contains one of these texts. If empty, runs all files. */
  filters: readonly string[];
  /** True to run all tests for both generations, not only the first test of each group. */
  bothGenerations: boolean;
  /** The tests to run on each runtime. If the user chose runtimes or files, the default is `all`. */
  tests: TestSelection;
  /** How often the tests run. More than once, they run beside a load and without the checks. */
  repeat: number;
  /** True to list the names of the skipped tests, in addition to their number. */
  verbose: boolean;
}

/** The usage text, which is printed after an error in the command line. */
export const USAGE: string = [
  "deno task test [--only deno,bun,node22,node24,node26] [--tests all|runtime] [--no-checks]",
  "               [--generations both] [--repeat N] [--verbose] [part of a file's path ...]",
  "",
  "  --only              the runtimes, separated by commas; default: all five",
  "  --tests all         runs all tests on each runtime; default with --only or a part of a path",
  "  --tests runtime     runs those of what depends on the runtime: HTTP, streams, files, processes",
  "                      without both: all tests on deno and bun, these on node24, and on node22",
  "                      and node26 those of what depends on the version of Node",
  "  --no-checks         tests only: no format, lint, types, doc lint and publish dry run",
  "  --generations both  runs the shared tests for APIClient, too; default: one of each group",
  "  --repeat N          runs the tests N times beside a busy process for each core, without the",
  "                      checks, and counts how often each test failed",
  "  --verbose           lists the tests that were left out, such as those for a missing server",
].join("\n");

/**
 * Parses the command line.
 *
 * @throws {Error} If an option or a runtime is unknown, or `--only` is empty
 */
export function readOptions(args: readonly string[]): RunOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: "string" },
      "no-checks": { type: "boolean" },
      generations: { type: "string" },
      tests: { type: "string" },
      repeat: { type: "string" },
      verbose: { type: "boolean" },
    },
  });
  const { generations = "one" } = values;
  if (generations !== "one" && generations !== "both") {
    throw new Error(`--generations must be one or both, not ${generations}`);
  }
  const repeat = Number(values.repeat ?? 1);
  if (values.repeat !== undefined && !(Number.isInteger(repeat) && repeat > 1)) {
    throw new Error(`--repeat must be a whole number from 2, not ${values.repeat}`);
  }
  const isChosen = values.only !== undefined || positionals.length > 0;
  const { tests } = values;
  if (tests !== undefined && tests !== "all" && tests !== "runtime") {
    throw new Error(`--tests must be all or runtime, not ${tests}`);
  }
  return {
    only: values.only === undefined ? RUNTIME_NAMES : namedRuntimes(values.only),
    checks: values["no-checks"] !== true && repeat === 1,
    filters: positionals,
    bothGenerations: generations === "both",
    tests: tests ?? (isChosen ? "all" : "usual"),
    repeat,
    verbose: values.verbose === true,
  };
}

/** Describes the limits of a partial run. Returns undefined for a full run. */
export function partialRun(options: RunOptions): string | undefined {
  const left: string[] = [];
  if (options.only.length < RUNTIME_NAMES.length) left.push(`only ${options.only.join(", ")}`);
  if (options.filters.length > 0) left.push(`only files with ${options.filters.join(" or ")}`);
  if (options.tests === "runtime") left.push("only tests of what depends on the runtime");
  if (!options.checks) left.push("no checks");
  return left.length === 0 ? undefined : left.join("; ");
}
