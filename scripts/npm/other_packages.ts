/** Runs a user's test with MSW, which keeps a clone of each response, on Node. */
import { readFile, symlink } from "node:fs/promises";
import { faultsOfRun, type Judge } from "../shared/package/judge.ts";
import type { ProgramSetting } from "./program_setting.ts";
import { runProgram } from "./run_program.ts";
import { toolPath } from "./tools.ts";

/** The output: the status of a call with each scheme. */
const PRINTS = "200\n200\n200";

/** Makes MSW available in the project, and returns the judges. */
export async function mswJudges(
  { root, project, runtimes }: ProgramSetting,
): Promise<Judge[]> {
  const { folder } = project;
  await symlink(`${root}/${toolPath("msw")}`, `${folder}/node_modules/msw`, "junction");
  const program = await readFile(`${root}/scripts/npm/consumer/mocked.mjs`, "utf8");
  await project.write("mocked.mjs", program);
  return runtimes.filter(({ kind }) => kind === "node").map((runtime): Judge => ({
    name: `tested with MSW on ${runtime.kind} ${runtime.version}`,
    async judge() {
      const result = await runProgram(runtime, folder, "mocked.mjs");
      // MSW makes Node 26 print a warning about its localStorage.
      return faultsOfRun(
        "mocked.mjs",
        { ...result, output: result.stdout || result.output },
        PRINTS,
      );
    },
  }));
}
