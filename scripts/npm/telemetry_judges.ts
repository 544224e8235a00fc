/** Uses the entry point `telemetry` in a project that has the package of OpenTelemetry's API. */
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { runChild } from "../shared/child.ts";
import { faultsOfRun, type Judge, orThrow } from "../shared/package/judge.ts";
import type { ProgramSetting } from "./program_setting.ts";
import { runProgram } from "./run_program.ts";
import { emitConfig, telemetryChecks } from "./type_checks.ts";

/** The folder of the project. The other programs must not find OpenTelemetry. */
const FOLDER = "traced";

/**
 * Creates the project, with a copy of the installed package and the packages of OpenTelemetry, and
 * returns the judges.
 */
export async function telemetryJudges(setting: ProgramSetting): Promise<Judge[]> {
  const { root, deno, project, runtimes } = setting;
  const folder = `${project.folder}/${FOLDER}`;
  const packages = `${folder}/node_modules`;
  await mkdir(packages, { recursive: true });
  // A package finds its peers beside itself, so that a link to the other copy would not do.
  const installed = `${project.folder}/node_modules/${deno.name}`;
  await cp(installed, `${packages}/${deno.name}`, { recursive: true });
  const peers = `${root}/node_modules/@opentelemetry`;
  await symlink(peers, `${packages}/@opentelemetry`, "junction");
  const write = (path: string, text: string) => project.write(`${FOLDER}/${path}`, text);
  await write("package.json", JSON.stringify({ private: true, type: "module" }));
  const program = await readFile(`${root}/scripts/npm/consumer/traced.ts`, "utf8");
  await write("traced.ts", program);
  await write("tsconfig_emit.json", JSON.stringify(emitConfig(["traced.ts"], "js")));
  const tsc = [`${root}/node_modules/typescript/bin/tsc`, "-p", "tsconfig_emit.json"];
  orThrow(faultsOfRun("tsc", await runChild("node", tsc, { cwd: folder })));

  const compilers = telemetryChecks(["traced.ts"], root).map((
    { name, compiler, isForRelease, config },
    index,
  ): Judge => ({
    name,
    isForRelease,
    async judge() {
      const path = `tsconfig_${index}.json`;
      await write(path, JSON.stringify(config));
      const args = [`${root}/${compiler}/bin/tsc`, "--pretty", "false", "-p", path];
      return faultsOfRun(name, await runChild("node", args, { cwd: folder }));
    },
  }));
  return [
    {
      name: "installed without optional peers",
      // The other programs load all other entry points there.
      judge: () =>
        Promise.resolve(
          ["@opentelemetry", "undici"].filter((name) =>
            existsSync(`${project.folder}/node_modules/${name}`)
          ).map((name) => `npm has installed ${name}`),
        ),
    },
    ...compilers,
    ...runtimes.map((runtime): Judge => ({
      name: `telemetry on ${runtime.kind} ${runtime.version}`,
      async judge() {
        const result = await runProgram(runtime, folder, "js/traced.js");
        return faultsOfRun("traced.js", result, "GET /v1/books/{}");
      },
    })),
  ];
}
