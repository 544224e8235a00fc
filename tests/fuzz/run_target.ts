/**
 * Fuzzes one target until the time is over: `run_target.ts <JSON of a FuzzJob>`. The last line that it
 * prints is the JSON of a `FuzzReport`.
 *
 * `deno task fuzz` runs it in a process of its own, which may hang or run out of memory. The number of
 * the input that is checked is in a file.
 */
import { Buffer } from "node:buffer";
import { openSync, writeSync } from "node:fs";
import process from "node:process";
import fc from "fast-check";
import { checkBounded } from "./fuzz_target.ts";
import { targets } from "./targets.ts";

/** The target, and how long and with which inputs it is fuzzed. */
export interface FuzzJob {
  readonly target: string;
  readonly seconds: number;
  readonly seed: number;
  /** The path of one input that fast-check printed. Default: all inputs */
  readonly path?: string | undefined;
  /** The file that has the number of the current input. */
  readonly progress: string;
}

/** The result. */
export interface FuzzReport {
  /** The number of inputs. */
  readonly inputs: number;
  /** The smallest input that fails, and the error; undefined if there is none. */
  readonly failure: string | undefined;
  /** The path of that input. */
  readonly path: string | undefined;
}

/** Returns the smallest input that fails, and the error, both shortened. */
async function reportOf(failed: fc.RunDetails<[unknown]>): Promise<string> {
  const shown = await fc.asyncStringify(failed.counterexample);
  const { errorInstance } = failed;
  const error = errorInstance instanceof Error ? errorInstance.stack : String(errorInstance);
  return `${shown.slice(0, 2000)}\n${error?.slice(0, 3000)}`;
}

const { target: name, seconds, seed, path, progress }: FuzzJob = JSON.parse(process.argv[2]!);
const target = targets.find((each) => each.name === name)!;
const file = openSync(progress, "w");
let count = 0;
const property = fc.asyncProperty(target.input, async (input) => {
  writeSync(file, Buffer.from(String(count++)), 0, undefined, 0);
  await checkBounded(target.check, input);
});
const details = await fc.check(property, {
  seed,
  numRuns: path === undefined ? Number.MAX_SAFE_INTEGER : 1,
  interruptAfterTimeLimit: seconds * 1000,
  ...(path !== undefined && { path }),
});
const report: FuzzReport = {
  inputs: details.numRuns,
  failure: details.counterexample === null ? undefined : await reportOf(details),
  path: details.counterexamplePath ?? undefined,
};
console.log(JSON.stringify(report));

process.exit(report.failure === undefined ? 0 : 1);
