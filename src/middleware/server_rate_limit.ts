/** Middleware that obeys the rate limits which a server reports. */
import { checkedClock, checkedOptions, checkedWaitLimit } from "../base/checks.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { classifyStatus } from "../call/retry/statuses.ts";
import type { Middleware } from "../options/middleware.ts";
import { aroundRequests } from "./around_requests.ts";
import { type LimitCause, watchError } from "./limit_cause.ts";
import { type LimitOptions, millisecondsWarning, statesByKey } from "./limit_options.ts";
import { RateLimitWaitError } from "./rate_limit_wait_error.ts";
import { readLimits, RETRY_AFTER } from "./rate_limit_fields.ts";
import { untilAborted, WaitingQueue } from "./waiting_queue.ts";

/**
 * Creates middleware that obeys the limits which a server reports. While no requests remain, further
 * ones wait in order, before they are sent.
 *
 * It reads `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10),
 * `X-RateLimit-*`, and `Retry-After` of a status 429 or 503, which wins over the others. Malformed
 * fields are ignored. When a limit is reset, as many requests are sent as its policy allows. If that
 * is unknown, one is sent, and the others wait for its response.
 *
 * @example A server that allows two requests a minute
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { serverRateLimit } from "@restwright/restwright/middleware";
 * import { fakeClock, mockTransport } from "@restwright/restwright/testing";
 *
 * let remaining = 2;
 * const fetch = mockTransport({
 *   "GET /status": () => new Response(null, {
 *     headers: { "ratelimit": `"default";r=${--remaining};t=30` },
 *   }),
 * });
 * const clock = fakeClock({ autoAdvance: true });
 * const middleware = [serverRateLimit({ clock })];
 * const session = new APISession({ url: "https://api.example.com", fetch, middleware });
 *
 * await session.get("status");
 * await session.get("status");
 * console.log(clock.waits); // []
 * remaining = 2;
 * await session.get("status");
 * console.log(clock.waits); // [30]
 * ```
 *
 * @throws {UnexpectedValueError} If an option is not valid
 *
 * @category Middleware
 */
export function serverRateLimit(options: LimitOptions = {}): Middleware {
  const { key, maxWait = 60, clock } = checkedOptions(options, ["clock", "key", "maxWait"]);
  const limit = checkedWaitLimit("maxWait", maxWait) ?? Infinity;
  const time = checkedClock("clock", clock) ?? systemClock;
  const states = statesByKey(key, () => new ServerLimits(limit, time));
  const warn = millisecondsWarning({ maxWait });
  return aroundRequests((request) => async (sent, send) => {
    warn(sent);
    const limits = states(sent, request);
    const { call, signal } = sent;
    const number = await limits.enter(signal);
    let response: Response | undefined;
    let cause: LimitCause | undefined;
    try {
      response = await untilAborted(send(), signal);
      if (classifyStatus(response.status, call.settings) !== undefined) {
        cause = { error: undefined };
      }
    } finally {
      if (!limits.leave(number, response, cause)) cause = undefined;
    }
    if (cause === undefined) return response;
    const blame = cause;
    return await watchError(response, call, request.attempt - 1, (error) => {
      blame.error = error;
      limits.admit();
    });
  });
}

/** A limit, as far as it is known. */
interface Limit {
  /** The number of requests that remain. */
  remaining: number;
  /** The number of requests that remain after the reset. */
  readonly quota: number | undefined;
  /**
   * The time of the reset, in milliseconds since 1970. Undefined if it has passed, and no response
   * has arrived since.
   */
  resetAt: number | undefined;
  /** The error response that reported that no requests remain; undefined if it was a success. */
  readonly cause: LimitCause | undefined;
}

/** A wait for a limit. */
interface Wait {
  readonly seconds: number;
  readonly cause: LimitCause | undefined;
}

