/** The interface of a limiter that several processes share, and the errors of one that fails. */
import { brand, RestwrightError } from "../errors/base_error.ts";

/**
 * A limiter that several processes may share, such as `RateLimiterRedis` of `rate-limiter-flexible`.
 *
 * @category Middleware
 */
export interface RateLimiter {
  /**
   * Takes one point of a key. It rejects with an object that has `msBeforeNext`, and is not an error, if
   * no point is left: the milliseconds until there are some. It rejects with an error if it could not
   * ask its store.
   *
   * @param key The key of the request
   */
  consume(key: string): Promise<unknown>;
}

/**
 * The error for a request that was not sent, because the limiter of {@linkcode rateLimit} could not ask
 * its store, and `ifUnavailable` is `"fail"`. The call is not retried. Its `cause` is the error of the
 * limiter.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { rateLimit, RateLimiterError } from "@restwright/restwright/middleware";
 *
 * const limiter = { consume: () => Promise.reject(new Error("Redis is away")) };
 * const adapter = () => Promise.resolve(new Response("ok"));
 * const middleware = [rateLimit({ limiter, ifUnavailable: "fail" })];
 * const session = new APISession({ url: "https://api.example.com", adapter, middleware });
 * const error = await session.get("status").catch((error: unknown) => error);
 * console.log(error instanceof RateLimiterError); // true
 * ```
 *
 * @category Errors
 */
export class RateLimiterError extends RestwrightError {
  static {
    brand("RateLimiterError", this);
  }

  /**
   * Builds the error.
   *
   * @param cause The error of the limiter
   */
  constructor(cause: unknown) {
    super('the limiter could not ask its store, and ifUnavailable is "fail"', { cause });
  }
}
