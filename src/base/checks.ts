/** Checks of option values, each of which throws an error that names the option. */
import { ownSignal } from "./own_signal.ts";
import type { Clock } from "./clock.ts";
import { optionHint } from "../errors/option_hints.ts";
import { UnexpectedValueError, unknownOption } from "../errors/unexpected_value_error.ts";
import { type Logger, logLevels as levels, silentLogger } from "../log/logger.ts";

/** A function that returns a valid value, or throws an error that names the option. */
export type Check<T> = (option: string, value: unknown) => T;

/**
 * Returns a check for option values.
 *
 * @param expected A description of a valid value, as a noun phrase
 * @param holds Reports if a value is valid
 */
export function check(
  expected: string,
  holds: (value: unknown) => boolean,
): <T>(option: string, value: unknown) => T {
  return <T>(option: string, value: unknown) => {
    if (holds(value)) return value as T;
    throw new UnexpectedValueError(option, expected, value);
  };
}

/**
 * Returns a check for an object with several fields. The error names the first field that is wrong.
 *
 * @param expected A description of a valid object, as a noun phrase
 * @param fields The checks of its fields
 */
export function fieldsCheck(
  expected: string,
  fields: Readonly<Record<string, Check<unknown>>>,
): <T>(option: string, value: unknown) => T {
  return <T>(option: string, value: unknown) => {
    if (typeof value !== "object" || value === null) {
      throw new UnexpectedValueError(option, expected, value);
    }
    for (const [name, checkField] of Object.entries(fields)) {
      checkField(`${option}.${name}`, Reflect.get(value, name));
    }
    return value as T;
  };
}

/** Checks that a value is a whole number of at least 0. */
export const checkedCount: Check<number> = check(
  "a whole number of at least 0",
  (value) => Number.isInteger(value) && (value as number) >= 0,
);

/**
 * Checks that options are an object, and that each is known, because another one would have no effect.
 *
 * @param options The options
 * @param names The names of the known options
 * @param place The name of the object in errors, with a dot at its end. Default: none
 * @throws {UnexpectedValueError} If one is not known; the error has a hint if its name is like another
 */
