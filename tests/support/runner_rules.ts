/**
 * The rules of the `#test` port that are the same in both editions, for any runner. Each rule
 * avoids a difference between the runners:
 *
 * - a test that is left out has the reason in its name, because Deno and Bun omit it from JUnit;
 * - hooks are in a `describe`, because elsewhere they make @std/testing rename the file's tests;
 * - the body of a `describe` is synchronous, because Deno's node:test loses all after an `await`.
 */

/** The body of a test or a hook. */
export type TestBody = () => void | Promise<void>;

/** Options of `it`. */
export interface ItOptions {
  /** The reason why the test is left out. Undefined means that it runs. */
  ignore?: string | undefined;
}

/** The functions of a runner. */
export interface Runner {
  describe(name: string, body: () => void): void;
  run(name: string, body: TestBody): void;
  leaveOut(name: string): void;
  before(body: TestBody): void;
  after(body: TestBody): void;
  beforeEach(body: TestBody): void;
  afterEach(body: TestBody): void;
}

/** The six functions of the port. */
export interface RunnerPort {
  describe(name: string, body: () => void): void;
  it(name: string, body: TestBody, options?: ItOptions): void;
  before(body: TestBody): void;
  after(body: TestBody): void;
  beforeEach(body: TestBody): void;
  afterEach(body: TestBody): void;
}

let registered = 0;

/** Returns the number of tests and groups that were registered so far. */
export function registeredTests(): number {
  return registered;
}

/** The number of tests that may still be registered. */
let left = Infinity;

/** Runs code that registers tests, and registers only the first one that is not left out. */
export function registerFirstTest(body: () => void): void {
  left = 1;
  try {
    body();
  } finally {
    left = Infinity;
  }
}

/** Applies the rules above to a runner. */
export function withRules(runner: Runner): RunnerPort {
  let depth = 0;

  function hook(kind: "before" | "after" | "beforeEach" | "afterEach", body: TestBody): void {
    if (depth === 0) throw new Error(`${kind}() belongs inside a describe()`);
    runner[kind](body);
  }

  return {
    describe(name, body) {
      // A runner may count an empty group as a test.
      if (left === 0) return;
      registered++;
      runner.describe(name, () => {
        depth += 1;
        try {
          const result: unknown = body();
          if (result instanceof Promise) {
            result.catch(() => {});
            throw new Error(`The body of describe("${name}") must be synchronous`);
          }
        } finally {
          depth -= 1;
        }
      });
    },
    it(name, body, options = {}) {
      if (left === 0) return;
      registered++;
      if (options.ignore === undefined) {
        left--;
        runner.run(name, body);
      } else runner.leaveOut(`${name} [left out: ${options.ignore}]`);
    },
    before: (body) => hook("before", body),
    after: (body) => hook("after", body),
    beforeEach: (body) => hook("beforeEach", body),
    afterEach: (body) => hook("afterEach", body),
  };
}
