/** Parses the options of `deno task fuzz`. */
import { parseArgs } from "node:util";

/** The options of a run. */
export interface FuzzOptions {
  /** The seconds for each target. */
  seconds: number;
  /** The names of the targets; empty for all. */
  targets: readonly string[];
  /** The seed of the inputs. */
  seed: number;
  /** The path of one input, which is checked alone. */
  path: string | undefined;
}

/** The usage text, which is printed after an error in the command line. */
export const FUZZ_USAGE: string = [
  "deno task fuzz [--seconds 10] [--target NAME ...] [--seed N [--path P]]",
  "",
  "  --seconds  the time for each target; default: 10",
  "  --target   a target; default: all of them",
  "  --seed     the seed of the inputs; default: a random one, which is printed",
  "  --path     repeats one input of a target, as the report of a failure shows it",
].join("\n");

/**
 * Parses the command line.
 *
 * @param args The arguments
 * @param known The names of the targets
 * @throws {Error} If an option or a target is unknown, or a number is not valid
 */
export function readFuzzOptions(args: readonly string[], known: readonly string[]): FuzzOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "10" },
      target: { type: "string", multiple: true, default: [] },
      seed: { type: "string" },
      path: { type: "string" },
    },
  });
  const unknown = values.target.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`unknown target ${unknown.join(", ")}; known: ${known.join(", ")}`);
  }
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new Error("--seconds must be a number above 0");
  const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
  if (!Number.isInteger(seed)) throw new Error("--seed must be a whole number");
  if (values.path !== undefined && (values.seed === undefined || values.target.length !== 1)) {
    throw new Error("--path requires --seed and one --target");
  }
  return { seconds, targets: values.target, seed, path: values.path };
}
