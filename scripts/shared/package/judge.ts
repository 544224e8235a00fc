/** Defines judges: the checks of the packed package. */
import { type ChildResult, succeeded } from "../child.ts";

/** A check of the packed package. `judge()` returns a text for each fault; empty if none. */
export interface Judge {
  readonly name: string;
  /** The reason why the judge cannot run here. It then counts as left out, not as passed. */
  readonly leftOut?: string;
  /** True for a judge that only a release and the weekly run need, because it takes long and its
   * faults are rare. */
  readonly isForRelease?: boolean;
  judge(): Promise<readonly string[]>;
}

/** Runs a judge. An error that it throws is a fault too. */
export async function ask({ judge }: Judge): Promise<ChildResult> {
  const started = performance.now();
  let faults: readonly string[];
  try {
    faults = await judge();
  } catch (error) {
    faults = [error instanceof Error ? error.message : String(error)];
  }
  return {
    code: faults.length > 0 ? 1 : 0,
    stdout: "",
    output: faults.join("\n"),
    seconds: (performance.now() - started) / 1000,
    trouble: undefined,
  };
}

/** Throws an error if there are faults. Use it for steps that judges depend on. */
export function orThrow(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

/**
 * Returns the faults of a program's run: it failed, or printed something else than expected.
 *
 * @param what The name of the program
 * @param result The result of the run
 * @param printed The expected output. With undefined, any output is accepted.
 */
export function faultsOfRun(what: string, result: ChildResult, printed?: string): string[] {
  if (!succeeded(result)) {
    return [`${what} ${result.trouble ?? `exited with ${result.code}`}\n${result.output}`];
  }
  // Compares stdout and stderr, because a warning is a fault too.
  if (printed === undefined || result.output.trim() === printed) return [];
  return [`${what} should have printed ${printed}, but printed\n${result.output}`];
}
