/** Runs test files on one runtime. */
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import process from "node:process";
import { BUILD_FOLDER, COMPILE_CACHE } from "../shared/build_folder.ts";
import { type ChildResult, runChild } from "../shared/child.ts";
import { type Edition, editionEnv } from "../shared/edition.ts";
import { type JunitReport, readJunit } from "./junit.ts";
import type { Runtime, RuntimeName } from "../shared/runtimes.ts";
import { isCi } from "../shared/ci.ts";
import type { Extent, TestSelection } from "./options.ts";
import { type RuntimeResult, troublesOf } from "./runtime_results.ts";

/**
 * Seconds after which a test fails because it seems to hang. It is far more than a test needs on a
 * busy machine. By default, Bun's limit is five seconds and Node has none. Deno cannot limit a test,
 * so the runner as a whole has a limit too.
 */
const TEST_LIMIT = 600;
const RUNNER_LIMIT = 3 * TEST_LIMIT;

/** The file that the runners run. It loads the files of a group. */
const GROUP = "scripts/test/test_group.ts";

/** The reporter that writes Node's JUnit file. */
const NODE_REPORTER = "./scripts/test/node_junit.ts";

/** Tests that measure fetch as it is. `undici`, which other tests load, changes it on Node 22. */
const ALONE = "tests/faults/";

/** The tests of a usual run. Deno and Bun have different engines, so they also run pure computations. */
const USUAL: Readonly<Record<RuntimeName, Extent>> = {
  deno: "all",
  bun: "all",
  node24: "runtime",
  node22: "version",
  node26: "version",
};

const below = (folder: string, paths: readonly string[]): string[] =>
  paths.map((path) => `${folder}/${path}`);

/**
 * The beginnings of the paths of tests whose result depends on the version of a runtime: its fetch,
 * streams, files, timers, stack traces and module loader.
 */
export const VERSION_TESTS: readonly string[] = below("tests", [
  ...["faults/", "files/", "http/", "integration/", "streams/", "auth/stores/", "testing/mock_"],
  "webhooks/",
  ...["base/lazy_import_", "base/runtime_", "call/abort_", "call/api_promise_"],
  ...["client/lifecycle_", "client/stack_trace_", "entries/import_effects_", "runner_", "timers_"],
]);

/**
 * The beginnings of the paths of tests whose result depends on the runtime: besides its version, its
 * processes, its test runner and the depth of its stack. The other tests are of code that computes the
 * same everywhere.
 */
export const RUNTIME_TESTS: readonly string[] = [
  ...VERSION_TESTS,
  ...below("tests", ["examples/", "public/", "testing/"]),
  ...below("generate/tests", [
    ...["live/", "write/", "calls_", "errors_", "hostile_", "init_", "library_", "limits_"],
    ...["lists_and_streams_", "sdk_tests_", "sdk/command_"],
  ]),
];

/**
 * The beginnings of the paths of tests that do not run on each version of Node, because they take half
 * of the time: those that start many processes, and those that measure memory.
 */
export const LONG_TESTS: readonly string[] = below("tests", [
  ...["integration/killed_processes_", "integration/processes_", "integration/shared_limit_"],
  "streams/memory_",
]);

/** Returns the tests that run on a runtime. */
export function extentOf(name: RuntimeName, tests: TestSelection): Extent {
  return tests === "usual" ? USUAL[name] : tests;
}

/** Returns the files of an extent. */
export function filesOf(extent: Extent, files: readonly string[]): string[] {
  const begins = (path: string, beginnings: readonly string[]) =>
    beginnings.some((beginning) => path.startsWith(beginning));
  switch (extent) {
    case "all":
      return [...files];
    case "runtime":
      return files.filter((path) => begins(path, RUNTIME_TESTS));
    case "version":
      return files.filter((path) => begins(path, VERSION_TESTS) && !begins(path, LONG_TESTS));
  }
}

/**
 * Distributes test files over groups of the same size. The files of a group share a process. In a
 * list that is sorted by path, neighbors take about the same time, so they are in different groups.
 * The fault matrix has a group of its own.
 */
