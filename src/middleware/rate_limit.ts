/** Middleware that limits the rate of requests with a token bucket. */
import {
  check,
  checkedClock,
  checkedOptions,
  checkedWaitLimit,
  hasMethods,
} from "../base/checks.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import type { Middleware } from "../options/middleware.ts";
import { aroundRequests } from "./around_requests.ts";
import { type LimitOptions, millisecondsWarning, statesByKey } from "./limit_options.ts";
import { writeRecord } from "../call/log_record.ts";
import type { SentRequest } from "../call/sent_request.ts";
import { type RateLimiter, RateLimiterError } from "./rate_limiter.ts";
import { SharedLimit } from "./shared_limit.ts";
import { RateLimitWaitError } from "./rate_limit_wait_error.ts";
import { WaitingQueue } from "./waiting_queue.ts";

/**
 * The options of {@linkcode rateLimit} for this process.
 *
 * @category Middleware
 */
export interface RateLimitOptions extends LimitOptions {
  /** The number of requests in each interval. */
  readonly requests: number;
  /** The interval in seconds. */
  readonly interval: number;
  /**
   * The most requests in a row without a wait, after a pause. 1 spaces all requests evenly.
   * Default: `requests`
   */
  readonly burst?: number | undefined;
}

/**
 * The options of {@linkcode rateLimit} for a limiter that several processes share.
 *
 * @category Middleware
 */
export interface SharedRateLimitOptions extends LimitOptions {
  /** The limiter, such as `RateLimiterRedis` of `rate-limiter-flexible`. It has the limit itself. */
  readonly limiter: RateLimiter;
  /**
   * Sends a request without a limit if the limiter cannot ask its store, or fails with a
   * {@linkcode RateLimiterError}. Both write one warning, until the limiter works again.
   *
   * @default {"continue"}
   */
  readonly ifUnavailable?: "continue" | "fail" | undefined;
}

/** Checks that a value is a whole number of at least 1. */
const checkedPositive: <T>(option: string, value: unknown) => T = check(
  "a whole number of at least 1",
  (value) => Number.isInteger(value) && (value as number) >= 1,
);

const checkedInterval: <T>(option: string, value: unknown) => T = check(
  "a number of seconds above 0",
  (value) => Number.isFinite(value) && (value as number) > 0,
);

/**
 * Creates middleware that limits the rate of requests with a token bucket. Each HTTP request
 * takes a token; without one, it waits in order. Retries, redirects and logins are requests, too.
 *
 * The bucket holds `burst` tokens, and fills with `requests` tokens in each interval. So within one
 * interval, at most `burst + requests` requests are sent.
 *
 * @example Ten requests per second
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { rateLimit } from "@restwright/restwright/middleware";
 * import { fakeClock, mockTransport } from "@restwright/restwright/testing";
 *
 * const clock = fakeClock({ autoAdvance: true });
 * const middleware = [rateLimit({ requests: 10, interval: 1, clock })];
 * const fetch = mockTransport({ "GET /status": 204 });
 * const session = new APISession({ url: "https://api.example.com", fetch, middleware });
 *
 * const start = clock.now();
 * await Promise.all(Array.from({ length: 15 }, () => session.get("status")));
 * console.log(clock.now() - start); // 500
 * ```
 *
 * With the option `limiter`, an object from outside counts the requests, such as one that shares its
 * counts with other processes. A request without a point waits until the limiter has some.
 *
 * @example One limit for all processes
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { rateLimit } from "@restwright/restwright/middleware";
 * import { mockTransport } from "@restwright/restwright/testing";
 *
 * // In a program: new RateLimiterRedis({ storeClient, points: 100, duration: 60 })
 * const limiter = { consume: (_key: string) => Promise.resolve() };
 *
 * const fetch = mockTransport({ "GET /status": 204 });
 * const middleware = [rateLimit({ limiter })];
 * const session = new APISession({ url: "https://api.example.com", fetch, middleware });
 * console.log((await session.get("status")).status); // 204
 * ```
 *
 * @throws {UnexpectedValueError} If an option is not valid
 *
 * @category Middleware
 */
export function rateLimit(options: RateLimitOptions | SharedRateLimitOptions): Middleware {
  return "limiter" in Object(options)
    ? sharedRateLimit(options as SharedRateLimitOptions)
    : ownRateLimit(options as RateLimitOptions);
}

