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
    super(
      rest.length === 0
        ? `"${name}" is not a known option: ${
          suggestion(option, expected) ?? `expected ${expected}`
        }`
        : `"${name}" must be ${expected}, but is ${describeValue(received)}`,
      { cause },
    );
    this.option = option;
    this.expected = expected;
  }
}

/** Names that other libraries have for options of this one. */
const otherNames: Readonly<Record<string, string>> = {
  body: "json",
  form: "data",
  query: "params",
  retry: "retries",
  searchParams: "params",
};

/** Returns a question with the known name that the author probably meant, if there is one. */
function suggestion(option: string, expected: string): string | undefined {
  if (!expected.startsWith("one of ")) return undefined;
  const known = expected.slice("one of ".length).split(", ");
  const other = Object.hasOwn(otherNames, option) ? otherNames[option]! : "";
  const similar = known.includes(other) ? other : known.find((name) => isSimilar(option, name));
  return similar && `did you mean "${similar}"?`;
}

/** Reports if two names are the same but for the case, and one letter or two that are swapped. */
function isSimilar(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  if (a.length < 3 || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [x, y] = [a.slice(start), b.slice(start)];
  const isSwapped = x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2);
  return isSwapped || x.slice(1) === y || x === y.slice(1) || x.slice(1) === y.slice(1);
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
