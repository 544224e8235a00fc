/** Middleware that sends identical requests only once at a time, and copies the response. */
import { checkedLimit, checkedOptions } from "../base/checks.ts";
import { mediaTypeOf } from "../base/media_type.ts";
import { responseLike } from "../http/response.ts";
import type { Middleware, MiddlewareRequest } from "../options/middleware.ts";
import type { SentRequest } from "../call/sent_request.ts";
import { aroundRequests } from "./around_requests.ts";
import { type ReadBody, readUpTo } from "./read_up_to.ts";
import { sharingBy } from "./sharing.ts";
import { untilAborted } from "./waiting_queue.ts";

/**
 * The options of {@linkcode dedupe}.
 *
 * @category Middleware
 */
export interface DedupeOptions {
  /**
   * The longest body that is shared, in bytes; null for no limit. If it is longer, each other call
   * sends its own request.
   *
   * @default {1048576}
   */
  readonly maxBodyBytes?: number | null | undefined;
  /**
   * Returns a text for the user of a request; undefined for a request that must not share a response.
   * The parameter is that of the option `key` of a limit. Requests share a response if they have the
   * same text, and everything that the toolkit itself sends is the same.
   *
   * Pass it if the user is added later: by a `request.network` of your own in an inner middleware,
   * without which nothing is shared then, or by the `fetch` of your program. Default: none
   *
   * @example `{ identity: () => currentUser.getStore()?.id }`
   */
  readonly identity?: ((request: MiddlewareRequest) => string | undefined) | undefined;
}

/**
 * Creates middleware that sends identical GET and HEAD requests only once at a time. Calls that make
 * the same request, until its headers arrive, share it. Each gets its own copy of the response.
 *
 * HTTP requests are identical if everything that is sent is the same, and the session too: they have
 * the same `identity`. So users with different credentials share nothing, and neither do requests that
 * a scheme signs one by one. If an inner middleware sets a `request.network` of your own, which may add
 * a user, nothing is shared without the option `identity`.
 *
 * A body that others wait for is read first; without others it is passed on as it arrives. A call with
 * a `StreamFormat` is never shared, nor is a response with the content type of a stream, such as
 * server-sent events, NDJSON or multipart.
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
  const { maxBodyBytes = 2 ** 20, identity } = checkedOptions(options, [
    "identity",
    "maxBodyBytes",
  ]);
  const limit = checkedLimit("maxBodyBytes", maxBodyBytes) ?? Infinity;
  const sharingOf = sharingBy(identity);
  const flying = new Map<string, Flight>();
  return aroundRequests((request) => async (sent, send) => {
    const sharing = sharingOf(sent, request);
    if (sharing === undefined) return await send();
    const { key } = sharing;
    const { signal } = sent;
    for (let flight = flying.get(key); flight !== undefined; flight = flying.get(key)) {
      const outcome = await flight.join(signal);
      if (outcome === "aborted") continue;
      return outcome === "not shared" ? await send() : outcome;
    }
    const flight = new Flight();
    flying.set(key, flight);
    try {
      const response = await untilAborted(send(), signal);
      // The calls that join later send their own request.
      flying.delete(key);
      return await flight.land(response, sent, limit);
    } catch (error) {
      if (flying.get(key) === flight) flying.delete(key);
      flight.settle(signal?.aborted ? "aborted" : { error });
      throw error;
    }
  });
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
   * @param sent Its request
   * @param limit The longest body that is shared, in bytes
   * @returns The response for the call that sent the request
   */
  async land(response: Response, sent: SentRequest, limit: number): Promise<Response> {
    if (this.#followers === 0 || isLive(response)) {
      this.settle("not shared");
      return response;
    }
    const body = await readUpTo(response, limit, sent);
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

/** Content types whose body may be sent over a long time, one record after another. */
const liveTypes = new RegExp(
  "^(?:text/event-stream|application/(?:x-)?(?:ndjson|jsonl(?:ines)?|json-?stream|json-seq)|" +
    "application/stream\\+json|multipart/)",
);

/** Reports if a body may be a live stream, which must not be read before the caller gets it. */
function isLive({ headers }: Response): boolean {
  return liveTypes.test(mediaTypeOf(headers.get("content-type")).essence);
}
