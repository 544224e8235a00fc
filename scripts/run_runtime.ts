/** Runs the test files on one runtime. */
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
import { type RuntimeResult, troublesOf } from "./runtime_results.ts";

/** A result with the runner's output, which helps to explain failures. */
export interface RuntimeRun {
  result: RuntimeResult;
  output: string;
}

/**
 * Seconds after which a test fails because it seems to hang. It is far more than a test needs on a
 * busy machine, because Node 22 applies the limit to a whole file. By default, Bun's limit is five
 * seconds and Node has none. Deno cannot limit a test, so the runner as a whole has a limit too.
 */
const TEST_LIMIT = 600;
const RUNNER_LIMIT = 3 * TEST_LIMIT;

/** Returns the runner's arguments. All three runners receive the same explicit list of files. */
export function runnerArgs(
  { kind }: Pick<Runtime, "kind">,
  files: readonly string[],
  junitPath: string,
): string[] {
  const milliseconds = TEST_LIMIT * 1000;
  switch (kind) {
    case "deno":
      // The sanitizers work in the JSR edition only, because only its tests use Deno.test.
      return [
        ...["test", "-A", "--no-check", "--parallel", "--sanitize-ops", "--sanitize-resources"],
        ...[`--junit-path=${junitPath}`, ...files],
      ];
    case "node":
      return [
        ...["--test", `--test-timeout=${milliseconds}`],
        // By default, Node leaves one core unused, which is half of a machine with two cores.
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

/** Returns the variables to add to the runner's environment. */
export function runnerEnv(
  root: string,
  { kind }: Pick<Runtime, "kind">,
  edition: Edition,
): Record<string, string> {
  switch (kind) {
    case "deno":
      return editionEnv(edition);
    case "node":
      // Each test file runs in its own process. With a cache, it need not compile all modules again.
      return { NODE_COMPILE_CACHE: `${root}/${BUILD_FOLDER}/compiled` };
    case "bun":
      return {};
  }
}

/** Runs the files, and reads the results from the runner's JUnit file. */
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
