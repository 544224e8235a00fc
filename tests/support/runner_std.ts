/**
 * The JSR edition of the `#test` port, on Deno only: @std/testing/bdd and @std/assert. Its exports
 * have the signatures of runner_npm.ts; tests/runner_test.ts checks both.
 */
import * as runner from "@std/testing/bdd";
import { type RunnerPort, withRules } from "./runner_rules.ts";

export {
  assert,
  assertEquals,
  assertInstanceOf,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
  fail,
} from "@std/assert";

const port: RunnerPort = withRules({
  describe: (name, body) => void runner.describe(name, body),
  run: (name, body) => runner.it(name, () => body()),
  leaveOut: (name) => runner.it.ignore(name, () => {}),
  before: (body) => runner.before(() => body()),
  after: (body) => runner.after(() => body()),
  beforeEach: (body) => runner.beforeEach(() => body()),
  afterEach: (body) => runner.afterEach(() => body()),
});

/** A group of tests. Its body is synchronous. */
export const describe: RunnerPort["describe"] = port.describe;
/** One test. `ignore` has the reason why it is left out. */
export const it: RunnerPort["it"] = port.it;
/** Runs once, before the first test of the group. */
export const before: RunnerPort["before"] = port.before;
/** Runs once, after the last test of the group. */
export const after: RunnerPort["after"] = port.after;
/** Runs before each test of the group. */
export const beforeEach: RunnerPort["beforeEach"] = port.beforeEach;
/** Runs after each test of the group, even if it failed. */
export const afterEach: RunnerPort["afterEach"] = port.afterEach;
