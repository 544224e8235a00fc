import { assertEquals, describe, it } from "#test";
import type { LeafTest, Trouble } from "../../../scripts/test/junit.ts";
import type { RuntimeName } from "../../../scripts/shared/runtimes.ts";
import {
  countsOf,
  joinResults,
  lastLine,
  leftOut,
  nameDifferences,
  repeatedFailures,
  type RuntimeResult,
  total,
  troublesOf,
} from "../../../scripts/test/runtime_results.ts";

const CLEAN = { code: 0, trouble: undefined, output: "the output" };
const FAILED = { ...CLEAN, code: 1 };

function test(name: string, outcome: LeafTest["outcome"] = "passed"): LeafTest {
  return { name, outcome, detail: "" };
}

function trouble(text: string): Trouble {
  return { text };
}

function result(name: RuntimeName, tests: LeafTest[], troubles: string[] = []): RuntimeResult {
  return { name, version: "1.0.0", tests, troubles: troubles.map(trouble), seconds: 0 };
}

function textsOf(...args: Parameters<typeof troublesOf>): string[] {
  return troublesOf(...args).map(({ text }) => text);
}

describe("troublesOf", () => {
  const left = "t [left out: no server]";

  it("finds nothing wrong with tests that passed", () => {
    assertEquals(textsOf([test("t")], [], CLEAN, true), []);
  });

  it("adds nothing to a failed test", () => {
    assertEquals(textsOf([test("t", "failed")], [], FAILED, true), []);
  });

  it("fails a runner that exits with an error although no test failed", () => {
    assertEquals(troublesOf([test("t")], [], FAILED, false), [
      { text: "the runner exited with 1 although no test failed", output: "the output" },
    ]);
  });

  it("names a changed exit code if the runner itself reports success", () => {
    assertEquals(textsOf([test("t")], [], { ...FAILED, isSuccess: true }, false), [
      "the runner exited with 1 although no test failed: a program in its process set the exit code",
    ]);
    assertEquals(textsOf([test("t")], [], { ...FAILED, isSuccess: false }, false), [
      "the runner exited with 1 although no test failed",
    ]);
  });

  it("fails a runner that ran no tests", () => {
    assertEquals(textsOf([], [], CLEAN, false), ["ran no tests"]);
  });

  it("fails a runner that was ended", () => {
    const trouble = "took more than 600 seconds and was stopped";
    assertEquals(troublesOf([test("t")], [], { ...CLEAN, code: undefined, trouble }, false), [
      { text: `the runner ${trouble}`, output: "the output" },
    ]);
  });

  it("fails a test that is left out without a reason", () => {
    assertEquals(textsOf([test("t", "skipped")], [], CLEAN, false), [
      'left out without a reason, or cut off: "t"',
    ]);
  });

  it("accepts a test that is left out with a reason, but not in CI", () => {
    assertEquals(textsOf([test(left, "skipped")], [], CLEAN, false), []);
    assertEquals(textsOf([test(left, "skipped")], [], CLEAN, true), [
      `left out, which CI does not allow: "${left}"`,
    ]);
  });

  it("keeps the problems that the report has", () => {
    assertEquals(textsOf([test("t")], [trouble("a hook failed")], FAILED, false), [
      "a hook failed",
    ]);
  });
});

describe("repeatedFailures", () => {
  it("counts the runs in which a test failed, for each runtime", () => {
    const passed = result("bun", [test("a"), test("b")]);
    const failed = result("bun", [test("a", "failed"), test("b")]);
    const both = result("deno", [test("a", "failed"), test("b", "failed")]);
    assertEquals(repeatedFailures([[failed, both], [passed, both], [failed]]), [
      "failed in 2 of 3 runs: a (bun)",
      "failed in 2 of 3 runs: a (deno)",
      "failed in 2 of 3 runs: b (deno)",
    ]);
    assertEquals(repeatedFailures([[passed], [passed]]), []);
  });
});

