/** What the wait before a retry is made of. */
export interface RetryWaitOptions {
  /** Seconds, multiplied by the number of the retry. */
  readonly backoff: number;
  /** The longest wait that a Retry-After header can ask for, in seconds. */
  readonly maxRetryAfter?: number | null | undefined;
}

/** Seconds to wait after a transport-level exception (contract, Limits): fixed. */
export const TRANSPORT_ERROR_WAIT = 1;

/**
 * Seconds to wait before a retry caused by an error status (rule 7).
 *
 * @param header The value of Retry-After, or null
 * @param retry The number of the retry, from 1
 * @param now The time of day, in milliseconds since 1970
 */
export function retryWait(
  header: string | null,
  retry: number,
  now: number,
  { backoff, maxRetryAfter }: RetryWaitOptions,
): number {
  const asked = readRetryAfter(header ?? "", now);
  return asked === undefined ? retry * backoff : Math.min(asked, maxRetryAfter ?? Infinity);
}

/**
 * Reads a Retry-After header (RFC 9110 §10.2.3): seconds, with a fraction as the contract has it,
 * or a date, which lies zero seconds ahead when it has passed.
 *
 * @returns Seconds; undefined where the value is neither
 */
export function readRetryAfter(header: string, now: number): number | undefined {
  const text = header.trim();
  const seconds = /^[\d.]+$/.test(text)
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
