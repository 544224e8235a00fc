/** Follows the section "Install" of the README in an empty folder, command by command. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blocksIn } from "../../../tests/support/documents.ts";
import { runChild } from "../child.ts";
import type { Runtime } from "../runtimes.ts";
import { faultsOfRun, type Judge } from "./judge.ts";

/** The commands that the README shows for a runtime. */
export interface InstallCommands {
  /** The runtime, such as `Deno`. */
  readonly runtime: string;
  /** The command that installs the package. */
  readonly install: string;
  /** The command that runs the example. */
  readonly run: string;
}

/** Returns the rows of the table with the commands. */
export function installCommands(readme: string): InstallCommands[] {
  const row = /^\| (Deno|Node|Bun)\b[^|]*\| +`([^`]+)` +\| +`([^`]+)` +\|$/gm;
  return [...readme.matchAll(row)].map(([, runtime, install, run]) => ({
    runtime: runtime!,
    install: install!,
    run: run!,
  }));
}

/** Returns the name of the file that the README tells to save the example as. */
export function exampleFile(readme: string): string {
  const name = /Save the example as `([^`]+)`/.exec(readme)?.[1];
  if (name === undefined) throw new Error("the README does not name the file of its example");
  return name;
}

/**
 * Runs the commands of a runtime in an empty folder, with the README's example.
 *
 * @param readme The README
 * @param commands The commands
 * @param programs The executables by name; a program that it does not have is found by the system
 * @param packages Replaces the name of the package, to install it from elsewhere
 * @returns A text for each fault; empty if the example printed what its comments show
 */
export async function followReadme(
  readme: string,
  commands: readonly string[],
  programs: Readonly<Record<string, string>>,
  packages: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const [example] = blocksIn(readme);
  if (example === undefined) throw new Error("the README has no example to run");
  const folder = await mkdtemp(join(tmpdir(), "restwright_first_"));
  try {
    await writeFile(`${folder}/${exampleFile(readme)}`, example.code);
    // Users do not have the conditions by which this repository chooses an edition.
    const env = { DENO_CONDITIONS: undefined, NODE_OPTIONS: undefined };
    for (const [index, command] of commands.entries()) {
      const [name = "", ...args] = command.split(" ").map((word) => packages[word] ?? word);
      const result = await runChild(programs[name] ?? name, args, { cwd: folder, env, limit: 120 });
      const isLast = index === commands.length - 1;
      const faults = faultsOfRun(command, result, isLast ? example.prints.join("\n") : undefined);
      if (faults.length > 0) return faults;
    }
    return [];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns a judge for each kind of runtime. They install the tarball in place of the published
 * package, on Deno with npm, as the README does for a clone.
 *
 * @param folder The folder in which the package is installed
 * @param tarball The path of the packed package
 * @param packageName The name of the package
 * @param runtimes The installed runtimes
 */
export async function firstContactJudges(
  folder: string,
  tarball: string,
  packageName: string,
  runtimes: readonly Runtime[],
): Promise<Judge[]> {
  const readme = await readFile(`${folder}/node_modules/${packageName}/README.md`, "utf8");
  const programs = Object.fromEntries(runtimes.map(({ kind, path }) => [kind, path]));
  const rows = installCommands(readme);
  return ["Deno", "Node", "Bun"].map((name): Judge => ({
    name: `the README in an empty folder, ${name}`,
    async judge() {
      const commands = rows.find(({ runtime }) => runtime === name);
      if (commands === undefined) return [`the README has no commands for ${name}`];
      const install = name === "Deno" ? `npm install ${packageName}` : commands.install;
      return await followReadme(readme, [install, commands.run], programs, {
        [packageName]: tarball,
      });
    },
  }));
}
