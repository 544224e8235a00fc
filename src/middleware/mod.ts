/**
 * Ready-made middleware: a cache that revalidates by ETag, limits of concurrency and rate, the rate
 * limits that a server reports, and de-duplication of requests.
 *
 * Each function returns middleware for the option `middleware`. Its state belongs to what it returns.
 *
 * @example
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { concurrencyLimit, dedupe, etagCache } from "@restwright/restwright/middleware";
 *
 * class Library extends APIClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *   static override readonly middleware = [dedupe(), etagCache(), concurrencyLimit(4)];
 *
 *   book(id: number): Promise<{ title: string }> {
 *     return this._get(`/books/${id}`, { convJson: true });
 *   }
 * }
 *
 * const fetch = () => Promise.resolve(Response.json({ title: "Indigo" }));
 * console.log((await new Library({ fetch }).book(7)).title); // Indigo
 * ```
 *
 * @module
 */

export { ContextKey, RequestContext } from "../options/middleware.ts";
export type { CallMiddleware, MiddlewareCall } from "../options/request_options.ts";
export type {
  Middleware,
  MiddlewareRequest,
  NetworkMiddleware,
  NetworkRequest,
} from "../options/middleware.ts";
export type { CachedResponse, CacheStore } from "./cached_response.ts";
export { concurrencyLimit } from "./concurrency_limit.ts";
export { dedupe, type DedupeOptions } from "./dedupe.ts";
export { etagCache, type EtagCacheOptions } from "./etag_cache.ts";
export type { LimitOptions } from "./limit_options.ts";
export { rateLimit, type RateLimitOptions, type SharedRateLimitOptions } from "./rate_limit.ts";
export { type RateLimiter, RateLimiterError } from "./rate_limiter.ts";
export { RateLimitWaitError } from "./rate_limit_wait_error.ts";
export { serverRateLimit } from "./server_rate_limit.ts";
