/** Middleware that limits the number of HTTP requests at a time. */
import { checkedLimit, checkedOptions } from "../base/checks.ts";
import type { Middleware } from "../options/middleware.ts";
import { aroundRequests } from "./around_requests.ts";
import { type LimitOptions, statesByKey } from "./limit_options.ts";
import { untilAborted, WaitingQueue } from "./waiting_queue.ts";
import { watchBody } from "./watch_body.ts";

/**
 * Creates middleware that limits the number of HTTP requests at a time. Others wait in order. A call
 * that is aborted leaves the queue. A call that waits for a login or a token, or before a retry, has no
 * place.
 *
 * A request counts until the body of its response has been read, cancelled or aborted; with status
 * 401, until its headers have arrived. So read or cancel each raw response; a conversion always does.
 *
 * @example At most two downloads at a time
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { concurrencyLimit } from "@restwright/restwright/middleware";
 *
 * let running = 0;
 * const adapter = async () => {
 *   console.log(++running <= 2); // true, then true, then true
 *   await Promise.resolve();
 *   running--;
 *   return Response.json({});
 * };
 * const middleware = [concurrencyLimit(2)];
 * const session = new APISession({ url: "https://api.example.com", adapter, middleware });
 * await Promise.all([1, 2, 3].map((id) => session.get(`books/${id}`, { convJson: true })));
 * ```
 *
 * @param options The most requests at a time for each origin. Or an object: `maxConcurrent` is the most
 * requests at a time for each key, null for no limit, and `key` the function for the key
 * @throws {UnexpectedValueError} If an option is not valid
 *
 * @category Middleware
 */
export function concurrencyLimit(
  options: number | {
    /** The most requests at a time, for each key; null for no limit. */
    readonly maxConcurrent: number | null;
    /** Returns the key of a request. Default: the origin of its URL */
    readonly key?: LimitOptions["key"];
  },
): Middleware {
  const settings = typeof options === "object" ? options : { maxConcurrent: options };
  const { maxConcurrent, key } = checkedOptions(settings, ["key", "maxConcurrent"]);
  const max = checkedLimit("maxConcurrent", maxConcurrent) ?? Infinity;
  const places = statesByKey(key, () => new Places(max));
  return aroundRequests((request) => {
    let last: Hold | undefined;
    return async (sent, send) => {
      const { signal } = sent;
      const place = places(sent, request);
      // An attempt never waits for itself: a scheme may send again before it has read a response.
      const isHandedOver = last?.place === place && last.isTaken;
      if (isHandedOver) last!.isTaken = false;
      else await place.take(signal);
      const hold: Hold = last = { place, isTaken: true };
      const free = () => {
        if (hold.isTaken) place.free();
        hold.isTaken = false;
      };
      try {
        const response = await untilAborted(send(), signal);
        if (response.status !== 401) return await watchBody(response, { onEnd: free });
        // A scheme may log in before it reads the body, and the login needs a place.
        free();
        return response;
      } catch (error) {
        free();
        throw error;
      }
    };
  });
}

/** The place that a request has taken. */
interface Hold {
  readonly place: Places;
  isTaken: boolean;
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
