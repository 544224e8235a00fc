import { quotedText, shorten } from "../errors/message_text.ts";
import { ModelError, type ModelIssue } from "../errors/model_error.ts";
import { type Key, pathText } from "../errors/format_issue.ts";
import { describeValue } from "../errors/unexpected_value_error.ts";

/** How many issues are kept; the others are counted. */
const KEPT = 100;

/** How much of a text is shown. */
const EXCERPT = 40;

/** The value where something is wrong: it has been told of, and is not looked at again. */
export const BAD: unique symbol = Symbol("bad");

/** Collects the issues of one document. */
export class Problems {
  readonly #issues: ModelIssue[] = [];
  #count = 0;

  /** Adds one, which is made only where it is kept. */
  add(issue: () => ModelIssue): typeof BAD {
    if (this.#count++ < KEPT) this.#issues.push(issue());
    return BAD;
  }

  /**
   * The error, where there is any issue.
   *
   * @param model The name of the model
   * @param done What cannot be done, as in "read from JSON"
   * @param what What it cannot be done with
   */
  refuse(model: string, done: string, what: string = model): void {
    if (this.#count === 0) return;
    const details = { model, issues: this.#issues, count: this.#count };
    throw new ModelError(`${what} cannot be ${done}`, details);
  }
}

/** One issue, its path as in JSON where no other is given. */
export function issueAt(
  keys: readonly Key[],
  expected: string,
  actual: string,
  path: string = pathText(keys),
): ModelIssue {
  return { path, keys, expected, message: `expected ${expected}, but it ${actual}` };
}

/** What there is in place of what was expected: texts are cut, what is nested is named. */
export function describeActual(received: unknown): string {
  if (received === undefined) return "is missing";
  if (typeof received !== "string") return `is ${describeValue(received)}`;
  if (received.length <= EXCERPT) return `is ${quotedText(received)}`;
  const start = shorten(received, EXCERPT).slice(0, -1);
  return `is ${quotedText(start)}… (${received.length} characters)`;
}