describe("joinResults", () => {
  const groups = [
    { ...result("deno", [test("a")], ["x"]), seconds: 1 },
    { ...result("deno", [test("b")], ["y"]), seconds: 2 },
  ];

  it("keeps all tests and problems of the groups, and sums up their seconds", () => {
    const joined = joinResults({ name: "deno", version: "1.0.0" }, groups);
    assertEquals(joined, { ...result("deno", [test("a"), test("b")], ["x", "y"]), seconds: 3 });
  });

  it("fails two tests with the same name, in one group or in two", () => {
    for (const groups of [[[test("t"), test("t")]], [[test("t")], [test("t")]]]) {
      const results = groups.map((tests) => result("deno", tests));
      assertEquals(joinResults({ name: "deno", version: "1.0.0" }, results).troubles, [
        trouble('two tests are called "t"'),
      ]);
    }
  });
});

describe("nameDifferences", () => {
  it("finds none if the names agree, in any order", () => {
    assertEquals(
      nameDifferences([
        result("deno", [test("a"), test("b", "failed")]),
        result("bun", [test("b"), test("a")]),
      ]),
      [],
    );
  });

  it("reports which test is missing on which runtime", () => {
    assertEquals(
      nameDifferences([
        result("deno", [test("a"), test("b")]),
        result("node22", [test("a")]),
        result("bun", [test("a"), test("b")]),
      ]),
      ['"b" is on deno, bun but not on node22'],
    );
  });

  it("reports a test that is left out on one runtime only", () => {
    assertEquals(
      nameDifferences([
        result("deno", [test("a")]),
        result("bun", [test("a [left out: not on Bun]", "skipped")]),
      ]),
      [
        '"a" is on deno but not on bun',
        '"a [left out: not on Bun]" is on bun but not on deno',
      ],
    );
  });

  it("ignores a runtime without tests", () => {
    assertEquals(nameDifferences([result("deno", [test("a")]), result("bun", [], ["gone"])]), []);
  });

  it("allows runtimes that run only a part of the tests, if it is the same part", () => {
    const extentOf = (name: RuntimeName) =>
      name === "deno" || name === "node24" ? "all" : name === "bun" ? "runtime" : "version";
    const whole = [test("a"), test("b")];
    const difference = (node24: LeafTest[], bun: LeafTest[], node22: LeafTest[]) =>
      nameDifferences([
        result("deno", whole),
        result("node24", node24),
        result("bun", bun),
        result("node22", node22),
      ], extentOf);
    assertEquals(difference(whole, [test("a")], [test("a")]), []);
    assertEquals(difference([test("a")], [test("a")], [test("a")]), [
      '"b" is on deno but not on node24',
    ]);
    assertEquals(difference(whole, whole, [test("a")]), []);
    assertEquals(difference(whole, [test("a")], whole), [
      '"b" is on deno, node24, node22 but not on bun',
    ]);
    assertEquals(difference(whole, [test("c")], [test("c")]), [
      '"c" is on bun, node22 but not on deno, node24',
    ]);
  });
});

describe("counts", () => {
  it("count each trouble as a failure", () => {
    const tests = [test("a"), test("b", "failed"), test("c", "skipped")];
    assertEquals(countsOf(result("deno", tests, ["x", "y"])), { passed: 1, failed: 3, skipped: 1 });
    assertEquals(countsOf(result("deno", [], ["missing"])), { passed: 0, failed: 1, skipped: 0 });
  });

  it("are summed into the last line", () => {
    const sum = total([{ passed: 1, failed: 0, skipped: 0 }, { passed: 2, failed: 1, skipped: 0 }]);
    assertEquals(lastLine(sum), "3 passed, 1 failed");
    assertEquals(lastLine({ ...sum, skipped: 4 }), "3 passed, 1 failed, 4 skipped");
  });
});

describe("leftOut", () => {
  it("groups tests by reason, each once", () => {
    const tests = [test("a [left out: r]", "skipped"), test("b [left out: r]", "skipped")];
    const grouped = leftOut([result("deno", [...tests, test("c")]), result("bun", tests)]);
    assertEquals(grouped, new Map([["r", ["a [left out: r]", "b [left out: r]"]]]));
  });
});
