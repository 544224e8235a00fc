/** One judge of the packed package. */
import { type ChildResult, succeeded } from "../child.ts";

/** Says what is wrong, a text each; nothing where all is well. */
export interface Judge {
  readonly name: string;
  /** Why it cannot judge here, which is not to pass. Default: it can */
  readonly leftOut?: string;
  judge(): Promise<readonly string[]>;
}

/** Asks a judge. What it throws is a fault too. */
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

/** Throws what is wrong, where anything is: for what has to be there before anybody judges. */
export function orThrow(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

/** What is wrong with a program's run: that it failed, or that it printed something else. */
export function faultsOfRun(what: string, result: ChildResult, printed?: string): string[] {
  if (!succeeded(result)) {
    return [`${what} ${result.trouble ?? `exited with ${result.code}`}\n${result.output}`];
  }
  // Both streams: a warning is a fault.
  if (printed === undefined || result.output.trim() === printed) return [];
  return [`${what} should have printed ${printed}, and printed\n${result.output}`];
}
