/** The runners' command lines. */
import { assert, assertEquals, describe, it } from "#test";
import { NODE_BUILD } from "../../scripts/build_node.ts";
import { runnerArgs } from "../../scripts/run_runtime.ts";

const DENO = { kind: "deno", name: "deno" } as const;
const NODE = { kind: "node", name: "node24" } as const;
const BUN = { kind: "bun", name: "bun" } as const;

describe("runnerArgs", () => {
  it("gives every runner the same files", () => {
    const files = ["tests/a_test.ts", "tests/x/b_test.ts"];
    assertEquals(runnerArgs(DENO, files, "j.xml").slice(-2), files);
    assertEquals(runnerArgs(BUN, files, "j.xml").slice(-2), files.map((path) => `./${path}`));
    assertEquals(runnerArgs(NODE, files, "j.xml").slice(-2), [
      `${NODE_BUILD}/tests/a_test.js`,
      `${NODE_BUILD}/tests/x/b_test.js`,
    ]);
  });

  it("has every runner write JUnit", () => {
    for (const runtime of [DENO, NODE, BUN]) {
      assert(runnerArgs(runtime, ["a_test.ts"], "j.xml").some((arg) => arg.endsWith("=j.xml")));
    }
  });
});
