import { scalar, trim } from "./scalars.ts";
import type { ValueType } from "./value_type.ts";

/**
 * A moment, as a `Date`: an `xs:dateTime` such as `2026-11-20T10:00:00Z`, or an `xs:date` such as
 * `2026-11-20`, which is its first moment. Without a zone it is in UTC. Written as
 * `2026-11-20T10:00:00.000Z`.
 *
 * Other ways to write a date are a `scalar` of one's own.
 */
export const date: ValueType<Date> = scalar<Date>({
  expected: "a date such as 2026-11-20 or 2026-11-20T10:00:00Z",
  parse: moment,
  format: (value) =>
    value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined,
});

/** What most dates look like; read without taking it apart, which takes a third of the time. */
const plain = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

const form = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.(\d{1,12}))?)?(Z|[+-]\d\d:\d\d)?$/;

function moment(text: string): Date | undefined {
  if (plain.test(text)) return hasDay(text) ? dateOf(text) : undefined;
  const match = form.exec(trim(text));
  if (match === null) return undefined;
  const [, day = "", time = "00:00:00", fraction = "", zone = "Z"] = match;
  return hasDay(day)
    ? dateOf(`${day}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}${zone}`)
    : undefined;
}

function dateOf(text: string): Date | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Whether there is such a day: runtimes take the 30th of February for a day in March. */
function hasDay(text: string): boolean {
  const day = Number(text.slice(8, 10));
  return day <= 28 || day <= daysIn(Number(text.slice(0, 4)), Number(text.slice(5, 7)));
}

function daysIn(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
