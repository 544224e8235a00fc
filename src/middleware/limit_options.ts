/** The options that the limits share, and the state of each key of a limit. */
import { check } from "../base/checks.ts";
import type { Clock } from "../base/clock.ts";
import type { MiddlewareRequest } from "../options/middleware.ts";
import { writeRecord } from "../call/log_record.ts";
import type { SentRequest } from "../call/sent_request.ts";
import { likelyMilliseconds } from "../options/likely_mistakes.ts";

/**
 * The options of {@linkcode serverRateLimit}, which {@linkcode rateLimit} has, too.
 *
 * @category Middleware
 */
export interface LimitOptions {
  /**
   * The longest wait in seconds; null for no limit. A request that would wait longer fails at once with
   * a {@linkcode RateLimitWaitError}. Default: 60 for `serverRateLimit`, null for `rateLimit`
   */
  readonly maxWait?: number | null | undefined;
  /**
   * Returns the key of a request. Requests with the same key share a limit. Default: the origin of the
   * URL
   *
   * The parameter is the request of the attempt, but with the method, the URL and the headers of the
   * HTTP request that is sent: after redirects, and with the headers of the session, cookies and
   * authentication.
   */
  readonly key?: ((request: MiddlewareRequest) => string) | undefined;
  /** Measures the time. Default: the runtime's own clock */
  readonly clock?: Clock | undefined;
}

const checkedKeyFunction: <T>(option: string, value: unknown) => T = check(
  "a function that returns a string",
  (value) => value === undefined || typeof value === "function",
);

const checkedKey: <T>(option: string, value: unknown) => T = check(
  "a string",
  (value) => typeof value === "string",
);

/**
 * Returns a function that writes a warning with the first request if a time was probably meant in
 * milliseconds: middleware has no logger before.
 *
 * @param times The values of options, by their names
 */
export function millisecondsWarning(
  times: Readonly<Record<string, unknown>>,
): (sent: SentRequest) => void {
  let texts: readonly string[] = likelyMilliseconds(times, Object.keys(times));
  return ({ logger }) => {
    for (const text of texts) writeRecord(logger, "warn", () => text);
    texts = [];
  };
}

/**
 * Returns the request of an attempt for a function of the program, with the method, the URL and the
 * headers of an HTTP request.
 */
export function requestToKey(
  { url, init: { method, headers } }: SentRequest,
  request: MiddlewareRequest,
): MiddlewareRequest {
  return { ...request, method, url, headers };
}

/** The state of one key. */
export interface KeyState {
  /** True if the state can be dropped. */
  readonly isIdle: boolean;
}

/**
 * Returns a function that finds the state for a request by its key. States that are idle are dropped,
 * the one that was used least recently first.
 *
 * @param key The function for the key. Default: the origin of the URL
 * @param create Creates the state of a new key
 * @throws {UnexpectedValueError} If the key is not a function, and later if it does not return a string
 */
export function statesByKey<T extends KeyState>(
  key: LimitOptions["key"],
  create: (key: string) => T,
): (sent: SentRequest, request: MiddlewareRequest) => T {
  const keyOf = checkedKeyFunction<LimitOptions["key"]>("key", key);
  const states = new Map<string, T>();
  return (sent, request) => {
    const name = keyOf === undefined
      ? new URL(sent.url).origin
      : checkedKey<string>("the result of key", keyOf(requestToKey(sent, request)));
    const state = states.get(name) ?? create(name);
    states.delete(name);
    for (const [other, { isIdle }] of states) {
      if (!isIdle) break;
      states.delete(other);
    }
    states.set(name, state);
    return state;
  };
}
