/** The test files on one runtime. */
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import process from "node:process";
import { BUILD_FOLDER } from "./build_folder.ts";
import { NODE_BUILD } from "./build_node.ts";
import { type ChildResult, runChild } from "./child.ts";
import { type Edition, editionEnv } from "./edition.ts";
import { type JunitReport, readJunit } from "./junit.ts";
import { compiledPath } from "./manifest.ts";
import type { Runtime } from "./runtimes.ts";
import { isCi } from "./ci.ts";
import { type RuntimeResult, troublesOf } from "./verdict.ts";

/** A result with what the runner printed, for the reader of a failure. */
export interface RuntimeRun {
  result: RuntimeResult;
  output: string;
}

/**
 * Milliseconds for a test, so that one that hangs is named. Bun would give it five seconds, Node no
 * limit; Node 20 counts a whole file by it. Deno has no such thing.
 */
const TEST_LIMIT = 30_000;
const FILE_LIMIT = 180_000;

/** The runner's command line. All three get the same explicit list of files. */
export function runnerArgs(
  { kind, name }: Pick<Runtime, "kind" | "name">,
  files: readonly string[],
  junitPath: string,
): string[] {
  const limit = name === "node20" ? FILE_LIMIT : TEST_LIMIT;
  switch (kind) {
    case "deno":
      // The sanitizers see the tests of the JSR edition only, where Deno.test is beneath.
      return [
        ...["test", "-A", "--no-check", "--sanitize-ops", "--sanitize-resources"],
        ...[`--junit-path=${junitPath}`, ...files],
      ];
    case "node":
      return [
        ...["--enable-source-maps", "--test", `--test-timeout=${limit}`],
        ...["--test-reporter=junit", `--test-reporter-destination=${junitPath}`],
        ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
        ...files.map((path) => `${NODE_BUILD}/${compiledPath(path)}`),
      ];
    case "bun":
      return [
        ...["test", `--timeout=${limit}`],
        ...["--reporter=junit", `--reporter-outfile=${junitPath}`],
        ...files.map((path) => `./${path}`),
      ];
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

  const env = runtime.kind === "deno" ? editionEnv(edition) : {};
  const args = runnerArgs(runtime, files, junitPath);
  const child = await runChild(runtime.path, args, { cwd: root, env });
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
