/** The error of an invalid option or argument, and the description of the value that it shows. */
import { brand, RestwrightError } from "./base_error.ts";
import { messageText, pathForMessage } from "./message_text.ts";

/**
 * The error for an option or argument with an invalid value. It is thrown before a request is sent.
 *
 * The message names the option and the expected value. For an element of a list it names the
 * element, as in `trustedOrigins[1]`. Numbers, booleans, null and undefined are shown. A path is
 * shown without credentials and query, and of a URL without a scheme only the host. Any other string
 * is not shown, because it may be a secret: like other values, it is described by its type.
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
 *
 * @category Errors
 */
export class UnexpectedValueError extends RestwrightError {
  static {
    brand("UnexpectedValueError", this);
  }

  /** The name of the option or argument; several names are separated by a comma and a space. */
  readonly option: string;
  /** The expected value as a noun phrase, as in "a whole number of at least 0". */
  readonly expected: string;

  /**
   * Builds the error.
   *
   * @param option The name of the option or argument
   * @param expected The expected value, as a noun phrase
   * @param received The actual value; leave it out if there is no option of this name
   * @param cause The error that caused this one, if any
   */
  constructor(option: string, expected: string, ...rest: [received?: unknown, cause?: unknown]) {
    const [received, cause] = rest;
    const name = messageText(option, 200);
    const isUnknown = rest.length === 0 || received instanceof Remedy;
    super(
      isUnknown
        ? `"${name}" is not a known option: ${received ?? `expected ${expected}`}`
        : `"${name}" must be ${expected}, but is ${describeValue(received)}`,
      { cause },
    );
    this.option = option;
    this.expected = expected;
  }
}

/** The remedy for an unknown option, in place of a value. */
class Remedy extends String {}

/**
 * Returns the error for an option that is not known.
 *
 * @param option The name of the option
 * @param known The names of the options that are known
 * @param remedy The thing to do about it; undefined to list the known options
 */
export function unknownOption(
  option: string,
  known: readonly string[],
  remedy: string | undefined,
): UnexpectedValueError {
  const expected = `one of ${known.join(", ")}`;
  return remedy === undefined
    ? new UnexpectedValueError(option, expected)
    : new UnexpectedValueError(option, expected, new Remedy(remedy));
}

/** A string without secrets, which a message may show. */
class ShownText extends String {}

/**
 * Wraps a path so that an error message shows it, without credentials and query. Other strings are
 * not shown in messages.
 */
export function pathAsGiven(path: string): object {
  return describedAs(`"${pathForMessage(path)}"`);
}

/** Wraps a description of a value so that an error message shows it in place of the value. */
export function describedAs(description: string): object {
  return new ShownText(description);
}

/**
 * Adds to the description of a value in a message: the thing to do about it.
 *
 * @param value The actual value
 * @param hint One or two sentences, without the full stop at the end
 */
export function withHint(value: unknown, hint: string): object {
  return describedAs(`${describeValue(value)}. ${hint}`);
}

/** Reports if a value is a class: a function that is not a class can get another prototype. */
export function isClass(value: unknown): value is { readonly name: unknown } {
  return typeof value === "function" &&
    Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false;
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Describes a value by its type. Does not show a string, because it may be a secret. */
export function describeValue(value: unknown): string {
  if (value === "") return "an empty string";
  if (typeof value === "string") return `a string of ${countOf(value.length, "character")}`;
  if (typeof value === "bigint") return `the bigint ${messageText(String(value))}`;
  if (isClass(value)) {
    const { name } = value;
    return typeof name === "string" && name !== "" ? `the class ${messageText(name)}` : "a class";
  }
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (Array.isArray(value)) return `an array of ${countOf(value.length, "element")}`;
  if (typeof value !== "object" || value === null || value instanceof ShownText) {
    return String(value);
  }
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === "string" && name !== "" && name !== "Object"
    ? `an instance of ${messageText(name)}`
    : "an object";
}
