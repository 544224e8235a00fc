/** Bundles every entry point by Rollup with the plugins that runtimes.md names. */
import { mkdir, readFile, symlink } from "node:fs/promises";
import { runChild } from "../shared/child.ts";
import { faultsOfRun, type Judge } from "../shared/package/judge.ts";
import type { ProgramSetting } from "./program_setting.ts";
import { runProgram } from "./run_program.ts";
import { toolPath } from "./tools.ts";

const PLUGINS = ["@rollup/plugin-commonjs", "@rollup/plugin-node-resolve"];

/** Makes the plugins available in the project, and returns the judge. */
export async function rollupJudge({ root, project, runtimes }: ProgramSetting): Promise<Judge> {
  const { folder } = project;
  await mkdir(`${folder}/node_modules/@rollup`);
  for (const plugin of PLUGINS) {
    await symlink(`${root}/${toolPath(plugin)}`, `${folder}/node_modules/${plugin}`, "junction");
  }
  for (const name of ["rollup.config.mjs", "rolled.mjs"]) {
    await project.write(name, await readFile(`${root}/scripts/npm/consumer/${name}`, "utf8"));
  }
  return {
    name: "bundled by Rollup",
    async judge() {
      const args = ["--config", "rollup.config.mjs", "--failAfterWarnings"];
      const command = [`${root}/${toolPath("rollup/dist/bin/rollup")}`, ...args];
      const faults = faultsOfRun("Rollup", await runChild("node", command, { cwd: folder }));
      if (faults.length > 0) return faults;
      for (const runtime of runtimes.filter(({ kind }) => kind === "node")) {
        for (const build of ["browser", "node", "server"]) {
          const program = `by_rollup/${build}/program.js`;
          const result = await runProgram(runtime, folder, program);
          faults.push(...faultsOfRun(program, result, '<book title="Indigo"/>'));
        }
      }
      return faults;
    },
  };
}
