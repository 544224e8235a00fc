/** Parses the options of `deno task soak`. */
import { parseArgs } from "node:util";
import { namedRuntimes, type RuntimeName } from "../shared/runtimes.ts";

/** The options of a run. */
export interface SoakOptions {
  /** The runtimes, one after the other. */
  runtimes: readonly RuntimeName[];
  /** The minutes on each runtime. */
  minutes: number;
}

/** The minutes of a full run. */
const FULL_RUN = 10;

/** The runtimes of a full run. */
const RUNTIMES: readonly RuntimeName[] = ["node24", "deno", "bun"];

/** The usage text, which `--help` prints, and each error in the command line. */
export const SOAK_USAGE: string = [
  "deno task soak [--only deno,bun,node22,node24,node26] [MINUTES]",
  "",
  `  --only   the runtimes, separated by commas; default: ${RUNTIMES.join(", ")}`,
  `  MINUTES  the time on each runtime, a whole number; default: ${FULL_RUN}`,
  "",
  `Only a run of ${FULL_RUN} minutes on a runtime of the default writes docs/benchmarks/soak_*.json.`,
].join("\n");

/**
 * Parses the command line. Returns undefined if it asks for help.
 *
 * @throws {Error} If an option or a runtime is unknown, or the minutes are not a whole number from 1
 */
export function readSoakOptions(args: readonly string[]): SoakOptions | undefined {
  const { values: { help, only }, positionals: [minutes = `${FULL_RUN}`, ...others] } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h" }, only: { type: "string" } },
  });
  if (help === true) return undefined;
  if (!/^[1-9]\d*$/.test(minutes)) {
    throw new Error(`MINUTES must be a whole number from 1, not "${minutes}"`);
  }
  if (others.length > 0) throw new Error(`unknown argument "${others[0]}"`);
  return {
    runtimes: only === undefined ? RUNTIMES : namedRuntimes(only),
    minutes: Number(minutes),
  };
}

/** Reports if a run writes the figures that are in the repository, which all runs can be compared with. */
export function isRecorded(name: RuntimeName, minutes: number): boolean {
  return minutes === FULL_RUN && RUNTIMES.includes(name);
}
