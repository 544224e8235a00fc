/** Compiles users' programs with users' compilers, and runs them on users' runtimes. */
import { readFile } from "node:fs/promises";
import { blocksIn, type CodeBlock } from "../../tests/support/documents.ts";
import { runChild } from "../shared/child.ts";
import { documentJudges } from "./document_judges.ts";
import { faultsOfRun, type Judge, orThrow } from "../shared/package/judge.ts";
import type { ProgramSetting } from "./program_setting.ts";
import type { Project } from "../shared/package/project.ts";
import { runProgram } from "./run_program.ts";
import { toolPath } from "./tools.ts";
import { emitConfig, typeChecks, type UserPrograms } from "./type_checks.ts";

const PROGRAMS: UserPrograms = {
  modules: ["consumer.ts", "first.ts"],
  commonJs: ["required.cts"],
  disposing: ["disposing.ts"],
  inferred: ["inferred.ts"],
};

/** Writes the programs into the project, compiles them, and returns the judges. */
export async function programJudges(setting: ProgramSetting): Promise<Judge[]> {
  const { root, deno, project, apiUrl, runtimes } = setting;
  const { code, prints } = await firstExample(project, deno.name);
  await project.write("first.ts", code);
  for (const name of ["consumer.ts", "disposing.ts", "inferred.ts", "required.cts"]) {
    await project.write(name, await readFile(`${root}/scripts/npm/consumer/${name}`, "utf8"));
  }
  for (const name of ["identity.mjs", "failing.mjs"]) {
    await project.write(name, await readFile(`${root}/scripts/npm/consumer/${name}`, "utf8"));
  }
  // Some tools import a package's package.json to find its version or folder.
  const described = `console.log(require("${deno.name}/package.json").name);`;
  await project.write("described.cjs", described);
  await emit(setting);

  const checks = typeChecks(PROGRAMS, root);
  const compilers = checks.map(({ name, compiler, isForRelease, config }, index): Judge => ({
    name,
    isForRelease,
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
        ...await run("js/required.cjs", "18 required"),
        ...await run("described.cjs", deno.name),
        ...await run("identity.mjs", "one of each"),
        // The README's example runs as TypeScript, exactly as a user would paste it.
        ...await run("first.ts", prints.join("\n")),
        ...await run("bundled.js", "used"),
      ];
    },
  }));
  return [...compilers, ...await documentJudges(setting), ...programs, ...traceJudges(setting)];
}

/**
 * Returns judges of the stack traces of errors. Node and Deno find the modules by the source maps;
 * Bun does not read the maps of packages.
 */
function traceJudges({ deno, project, runtimes }: ProgramSetting): Judge[] {
  const reading = runtimes.filter(({ kind }) => kind !== "bun");
  return reading.map(({ path, kind, version }): Judge => ({
    name: `stack traces on ${kind} ${version}`,
    async judge() {
      const before = kind === "deno" ? ["run", "-A"] : ["--enable-source-maps"];
      const env = { DENO_CONDITIONS: undefined, NODE_OPTIONS: undefined };
      const args = [...before, "failing.mjs"];
      const result = await runChild(path, args, { cwd: project.folder, env });
      const faults = faultsOfRun("failing.mjs", result);
      const place = /\/(esm\/src\/[\w/]+\.js):(\d+):/.exec(result.stdout);
      if (faults.length > 0) return faults;
      if (place === null) return [`no frame names a module\n${result.stdout}`];
      const [, module, line] = place;
      const code = await readFile(
        `${project.folder}/node_modules/${deno.name}/${module}`,
        "utf8",
      );
      const found = code.split("\n")[Number(line) - 1] ?? "";
      return /\b(?:throw|new|return)\b/.test(found) ? [] : [`${module}:${line} is ${found}`];
    },
  }));
}

/** Returns the first example of the packed README. */
async function firstExample(project: Project, packageName: string): Promise<CodeBlock> {
  const readme = await readFile(`${project.folder}/node_modules/${packageName}/README.md`, "utf8");
  const [first] = blocksIn(readme);
  if (first === undefined) throw new Error("the README has no example to run");
  return first;
}

/**
 * Compiles the programs and bundles one. The bundle shows that `sideEffects: false` does not make
 * bundlers remove code that is used.
 */
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
