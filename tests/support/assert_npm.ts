/**
 * The assertions of the npm edition of the `#test` port. They have the names, the signatures and
 * the behaviour of `@std/assert`, and throw the AssertionError of node:assert, which prints the
 * difference.
 */
import { AssertionError } from "node:assert/strict";
import { inspect } from "node:util";
import { deepEqual } from "./deep_equal.ts";

// deno-lint-ignore no-explicit-any -- as in the standard library: any constructor will do
type AnyClass<T = unknown> = abstract new (...args: any[]) => T;

/** Fails unless the value is truthy. */
export function assert(value: unknown, msg?: string): asserts value {
  if (!value) fail(msg ?? `Expected a truthy value, got ${inspect(value)}`);
}

/** Always fails. */
export function fail(msg: string = "Failed assertion"): never {
  throw new AssertionError({ message: msg });
}

/** Fails unless two values are deeply equal; see {@linkcode deepEqual}. */
export function assertEquals<T>(actual: T, expected: T, msg?: string): void {
  if (!deepEqual(actual, expected)) throw different(actual, expected, "deepStrictEqual", msg);
}

/** Fails if two values are deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void {
  if (deepEqual(actual, expected)) {
    fail(withNote(`Expected another value than ${inspect(expected)}`, msg));
  }
}

/** Fails unless two values are the same, by Object.is. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T {
  if (!Object.is(actual, expected)) throw different(actual, expected, "strictEqual", msg);
}

/** Fails unless a string contains another string. */
export function assertStringIncludes(actual: string, expected: string, msg?: string): void {
  if (!actual.includes(expected)) {
    fail(withNote(`Expected ${inspect(actual)} to contain ${inspect(expected)}`, msg));
  }
}

/** Fails unless a string matches a pattern. */
export function assertMatch(actual: string, expected: RegExp, msg?: string): void {
  if (!expected.test(actual)) {
    fail(withNote(`Expected ${inspect(actual)} to match ${expected}`, msg));
  }
}

/** Fails unless a value is an instance of a class. */
export function assertInstanceOf<T extends AnyClass>(
  actual: unknown,
  expectedType: T,
  msg?: string,
): asserts actual is InstanceType<T> {
  if (!(actual instanceof expectedType)) {
    fail(withNote(`Expected an instance of ${expectedType.name}, got ${nameOf(actual)}`, msg));
  }
}

/** Fails unless the function throws. Returns the thrown value. */
export function assertThrows(fn: () => unknown): unknown;
/** Fails unless the function throws an error of the class, with the text in its message. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: AnyClass<E>,
  msgIncludes?: string,
  msg?: string,
): E;
export function assertThrows(
  fn: () => unknown,
  ErrorClass?: AnyClass<Error>,
  msgIncludes?: string,
  msg?: string,
): unknown {
  try {
    fn();
  } catch (error) {
    checkError(error, ErrorClass, msgIncludes, msg);
    return error;
  }
  fail(withNote("Expected the function to throw", msg));
}

/**
 * Fails unless the function returns a promise that rejects. Resolves with the rejection's value.
 */
export function assertRejects(fn: () => PromiseLike<unknown>): Promise<unknown>;
/** Fails unless the promise rejects with an error of the class, with the text in its message. */
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: AnyClass<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
export async function assertRejects(
  fn: () => PromiseLike<unknown>,
  ErrorClass?: AnyClass<Error>,
  msgIncludes?: string,
  msg?: string,
): Promise<unknown> {
  let promise: unknown;
  try {
    promise = fn();
  } catch (error) {
    fail(
      withNote(`Expected a promise that rejects, but the function threw ${inspect(error)}`, msg),
    );
  }
  if (!isThenable(promise)) {
    fail(withNote(`Expected a promise that rejects, got ${nameOf(promise)}`, msg));
  }
  try {
    await promise;
  } catch (error) {
    checkError(error, ErrorClass, msgIncludes, msg);
    return error;
  }
  fail(withNote("Expected the promise to reject", msg));
}

function checkError(
  error: unknown,
  ErrorClass: AnyClass<Error> | undefined,
  msgIncludes: string | undefined,
  msg: string | undefined,
): void {
  if (ErrorClass === undefined) return;
  if (!(error instanceof Error)) fail(withNote(`Expected an Error, got ${inspect(error)}`, msg));
  if (!(error instanceof ErrorClass)) {
    fail(withNote(`Expected an error of ${ErrorClass.name}, got ${inspect(error)}`, msg));
  }
  if (msgIncludes !== undefined && !error.message.includes(msgIncludes)) {
    fail(withNote(
      `Expected the message to contain ${inspect(msgIncludes)}, got ${inspect(error.message)}`,
      msg,
    ));
  }
}

function different(
  actual: unknown,
  expected: unknown,
  operator: "deepStrictEqual" | "strictEqual",
  msg: string | undefined,
): AssertionError {
  // Without a message, Node writes one that shows the difference line by line.
  const error = new AssertionError({ actual, expected, operator });
  error.message = withNote(error.message, msg);
  return error;
}

function withNote(text: string, msg: string | undefined): string {
  return msg === undefined ? text : `${msg}: ${text}`;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value &&
    typeof value.then === "function";
}

function nameOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return inspect(value);
  return `an instance of ${value.constructor?.name ?? "Object"}`;
}
