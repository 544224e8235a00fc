/** Runs a program of a project on any runtime. */
import { type ChildResult, runChild } from "../shared/child.ts";
import type { Runtime } from "../shared/runtimes.ts";

/**
 * Runs a program as a user would.
 *
 * @param runtime The runtime to use
 * @param folder The folder of the project
 * @param program The path of the program in the project
 * @param args The arguments of the program
 */
export async function runProgram(
  { kind, path }: Pick<Runtime, "kind" | "path">,
  folder: string,
  program: string,
  args: readonly string[] = [],
): Promise<ChildResult> {
  const before = kind === "deno" ? ["run", "-A"] : [];
  // Users do not have the conditions by which this repository chooses an edition.
  const env = { DENO_CONDITIONS: undefined, NODE_OPTIONS: undefined };
  return await runChild(path, [...before, program, ...args], { cwd: folder, env, limit: 120 });
}
