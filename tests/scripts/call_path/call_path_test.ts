/** Tests of the script that counts what one warm call passes on Node. */
import { assert, assertEquals, assertThrows, describe, it } from "#test";
import {
  type CallCounts,
  type CallName,
  sameInAllRounds,
} from "../../../scripts/call_path/main.ts";
import { runChild, succeeded } from "../../../scripts/shared/child.ts";
import { ROOT } from "../../../scripts/shared/source_files.ts";
import { findNode } from "../../support/node.ts";

describe("one warm call", () => {
  const node = findNode();
  const ignore = node === undefined ? "Node 22.18 or later is not installed" : undefined;

  it("has counts, also with a timeout", async () => {
    // V8 counts less exactly when it loads the code from the cache.
    const env = { NODE_COMPILE_CACHE: undefined, NODE_OPTIONS: undefined };
    const run = await runChild(node!, ["scripts/call_path/main.ts", "--json"], { cwd: ROOT, env });
    assert(succeeded(run), run.output);
    const counts: Record<CallName, CallCounts> = JSON.parse(run.stdout);
    for (const name of ["with timeout", "without timeout"] as const) {
      assert(Object.values(counts[name]).every((count) => count > 0), run.stdout);
    }
  }, { ignore });
});

describe("the rounds of a measurement", () => {
  it("have one result if they are equal", () => {
    assertEquals(sameInAllRounds([{ depth: 8 }, { depth: 8 }]), { depth: 8 });
  });

  it("throw if two of them differ", () => {
    assertThrows(
      () => sameInAllRounds([{ depth: 8 }, { depth: 8 }, { depth: 9 }]),
      Error,
      "two rounds differ",
    );
  });
});