export function checkedOptions<T extends object>(
  options: T,
  names: readonly string[],
  place: string = "",
): T {
  if (typeof options !== "object" || options === null) {
    throw new UnexpectedValueError(place.slice(0, -1) || "options", "an object", options);
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return options;
  throw unknownOption(place + unknown, names, optionHint(unknown, names));
}

/**
 * Returns a check for a limit. Null and Infinity mean no limit: the check returns null for both.
 *
 * @param expected A description of a valid limit, as a noun phrase
 * @param holds Reports if a number is valid
 */
export function limitCheck(
  expected: string,
  holds: (value: number) => boolean,
): Check<number | null> {
  const checked: Check<number> = check(
    `${expected}, or null or Infinity for no limit`,
    (value) => Number.isFinite(value) && holds(value as number),
  );
  return (option, value) => value === null || value === Infinity ? null : checked(option, value);
}

/** Checks a limit that is a whole number of at least 1. */
export const checkedLimit: Check<number | null> = /* @__PURE__ */ limitCheck(
  "a whole number of at least 1",
  (value) => Number.isInteger(value) && value >= 1,
);

/** Checks a limit for a time in seconds, which may be zero. */
export const checkedWaitLimit: Check<number | null> = limitCheck(
  "a number of seconds of at least 0",
  (value) => value >= 0,
);

/** Checks a limit for a time in seconds, which is above zero. Undefined means no limit, too. */
export const checkedBound: Check<number | null> = (option, value = null) =>
  checkedSecondsAboveZero(option, value);

const checkedSecondsAboveZero = limitCheck("a number of seconds above 0", (value) => value > 0);

/** Checks that a value is a time in seconds, which may be zero. */
export const checkedSeconds: Check<number> = check(
  "a number of seconds of at least 0",
  (value) => Number.isFinite(value) && (value as number) >= 0,
);

export const checkedText: Check<string> = check("a string", isText);

export const checkedFlag: Check<boolean> = check(
  "true or false",
  (value) => typeof value === "boolean",
);

export const checkedTexts: Check<readonly string[]> = listCheck("a list of strings", checkedText);

/** Checks that a value is a list of HTTP statuses. */
export const checkedStatuses: Check<readonly number[]> = listCheck<number>(
  "a list of whole numbers",
  check("a whole number", Number.isInteger),
);

/** Checks that a value is a list of header names. */
export const checkedHeaderNames: Check<readonly string[]> = listCheck<string>(
  "a list of header names",
  check("a header name, without spaces and separators", isToken),
);

/**
 * Returns a check for lists.
 *
 * @param expected A description of the list, as a noun phrase
 * @param checked The check for an element. Its error names the element, as in `retryOn[1]`
 */
export function listCheck<T>(expected: string, checked: Check<T>): Check<readonly T[]> {
  return (option, value) => {
    if (!Array.isArray(value)) throw new UnexpectedValueError(option, expected, value);
    // `map` would skip the holes of a sparse array.
    return Array.from(value, (each, index) => checked(`${option}[${index}]`, each));
  };
}

/** Checks that a value is a clock or undefined. */
export const checkedClock: Check<Clock | undefined> = check(
  "an object with the methods now and after",
  (value) => value === undefined || hasMethods(value, ["now", "after"]),
);

/**
 * Checks that a value is an AbortSignal, null or undefined. For null, it returns undefined; for a signal
 * of another realm, one of the runtime that follows it.
 */
export const checkedSignal: Check<AbortSignal | undefined> = (option, signal) => {
  if (signal === undefined || signal === null) return undefined;
  const own = ownSignal(signal);
  if (own !== undefined) return own;
  throw new UnexpectedValueError(option, "an AbortSignal, or null", signal);
};

/** Checks that a value is a logger, null or undefined. For null, it returns a logger that is silent. */
export const checkedLogger: Check<Logger | undefined> = (option, logger) =>
  logger === null ? silentLogger : checkedLoggerObject(option, logger);

const checkedLoggerObject: Check<Logger | undefined> = check(
  `an object with the methods ${levels.join(", ")}, or null`,
  (value) => value === undefined || hasMethods(value, levels),
);

/**
 * Checks that a value is a string that a header can carry: no line breaks, no control characters,
 * Latin-1 only.
 */
export const checkedHeaderText: Check<string> = check(
  "a string without line breaks, control characters or characters beyond Latin-1",
  (value) => isText(value) && isHeaderText(value),
);

/** Checks that a value is a name that is a token. */
export const checkedName: Check<string> = check(
  "a valid name: only letters, digits and !#$%&'*+-.^_`|~",
  isToken,
);

/** Checks that a value is a function or undefined. */
export const checkedFunction: <F>(option: string, value: unknown) => F = check(
  "a function",
  (value) => value === undefined || typeof value === "function",
);

/**
 * Returns the entries of a mapping or of an array of pairs. A mapping is a plain object, or an
 * instance of a class that has fields: a Map or a Date has no fields that would be read.
 *
 * @param option The name of the option in the error
 * @param others A description of the other accepted types, for the error
 * @throws {UnexpectedValueError} If the value is neither
 */
export function checkedEntries(
  input: unknown,
  option: string,
  others: string,
): Iterable<readonly [string, unknown]> {
  if (typeof input === "object" && input !== null) {
    if (!Array.isArray(input)) {
      const entries = Object.entries(input);
      if (entries.length > 0 || isPlain(input)) return entries;
    } else {
      const isPair = (pair: unknown) => Array.isArray(pair) && pair.length === 2 && isText(pair[0]);
      const wrong = input.findIndex((pair) => !isPair(pair));
      if (wrong < 0) return input;
      const expected = "a pair of a name and a value";
      throw new UnexpectedValueError(`${option}[${wrong}]`, expected, input[wrong]);
    }
  }
  throw new UnexpectedValueError(option, `a mapping, an array of pairs or ${others}`, input);
}

/**
 * Reports if a value is an array or a plain object (not an instance of a class). JSON consists of
 * these, and they can be boxed.
 */
export function isPlain(value: unknown): value is Record<string, unknown> | unknown[] {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  // An object of another realm, such as those that structuredClone returns in tests with Jest.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}

/** Reports if a value has methods with these names. */
export function hasMethods(value: unknown, names: readonly string[]): boolean {
  const methods = Object(value) as Readonly<Record<string, unknown>>;
  return names.every((name) => typeof methods[name] === "function");
}

/**
 * Reports if a value is a promise. A promise of another realm is not an instance of the `Promise` here,
 * nor is that of an async function if a package such as zone.js has replaced the class.
 */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as Partial<PromiseLike<unknown>>).then === "function";
}

/** Reports if a text is a token, as the names of headers and cookies are (RFC 9110 §5.6.2). */
export function isToken(text: unknown): text is string {
  return isText(text) && /^[!#$%&'*+.^`|~\w-]+$/.test(text);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Reports if a text can be sent as a header value (RFC 9110 §5.5; fetch sends Latin-1). */
export function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
