/** The repository of an SDK that is tried: its package, tests, examples and the programs of its README. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { TrialError } from "./trial_error.ts";

/** The repository of an SDK. */
export interface Project {
  /** The folder, as a full path. */
  readonly folder: string;
  /** The name of the package, which its tests import. */
  readonly packageName: string;
  /** The tests and examples that are compiled, relative to the folder. */
  readonly sources: readonly string[];
  /** The programs of the README. */
  readonly programs: readonly Program[];
  /** The text of `scripts/mock`; undefined if there is none. */
  readonly mockScript: string | undefined;
}

/** A program in a README. */
export interface Program {
  /** The line in the README, from 1. */
  readonly line: number;
  readonly text: string;
}

/** The tools in `node_modules` of an SDK. */
export interface Tools {
  /** The file of the compiler that Node runs. */
  readonly tsc: string;
  /** The file of the test runner that Node runs. */
  readonly jest: string;
  /** The module that compiles tests for it. */
  readonly transform: string;
}

/**
 * Reads the repository.
 *
 * @throws {TrialError} If it is not the repository of an SDK
 */
export async function readProject(folder: string): Promise<Project> {
  const manifest = await textOf(join(folder, "package.json"));
  if (manifest === undefined) throw new TrialError(`package.json is missing in ${folder}`);
  const packageName = nameIn(manifest);
  if (packageName === undefined) throw new TrialError(`package.json of ${folder} has no name`);
  const sources = [
    ...await filesIn(folder, "tests", /\.test\.ts$/),
    ...await filesIn(folder, "examples", /\.ts$/),
  ];
  if (!sources.some((file) => isOperationTest(file))) {
    throw new TrialError(`${folder} has no tests in tests/api-resources: take the repository`);
  }
  const readme = await textOf(join(folder, "README.md"));
  const mockScript = await textOf(join(folder, "scripts/mock"));
  return { folder, packageName, sources, programs: programsIn(readme ?? ""), mockScript };
}

/** Reports if a file has tests of operations, which a mock server answers. */
export function isOperationTest(file: string): boolean {
  return /^tests[\\/]api-resources[\\/]/.test(file);
}

/**
 * Finds the tools of an SDK.
 *
 * @throws {TrialError} If they are not installed
 */
export async function findTools(folder: string): Promise<Tools> {
  const found = async (name: string, ...files: readonly string[]): Promise<string> => {
    for (const file of files) {
      const path = join(folder, "node_modules", file);
      if (await stat(path).catch(() => undefined)) return path;
    }
    const message = `${name} is not in node_modules of ${folder}: install the packages of the SDK`;
    throw new TrialError(message);
  };
  return {
    tsc: await found("typescript", "typescript/bin/tsc"),
    jest: await found("jest", "jest/bin/jest.js"),
    transform: await found("@swc/jest", "@swc/jest", "ts-jest"),
  };
}

/** Returns the programs in TypeScript and JavaScript of a text in Markdown. */
export function programsIn(markdown: string): Program[] {
  const programs: Program[] = [];
  let open: { readonly line: number; readonly lines: string[] } | undefined;
  markdown.split("\n").forEach((text, index) => {
    if (open === undefined) {
      if (/^```(?:ts|typescript|js|javascript)\s*$/.test(text)) {
        open = { line: index + 2, lines: [] };
      }
      return;
    }
    if (!text.startsWith("```")) return void open.lines.push(text);
    // A part of a program that is marked as left out, or a difference, does not compile.
    programs.push({ line: open.line, text: open.lines.join("\n") });
    open = undefined;
  });
  return programs;
}

/** Lists the files of a folder by their paths in the repository; none if there is no folder. */
async function filesIn(root: string, folder: string, name: RegExp): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    .catch(() => []);
  return entries.filter((each) => each.isFile() && name.test(each.name))
    .map((each) => relative(root, join(each.parentPath, each.name)))
    .filter((path) => !/(?:^|[\\/])node_modules[\\/]/.test(path)).sort();
}

function nameIn(manifest: string): string | undefined {
  try {
    const { name } = JSON.parse(manifest) as { readonly name?: unknown };
    return typeof name === "string" && name !== "" ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the text of a file; undefined if there is none. */
export async function textOf(path: string): Promise<string | undefined> {
  return await readFile(path, "utf8").catch(() => undefined);
}
