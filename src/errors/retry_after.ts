/** A float that is not negative, as in `2.5`, `.5` or `1e-1`: no hex, no `inf` or `nan`. */
const float = /^\+?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Reads a Retry-After header (RFC 9110 §10.2.3): seconds as a float, as the contract has it, or an
 * HTTP-date. A date that has passed is 0 seconds.
 *
 * @param header The header's value; null if the response has none
 * @param now The time of day, in milliseconds since 1970
 * @returns Seconds; undefined if the value is neither a finite float nor a date
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  const seconds = float.test(text)
    ? Number(text)
    : Math.max(0, (readHttpDate(text, now) - now) / 1000);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** An HTTP-date (RFC 9110 §5.6.7) as it is sent, or in the obsolete form that has hyphens. */
const httpDate =
  /^[A-Z][a-z]+, ([ \d]\d)[ -]([A-Z][a-z]{2})[ -](\d{2}|\d{4}) (\d\d:\d\d):(\d\d) GMT$/;
/** The other obsolete form, that of asctime, and the same date as it is sent. */
const asctime = /^([A-Z][a-z]{2}) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})$/;
const asSent = "$1, $3 $2 $5 $4 GMT";

/**
 * Reads an HTTP-date as milliseconds since 1970, NaN where it is none; `Date.parse` by itself would
 * take far more than that.
 */
function readHttpDate(text: string, now: number): number {
  const parts = httpDate.exec(text.replace(asctime, asSent));
  if (parts === null) return NaN;
  const [, day, month, year, minute, second] = parts;
  const start = Date.parse(`${day} ${month} ${fullYear(Number(year), now)} ${minute}:00 GMT`);
  return start + Number(second) * 1000; // 60 is a leap second, which `Date.parse` would drop
}

/** A year of two digits is the last of its kind that lies at most 50 years ahead (RFC 9110 §5.6.7). */
function fullYear(year: number, now: number): number {
  const latest = new Date(now).getUTCFullYear() + 50;
  return year > 99 ? year : latest - (latest - year) % 100;
}
