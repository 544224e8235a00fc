/** Tests of the report that a run prints about failures. */
import { assertEquals, describe, it } from "#test";
import type { LeafTest } from "../../../scripts/test/junit.ts";
import { failedTests, leftOutLines, troubleDetails } from "../../../scripts/test/report.ts";
import type { RuntimeName } from "../../../scripts/shared/runtimes.ts";
import type { RuntimeResult } from "../../../scripts/test/runtime_results.ts";

function result(name: RuntimeName, more: Partial<RuntimeResult>): RuntimeResult {
  return { name, version: "1.0.0", tests: [], troubles: [], seconds: 0, ...more };
}

function failed(name: string, detail: string): LeafTest {
  return { name, outcome: "failed", detail };
}

describe("failedTests", () => {
  it("prints a failure once if it is the same on several runtimes", () => {
    const printed = failedTests([
      result("deno", {
        tests: [failed("a > b", "AssertionError: 1 is not 2\n    at a_test.ts:5:1")],
      }),
      result("node22", { tests: [failed("a > b", "Error [ERR_TEST_FAILURE]: 1 is not 2")] }),
      result("bun", { tests: [failed("a > b", "TypeError: x is undefined")] }),
    ]);
    assertEquals(printed.map((text) => text.split("\n").slice(0, 3)), [
      ["--- a > b", "    failed on deno, node22", "    AssertionError: 1 is not 2"],
      ["--- a > b", "    failed on bun", "    TypeError: x is undefined"],
    ]);
  });

  it("prints a failure once if it is the same in several runs", () => {
    const run = result("bun", { tests: [failed("a", "1 is not 2")] });
    const printed = failedTests([run, run]);
    assertEquals(printed.map((text) => text.split("\n")[1]), ["    failed on bun"]);
  });

  it("leaves out the frames of the runner", () => {
    const detail = "Error: no\n    at f (a_test.ts:1:1)\n    at run (node:internal/x:1:1)";
    const [printed] = failedTests([result("deno", { tests: [failed("a", detail)] })]);
    assertEquals(printed?.split("\n").slice(2), [
      "    Error: no",
      "        at f (a_test.ts:1:1)",
      "",
    ]);
  });
});

describe("troubleDetails", () => {
  const text = "the runner exited with 1 although no test failed";

  it("prints the output if it has details, once for the same problem", () => {
    const printed = troubleDetails([
      result("node22", { troubles: [{ text, output: "Error: outside of tests" }] }),
      result("node24", {
        version: "2.0.0",
        troubles: [{ text, output: "the same in other words" }],
      }),
      result("bun", { troubles: [{ text: "a hook failed" }] }),
      result("deno", {}),
    ]);
    assertEquals(printed.map((text) => text.trimEnd().split("\n")), [
      [
        "--- Node 1.0.0, Node 2.0.0",
        "    * the runner exited with 1 although no test failed",
        "",
        "    The end of its output on Node 1.0.0:",
        "    Error: outside of tests",
      ],
      ["--- Bun 1.0.0", "    * a hook failed"],
    ]);
  });

  it("prints the output of each group of files that has a problem", () => {
    const troubles = [{ text, output: "first" }, { text: "a hook failed" }, {
      text,
      output: "second",
    }];
    const [printed] = troubleDetails([result("bun", { troubles })]);
    assertEquals(printed?.match(/first|second/g), ["first", "second"]);
  });
});

describe("leftOutLines", () => {
  const byReason = new Map([
    ["no server", ["a > b [left out: no server]", "c [left out: no server]"]],
    ["no proxy", ["d [left out: no proxy]"]],
  ]);

  it("returns a line for each reason, with the number of tests", () => {
    assertEquals(leftOutLines(byReason, false), [
      "  2 tests left out: no server",
      "  1 test left out: no proxy",
      "  --verbose lists the tests that were left out",
    ]);
  });

  it("lists the tests below their reason if the output is verbose", () => {
    assertEquals(leftOutLines(byReason, true), [
      "  2 tests left out: no server",
      "    a > b",
      "    c",
      "  1 test left out: no proxy",
      "    d",
    ]);
  });

  it("returns nothing if every test ran", () => {
    assertEquals(leftOutLines(new Map(), false), []);
  });
});
