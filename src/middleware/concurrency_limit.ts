import type { Middleware } from "../request/middleware.ts";
import { checkedPositive, type LimitKey, statesByKey } from "./limit_options.ts";
import { untilAborted, WaitingQueue } from "./waiting_queue.ts";
import { watchBody } from "./watch_body.ts";

/**
 * The options of {@linkcode concurrencyLimit}.
 *
 * @category Middleware
 */
export interface ConcurrencyLimitOptions {
  /** The most requests at a time, for each key. */
  readonly max: number;
  /** Returns the key of a request. Default: the origin of its URL */
  readonly key?: LimitKey | undefined;
}

/**
 * Creates middleware that limits the number of requests at a time. Others wait in order. A call that
 * is aborted leaves the queue. A wait before a retry does not count.
 *
 * A request counts until the body of its response has been read, cancelled or aborted. So read or
 * cancel each raw response; a conversion always does.
 *
 * @example At most two downloads at a time
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { concurrencyLimit } from "@restwright/restwright/middleware";
 *
 * let running = 0;
 * const adapter = async () => {
 *   console.log(++running <= 2); // true, three times
 *   await Promise.resolve();
 *   running--;
 *   return Response.json({});
 * };
 * const middleware = [concurrencyLimit({ max: 2 })];
 * const session = new APISession({ url: "https://api.example.com", adapter, middleware });
 * await Promise.all([1, 2, 3].map((id) => session.get(`books/${id}`, { convJson: true })));
 * ```
 *
 * @throws {UnexpectedValueError} If an option is not valid
 *
 * @category Middleware
 */
export function concurrencyLimit(options: ConcurrencyLimitOptions): Middleware {
  const max = checkedPositive<number>("max", options.max);
  const places = statesByKey(options.key, () => new Places(max));
  return async (request, next) => {
    const place = places(request);
    await place.take(request.signal);
    let isTaken = true;
    const free = () => {
      if (isTaken) place.free();
      isTaken = false;
    };
    try {
      const response = await untilAborted(next(request), request.signal);
      return await watchBody(response, { onEnd: free });
    } catch (error) {
      free();
      throw error;
    }
  };
}

/** The places of one key. */
class Places {
  readonly #queue = new WaitingQueue();
  #left: number;
  readonly #max: number;

  constructor(max: number) {
    this.#max = this.#left = max;
  }

  get isIdle(): boolean {
    return this.#left === this.#max;
  }

  async take(signal: AbortSignal | undefined): Promise<void> {
    if (this.#left === 0) await this.#queue.wait(signal);
    // A request that has waited gets the place of the one that ended.
    else this.#left--;
  }

  free(): void {
    if (this.#queue.size > 0) this.#queue.releaseFirst();
    else this.#left++;
  }
}
