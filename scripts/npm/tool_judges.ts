/** Checks the tarball with tools for npm packages. */
import { runChild } from "../shared/child.ts";
import { faultsOfRun, type Judge } from "../shared/package/judge.ts";
import { toolPath } from "./tools.ts";

/**
 * Returns a judge for each tool.
 *
 * @param root The root of the repository, in which the tools are installed
 * @param tarball The path of the packed package
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
        // publint exits with 0 if it has only suggestions, but they are faults too.
        if (faults.length === 0 && !result.output.includes("All good!")) return [result.output];
        return faults;
      },
    },
    {
      name: "are the types wrong",
      async judge() {
        // The package has only ES modules, and the old `node10` resolution ignores "exports".
        const args = ["--profile", "esm-only", "--no-emoji", "--no-color"];
        return faultsOfRun("attw", await run("@arethetypeswrong/cli/dist/index.js", args));
      },
    },
  ];
}
