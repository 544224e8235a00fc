/** Reads the headers that ask for a wait: Retry-After, and those of rate limits. */

/** The headers with milliseconds to wait, which Azure and OpenAI send. */
const milliseconds = ["retry-after-ms", "x-ms-retry-after-ms"];

/**
 * Reads the wait that a server asks for in the headers that state nothing else. `askedWait` of
 * `src/call/retry/wait.ts` also waits for the reset of a rate limit.
 *
 * @param headers The headers of the response
 * @param now The current time, in milliseconds since 1970
 * @returns The seconds of `Retry-After`, or else of `retry-after-ms` or `x-ms-retry-after-ms`; undefined
 * if there are none
 */
export function readWait(headers: Headers, now: number): number | undefined {
  return readRetryAfter(headers.get("retry-after"), now) ?? readMilliseconds(headers);
}

/** Returns the seconds of the first header with milliseconds; undefined if none has a finite float. */
function readMilliseconds(headers: Headers): number | undefined {
  for (const name of milliseconds) {
    const text = headers.get(name)?.trim();
    const seconds = text !== undefined && float.test(text) ? Number(text) / 1000 : NaN;
    if (Number.isFinite(seconds)) return seconds;
  }
  return undefined;
}

/** A rate limit in the headers of a response. */
export interface RateLimit {
  /** The number of requests that remain. */
  readonly remaining: number;
  /** Seconds until more requests are allowed. */
  readonly reset: number;
  /** The number of requests that are allowed after that; undefined if it is unknown. */
  readonly quota: number | undefined;
}

/**
 * Reads `X-RateLimit-Remaining`, `X-RateLimit-Reset` and `X-RateLimit-Limit`, also without `X-`.
 * Malformed headers count as missing. On a 429, no requests remain unless the response reports some.
 *
 * @param response The response
 * @param now The current time, in milliseconds since 1970
 * @returns The limit; undefined if the response has none
 */
export function readRateLimit(
  { status, headers }: Pick<Response, "status" | "headers">,
  now: number,
): RateLimit | undefined {
  for (const prefix of ["x-ratelimit-", "ratelimit-"]) {
    const reset = readReset(headers.get(`${prefix}reset`), now);
    const remaining = count(headers.get(`${prefix}remaining`)) ?? (status === 429 ? 0 : undefined);
    if (remaining === undefined || reset === undefined) continue;
    return { remaining, reset, quota: count(headers.get(`${prefix}limit`)) };
  }
  return undefined;
}

/** Returns a whole number of at least 0; undefined for other text. */
function count(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The least number of seconds that is a time and not a delay: 2001 as a time, 31 years as a delay. */
const EPOCH_SECONDS = 1e9;
/** The same for times in milliseconds. */
const EPOCH_MILLISECONDS = 1e12;

/**
 * Returns the seconds of `X-RateLimit-Reset`: a delay in seconds, or a time in seconds or milliseconds
 * since 1970. Undefined for other text.
 */
function readReset(text: string | null, now: number): number | undefined {
  if (text === null || !/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) return undefined;
  const value = Number(text);
  if (value < EPOCH_SECONDS) return value;
  const time = value < EPOCH_MILLISECONDS ? value * 1000 : value;
  return Math.max(0, (time - now) / 1000);
}

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
  if (header === null) return undefined;
  const text = header.trim();
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
