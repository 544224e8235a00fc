/** The types of dates: ISO texts, days, Unix timestamps and lenient formats. */
import { isDate } from "../base/foreign_objects.ts";
import { scalar, trim } from "./scalars.ts";
import type { ValueType } from "./value_type.ts";

// Calls that are marked as pure, so that bundlers leave out the types that a program does not use.

/**
 * A point in time as a `Date`: an `xs:dateTime` such as `2026-11-20T10:00:00Z`, or an `xs:date`
 * such as `2026-11-20`, which is read as the start of the day. Without a time zone it is in UTC.
 * Fractions of a second below a millisecond are dropped. It is written as
 * `2026-11-20T10:00:00.000Z`.
 *
 * The years 1 to 9999 are allowed. For other formats, use {@linkcode lenientDate},
 * {@linkcode dateOnly}, {@linkcode unixSeconds}, {@linkcode unixMilliseconds} or
 * {@linkcode scalar}.
 *
 * @category Value types
 */
export const date: ValueType<Date> = /* @__PURE__ */ dateType(
  "a date such as 2026-11-20 or 2026-11-20T10:00:00Z",
  parseDate,
  (value) => value.toISOString(),
);

/**
 * A point in time as a `Date`, read from more formats than {@linkcode date}: also with the time
 * zones `+0000` and `+00`, without seconds, with a space in place of `T`, and with a lower-case `t`
 * and `z`. It is written as `date` writes it.
 *
 * @example Timestamps as PostgreSQL prints them
 * ```ts
 * import { element, lenientDate, model } from "@restwright/restwright/models";
 *
 * class Row extends model("row", { created: element(lenientDate) }) {}
 * const row = Row.fromJson({ created: "2026-11-20 10:00:00+00" });
 * console.log(row.toJsonString()); // {"created":"2026-11-20T10:00:00.000Z"}
 * ```
 *
 * @category Value types
 */
export const lenientDate: ValueType<Date> = /* @__PURE__ */ dateType(
  "a date such as 2026-11-20, 2026-11-20T10:00:00Z or 2026-11-20 10:00+0000",
  parseLenientDate,
  (value) => value.toISOString(),
);

/**
 * A day without a time, as a `Date` at midnight UTC: an `xs:date` such as `2026-11-20`. A time zone
 * after it is dropped when it is read. A `Date` with a time of day is refused when it is written,
 * because the time would be lost. The years 1 to 9999 are allowed.
 *
 * @example
 * ```ts
 * import { attr, dateOnly, model } from "@restwright/restwright/models";
 *
 * class Loan extends model("loan", { due: attr(dateOnly) }) {}
 * const loan = Loan.fromJson({ due: "2026-11-20" });
 * console.log(loan.due.toISOString()); // 2026-11-20T00:00:00.000Z
 * console.log(loan.toJsonString()); // {"due":"2026-11-20"}
 * ```
 *
 * @category Value types
 */
export const dateOnly: ValueType<Date> = /* @__PURE__ */ dateType(
  "a date without a time, such as 2026-11-20",
  parseDay,
  (value) => value.toISOString().slice(0, 10),
  (value) =>
    value.getTime() % DAY === 0
      ? undefined
      : "a date at midnight UTC, because only the day is written",
);

/**
 * A Unix timestamp in seconds as a `Date`: in JSON a number such as `1763632800` or
 * `1763632800.25`, in XML its digits.
 *
 * A number with more than three decimals is refused, because a `Date` has no microseconds. So is a
 * number outside the years 1 to 9999: it is probably a number of milliseconds.
 *
 * @example
 * ```ts
 * import { element, model, unixSeconds } from "@restwright/restwright/models";
 *
 * class Token extends model("token", { expires: element(unixSeconds) }) {}
 * console.log(Token.fromJson({ expires: 1763632800 }).expires.toISOString());
 * // 2025-11-20T10:00:00.000Z
 * ```
 *
 * @category Value types
 */
export const unixSeconds: ValueType<Date> = /* @__PURE__ */ unixType(
  1000,
  /^[+-]?\d+(?:\.\d{1,3}0*)?$/,
  "a number of seconds since 1970, with at most three decimals",
);

/**
 * A Unix timestamp in milliseconds as a `Date`: in JSON a whole number such as `1763632800000`, in
 * XML its digits. The years 1 to 9999 are allowed.
 *
 * @example
 * ```ts
 * import { element, model, unixMilliseconds } from "@restwright/restwright/models";
 *
 * class Event extends model("event", { at: element(unixMilliseconds) }) {}
 * console.log(Event.fromJson({ at: 1763632800250 }).at.toISOString());
 * // 2025-11-20T10:00:00.250Z
 * ```
 *
 * @category Value types
 */
export const unixMilliseconds: ValueType<Date> = /* @__PURE__ */ unixType(
  1,
  /^[+-]?\d+$/,
  "a whole number of milliseconds since 1970",
);

/** The milliseconds of a day. */
const DAY = 86_400_000;

