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
  const asked = header === null ? undefined : readRetryAfter(header, now);
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
  if (/^(?:\d+\.?\d*|\.\d+)$/.test(text)) {
    const seconds = Number(text);
    return seconds < Infinity ? seconds : undefined;
  }
  const time = readHttpDate(text, now);
  return time === undefined ? undefined : Math.max(0, (time - now) / 1000);
}

/** The names of the months, of three letters each. */
const months = "JanFebMarAprMayJunJulAugSepOctNovDec";

/**
 * The forms of an HTTP-date (RFC 9110 §5.6.7): the one that is sent, with the obsolete one that has
 * hyphens, and that of asctime.
 */
const dateForms = [
  /^[A-Z][a-z]+, (?<day>\d\d)[ -](?<month>[A-Z][a-z]{2})[ -](?<year>\d{2}|\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** Reads an HTTP-date as milliseconds since 1970; `Date.parse` would take far more than that. */
function readHttpDate(text: string, now: number): number | undefined {
  const groups = dateForms.map((form) => form.exec(text)?.groups).find(Boolean);
  if (groups === undefined) return undefined;
  const month = months.indexOf(groups["month"]!) / 3;
  if (month < 0) return undefined;
  const [hours, minutes, seconds] = groups["time"]!.split(":").map(Number);
  const year = fullYear(Number(groups["year"]), now);
  return Date.UTC(year, month, Number(groups["day"]), hours, minutes, seconds);
}

/** A year of two digits lies at most 50 years ahead (RFC 9110 §5.6.7). */
function fullYear(year: number, now: number): number {
  if (year > 99) return year;
  const current = new Date(now).getUTCFullYear();
  const near = current - current % 100 + year;
  return near > current + 50 ? near - 100 : near;
}