export function testGroups(files: readonly string[], count: number): string[][] {
  const alone = files.filter((path) => path.startsWith(ALONE));
  const others = files.filter((path) => !path.startsWith(ALONE));
  const groups = Array.from(
    { length: count },
    (_, group) => others.filter((_path, index) => index % count === group),
  );
  return [...groups, alone].filter((group) => group.length > 0);
}

/** Returns the runner's arguments. All three runners run the same file. */
export function runnerArgs({ kind }: Pick<Runtime, "kind">, junitPath: string): string[] {
  const milliseconds = TEST_LIMIT * 1000;
  switch (kind) {
    case "deno":
      // The sanitizers work in the JSR edition only, because only its tests use Deno.test.
      return [
        ...["test", "-A", "--no-check", "--sanitize-ops", "--sanitize-resources"],
        ...[`--junit-path=${junitPath}`, GROUP],
      ];
    case "node":
      return [
        // Node 22 knows the option only by this name.
        ...["--test", "--experimental-test-isolation=none", `--test-timeout=${milliseconds}`],
        ...[`--test-reporter=${NODE_REPORTER}`, `--test-reporter-destination=${junitPath}`],
        ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
        GROUP,
      ];
    case "bun":
      return [
        ...["test", `--timeout=${milliseconds}`],
        ...["--reporter=junit", `--reporter-outfile=${junitPath}`],
        `./${GROUP}`,
      ];
  }
}

/** The settings of the tests besides the runtime. */
export interface TestSetting {
  /** The edition, for Deno. */
  readonly edition: Edition;
  /** True to run all tests for both generations. */
  readonly bothGenerations: boolean;
}

/** Returns the variables to add to the runner's environment. */
export function runnerEnv(
  { kind }: Pick<Runtime, "kind">,
  files: readonly string[],
  { edition, bothGenerations }: TestSetting,
): Record<string, string> {
  const generations = { TEST_GENERATIONS: bothGenerations ? "both" : "one" };
  const group = { TEST_FILES: JSON.stringify(files), ...generations };
  switch (kind) {
    case "deno":
      return { ...group, ...editionEnv(edition) };
    case "node":
      // Each group, and each process that a test starts, would compile the toolkit again.
      return { ...group, NODE_COMPILE_CACHE: COMPILE_CACHE };
    case "bun":
      return group;
  }
}

/**
 * Runs the files of a group in one process, and reads the results from the runner's JUnit file.
 *
 * @param root The root of the repository
 * @param runtime The runtime
 * @param files The files
 * @param setting The settings of the tests besides the runtime
 * @param group The number of the group
 */
export async function runGroup(
  root: string,
  runtime: Runtime,
  files: readonly string[],
  setting: TestSetting,
  group: number,
): Promise<RuntimeResult> {
  const junitPath = `${BUILD_FOLDER}/${runtime.name}_${group}.xml`;
  await mkdir(`${root}/${BUILD_FOLDER}`, { recursive: true });

  const env = runnerEnv(runtime, files, setting);
  const args = runnerArgs(runtime, junitPath);
  const child = await runChild(runtime.path, args, { cwd: root, env, limit: RUNNER_LIMIT });
  const report = await reportIn(`${root}/${junitPath}`, runtime.kind, child);
  const { tests, isSuccess } = report;
  const exit = { ...child, isSuccess };
  const troubles = troublesOf(tests, report.troubles, exit, isCi(process.env["CI"]));
  const { name, version } = runtime;
  return { name, version, tests, troubles, seconds: child.seconds };
}

async function reportIn(
  path: string,
  kind: Runtime["kind"],
  child: ChildResult,
): Promise<JunitReport> {
  if (!existsSync(path)) {
    const exit = child.code === undefined ? "" : ` and exited with ${child.code}`;
    const text = `the runner wrote no JUnit file${exit}`;
    return { tests: [], troubles: [{ text, output: child.output }] };
  }
  try {
    return readJunit(await readFile(path, "utf8"), kind);
  } catch (error) {
    return { tests: [], troubles: [{ text: String(error), output: child.output }] };
  }
}
