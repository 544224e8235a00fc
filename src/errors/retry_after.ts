/** Parses a Retry-After header: seconds, or an HTTP-date in any of its three formats. */

/** A non-negative float such as `2.5`, `.5` or `1e-1`, but no hex, `inf` or `nan`. */
const float = /^\+?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Parses a Retry-After header (RFC 9110 §10.2.3). The value is a number of seconds, which can be a
 * float by the contract, or an HTTP-date. A date in the past is 0 seconds.
 *
 * @param header The header's value; null if the response has none
 * @param now The current time, in milliseconds since 1970
 * @returns The seconds to wait; undefined if the value is neither a finite float nor a date
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  const seconds = float.test(text)
    ? Number(text)
    : Math.max(0, (readHttpDate(text, now) - now) / 1000);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** An HTTP-date (RFC 9110 §5.6.7) in the preferred format, or in the obsolete one with hyphens. */
const httpDate =
  /^[A-Z][a-z]+, ([ \d]\d)[ -]([A-Z][a-z]{2})[ -](\d{2}|\d{4}) (\d\d:\d\d):(\d\d) GMT$/;
/** The other obsolete format, asctime; `asSent` rewrites it to the preferred format. */
const asctime = /^([A-Z][a-z]{2}) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})$/;
const asSent = "$1, $3 $2 $5 $4 GMT";

/**
 * Parses an HTTP-date to milliseconds since 1970. Returns NaN if the text is not an HTTP-date.
 * `Date.parse` alone would accept many other formats.
 */
function readHttpDate(text: string, now: number): number {
  const parts = httpDate.exec(text.replace(asctime, asSent));
  if (parts === null) return NaN;
  const [, day, month, year, minute, second] = parts;
  const start = Date.parse(`${day} ${month} ${fullYear(Number(year), now)} ${minute}:00 GMT`);
  return start + Number(second) * 1000; // 60 is a leap second; `Date.parse` would ignore it
}

/**
 * Expands a two-digit year to the latest year with these digits that is at most 50 years in the
 * future (RFC 9110 §5.6.7).
 */
function fullYear(year: number, now: number): number {
  const latest = new Date(now).getUTCFullYear() + 50;
  return year > 99 ? year : latest - (latest - year) % 100;
}
