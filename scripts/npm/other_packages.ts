/** Runs users' programs that use the package together with other packages, on Node. */
import { readFile, symlink } from "node:fs/promises";
import { faultsOfRun, type Judge } from "../shared/package/judge.ts";
import type { ProgramSetting } from "./program_setting.ts";
import { runProgram } from "./run_program.ts";
import { toolPath } from "./tools.ts";

/** A program in scripts/npm/consumer/. */
interface Program {
  /** The words of the judge's name. */
  readonly name: string;
  readonly path: string;
  /** The packages that it imports. */
  readonly packages: readonly string[];
  readonly prints: string;
}

const PROGRAMS: readonly Program[] = [
  {
    // MSW keeps a clone of each response.
    name: "tested with MSW",
    path: "mocked.mjs",
    packages: ["msw"],
    prints: "200\n200\n200",
  },
  {
    // The state of Vue and Pinia consists of Proxy objects.
    name: "in the state of Vue and Pinia",
    path: "stateful.mjs",
    packages: ["vue", "pinia"],
    prints: [
      "ref: works",
      "reactive: works",
      "a store with options: works",
      "a store with a setup function: works",
      "a component: works",
      "<p>Indigo</p>",
    ].join("\n"),
  },
];

/** Makes the other packages available in the project, and returns the judges. */
export async function otherPackageJudges(setting: ProgramSetting): Promise<Judge[]> {
  const judges = await Promise.all(PROGRAMS.map((program) => judgesOf(program, setting)));
  return judges.flat();
}

async function judgesOf(
  { name, path, packages, prints }: Program,
  { root, project, runtimes }: ProgramSetting,
): Promise<Judge[]> {
  const { folder } = project;
  for (const each of packages) {
    await symlink(`${root}/${toolPath(each)}`, `${folder}/node_modules/${each}`, "junction");
  }
  await project.write(path, await readFile(`${root}/scripts/npm/consumer/${path}`, "utf8"));
  return runtimes.filter(({ kind }) => kind === "node").map((runtime): Judge => ({
    name: `${name} on ${runtime.kind} ${runtime.version}`,
    async judge() {
      const result = await runProgram(runtime, folder, path);
      // MSW makes Node 26 print a warning about its localStorage.
      return faultsOfRun(path, { ...result, output: result.stdout || result.output }, prints);
    },
  }));
}