/** The first millisecond of the year 1. */
const MIN_TIME = -62_135_596_800_000;

/** The last millisecond of the year 9999. */
const MAX_TIME = 253_402_300_799_999;

/** Returns a type of dates that are strings in JSON. */
function dateType(
  expected: string,
  parse: (text: string) => Date | undefined,
  format: (value: Date) => string,
  check?: (value: Date) => string | undefined,
): ValueType<Date> {
  const { shape } = scalar<Date>({
    expected,
    parse,
    format: (value) => isValidDate(value) ? format(value) : undefined,
  });
  return { shape: { ...shape, check: (value) => checkYear(value) ?? check?.(value as Date) } };
}

/**
 * Returns a type of dates that are numbers in JSON.
 *
 * @param unit The number of parts of a unit that a `Date` can hold
 * @param digits Matches the text of such a number
 * @param expected A description of such a number
 */
function unixType(unit: number, digits: RegExp, expected: string): ValueType<Date> {
  const fromJson = (value: unknown) => {
    if (typeof value !== "number") return undefined;
    const time = Math.round(value * unit);
    // Parts of a millisecond would be lost.
    return time / unit === value ? validDate(time) : undefined;
  };
  const toJson = (value: unknown) => isValidDate(value) ? value.getTime() / unit : undefined;
  return {
    shape: {
      kind: "scalar",
      expected,
      fromText: (text) => {
        const trimmed = trim(text);
        return digits.test(trimmed) ? fromJson(Number(trimmed)) : undefined;
      },
      fromJson,
      toText: (value) => toJson(value)?.toString(),
      toJson,
      check: checkYear,
    },
  };
}

/** Checks that a date has a year of four digits, as the text of a date needs. */
function checkYear(value: unknown): string | undefined {
  const time = (value as Date).getTime();
  return time < MIN_TIME || time > MAX_TIME ? "a date in the years 1 to 9999" : undefined;
}

function isValidDate(value: unknown): value is Date {
  return isDate(value) && !Number.isNaN(value.getTime());
}

function validDate(input: string | number): Date | undefined {
  const date = new Date(input);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Matches most dates in practice. They are read in one step, which takes a third of the time. */
const commonForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

const strictForm = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.(\d{1,12}))?)?(Z|[+-]\d\d:\d\d)?$/;

const lenientForm =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:\.\d{1,12})?)?)?(?:([Zz])|([+-]\d\d)(?::?(\d\d))?)?$/;

const dayForm = /^\d{4}-\d\d-\d\d(?:Z|[+-]\d\d:\d\d)?$/;

function parseDate(text: string): Date | undefined {
  if (commonForm.test(text)) return hasDay(text) ? commonDate(text) : undefined;
  const match = strictForm.exec(trim(text));
  if (match === null) return undefined;
  const [, day = "", time = "00:00:00", fraction = "", zone = "Z"] = match;
  return hasDay(day)
    ? validDate(`${day}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}${zone}`)
    : undefined;
}

/** Reads a date of the common form, in a quarter of the time that the runtime takes for the text. */
function commonDate(text: string): Date | undefined {
  const year = digitsAt(text, 0) * 100 + digitsAt(text, 2);
  const hour = digitsAt(text, 11);
  const [minute, second] = [digitsAt(text, 14), digitsAt(text, 17)];
  // Date.UTC adds 1900 to years below 100. The runtime knows the rules for 24:00:00.
  if (year < 100 || hour > 23) return validDate(text);
  if (minute > 59 || second > 59) return undefined;
  const milliseconds = text.length > 20 ? Number(text.slice(20, -1).padEnd(3, "0")) : 0;
  const [month, day] = [digitsAt(text, 5), digitsAt(text, 8)];
  return validDate(Date.UTC(year, month - 1, day, hour, minute, second, milliseconds));
}

/** Returns the number that two digits are. */
function digitsAt(text: string, index: number): number {
  return (text.charCodeAt(index) - 48) * 10 + text.charCodeAt(index + 1) - 48;
}

function parseLenientDate(text: string): Date | undefined {
  const match = lenientForm.exec(trim(text));
  if (match === null) return undefined;
  const [, day, time = "00:00", seconds = ":00", utc, hours, minutes = "00"] = match;
  const zone = utc !== undefined || hours === undefined ? "Z" : `${hours}:${minutes}`;
  return parseDate(`${day}T${time}${seconds}${zone}`);
}

function parseDay(text: string): Date | undefined {
  const trimmed = trim(text);
  const isDay = dayForm.test(trimmed) && parseDate(trimmed) !== undefined;
  return isDay ? parseDate(trimmed.slice(0, 10)) : undefined;
}

/** Reports if a day exists. Runtimes would read February 30 as a day in March. */
function hasDay(text: string): boolean {
  const day = digitsAt(text, 8);
  const month = digitsAt(text, 5);
  if (day === 0 || month === 0 || month > 12) return false;
  return day <= 28 || day <= daysIn(digitsAt(text, 0) * 100 + digitsAt(text, 2), month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
