import { scalar } from "./scalars.ts";
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

const form =
  /^\s*(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,12}))?)?(Z|[+-]\d\d:\d\d)?\s*$/;

function moment(text: string): Date | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] =
    match;
  // The runtime's own parser takes the 30th of February for a day in March.
  if (Number(day) < 1 || Number(day) > daysIn(Number(year), Number(month))) return undefined;
  const milliseconds = fraction.slice(0, 3).padEnd(3, "0");
  const time = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${zone}`,
  );
  return Number.isNaN(time) ? undefined : new Date(time);
}

function daysIn(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
