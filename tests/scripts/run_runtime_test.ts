/** Tests of the command lines of the runners. */
import { assert, assertEquals, describe, it } from "#test";
import { runnerArgs, runnerEnv } from "../../scripts/run_runtime.ts";

const DENO = { kind: "deno", name: "deno" } as const;
const NODE = { kind: "node", name: "node24" } as const;
const BUN = { kind: "bun", name: "bun" } as const;

describe("runnerArgs", () => {
  it("passes the same source files to every runner", () => {
    const files = ["tests/a_test.ts", "tests/x/b_test.ts"];
    assertEquals(runnerArgs(DENO, files, "j.xml").slice(-2), files);
    assertEquals(runnerArgs(NODE, files, "j.xml").slice(-2), files);
    assertEquals(runnerArgs(BUN, files, "j.xml").slice(-2), files.map((path) => `./${path}`));
  });

  it("limits each test to 10 minutes, which no test needs even on a busy machine", () => {
    for (const runtime of [NODE, BUN]) {
      const args = runnerArgs(runtime, ["a_test.ts"], "j.xml");
      const [limit] = args.flatMap((arg) => /^--(?:test-)?timeout=(\d+)$/.exec(arg)?.[1] ?? []);
      assertEquals(Number(limit), 600_000);
    }
  });

  it("makes every runner write JUnit", () => {
    for (const runtime of [DENO, NODE, BUN]) {
      assert(runnerArgs(runtime, ["a_test.ts"], "j.xml").some((arg) => arg.endsWith("=j.xml")));
    }
  });
});

describe("runnerEnv", () => {
  it("makes Node cache compiled modules below the root for all test files", () => {
    const { NODE_COMPILE_CACHE: folder } = runnerEnv("/r", NODE, "npm");
    assert(folder?.startsWith("/r/.build/"), folder);
    assertEquals(runnerEnv("/r", BUN, "npm"), {});
  });

  it("sets the edition for Deno", () => {
    assertEquals(Object.keys(runnerEnv("/r", DENO, "npm")), ["DENO_CONDITIONS"]);
  });
});
