/** What the tools that judge packages say of the tarball. */
import { runChild } from "../child.ts";
import { faultsOfRun, type Judge } from "./judge.ts";
import { toolPath } from "./tools.ts";

/**
 * The tools.
 *
 * @param root The repository, in which they are installed
 * @param tarball The packed package
 */
export function toolJudges(root: string, tarball: string): Judge[] {
  const run = (tool: string, args: readonly string[]) =>
    runChild("node", [`${root}/${toolPath(tool)}`, tarball, ...args], { cwd: root });
  return [
    {
      name: "publint",
      async judge() {
        const result = await run("publint/src/cli.js", ["--strict"]);
        const faults = faultsOfRun("publint", result);
        // Suggestions leave the exit code as it is.
        if (faults.length === 0 && !result.output.includes("All good!")) return [result.output];
        return faults;
      },
    },
    {
      name: "are the types wrong",
      async judge() {
        // One build, of ES modules: the ancient resolution of node10 knows no entry points.
        const args = ["--profile", "esm-only", "--no-emoji", "--no-color"];
        return faultsOfRun("attw", await run("@arethetypeswrong/cli/dist/index.js", args));
      },
    },
  ];
}
