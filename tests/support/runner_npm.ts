/**
 * The npm edition of the `#test` port. It uses node:test, which Deno, Node and Bun all run. The
 * assertions have the names and the behaviour of `@std/assert`.
 */
import * as runner from "node:test";
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
} from "./assert_npm.ts";

const port: RunnerPort = withRules({
  describe: (name, body) => void runner.describe(name, body),
  // The body is wrapped, so that the runner's own context never reaches a test. Some runners treat
  // a test with a parameter as a callback test, others do not.
  run: (name, body) => void runner.it(name, () => body()),
  leaveOut: (name) => void runner.it(name, { skip: true }, () => {}),
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
