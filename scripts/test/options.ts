/** Parses the options of `deno task test`. */
import { parseArgs } from "node:util";
import { namedRuntimes, RUNTIME_NAMES, type RuntimeName } from "../shared/runtimes.ts";

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
  /** True if the user chose runtimes or files. Then all of the files run on each runtime. */
  isChosen: boolean;
  /** True to list the names of the skipped tests, in addition to their number. */
  verbose: boolean;
}

/** The usage text, which is printed after an error in the command line. */
export const USAGE: string = [
  "deno task test [--only deno,bun,node22,node24,node26] [--no-checks] [--generations both]",
  "               [--verbose] [part of a file's path ...]",
  "",
  "  --only              the runtimes, separated by commas, on which all tests run; default: all tests",
  "                      on deno and node24, those of what depends on the runtime on the others",
  "  --no-checks         tests only: no format, lint, types, doc lint and publish dry run",
  "  --generations both  runs the shared tests for APIClient, too; default: one of each group",
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
      verbose: { type: "boolean" },
    },
  });
  const { generations = "one" } = values;
  if (generations !== "one" && generations !== "both") {
    throw new Error(`--generations must be one or both, not ${generations}`);
  }
  return {
    only: values.only === undefined ? RUNTIME_NAMES : namedRuntimes(values.only),
    checks: values["no-checks"] !== true,
    filters: positionals,
    bothGenerations: generations === "both",
    isChosen: values.only !== undefined || positionals.length > 0,
    verbose: values.verbose === true,
  };
}

/** Describes the limits of a partial run. Returns undefined for a full run. */
export function partialRun(options: RunOptions): string | undefined {
  const left: string[] = [];
  if (options.only.length < RUNTIME_NAMES.length) left.push(`only ${options.only.join(", ")}`);
  if (options.filters.length > 0) left.push(`only files with ${options.filters.join(" or ")}`);
  if (!options.checks) left.push("no checks");
  return left.length === 0 ? undefined : left.join("; ");
}
