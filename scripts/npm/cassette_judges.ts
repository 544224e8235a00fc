/** Runs the examples of cassettes on each test runner, and the command of the package. */
import { stripVTControlCharacters } from "node:util";
import { copyFile, mkdir, readFile, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import { runChild } from "../shared/child.ts";
import type { Runtime } from "../shared/runtimes.ts";
import { filesBelow, isModule } from "../shared/source_files.ts";
import { faultsOfRun, type Judge } from "../shared/package/judge.ts";
import { importingPackage } from "./importing_package.ts";
import type { ProgramSetting } from "./program_setting.ts";
import type { Project } from "../shared/package/project.ts";
import { toolPath } from "./tools.ts";

/** The folder for the examples. It is in the project, so that imports of the package resolve. */
const FOLDER = "runners";

/** A test runner with an example. */
interface Runner {
  readonly name: string;
  /** The runtime that runs it. */
  readonly kind: Runtime["kind"];
  /** Returns the arguments of the runtime. */
  args(root: string, folder: string): readonly string[];
  /** A pattern for the line of its output that counts one passed test. */
  readonly passed: RegExp;
}

const RUNNERS: readonly Runner[] = [
  {
    name: "Deno.test",
    kind: "deno",
    args: () => ["test", "-A", "--no-check", "examples/cassettes/deno_test.ts"],
    passed: /\b1 passed\b/,
  },
  {
    name: "node:test",
    kind: "node",
    args: () => ["--test", "--test-reporter=tap", "examples/cassettes/node_test.ts"],
    passed: /^# pass 1$/m,
  },
  {
    name: "bun test",
    kind: "bun",
    args: () => ["test", "./examples/cassettes/bun_test.mts"],
    passed: /\b1 pass\b/,
  },
  {
    name: "vitest",
    kind: "node",
    args: (root, folder) => [
      ...[`${root}/${toolPath("vitest/vitest.mjs")}`, "run", "--root", folder],
      "--config=vitest.config.mjs",
    ],
    passed: /Tests\s+1 passed/,
  },
];

/** Writes the examples into the project, and returns a judge for each runner, and for the command. */
export async function cassetteJudges(setting: ProgramSetting): Promise<Judge[]> {
  const { root, deno, project, runtimes } = setting;
  const folder = `${project.folder}/${FOLDER}`;
  for (const path of await filesBelow(root, ["examples"])) {
    if (path.endsWith(".json")) {
      await mkdir(dirname(`${folder}/${path}`), { recursive: true });
      await copyFile(`${root}/${path}`, `${folder}/${path}`);
    } else if (isModule(path) || path.endsWith(".mts")) {
      const code = await readFile(`${root}/${path}`, "utf8");
      await project.write(
        `${FOLDER}/${path}`,
        importingPackage(code, path, deno),
      );
    }
  }
  await project.write(
    `${FOLDER}/vitest.config.mjs`,
    `export default { test: { include: ["examples/cassettes/vitest_test.mts"] } };`,
  );
  await mkdir(`${folder}/node_modules`);
  await symlink(`${root}/${toolPath("vitest")}`, `${folder}/node_modules/vitest`, "junction");
  const runners = RUNNERS.flatMap((runner) => {
    const runtime = newest(runtimes, runner.kind);
    return runtime === undefined ? [] : [runnerJudge(runner, runtime, root, folder)];
  });
  return [...runners, commandJudge(project)];
}

/** Returns the newest runtime of a kind. */
function newest(runtimes: readonly Runtime[], kind: Runtime["kind"]): Runtime | undefined {
  return runtimes.filter((runtime) => runtime.kind === kind).at(-1);
}

function runnerJudge(
  { name, args, passed }: Runner,
  { path, kind, version }: Runtime,
  root: string,
  folder: string,
): Judge {
  return {
    name: `a cassette in ${name} on ${kind} ${version}`,
    async judge() {
      // Users do not have the conditions by which this repository chooses an edition.
      const env = { DENO_CONDITIONS: undefined, NODE_OPTIONS: undefined, RECORD: undefined };
      const result = await runChild(path, args(root, folder), { cwd: folder, env, limit: 120 });
      const faults = faultsOfRun(name, result);
      if (faults.length > 0 || passed.test(stripVTControlCharacters(result.output))) return faults;
      return [`${name} did not pass one test\n${result.output}`];
    },
  };
}

function commandJudge(project: Project): Judge {
  return {
    name: "the command of the package",
    async judge() {
      const cassette = `${FOLDER}/examples/cassettes/library.json`;
      const args = ["--no-install", "restwright", "redact-cassette", "--check", cassette];
      const result = await runChild("npx", args, { cwd: project.folder });
      return faultsOfRun(
        "npx",
        { ...result, output: result.stdout },
        `${cassette}: has no secrets`,
      );
    },
  };
}
