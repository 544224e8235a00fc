/**
 * The JSR edition of the `#test` port, on Deno only: @std/testing/bdd and @std/assert. Its exports
 * have the signatures of runner_npm.ts; tests/runner_test.ts checks both.
 */
import * as runner from "@std/testing/bdd";
import { recordIntervals } from "./idle_intervals.ts";
import { type RunnerPort, type TestBody, withRules } from "./runner_rules.ts";

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

/** True inside the body of a `describe`. */
let isNested = false;

/** Registers a group. Only one that is not in another is a test of Deno with its own sanitizers. */
function describeGroup(name: string, body: () => void): void {
  if (isNested) return void runner.describe(name, body);
  runner.describe(name, () => {
    let stopRecording = (): void => {};
    runner.before(() => void (stopRecording = recordIntervals()));
    isNested = true;
    try {
      body();
    } finally {
      isNested = false;
    }
    // The last hook, so that the hooks of the body can still send requests.
    runner.after(() => stopRecording());
  });
}

async function runRecorded(body: TestBody): Promise<void> {
  const stopRecording = recordIntervals();
  try {
    await body();
  } finally {
    stopRecording();
  }
}

const port: RunnerPort = withRules({
  describe: describeGroup,
  run(name, body) {
    const isTop = !isNested;
    runner.it(name, () => isTop ? runRecorded(body) : body());
  },
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
