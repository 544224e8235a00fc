/** Compiles the code of the documents, as users who paste it would. */
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { documentPaths } from "../shared/source_files.ts";
import { runChild } from "../shared/child.ts";
import { documentModules } from "./document_code.ts";
import { faultsOfRun, type Judge } from "../shared/package/judge.ts";
import type { ProgramSetting } from "./program_setting.ts";
import { documentChecks } from "./type_checks.ts";

/** The folder for the code. It is in the project, so that imports of the package resolve. */
const FOLDER = "documents";

/** The SDK that the page on the generator imports. */
const SDK_FOLDER = "examples/generated";

/** The other packages that the documents import, and the scope of some. */
const LIBRARIES: readonly string[] = [
  "@opentelemetry",
  "@redis",
  "arktype",
  "cockatiel",
  "ioredis",
  "keyv",
  "rate-limiter-flexible",
  "undici",
  "valibot",
  "zod",
];

/**
 * Writes the code of all documents into the project, and returns a judge for each compiler.
 *
 * @throws {Error} If the documents have no code
 */
export async function documentJudges(setting: ProgramSetting): Promise<Judge[]> {
  const { root, project } = setting;
  const files: string[] = [];
  for (const path of await documentPaths(root)) {
    const text = await readFile(`${root}/${path}`, "utf8");
    for (const { name, code } of documentModules(path, text)) {
      files.push(name);
      await project.write(`${FOLDER}/${name}`, code);
    }
  }
  if (files.length === 0) throw new Error("the documents have no code blocks");
  await cp(`${root}/${SDK_FOLDER}`, `${project.folder}/${SDK_FOLDER}`, { recursive: true });
  const packages = `${project.folder}/${FOLDER}/node_modules`;
  await mkdir(packages);
  for (const name of LIBRARIES) {
    await symlink(`${root}/node_modules/${name}`, `${packages}/${name}`, "junction");
  }
  return documentChecks(files, root).map((
    { name, compiler, isForRelease, config },
    index,
  ): Judge => ({
    name,
    isForRelease,
    async judge() {
      const path = `${FOLDER}/tsconfig_${index}.json`;
      await project.write(path, JSON.stringify(config));
      const args = [`${root}/${compiler}/bin/tsc`, "--pretty", "false", "-p", path];
      return faultsOfRun(name, await runChild("node", args, { cwd: project.folder }));
    },
  }));
}
