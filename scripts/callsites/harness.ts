/** The functions that the tests of frozen SDKs take as globals, on any runtime: describe, test and expect. */
import { deepEqual } from "../../tests/support/deep_equal.ts";

/** The result of one test. */
export interface TestResult {
  readonly name: string;
  /** The reason for which it failed; undefined if it passed. */
  readonly failure?: string | undefined;
  readonly isSkipped?: boolean | undefined;
}

interface RegisteredTest {
  readonly name: string;
  readonly isSkipped: boolean;
  readonly run: () => unknown;
}

const tests: RegisteredTest[] = [];
let group = "";

function describe(name: string, body: () => void): void {
  const before = group;
  group += `${name} > `;
  try {
    body();
  } finally {
    group = before;
  }
}

function test(name: string, run: () => unknown): void {
  tests.push({ name: group + name, isSkipped: false, run });
}

test.skip = (name: string, run: () => unknown): void => {
  tests.push({ name: group + name, isSkipped: true, run });
};

type Matcher = (...args: readonly unknown[]) => void | Promise<void>;

/** Returns the assertions about a value. One that is not known fails the test. */
function expect(actual: unknown): unknown {
  const check = (isMet: boolean, wanted: string, isNegated: boolean): void => {
    if (isMet === isNegated) {
      throw new Error(`expected ${shown(actual)} ${isNegated ? "not " : ""}${wanted}`);
    }
  };
  const matchers = (isNegated: boolean): Record<string, Matcher> => ({
    toBe: (other) => check(Object.is(actual, other), `to be ${shown(other)}`, isNegated),
    toEqual: (other) => check(deepEqual(actual, other), `to equal ${shown(other)}`, isNegated),
    toBeInstanceOf: (made) =>
      check(
        actual instanceof (made as new () => unknown),
        `to be an instance of ${(made as { readonly name: string }).name}`,
        isNegated,
      ),
  });
  const rejects = {
    async toThrow(made: new () => unknown): Promise<void> {
      try {
        await actual;
      } catch (error) {
        if (error instanceof made) return;
        throw new Error(`expected a rejection with ${made.name}, but it was ${String(error)}`);
      }
      throw new Error(`expected a rejection with ${made.name}`);
    },
  };
  return { ...matchers(false), not: matchers(true), rejects };
}

function shown(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) ?? "undefined" : String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Sets the globals. Import the files with tests afterwards. */
export function setGlobals(): void {
  Object.assign(globalThis, { describe, test, it: test, expect });
}

/** Runs the tests one after the other. */
export async function runTests(): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const { name, isSkipped, run } of tests) {
    if (isSkipped) {
      results.push({ name, isSkipped });
      continue;
    }
    try {
      await run();
      results.push({ name });
    } catch (error) {
      results.push({ name, failure: reasonOf(error) });
    }
  }
  return results;
}

/** Returns the message of an error, with what the mock server has found in the request. */
function reasonOf(error: unknown): string {
  const { error: body, cause } = Object(error) as {
    readonly error?: unknown;
    readonly cause?: unknown;
  };
  const { validation } = Object(body) as { readonly validation?: unknown };
  if (validation !== undefined) return JSON.stringify(validation);
  const reason = cause instanceof Error ? ` (${cause.message})` : "";
  return `${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}${reason}`;
}
