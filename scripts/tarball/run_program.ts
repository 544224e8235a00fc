/** A program in a project, on any runtime. */
import { type ChildResult, runChild } from "../child.ts";
import type { Runtime } from "../runtimes.ts";

/**
 * Runs a program as its user would.
 *
 * @param runtime What to run it on
 * @param folder The project
 * @param program Its path in the project
 * @param args What it is given
 */
export async function runProgram(
  { kind, path }: Pick<Runtime, "kind" | "path">,
  folder: string,
  program: string,
  args: readonly string[] = [],
): Promise<ChildResult> {
  const before = kind === "deno" ? ["run", "-A"] : [];
  // The conditions that choose an edition are of this repository: a user has none.
  const env = { DENO_CONDITIONS: undefined, NODE_OPTIONS: undefined };
  return await runChild(path, [...before, program, ...args], { cwd: folder, env, limit: 120 });
}
