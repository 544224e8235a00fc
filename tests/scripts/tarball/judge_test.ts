/** Judges of the tarball, and what they make of a program's run. */
import { assertEquals, describe, it } from "#test";
import type { ChildResult } from "../../../scripts/child.ts";
import { ask, faultsOfRun } from "../../../scripts/tarball/judge.ts";
import { passedTests } from "../../../scripts/tarball/public_tests.ts";

function ended(code: number, output: string): ChildResult {
  return { code, stdout: output, output, seconds: 1, trouble: undefined };
}

describe("a judge of the tarball", () => {
  it("passes where it finds nothing", async () => {
    const judge = { name: "mild", judge: () => Promise.resolve([]) };
    assertEquals((await ask(judge)).code, 0);
  });

  it("fails with what it finds, and with what it throws", async () => {
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
  it("has to end well and to print what it should, and nothing else", () => {
    assertEquals(faultsOfRun("it", ended(0, "used\n"), "used"), []);
    assertEquals(faultsOfRun("it", ended(1, "used\n"), "used"), ["it exited with 1\nused\n"]);
    assertEquals(faultsOfRun("it", ended(0, "(node:1) Warning\nused\n"), "used").length, 1);
  });

  it("can print anything where nothing is said of that", () => {
    assertEquals(faultsOfRun("it", ended(0, "1 file")), []);
  });
});

describe("the public tests that passed", () => {
  it("are counted by the summary of each runner", () => {
    assertEquals(passedTests("ok 1 - a\n# tests 4\n# pass 4\n# fail 0"), 4);
    assertEquals(passedTests("bun test\n\n 12 pass\n 0 fail"), 12);
  });

  it("are none where there is no summary", () => {
    assertEquals(passedTests("1..0"), 0);
  });
});
