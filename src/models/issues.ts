/** Collects the issues of a document, and describes values that do not match a model. */
import { type Key, nameText, pathText, shownKeys } from "../errors/format_issue.ts";
import { messageText, quotedText, shorten } from "../errors/message_text.ts";
import { type IssueCode, ModelError, type ModelIssue } from "../errors/model_error.ts";
import { describeValue, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { ModelClass } from "./model_class.ts";
import type { BaseShape } from "./value_type.ts";

/** The maximum number of issues of a document. Further ones are only counted. */
const MAX_ISSUES = 100;

/** The maximum length of a text in a message, in UTF-16 code units. */
const EXCERPT = 40;

/** The result of a conversion that failed. The issue is already in the list. */
export const BAD: unique symbol = Symbol("bad");

/** The issues of one document. */
export class IssueList {
  readonly #issues: ModelIssue[] = [];
  #count = 0;

  /** The number of issues so far. */
  get count(): number {
    return this.#count;
  }

  /** Adds an issue. The function is called only if the issue is kept. */
  add(issue: () => ModelIssue): typeof BAD {
    if (this.#count++ < MAX_ISSUES) this.#issues.push(issue());
    return BAD;
  }

  /**
   * Throws if there is any issue.
   *
   * @param model The name of the model
   * @param done The failed action, as in "read from JSON"
   * @param what The object of the action
   * @throws {ModelError} With all issues
   */
  throwIfAny(model: string, done: string, what: string = model): void {
    if (this.#count === 0) return;
    const details = { model, issues: this.#issues, count: this.#count };
    throw new ModelError(`${what} cannot be ${done}`, details);
  }
}

/** The description of an issue without its place. */
export interface Problem {
  readonly code: IssueCode;
  /** The expected value as a noun phrase. */
  readonly expected: string;
  /** The actual value, as in "is missing". If left out, `expected` is the whole message. */
  readonly actual?: string | undefined;
}

/** Returns an issue. By default, its path is written as in JSON. */
export function issueAt(
  path: readonly Key[],
  { code, expected, actual }: Problem,
  where: string = pathText(path),
): ModelIssue {
  const message = actual === undefined ? expected : `expected ${expected}, but it ${actual}`;
  return { code, path, where, expected, message };
}

/** Describes a value that does not match its type. Shortens texts, and shows objects by their type. */
export function mismatch(expected: string, actual: unknown): Problem {
  return {
    code: actual === undefined ? "missing" : "type",
    expected,
    actual: describeActual(actual),
  };
}

/** Describes a value that breaks a constraint. */
export function broken(expected: string, actual: unknown): Problem {
  return { code: "constraint", expected, actual: describeActual(actual) };
}

/** The description of a document that is nested too deeply for the stack of the runtime. */
export const TOO_DEEP: Problem = {
  code: "depth",
  expected: "fewer nested levels, because the stack of the runtime is too small",
  actual: "is nested deeper",
};

/** Reports if an error means that the stack of the runtime is used up. */
export function isStackOverflow(error: unknown): boolean {
  // In Firefox, it is an InternalError: "too much recursion".
  return error instanceof RangeError && /call stack/i.test(error.message) ||
    (error as Error | undefined)?.name === "InternalError";
}

function describeActual(actual: unknown): string {
  if (actual === undefined) return "is missing";
  const number = rawNumber(actual);
  if (number !== undefined) return `is ${shorten(number, EXCERPT)}, which JavaScript cannot hold`;
  if (typeof actual !== "string") return `is ${describeValue(actual)}`;
  if (actual.length <= EXCERPT) return `is ${quotedText(actual)}`;
  const start = shorten(actual, EXCERPT).slice(0, -1);
  return `is ${quotedText(start)}… (${actual.length} characters)`;
}

/** Returns the digits of a number that JSON has, but JavaScript cannot hold. See `parseJson`. */
export function rawNumber(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { isRawJSON } = JSON as { isRawJSON?: (value: object) => value is { rawJSON: string } };
  return isRawJSON?.(value) === true ? value.rawJSON : undefined;
}

/** Calls the check of a type. Returns what was expected if the check fails or throws. */
export function failedCheck(
  { check, expected }: Pick<BaseShape, "check" | "expected">,
  value: unknown,
): string | undefined {
  try {
    return check?.(value);
  } catch (error) {
    return withThrown(expected, error);
  }
}

/**
 * Calls the check of a model. Returns the problem if the check fails or throws.
 *
 * @throws {UnexpectedValueError} If the check returns anything but a message or undefined
 */
export function failedModelCheck(
  model: ModelClass<object>,
  instance: object,
): Problem | undefined {
  let message: unknown;
  try {
    message = model.check?.(instance as never);
  } catch (error) {
    const expected = "an instance that its check accepts";
    return { code: "constraint", expected, actual: `made the check throw: ${thrownText(error)}` };
  }
  if (message === undefined) return undefined;
  if (typeof message === "string" && message !== "") {
    return { code: "constraint", expected: message };
  }
  const expected = "a function that returns a message, or undefined if the instance is valid";
  throw new UnexpectedValueError(`${model.name}.check`, expected, message);
}

/** Adds the message of an error that the program threw to the description of the expected value. */
export function withThrown(expected: string, error: unknown): string {
  return `${expected} (${thrownText(error)})`;
}

function thrownText(error: unknown): string {
  return messageText(error instanceof Error ? error.message : String(error), 200);
}

/** Formats a path in XML: `/rss/channel/item[2]/@id`, with indices from 1 as in XPath. */
export function xmlPath(keys: readonly Key[]): string {
  return shownKeys(keys).map((key) => typeof key === "number" ? `[${key}]` : `/${nameText(key)}`)
    .join("");
}
