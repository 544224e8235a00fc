/** Users' programs, checked by their compilers and run on their runtimes. */
import { readFile } from "node:fs/promises";
import { blocksIn, type CodeBlock } from "../../tests/support/documents.ts";
import { runChild } from "../child.ts";
import type { DenoManifest } from "../manifest.ts";
import type { Runtime } from "../runtimes.ts";
import { documentJudges } from "./document_judges.ts";
import { faultsOfRun, type Judge, orThrow } from "./judge.ts";
import { withNpmName } from "./npm_names.ts";
import type { Project } from "./project.ts";
import { runProgram } from "./run_program.ts";
import { toolPath } from "./tools.ts";
import { emitConfig, typeChecks, type UserPrograms } from "./type_checks.ts";

/** What the judges of programs need. */
export interface ProgramSetting {
  /** The repository. */
  readonly root: string;
  readonly deno: DenoManifest;
  /** The package's name. */
  readonly npmName: string;
  readonly project: Project;
  /** Where the example API is. */
  readonly apiUrl: string;
  readonly runtimes: readonly Runtime[];
}

const PROGRAMS: UserPrograms = {
  modules: ["consumer.ts", "first.ts"],
  commonJs: ["required.cts"],
  disposing: ["disposing.ts"],
};

/** Puts the programs into the project and compiles them. Gives the judges. */
export async function programJudges(setting: ProgramSetting): Promise<Judge[]> {
  const { root, project, npmName, apiUrl, runtimes } = setting;
  const { code, prints } = await firstExample(project, npmName);
  await project.write("first.ts", code);
  for (const name of ["consumer.ts", "disposing.ts", "required.cts"]) {
    const text = await readFile(`${root}/scripts/tarball/consumer/${name}`, "utf8");
    await project.write(name, withNpmName(text, setting.deno.name, npmName));
  }
  // Tools that look for a package's version or folder do this.
  const described = `console.log(require("${npmName}/package.json").name);`;
  await project.write("described.cjs", described);
  await emit(setting);

  const checks = typeChecks(PROGRAMS, root);
  const compilers = checks.map(({ name, compiler, config }, index): Judge => ({
    name,
    async judge() {
      const path = `tsconfig_${index}.json`;
      await project.write(path, JSON.stringify(config));
      const tsc = `${root}/${compiler}/bin/tsc`;
      const args = [tsc, "--pretty", "false", "-p", path];
      return faultsOfRun(name, await runChild("node", args, { cwd: project.folder }));
    },
  }));

  const programs = runtimes.map((runtime): Judge => ({
    name: `used on ${runtime.kind} ${runtime.version}`,
    async judge() {
      const { folder } = project;
      const run = (program: string, printed: string) =>
        runProgram(runtime, folder, program, [apiUrl])
          .then((result) => faultsOfRun(program, result, printed));
      return [
        ...await run("js/consumer.js", "used"),
        ...await run("js/disposing.js", "disposed"),
        ...await run("js/required.cjs", "7 required"),
        ...await run("described.cjs", npmName),
        // As it is pasted.
        ...await run("first.ts", prints.join("\n")),
        ...await run("bundled.js", "used"),
      ];
    },
  }));
  return [...compilers, ...await documentJudges(setting), ...programs];
}

/** The README's first example, out of the package. */
async function firstExample(project: Project, npmName: string): Promise<CodeBlock> {
  const readme = await readFile(`${project.folder}/node_modules/${npmName}/README.md`, "utf8");
  const [first] = blocksIn(readme);
  if (first === undefined) throw new Error("the README has no example");
  return first;
}

/** Compiles the programs, and bundles one: `sideEffects: false` must not take away what is used. */
async function emit({ root, project }: ProgramSetting): Promise<void> {
  const config = emitConfig(Object.values(PROGRAMS).flat(), "js");
  await project.write("tsconfig_emit.json", JSON.stringify(config));
  const tsc = [`${root}/node_modules/typescript/bin/tsc`, "-p", "tsconfig_emit.json"];
  orThrow(faultsOfRun("tsc", await runChild("node", tsc, { cwd: project.folder })));
  const esbuild = [
    `${root}/${toolPath("esbuild/bin/esbuild")}`,
    "js/consumer.js",
    "--outfile=bundled.js",
    "--bundle",
    "--minify",
    "--format=esm",
    "--platform=node",
    "--log-level=warning",
  ];
  orThrow(faultsOfRun("esbuild", await runChild("node", esbuild, { cwd: project.folder }), ""));
}
