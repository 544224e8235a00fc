/** The error of a request that a rate limit would delay for too long. */
import { brand, RestwrightError, showInJson } from "../errors/base_error.ts";

/**
 * The error for a request that a rate limit would delay for longer than `maxWait`. The request was
 * not sent, and the call is not retried.
 *
 * If a response with an error status, such as 429, reported the limit of a server, `cause` is the
 * `APIError` of that response, with its status, data and message.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { rateLimit, RateLimitWaitError } from "@restwright/restwright/middleware";
 *
 * const limit = rateLimit({ requests: 1, interval: 3600, maxWait: 10 });
 * const adapter = () => Promise.resolve(new Response("ok"));
 * const session = new APISession({ url: "https://api.example.com", adapter, middleware: [limit] });
 * await session.get("status");
 * try {
 *   await session.get("status");
 * } catch (error) {
 *   if (!(error instanceof RateLimitWaitError)) throw error;
 *   console.log(error.wait > 3590, error.maxWait); // true 10
 * }
 * ```
 *
 * @category Errors
 */
export class RateLimitWaitError extends RestwrightError {
  static {
    brand("RateLimitWaitError", this);
    showInJson(this, "wait", "maxWait");
  }

  /** Seconds until the limit allows the request. */
  readonly wait: number;
  /** The longest wait that was allowed, in seconds. */
  readonly maxWait: number;

  /**
   * Builds the error.
   *
   * @param wait Seconds until the limit allows the request
   * @param maxWait The longest wait that was allowed, in seconds
   * @param options The error of the response that reported the limit, as the cause. Default: none
   */
  constructor(wait: number, maxWait: number, options?: { readonly cause?: unknown }) {
    super(
      `the rate limit allows this request in ${Math.ceil(wait)} s, which is longer than maxWait ` +
        `(${maxWait} s); raise maxWait, or try again later`,
      options,
    );
    this.wait = wait;
    this.maxWait = maxWait;
  }
}
