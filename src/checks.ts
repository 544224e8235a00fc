import type { Clock } from "./clock.ts";
import { UnexpectedValueError } from "./errors/unexpected_value_error.ts";
import { type Logger, logLevels as levels } from "./log/logger.ts";

// Each check gives the value back, or raises an error that names the option and what was expected.

/** A whole number that is not negative. */
export function checkedCount(option: string, value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw new UnexpectedValueError(option, "a whole number of at least 0", value);
}

/** A limit of at least 1, which may be Infinity. */
export function checkedLimit(option: string, value: unknown): number {
  if (value === Infinity) return value;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1) return value;
  throw new UnexpectedValueError(option, "a whole number of at least 1, or Infinity", value);
}

/** A time that may be zero, in seconds. */
export function checkedSeconds(option: string, value: unknown): number {
  if (typeof value === "number" && value >= 0 && value < Infinity) return value;
  throw new UnexpectedValueError(option, "a number of seconds of at least 0", value);
}

/** A bound in seconds, or undefined where there is none. */
export function checkedBound(option: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && value > 0 && value < Infinity) return value;
  throw new UnexpectedValueError(
    option,
    "a number of seconds above 0, or null for no limit",
    value,
  );
}

/** A text. */
export function checkedText(option: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw new UnexpectedValueError(option, "a text", value);
}

/** A boolean. */
export function checkedFlag(option: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new UnexpectedValueError(option, "true or false", value);
}

/** A function, or undefined. */
export function checkedFunction<F>(option: string, value: F): F {
  if (value === undefined || typeof value === "function") return value;
  throw new UnexpectedValueError(option, "a function", value);
}

/** A list of texts. */
export function checkedTexts(option: string, value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  throw new UnexpectedValueError(option, "a list of texts", value);
}

/** A list of HTTP statuses. */
export function checkedStatuses(option: string, value: unknown): readonly number[] {
  if (Array.isArray(value) && value.every(Number.isInteger)) return value;
  throw new UnexpectedValueError(option, "a list of whole numbers", value);
}

/** A clock, or undefined. */
export function checkedClock(option: string, value: Clock | undefined): Clock | undefined {
  const isClock = typeof value?.now === "function" && typeof value.after === "function";
  if (value === undefined || isClock) return value;
  throw new UnexpectedValueError(option, "an object with the methods now and after", value);
}

/** A signal, or undefined. */
export function checkedSignal(value: AbortSignal | undefined): AbortSignal | undefined {
  if (value === undefined || value instanceof AbortSignal) return value;
  throw new UnexpectedValueError("signal", "an AbortSignal", value);
}

/** A logger, or undefined. */
export function checkedLogger(option: string, value: Logger | undefined): Logger | undefined {
  if (value === undefined || levels.every((level) => typeof value?.[level] === "function")) {
    return value;
  }
  throw new UnexpectedValueError(option, `an object with the methods ${levels.join(", ")}`, value);
}

/** A text that can stand in a header: no line break, no control character, nothing beyond Latin-1. */
export function checkedHeaderText(option: string, value: unknown): string {
  if (typeof value === "string" && isHeaderText(value)) return value;
  const expected = "a text without line breaks, control characters or characters beyond Latin-1";
  throw new UnexpectedValueError(option, expected, value);
}

/** Whether a text can be sent as a header's value (RFC 9110 §5.5; fetch sends Latin-1). */
export function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
