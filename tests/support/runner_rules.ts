/**
 * The rules of the `#test` port that are the same in both editions, above whichever runner is
 * beneath it. Each rule is here because one of the runners would do something else:
 *
 * - a test that is left out says why in its name, since Deno and Bun drop the reason from JUnit;
 * - hooks live in a `describe`, since outside of one @std/testing renames the tests of the file;
 * - the body of a `describe` is synchronous, since Deno's node:test loses what follows an await.
 */

/** What a test or a hook runs. */
export type TestBody = () => void | Promise<void>;

/** Options of `it`. */
export interface ItOptions {
  /** Why the test is left out. Undefined means that it runs. */
  ignore?: string | undefined;
}

/** The runner's functions, as its own package has them. */
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

/** Puts the rules above on a runner. */
export function withRules(runner: Runner): RunnerPort {
  let depth = 0;

  function hook(kind: "before" | "after" | "beforeEach" | "afterEach", body: TestBody): void {
    if (depth === 0) throw new Error(`${kind}() belongs inside a describe()`);
    runner[kind](body);
  }

  return {
    describe(name, body) {
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
      if (options.ignore === undefined) runner.run(name, body);
      else runner.leaveOut(`${name} [left out: ${options.ignore}]`);
    },
    before: (body) => hook("before", body),
    after: (body) => hook("after", body),
    beforeEach: (body) => hook("beforeEach", body),
    afterEach: (body) => hook("afterEach", body),
  };
}
