// The command line of the demo.

/** Options of the demo. */
export interface DemoOptions {
  /** True to pause after each scene. */
  readonly slow: boolean;
  /** True to play every scene, with the whole log. */
  readonly verbose: boolean;
  /** True to print the usage text, and nothing else. */
  readonly help: boolean;
}

/** The seconds of a pause with `--slow`. */
export const PAUSE = 3;

/** The usage text, which is printed after an error in the command line. */
export const DEMO_USAGE: string = [
  "deno task demo [--slow] [--verbose]",
  "",
  `  --slow     pauses for ${PAUSE} seconds after each scene`,
  "  --verbose  plays every scene, with each request in the log",
  "  --help     prints this text",
  "",
  "Colors are printed only on a terminal. Set NO_COLOR=1 to turn them off.",
].join("\n");

const known = ["--slow", "--verbose", "--help"];

/**
 * Parses the command line.
 *
 * @throws {Error} If an argument is unknown
 */
export function readDemoOptions(args: readonly string[]): DemoOptions {
  const unknown = args.find((each) => !known.includes(each));
  if (unknown !== undefined) {
    throw new Error(`unknown option ${JSON.stringify(unknown)}; known: ${known.join(", ")}`);
  }
  const has = (name: string) => args.includes(name);
  return { slow: has("--slow"), verbose: has("--verbose"), help: has("--help") };
}

/**
 * Reports if the output may have colors: only on a terminal, and unless NO_COLOR is set to
 * something.
 */
export function usesColours({ isTerminal, noColor }: {
  readonly isTerminal: boolean;
  /** The variable NO_COLOR; undefined if it is not set. */
  readonly noColor: string | undefined;
}): boolean {
  return isTerminal && (noColor ?? "") === "";
}
