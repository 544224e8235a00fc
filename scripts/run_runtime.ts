/** The test files on one runtime. */
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import process from "node:process";
import { BUILD_FOLDER } from "./build_folder.ts";
import { type ChildResult, runChild } from "./child.ts";
import { type Edition, editionEnv } from "./edition.ts";
import { type JunitReport, readJunit } from "./junit.ts";
import type { Runtime } from "./runtimes.ts";
import { isCi } from "./ci.ts";
import { type RuntimeResult, troublesOf } from "./verdict.ts";

/** A result with what the runner printed, for the reader of a failure. */
export interface RuntimeRun {
  result: RuntimeResult;
  output: string;
}

/**
 * Seconds after which a test is taken to hang, and is named. Far more than any test needs on a busy
 * machine: Node 22 counts a whole file by it. Bun's own limit is five seconds, Node has none. Deno
 * cannot limit a test, so that the runner as a whole is limited too.
 */
const TEST_LIMIT = 600;
const RUNNER_LIMIT = 3 * TEST_LIMIT;

/** The runner's command line. All three get the same explicit list of files. */
export function runnerArgs(
  { kind }: Pick<Runtime, "kind">,
  files: readonly string[],
  junitPath: string,
): string[] {
  const milliseconds = TEST_LIMIT * 1000;
  switch (kind) {
    case "deno":
      // The sanitizers see the tests of the JSR edition only, where Deno.test is beneath.
      return [
        ...["test", "-A", "--no-check", "--sanitize-ops", "--sanitize-resources"],
        ...[`--junit-path=${junitPath}`, ...files],
      ];
    case "node":
      return [
        ...["--test", `--test-timeout=${milliseconds}`],
        // Node leaves one core alone, which is half of a machine that has two.
        `--test-concurrency=${availableParallelism()}`,
        ...["--test-reporter=junit", `--test-reporter-destination=${junitPath}`],
        ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
        ...files,
      ];
    case "bun":
      return [
        ...["test", `--timeout=${milliseconds}`],
        ...["--reporter=junit", `--reporter-outfile=${junitPath}`],
        ...files.map((path) => `./${path}`),
      ];
  }
}

/** The variables that are added to the runner's environment. */
export function runnerEnv(
  root: string,
  { kind }: Pick<Runtime, "kind">,
  edition: Edition,
): Record<string, string> {
  switch (kind) {
    case "deno":
      return editionEnv(edition);
    case "node":
      // Each test file is a process of its own, and would strip and compile the same modules again.
      return { NODE_COMPILE_CACHE: `${root}/${BUILD_FOLDER}/compiled` };
    case "bun":
      return {};
  }
}

/** Runs the files and judges what came of it. */
export async function runOn(
  root: string,
  runtime: Runtime,
  files: readonly string[],
  edition: Edition,
): Promise<RuntimeRun> {
  const junitPath = `${BUILD_FOLDER}/${runtime.name}.xml`;
  await mkdir(`${root}/${BUILD_FOLDER}`, { recursive: true });

  const env = runnerEnv(root, runtime, edition);
  const args = runnerArgs(runtime, files, junitPath);
  const child = await runChild(runtime.path, args, { cwd: root, env, limit: RUNNER_LIMIT });
  const report = await reportIn(`${root}/${junitPath}`, runtime.kind, child);
  const troubles = troublesOf(report.tests, report.troubles, child, isCi(process.env["CI"]));
  const { name, version } = runtime;
  return {
    result: { name, version, tests: report.tests, troubles, seconds: child.seconds },
    output: child.output,
  };
}

async function reportIn(
  path: string,
  kind: Runtime["kind"],
  child: ChildResult,
): Promise<JunitReport> {
  if (!existsSync(path)) {
    const exit = child.code === undefined ? "" : ` and exited with ${child.code}`;
    const text = `the runner wrote no JUnit file${exit}`;
    return { tests: [], troubles: [{ text, seeOutput: true }] };
  }
  try {
    return readJunit(await readFile(path, "utf8"), kind);
  } catch (error) {
    return { tests: [], troubles: [{ text: String(error), seeOutput: true }] };
  }
}