function sharedRateLimit(options: SharedRateLimitOptions): Middleware {
  const { limiter, ifUnavailable = "continue", maxWait = null, key, clock } = checkedOptions(
    options,
    ["clock", "ifUnavailable", "key", "limiter", "maxWait"],
  );
  checkedLimiter("limiter", limiter);
  checkedReaction("ifUnavailable", ifUnavailable);
  const limit = checkedWaitLimit("maxWait", maxWait) ?? Infinity;
  const time = checkedClock("clock", clock) ?? systemClock;
  let logger: SentRequest["logger"] | undefined;
  const state = { isAway: false };
  const watched: RateLimiter = {
    async consume(name) {
      const result = await limiter.consume(name);
      state.isAway = false;
      return result;
    },
  };
  const onError = (error: unknown) => {
    if (!state.isAway && logger !== undefined) {
      const name = error instanceof Error ? error.name : typeof error;
      const what = ifUnavailable === "fail" ? "requests fail" : "requests are sent without a limit";
      writeRecord(logger, "warn", () => `the limiter of rateLimit fails (${name}): ${what}`);
    }
    state.isAway = true;
    return ifUnavailable === "fail" ? new RateLimiterError(error) : undefined;
  };
  const limits = statesByKey(
    key,
    (name) => new SharedLimit(name, { limiter: watched, maxWait: limit, clock: time, onError }),
  );
  const warn = millisecondsWarning({ maxWait });
  return aroundRequests((request) => async (sent, send) => {
    warn(sent);
    logger = sent.logger;
    await limits(sent, request).take(sent.signal);
    return await send();
  });
}

function ownRateLimit(options: RateLimitOptions): Middleware {
  const { requests, interval, burst = requests, maxWait = null, key, clock } = checkedOptions(
    options,
    ["burst", "clock", "interval", "key", "maxWait", "requests"],
  );
  const rate = checkedPositive<number>("requests", requests) /
    checkedInterval<number>("interval", interval);
  const most = checkedPositive<number>("burst", burst);
  const limit = checkedWaitLimit("maxWait", maxWait) ?? Infinity;
  const time = checkedClock("clock", clock) ?? systemClock;
  const buckets = statesByKey(key, () => new TokenBucket(rate, most, limit, time));
  const warn = millisecondsWarning({ interval, maxWait });
  return aroundRequests((request) => async (sent, send) => {
    warn(sent);
    await buckets(sent, request).take(sent.signal);
    return await send();
  });
}

const checkedLimiter: <T>(option: string, value: unknown) => T = check(
  "an object with the method consume, such as a RateLimiterRedis",
  (value) => hasMethods(value, ["consume"]),
);

const checkedReaction: <T>(option: string, value: unknown) => T = check(
  '"continue" or "fail"',
  (value) => value === "continue" || value === "fail",
);

/** Less than a token, but more than the error of the arithmetic. */
const TOLERANCE = 1e-6;

class TokenBucket {
  readonly #queue = new WaitingQueue();
  /** Tokens per second. */
  readonly #rate: number;
  readonly #burst: number;
  readonly #maxWait: number;
  readonly #clock: Clock;
  #tokens: number;
  /** The time when the tokens were counted, in milliseconds since 1970. */
  #countedAt: number;
  #cancelTimer: (() => void) | undefined;

  constructor(rate: number, burst: number, maxWait: number, clock: Clock) {
    this.#rate = rate;
    this.#burst = this.#tokens = burst;
    this.#maxWait = maxWait;
    this.#clock = clock;
    this.#countedAt = clock.now();
  }

  get isIdle(): boolean {
    this.#fill();
    return this.#tokens === this.#burst && this.#queue.size === 0;
  }

  async take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.#fill();
    if (this.#queue.size === 0 && this.#tokens >= 1 - TOLERANCE) {
      this.#tokens--;
      return;
    }
    const wait = (this.#queue.size + 1 - this.#tokens) / this.#rate;
    if (wait > this.#maxWait) throw new RateLimitWaitError(wait, this.#maxWait);
    const turn = this.#queue.wait(signal);
    this.#startTimer();
    try {
      await turn;
    } catch (error) {
      // A timer that nobody waits for would keep the program alive.
      if (this.#queue.size === 0) this.#stopTimer();
      throw error;
    }
  }

  #fill(): void {
    const now = this.#clock.now();
    // The time of day can be set back.
    const seconds = Math.max(0, now - this.#countedAt) / 1000;
    this.#countedAt = now;
    this.#tokens = Math.min(this.#burst, this.#tokens + seconds * this.#rate);
  }

  /** Starts the timer for the next token, if a request waits for it. */
  #startTimer(): void {
    if (this.#cancelTimer !== undefined || this.#queue.size === 0) return;
    this.#cancelTimer = this.#clock.after(Math.max(0, 1 - this.#tokens) / this.#rate, () => {
      this.#cancelTimer = undefined;
      this.#fill();
      while (this.#queue.size > 0 && this.#tokens >= 1 - TOLERANCE) {
        this.#tokens--;
        this.#queue.releaseFirst();
      }
      this.#startTimer();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
