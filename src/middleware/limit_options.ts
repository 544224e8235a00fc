/** The options that the limits share, and the state of each key of a limit. */
import { check } from "../base/checks.ts";
import type { MiddlewareRequest } from "../options/middleware.ts";
import type { SentRequest } from "../call/sent_request.ts";

/**
 * A function that returns the key of a request. Requests with the same key share a limit.
 *
 * The parameter is the request of the attempt, but with the method, the URL and the headers of the HTTP
 * request that is sent: after redirects, and with the headers of the session, cookies and
 * authentication.
 *
 * @category Middleware
 */
export type LimitKey = (request: MiddlewareRequest) => string;

/** Checks that a value is a whole number of at least 1. */
export const checkedPositive: <T>(option: string, value: unknown) => T = check(
  "a whole number of at least 1",
  (value) => Number.isInteger(value) && (value as number) >= 1,
);

/** Checks that a value is the longest wait in seconds. Null means no limit. */
export const checkedMaxWait: <T>(option: string, value: unknown) => T = check(
  "a number of seconds of at least 0, or null for no limit",
  (value) => value === null || Number.isFinite(value) && (value as number) >= 0,
);

const checkedKeyFunction: <T>(option: string, value: unknown) => T = check(
  "a function that returns a string",
  (value) => value === undefined || typeof value === "function",
);

const checkedKey: <T>(option: string, value: unknown) => T = check(
  "a string",
  (value) => typeof value === "string",
);

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
  key: LimitKey | undefined,
  create: () => T,
): (sent: SentRequest, request: MiddlewareRequest) => T {
  const keyOf = checkedKeyFunction<LimitKey | undefined>("key", key);
  const states = new Map<string, T>();
  return ({ url, init: { method, headers } }, request) => {
    const name = keyOf === undefined
      ? new URL(url).origin
      : checkedKey<string>("the result of key", keyOf({ ...request, method, url, headers }));
    const state = states.get(name) ?? create();
    states.delete(name);
    for (const [other, { isIdle }] of states) {
      if (!isIdle) break;
      states.delete(other);
    }
    states.set(name, state);
    return state;
  };
}
