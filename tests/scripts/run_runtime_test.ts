/** Tests of the groups of test files, and of the command lines of the runners. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { assert, assertEquals, assertStringIncludes, describe, it } from "#test";
import { runChild } from "../../scripts/child.ts";
import { readJunit } from "../../scripts/junit.ts";
import { runnerArgs, runnerEnv, testGroups } from "../../scripts/run_runtime.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { detectRuntime } from "../../src/runtime.ts";

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
  it("sets the edition for Deno only", () => {
    const names = (runtime: typeof DENO | typeof BUN) => Object.keys(runnerEnv(runtime, [], "npm"));
    assertEquals([names(DENO), names(BUN)], [["TEST_FILES", "DENO_CONDITIONS"], ["TEST_FILES"]]);
  });
});

describe("a group of test files", () => {
  const folder = "tests/support/test_groups";
  const kind = detectRuntime().name.toLowerCase() as "deno" | "node" | "bun";

  /** Runs files on the current runtime, and returns their tests: each failure with its detail. */
  async function run(...files: string[]): Promise<Record<string, string>> {
    const folder = await mkdtemp(join(tmpdir(), "restwright-group-"));
    try {
      const junit = join(folder, "j.xml");
      // Node's runner sets the variable for a file that it runs in a process of its own.
      const env = { ...runnerEnv({ kind }, files, "npm"), NODE_TEST_CONTEXT: undefined };
      // A test that waits forever ends at its limit.
      const args = runnerArgs({ kind }, junit)
        .map((arg) => arg.replace(/timeout=\d+/, "timeout=500"));
      const child = await runChild(process.execPath, args, { cwd: ROOT, env });
      assertEquals(child.code, 1, child.output);
      const { tests, troubles } = readJunit(await readFile(junit, "utf8"), kind);
      assertEquals(troubles, []);
      return Object.fromEntries(tests.map((test) => [test.name, test.detail]));
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it("has a failed test for each file that cannot be loaded or has no tests", async () => {
    const { passes, "is registered": registered, ...failed } = await run(
      `${folder}/throwing.ts`,
      `${folder}/not_there.ts`,
      `${folder}/empty.ts`,
      `${folder}/passing.ts`,
    );
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
    const tests = await run(`${folder}/waiting.ts`, `${folder}/passing.ts`);
    assertEquals(Object.keys(tests), ["waits forever", "passes"]);
    assert(tests["waits forever"] !== "");
    // On a busy machine, it may not end before its limit.
    assert(!tests["passes"]!.includes("still pending"), tests["passes"]);
  });
});
