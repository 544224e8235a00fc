import { brand, RestwrightError } from "./base_error.ts";
import { messageText, pathForMessage } from "./message_text.ts";

/**
 * An option, a keyword or an argument is not what was expected; raised before any request goes out.
 *
 * The message names the option and says what was expected; in a list it names the element, as in
 * `trustedOrigins[1]`. The value is described by its kind, or shown if it is a number, a boolean or
 * null. A text is not shown, since it may be a secret; a path is, without credentials and query.
 *
 * @example
 * ```ts
 * import { APISession, UnexpectedValueError } from "@restwright/restwright";
 *
 * try {
 *   new APISession({ url: "https://api.example.com", retries: -1 });
 * } catch (error) {
 *   if (!(error instanceof UnexpectedValueError)) throw error;
 *   console.log(error.option, "-", error.expected);
 * }
 * ```
 */
export class UnexpectedValueError extends RestwrightError {
  static {
    brand("UnexpectedValueError", this);
  }

  /** The option, keyword or argument; several are separated by a comma and a blank. */
  readonly option: string;
  /** What was expected, as in "a whole number of at least 0". */
  readonly expected: string;

  /**
   * Builds the error.
   *
   * @param option The option, keyword or argument
   * @param expected What was expected, as a noun phrase
   * @param received What was given; left out where the option is not known at all
   * @param cause The error that told, if any
   */
  constructor(option: string, expected: string, ...rest: [received?: unknown, cause?: unknown]) {
    const [received, cause] = rest;
    const name = messageText(option, 200);
    super(
      rest.length === 0
        ? `"${name}" is not known: expected ${expected}`
        : `"${name}" must be ${expected}, but is ${describeValue(received)}`,
      { cause },
    );
    this.option = option;
    this.expected = expected;
  }
}

/** A text that may be shown, as it is shown. */
class ShownText extends String {}

/**
 * Returns a path for an error to show, without credentials and query: unlike other texts, paths are
 * shown in logs and errors.
 */
export function pathAsGiven(path: string): object {
  return new ShownText(`"${pathForMessage(path)}"`);
}

/** Says of what kind a value is, without showing a text that may be a secret. */
export function describeValue(value: unknown): string {
  if (value === "") return "an empty text";
  if (typeof value === "string") return `a text of ${value.length} characters`;
  if (typeof value === "bigint") return `the bigint ${messageText(String(value))}`;
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value !== "object" || value === null || value instanceof ShownText) {
    return String(value);
  }
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === "string" && name !== "" && name !== "Object"
    ? `an object of the class ${messageText(name)}`
    : "an object";
}
