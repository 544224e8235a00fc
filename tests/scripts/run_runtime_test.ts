/** The runners' command lines. */
import { assert, assertEquals, describe, it } from "#test";
import { runnerArgs, runnerEnv } from "../../scripts/run_runtime.ts";

const DENO = { kind: "deno", name: "deno" } as const;
const NODE = { kind: "node", name: "node24" } as const;
const BUN = { kind: "bun", name: "bun" } as const;

describe("runnerArgs", () => {
  it("gives every runner the same files: the sources", () => {
    const files = ["tests/a_test.ts", "tests/x/b_test.ts"];
    assertEquals(runnerArgs(DENO, files, "j.xml").slice(-2), files);
    assertEquals(runnerArgs(NODE, files, "j.xml").slice(-2), files);
    assertEquals(runnerArgs(BUN, files, "j.xml").slice(-2), files.map((path) => `./${path}`));
  });

  it("limits a test to minutes, which no test takes on a busy machine", () => {
    for (const runtime of [NODE, BUN]) {
      const args = runnerArgs(runtime, ["a_test.ts"], "j.xml");
      const [limit] = args.flatMap((arg) => /^--(?:test-)?timeout=(\d+)$/.exec(arg)?.[1] ?? []);
      assertEquals(Number(limit), 600_000);
    }
  });

  it("has every runner write JUnit", () => {
    for (const runtime of [DENO, NODE, BUN]) {
      assert(runnerArgs(runtime, ["a_test.ts"], "j.xml").some((arg) => arg.endsWith("=j.xml")));
    }
  });
});

describe("runnerEnv", () => {
  it("has Node compile each module once for all test files, below the root", () => {
    const { NODE_COMPILE_CACHE: folder } = runnerEnv("/r", NODE, "npm");
    assert(folder?.startsWith("/r/.build/"), folder);
    assertEquals(runnerEnv("/r", BUN, "npm"), {});
  });

  it("tells Deno the edition", () => {
    assertEquals(Object.keys(runnerEnv("/r", DENO, "npm")), ["DENO_CONDITIONS"]);
  });
});
