/** Tests of the judges of the tarball and of their check of a program's run. */
import { assertEquals, describe, it } from "#test";
import type { ChildResult } from "../../../../scripts/shared/child.ts";
import { ask, faultsOfRun } from "../../../../scripts/shared/package/judge.ts";
import { passedTests } from "../../../../scripts/npm/public_tests.ts";

function ended(code: number, output: string): ChildResult {
  return { code, stdout: output, output, seconds: 1, trouble: undefined };
}

describe("a judge of the tarball", () => {
  it("passes if it finds no fault", async () => {
    const judge = { name: "mild", judge: () => Promise.resolve([]) };
    assertEquals((await ask(judge)).code, 0);
  });

  it("fails with the faults that it finds or the error that it throws", async () => {
    const strict = { name: "strict", judge: () => Promise.resolve(["one", "two"]) };
    const broken = { name: "broken", judge: () => Promise.reject(new Error("no tool")) };
    const results = [await ask(strict), await ask(broken)];
    assertEquals(results.map(({ code, output }) => [code, output]), [
      [1, "one\ntwo"],
      [1, "no tool"],
    ]);
  });
});

describe("a program that uses the package", () => {
  it("must exit with 0 and print exactly the expected text", () => {
    assertEquals(faultsOfRun("it", ended(0, "used\n"), "used"), []);
    assertEquals(faultsOfRun("it", ended(1, "used\n"), "used"), ["it exited with 1\nused\n"]);
    assertEquals(faultsOfRun("it", ended(0, "(node:1) Warning\nused\n"), "used").length, 1);
  });

  it("may print anything if no text is expected", () => {
    assertEquals(faultsOfRun("it", ended(0, "1 file")), []);
  });
});

describe("the public tests that passed", () => {
  it("are counted from the summary of each runner", () => {
    assertEquals(passedTests("ok 1 - a\n# tests 4\n# pass 4\n# fail 0"), 4);
    assertEquals(passedTests("bun test\n\n 12 pass\n 0 fail"), 12);
  });

  it("are 0 without a summary", () => {
    assertEquals(passedTests("1..0"), 0);
  });
});
