/**
 * Loads a group of test files. A runner runs this file instead of each file in a process of its own,
 * because loading the modules of the toolkit takes longer than most files' tests.
 *
 * If a file cannot be loaded or has no tests, a failed test has its name.
 */
import { after } from "node:test";
import process from "node:process";
import { it } from "#test";
import { registeredTests } from "../../tests/support/runner_rules.ts";
import { detectRuntime } from "../../src/base/runtime.ts";

for (const path of JSON.parse(process.env["TEST_FILES"] ?? "[]") as string[]) {
  const before = registeredTests();
  try {
    await import(new URL(`../../${path}`, import.meta.url).href);
    if (registeredTests() === before) throw new Error("the file has no tests");
  } catch (error) {
    it(`${path} is loaded`, () => {
      // Bun's report shows no message of the errors of its own loader.
      throw new Error(String(error), { cause: error });
    });
  }
}

if (detectRuntime().name === "Node") {
  // If a test waits forever and nothing else is pending, Node 22 cancels all tests after it.
  const pending = setInterval(() => {}, 2 ** 30);
  after(() => clearInterval(pending));
}