/** The limits of one key. */
class ServerLimits {
  readonly #queue = new WaitingQueue<number>();
  readonly #maxWait: number;
  readonly #clock: Clock;
  #limits = new Map<string, Limit>();
  /** The number of requests that were sent. The number of a request is its value after that. */
  #sent = 0;
  #inFlight = 0;
  /** The number of the request whose response reported the limits. */
  #reportedBy = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(maxWait: number, clock: Clock) {
    this.#maxWait = maxWait;
    this.#clock = clock;
  }

  get isIdle(): boolean {
    if (this.#inFlight > 0 || this.#queue.size > 0) return false;
    const now = this.#clock.now();
    return [...this.#limits.values()].every(({ resetAt = now }) => resetAt <= now);
  }

  /**
   * Waits until the limits allow a request.
   *
   * @returns The number of the request
   * @throws {RateLimitWaitError} If it would wait for longer than `maxWait`
   */
  async enter(signal: AbortSignal | undefined): Promise<number> {
    signal?.throwIfAborted();
    this.#renew();
    if (this.#queue.size === 0 && this.#isAllowed()) return this.#take();
    const wait = this.#wait;
    if (this.#isTooLong(wait)) throw await this.#createError(wait);
    const turn = this.#queue.wait(signal);
    if (this.#cancelTimer === undefined) this.#startTimer();
    try {
      return await turn;
    } catch (error) {
      // A timer that nobody waits for would keep the program alive.
      if (this.#queue.size === 0) this.#stopTimer();
      throw error;
    }
  }

  /**
   * Reads the limits that a response reports.
   *
   * @param sent The number of its request
   * @param response The response; undefined if the request failed
   * @param cause The response, if it is an error
   * @returns True if the response has reported that no requests remain
   */
  leave(sent: number, response: Response | undefined, cause: LimitCause | undefined): boolean {
    this.#inFlight--;
    this.#renew();
    const now = this.#clock.now();
    const reported = response === undefined ? [] : readLimits(response, now);
    const isRetryAfter = reported[0]?.name === RETRY_AFTER;
    // Responses can overtake each other. That to the newest request counts, but for Retry-After.
    const isNewest = sent > this.#reportedBy;
    const isReport = reported.length > 0 && (isNewest || isRetryAfter);
    if (isReport) {
      const last = this.#limits.get(RETRY_AFTER);
      this.#limits = new Map();
      if (last?.resetAt !== undefined) this.#limits.set(RETRY_AFTER, last);
      for (const { name, remaining, reset, quota } of reported) {
        const left = remaining - (this.#sent - sent);
        const resetAt = now + reset * 1000;
        const blame = remaining > 0 ? undefined : cause;
        this.#limits.set(name, { remaining: left, quota, resetAt, cause: blame });
      }
      this.#reportedBy = Math.max(sent, this.#reportedBy);
    } else if (response === undefined) {
      for (const limit of this.#limits.values()) {
        if (limit.resetAt === undefined) limit.remaining++;
      }
    } else if (isNewest) {
      // The server does not report these limits any more.
      for (const [name, { resetAt }] of this.#limits) {
        if (resetAt === undefined) this.#limits.delete(name);
      }
    }
    this.admit();
    return isReport && reported.some(({ remaining }) => remaining === 0);
  }

  /** Ends the limits whose reset has passed, or fills them again. */
  #renew(): void {
    const now = this.#clock.now();
    for (const [name, limit] of this.#limits) {
      if (limit.resetAt === undefined || limit.resetAt > now) continue;
      const { remaining, quota } = limit;
      if (quota === undefined && remaining > 0) this.#limits.delete(name);
      else {this.#limits.set(name, {
          remaining: quota || 1,
          quota,
          resetAt: undefined,
          cause: undefined,
        });}
    }
  }

  #isAllowed(): boolean {
    return [...this.#limits.values()].every(({ remaining }) => remaining > 0);
  }

  /** Counts a request, and returns its number. */
  #take(): number {
    for (const limit of this.#limits.values()) limit.remaining--;
    this.#inFlight++;
    return ++this.#sent;
  }

  /** The wait for the last reset of a limit that is used up; undefined if a response decides. */
  get #wait(): Wait | undefined {
    const blocking = [...this.#limits.values()]
      .filter(({ remaining, resetAt }) => remaining <= 0 && resetAt !== undefined);
    if (blocking.length === 0) return undefined;
    const { resetAt, cause } = blocking.reduce((one, other) =>
      other.resetAt! > one.resetAt! ? other : one
    );
    return { seconds: (resetAt! - this.#clock.now()) / 1000, cause };
  }

  /** Reports if requests are rejected. They wait until the error that is the cause has been read. */
  #isTooLong(wait: Wait | undefined): wait is Wait {
    return wait !== undefined && wait.seconds > this.#maxWait &&
      (wait.cause === undefined || wait.cause.error !== undefined);
  }

  async #createError({ seconds, cause }: Wait): Promise<RateLimitWaitError> {
    return new RateLimitWaitError(seconds, this.#maxWait, { cause: await cause?.error });
  }

  /** Ends the wait of the requests that the limits allow, or that would wait for too long. */
  admit(): void {
    this.#stopTimer();
    this.#renew();
    while (this.#queue.size > 0 && this.#isAllowed()) this.#queue.releaseFirst(this.#take());
    const wait = this.#wait;
    if (this.#isTooLong(wait)) this.#queue.rejectAll(() => this.#createError(wait));
    else this.#startTimer();
  }

  #startTimer(): void {
    const wait = this.#wait;
    if (wait === undefined || this.#queue.size === 0) return;
    this.#cancelTimer = this.#clock.after(wait.seconds, () => this.admit());
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
