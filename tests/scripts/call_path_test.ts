/** Tests of the numbers of files, functions, calls and promises of one warm call on Node. */
import { assert, assertEquals, assertThrows, describe, it } from "#test";
import {
  type CallCounts,
  type CallName,
  excesses,
  LIMITS,
  sameInAllRounds,
} from "../../scripts/call_path.ts";
import { runChild, succeeded } from "../../scripts/child.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { findNode } from "../support/node.ts";

const LIMIT: CallCounts = { files: 22, functions: 60, depth: 8, promises: 20 };

describe("one warm call", () => {
  const node = findNode();
  const ignore = node === undefined ? "Node 22.18 or later is not installed" : undefined;

  it("passes no more files, functions, calls and promises than its limits allow", async () => {
    // V8 counts less exactly when it loads the code from the cache.
    const env = { NODE_COMPILE_CACHE: undefined, NODE_OPTIONS: undefined };
    const run = await runChild(node!, ["scripts/call_path.ts", "--json"], { cwd: ROOT, env });
    assert(succeeded(run), run.output);
    const counts: Record<CallName, CallCounts> = JSON.parse(run.stdout);
    const names = ["with timeout", "without timeout"] as const;
    for (const name of names) {
      assert(Object.values(counts[name]).every((count) => count > 0), run.stdout);
    }
    assertEquals(
      names.flatMap((name) =>
        excesses(counts[name], LIMITS[name]).map((line) => `${name}, ${line}`)
      ),
      [],
    );
  }, { ignore });
});

describe("excesses", () => {
  it("returns nothing at the limits and below", () => {
    assertEquals(excesses(LIMIT, LIMIT), []);
    assertEquals(excesses({ files: 1, functions: 1, depth: 1, promises: 1 }, LIMIT), []);
  });

  it("returns each count above its limit", () => {
    assertEquals(excesses({ ...LIMIT, files: 23, depth: 15 }, LIMIT), [
      "files: 23, the limit is 22",
      "depth: 15, the limit is 8",
    ]);
    assertEquals(excesses({ ...LIMIT, functions: 61, promises: 21 }, LIMIT), [
      "functions: 61, the limit is 60",
      "promises: 21, the limit is 20",
    ]);
  });

  it("returns a count that is not a number", () => {
    assertEquals(excesses({ ...LIMIT, depth: NaN }, LIMIT), ["depth: NaN, the limit is 8"]);
  });
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
