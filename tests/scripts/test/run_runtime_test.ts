/** Tests of the groups of test files, and of the command lines of the runners. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { assert, assertEquals, assertStringIncludes, describe, it } from "#test";
import { runChild } from "../../../scripts/shared/child.ts";
import { readJunit } from "../../../scripts/test/junit.ts";
import {
  extentOf,
  filesOf,
  LONG_TESTS,
  runnerArgs,
  runnerEnv,
  RUNTIME_TESTS,
  testGroups,
} from "../../../scripts/test/run_runtime.ts";
import { RUNTIME_NAMES } from "../../../scripts/shared/runtimes.ts";
import { filesBelow, ROOT, TEST_FOLDERS, testFiles } from "../../../scripts/shared/source_files.ts";
import { detectRuntime } from "../../../src/base/runtime.ts";

const DENO = { kind: "deno" } as const;
const NODE = { kind: "node" } as const;
const BUN = { kind: "bun" } as const;

describe("testGroups", () => {
  const files = ["a", "b", "c", "d", "e"];

  it("has each file once, and neighbors in different groups", () => {
    assertEquals(testGroups(files, 2), [["a", "c", "e"], ["b", "d"]]);
    assertEquals(testGroups(files, 1), [files]);
  });

  it("has the fault matrix in a group of its own", () => {
    const faults = ["tests/faults/a_test.ts", "tests/faults/b_test.ts"];
    assertEquals(testGroups([...faults, ...files], 2), [["a", "c", "e"], ["b", "d"], faults]);
    assertEquals(testGroups(faults, 2), [faults]);
  });

  it("has no empty group", () => {
    assertEquals(testGroups(["a"], 8), [["a"]]);
    assertEquals(testGroups([], 2), []);
  });
});

describe("filesOf", () => {
  it("has the tests of transports and streams, and leaves out those of models", async () => {
    const all = testFiles(await filesBelow(ROOT, TEST_FOLDERS));
    const ofRuntime = filesOf("runtime", all);
    const ofVersion = filesOf("version", all);
    for (const beginning of RUNTIME_TESTS) {
      assert(
        ofRuntime.some((path) => path.startsWith(beginning)),
        `no file begins with ${beginning}`,
      );
    }
    for (const beginning of LONG_TESTS) {
      const [one] = ofRuntime.filter((path) => path.startsWith(beginning));
      assert(one !== undefined && !ofVersion.includes(one), beginning);
    }
    assertEquals(ofVersion.filter((path) => !ofRuntime.includes(path)), []);
    assertEquals(filesOf("all", all), all);
    const foldersOf = (files: readonly string[]) =>
      new Set(files.map((path) => path.split("/")[1]));
    for (const folder of ["http", "streams", "faults"]) assert(foldersOf(ofVersion).has(folder));
    for (const folder of ["models", "types", "errors"]) assert(!foldersOf(ofRuntime).has(folder));
    const ofGenerator = ofRuntime.filter((path) => path.startsWith("generate/"));
    assertEquals(ofGenerator.some((path) => path.includes("/live/")), true);
    assertEquals(ofGenerator.some((path) => /\/(?:plan|diff)\//.test(path)), false);
    assertEquals(ofVersion.filter((path) => path.startsWith("generate/")), []);
  });
});

describe("extentOf", () => {
  it("is all tests on two engines in a usual run, and the chosen ones with --tests", () => {
    const extents = (tests: "all" | "runtime" | "usual") =>
      RUNTIME_NAMES.map((name) => extentOf(name, tests));
    assertEquals(extents("usual"), ["all", "version", "runtime", "version", "all"]);
    assertEquals(new Set(extents("all")), new Set(["all"]));
    assertEquals(new Set(extents("runtime")), new Set(["runtime"]));
  });
});

describe("runnerArgs", () => {
  it("limits each test to 10 minutes, which no test needs even on a busy machine", () => {
    for (const runtime of [NODE, BUN]) {
      const args = runnerArgs(runtime, "j.xml");
      const [limit] = args.flatMap((arg) => /^--(?:test-)?timeout=(\d+)$/.exec(arg)?.[1] ?? []);
      assertEquals(Number(limit), 600_000);
    }
  });

  it("makes every runner write JUnit", () => {
    for (const runtime of [DENO, NODE, BUN]) {
      assert(runnerArgs(runtime, "j.xml").some((arg) => arg.endsWith("=j.xml")));
    }
  });
});

describe("runnerEnv", () => {
  it("sets the edition for Deno, and the cache of compiled modules for Node", () => {
    const setting = { edition: "npm", bothGenerations: false } as const;
    const names = (kind: "deno" | "node" | "bun") => Object.keys(runnerEnv({ kind }, [], setting));
    const shared = ["TEST_FILES", "TEST_GENERATIONS"];
    assertEquals(names("deno"), [...shared, "DENO_CONDITIONS"]);
    assertEquals(names("node"), [...shared, "NODE_COMPILE_CACHE"]);
    assertEquals(names("bun"), shared);
  });
});

describe("a group of test files", () => {
  const folder = "tests/support/test_groups";
  const kind = detectRuntime().name.toLowerCase() as "deno" | "node" | "bun";

  /** Runs files on the current runtime, and returns their tests: each failure with its detail. */
  async function run(
    files: string[],
    { bothGenerations = false, code = 1 } = {},
  ): Promise<Record<string, string>> {
    const folder = await mkdtemp(join(tmpdir(), "restwright-group-"));
    try {
      const junit = join(folder, "j.xml");
      // Node's runner sets the variable for a file that it runs in a process of its own.
      const setting = { edition: "npm", bothGenerations } as const;
      const env = { ...runnerEnv({ kind }, files, setting), NODE_TEST_CONTEXT: undefined };
      // A test that waits forever ends at its limit.
      const args = runnerArgs({ kind }, junit)
        .map((arg) => arg.replace(/timeout=\d+/, "timeout=500"));
      const child = await runChild(process.execPath, args, { cwd: ROOT, env });
      assertEquals(child.code, code, child.output);
      const { tests, troubles } = readJunit(await readFile(junit, "utf8"), kind);
      assertEquals(troubles, []);
      return Object.fromEntries(tests.map((test) => [test.name, test.detail]));
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it("has a failed test for each file that cannot be loaded or has no tests", async () => {
    const { passes, "is registered": registered, ...failed } = await run([
      `${folder}/throwing.ts`,
      `${folder}/not_there.ts`,
      `${folder}/empty.ts`,
      `${folder}/passing.ts`,
    ]);
    assertEquals([passes, registered], ["", ""]);
    assertEquals(Object.keys(failed).sort(), [
      `${folder}/empty.ts is loaded`,
      `${folder}/not_there.ts is loaded`,
      `${folder}/throwing.ts is loaded`,
    ]);
    assertStringIncludes(failed[`${folder}/empty.ts is loaded`]!, "the file has no tests");
    assertStringIncludes(failed[`${folder}/not_there.ts is loaded`]!, "not_there.ts");
    assertStringIncludes(failed[`${folder}/throwing.ts is loaded`]!, "thrown while loading");
  });

  it("has a failed test that waits forever, and still runs the tests after it", async () => {
    const tests = await run([`${folder}/waiting.ts`, `${folder}/passing.ts`]);
    assertEquals(Object.keys(tests), ["waits forever", "passes"]);
    assert(tests["waits forever"] !== "");
    // On a busy machine, it may not end before its limit.
    assert(!tests["passes"]!.includes("still pending"), tests["passes"]);
  });

  it("has the first test of a shared group for generation 2, or all tests", async () => {
    const files = [`${folder}/generations.ts`];
    const [first, inner, last] = ["a group > first", "a group > inner > second", "a group > last"];
    const second = [first, inner, last].map((name) => name!.replace("group", "group (APIClient)"));
    const names = async (bothGenerations: boolean) =>
      Object.keys(await run(files, { bothGenerations, code: 0 })).sort();

    assertEquals(await names(false), [second[0], first, inner, last].sort());
    assertEquals(await names(true), [...second, first, inner, last].sort());
  });
});
