import { checkedLimit } from "../checks.ts";
import { responseLike } from "../http/response.ts";
import type { Middleware, MiddlewareRequest } from "../request/middleware.ts";
import { type ReadBody, readUpTo } from "./read_up_to.ts";
import { untilAborted } from "./waiting_queue.ts";

/**
 * The options of {@linkcode dedupe}.
 *
 * @category Middleware
 */
export interface DedupeOptions {
  /**
   * The longest body that is shared, in bytes. If it is longer, each other call sends its own request.
   * Infinity for no limit.
   *
   * @default {1048576}
   */
  readonly maxBodyBytes?: number | undefined;
}

/**
 * Creates middleware that sends identical GET and HEAD requests only once at a time. Calls that make
 * the same request, until its headers arrive, share it. Each gets its own copy of the response.
 *
 * Requests are identical if they have the same URL, the same headers and the same `identity`: the
 * session and its credentials. A body that others wait for is read first; without others it is
 * passed on as it arrives. A stream of events is not shared.
 *
 * If a call is aborted, the others still get their response: if it was the call that sent the
 * request, the next one sends it again. If the request fails, all calls that share it fail; each
 * retries by its own options. While a call waits for the request of another one, its own `timeout`
 * does not count; its `deadline` does.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { dedupe } from "@restwright/restwright/middleware";
 * import { mockTransport } from "@restwright/restwright/testing";
 *
 * const fetch = mockTransport({ "GET /books/:id": { title: "Indigo" } });
 * const session = new APISession({ url: "https://api.example.com", fetch, middleware: [dedupe()] });
 * const books = await Promise.all([
 *   session.get("books/7", { convJson: true }),
 *   session.get("books/7", { convJson: true }),
 * ]);
 * console.log(books.length, fetch.calls.length); // 2 1
 * ```
 *
 * @throws {UnexpectedValueError} If an option is not valid
 *
 * @category Middleware
 */
export function dedupe(options: DedupeOptions = {}): Middleware {
  const limit = checkedLimit("maxBodyBytes", options.maxBodyBytes ?? 2 ** 20);
  const flights = new WeakMap<object, Map<string, Flight>>();
  return async (request, next) => {
    const { identity, signal } = request;
    const key = keyOf(request);
    if (identity === undefined || key === undefined) return await next(request);
    let flying = flights.get(identity);
    if (flying === undefined) flights.set(identity, flying = new Map());
    for (let flight = flying.get(key); flight !== undefined; flight = flying.get(key)) {
      const outcome = await flight.join(signal);
      if (outcome === "aborted") continue;
      return outcome === "not shared" ? await next(request) : outcome;
    }
    const flight = new Flight();
    flying.set(key, flight);
    try {
      const response = await untilAborted(next(request), signal);
      // The calls that join later send their own request.
      flying.delete(key);
      return await flight.land(response, signal, limit);
    } catch (error) {
      if (flying.get(key) === flight) flying.delete(key);
      flight.settle(signal?.aborted ? "aborted" : { error });
      throw error;
    }
  };
}

/** The result of a request that calls share. */
type Outcome =
  | { readonly response: Response; readonly body: ReadBody }
  | { readonly error: unknown }
  | "aborted"
  | "not shared";

/** A request that calls share until its headers arrive. */
class Flight {
  readonly #outcome = Promise.withResolvers<Outcome>();
  /** The number of calls that wait for the request of another one. */
  #followers = 0;

  /** Ends the wait of the calls that joined. */
  settle(outcome: Outcome): void {
    this.#outcome.resolve(outcome);
  }

  /**
   * Waits for the result.
   *
   * @param signal Aborts the call that joins
   * @returns A copy of the response, or the reason why there is none
   * @throws The error of the request, or the reason of the signal
   */
  async join(signal: AbortSignal | undefined): Promise<Response | "aborted" | "not shared"> {
    this.#followers++;
    try {
      const outcome = await untilAborted(this.#outcome.promise, signal);
      if (typeof outcome === "string") return outcome;
      if ("error" in outcome) throw outcome.error;
      return copyOf(outcome.response, outcome.body);
    } finally {
      this.#followers--;
    }
  }

  /**
   * Shares a response.
   *
   * @param response The response
   * @param signal Aborts the call that sent the request
   * @param limit The longest body that is shared, in bytes
   * @returns The response for the call that sent the request
   */
  async land(
    response: Response,
    signal: AbortSignal | undefined,
    limit: number,
  ): Promise<Response> {
    const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
    if (isStream || this.#followers === 0) {
      this.settle("not shared");
      return response;
    }
    const body = await readUpTo(response, limit, signal);
    if (body instanceof Response) {
      this.settle("not shared");
      return body;
    }
    this.settle({ response, body });
    return copyOf(response, body);
  }
}

/** Returns a copy of a response whose body has been read. */
function copyOf(response: Response, body: ReadBody): Response {
  return responseLike(response, body && body.slice());
}

/** Returns the key of a request; undefined if it is not shared. */
function keyOf({ method, url, headers, body }: MiddlewareRequest): string | undefined {
  if (method !== "GET" && method !== "HEAD" || body !== undefined) return undefined;
  const sorted = Object.entries(headers).sort(([one], [other]) => one < other ? -1 : 1);
  return JSON.stringify([method, url, sorted]);
}
