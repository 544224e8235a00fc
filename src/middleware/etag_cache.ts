import { check, checkedLimit, hasMethods } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { joined } from "../http/incoming_response.ts";
import { discard, withProperties } from "../http/response.ts";
import type { Middleware, MiddlewareRequest } from "../request/middleware.ts";
import {
  type CachedResponse,
  type CacheStore,
  conditionsFor,
  isCacheable,
  isSameVariant,
  isStorable,
  storedHeaders,
  updatedBy,
  variantOf,
} from "./cached_response.ts";
import { MemoryStore } from "./memory_store.ts";
import { watchBody } from "./watch_body.ts";

/**
 * The options of {@linkcode etagCache}.
 *
 * @category Middleware
 */
export interface EtagCacheOptions {
  /**
   * The most responses that the memory store keeps, for each session.
   *
   * @default {1000}
   */
  readonly maxEntries?: number | undefined;
  /**
   * The most bytes that the memory store keeps, for each session: bodies, headers and URLs.
   *
   * @default {10485760}
   */
  readonly maxBytes?: number | undefined;
  /**
   * The longest body that is stored, in bytes.
   *
   * @default {1048576}
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * A store in place of the memory store, for one session and one user. Default: a memory store for each
   * session
   */
  readonly store?: CacheStore | undefined;
}

const checkedStore: <T>(option: string, value: unknown) => T = check(
  "an object with the methods get and set",
  (value) => value === undefined || hasMethods(value, ["get", "set"]),
);

/**
 * Creates middleware that stores responses to GET, and asks the server each time if they have changed:
 * with `If-None-Match` for an `ETag`, and `If-Modified-Since` for a `Last-Modified`. If the server
 * responds 304, the call gets the stored body with status 200, and the headers of both (RFC 9111
 * §4.3).
 *
 * A response is stored when the caller has read its body to the end. Nothing is read ahead, and a body
 * that is longer than `maxBodyBytes` is not stored. Neither are responses with `no-store` or
 * `Vary: *`. One response is stored for each URL; it is used if the request headers that `Vary` names
 * are the same.
 *
 * Each session and each scheme of the option `auth` has its own memory store, so that users do not see
 * each other's responses. Calls without an `identity`, and calls that set a condition or a range
 * themselves, pass through.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { etagCache } from "@restwright/restwright/middleware";
 * import { mockTransport } from "@restwright/restwright/testing";
 *
 * const fetch = mockTransport({
 *   "GET /book": ({ headers }) =>
 *     headers["if-none-match"] === '"v1"'
 *       ? new Response(null, { status: 304 })
 *       : Response.json({ title: "Indigo" }, { headers: { etag: '"v1"' } }),
 * });
 * const url = "https://api.example.com";
 * const session = new APISession({ url, fetch, middleware: [etagCache()] });
 *
 * await session.get("book", { convJson: true });
 * console.log(await session.get("book", { convJson: true })); // { title: "Indigo" }
 * console.log(fetch.calls[1]?.headers["if-none-match"]); // "v1"
 * ```
 *
 * @throws {UnexpectedValueError} If an option is not valid. A call throws it if several sessions share
 * a `store`, or if the store returns something else than a response
 *
 * @category Middleware
 */
export function etagCache(options: EtagCacheOptions = {}): Middleware {
  const { store, maxEntries, maxBytes } = options;
  const limit = checkedLimit("maxBodyBytes", options.maxBodyBytes ?? 2 ** 20);
  const storeFor = checkedStore<CacheStore | undefined>("store", store) === undefined
    ? memoryStores(
      checkedLimit("maxEntries", maxEntries ?? 1000),
      checkedLimit("maxBytes", maxBytes ?? 10 * 2 ** 20),
    )
    : ownStore(store!, { maxEntries, maxBytes });
  return async (request, next) => {
    const { identity, url } = request;
    if (identity === undefined || !isCacheable(request)) return await next(request);
    const responses = storeFor(identity);
    const stored = checkedResponse(await responses.get(url));
    const usable = stored !== undefined && isSameVariant(request, stored) ? stored : undefined;
    // A copy, because other middleware may change the headers.
    const headers = { ...request.headers };
    const conditions = usable && conditionsFor(usable);
    const response = await next({ ...request, headers: { ...headers, ...conditions } });
    if (response.status === 304 && usable !== undefined) {
      discard(response);
      const updated = updatedBy(usable, response);
      await responses.set(url, updated);
      return toResponse(updated);
    }
    if (!isStorable(response)) return response;
    return await storing({ ...request, headers }, response, limit, responses);
  };
}

/** Returns a function that finds the memory store of a session. */
function memoryStores(maxEntries: number, maxBytes: number): (identity: object) => CacheStore {
  const stores = new WeakMap<object, CacheStore>();
  return (identity) => {
    let store = stores.get(identity);
    if (store === undefined) stores.set(identity, store = new MemoryStore(maxEntries, maxBytes));
    return store;
  };
}

/** Returns a function that finds a store of the program, but for one session. */
function ownStore(store: CacheStore, ofMemory: object): (identity: object) => CacheStore {
  for (const [name, value] of Object.entries(ofMemory)) {
    if (value === undefined) continue;
    throw new UnexpectedValueError(name, "left out with a store, which has its own limits", value);
  }
  let owner: object | undefined;
  return (identity) => {
    owner ??= identity;
    if (owner === identity) return store;
    const expected =
      "a store for one session with one auth; create an etagCache with its own store for each";
    throw new UnexpectedValueError("store", expected, store);
  };
}

const expectedResponse = "undefined, or a response that was passed to set()";

/** Checks the result of a store. */
function checkedResponse(stored: CachedResponse | undefined | null): CachedResponse | undefined {
  // Many databases have null for a missing value.
  if (stored === undefined || stored === null) return undefined;
  const { url, headers, vary, body } = Object(stored) as Partial<CachedResponse>;
  const isPair = (pair: unknown) =>
    Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === "string");
  if (
    typeof url === "string" && Array.isArray(headers) && headers.every(isPair) &&
    typeof vary === "object" && vary !== null && body instanceof Uint8Array
  ) return stored;
  throw new UnexpectedValueError("the result of store.get()", expectedResponse, stored);
}

/** Returns the response of a stored one. */
function toResponse({ url, redirected, statusText, headers, body }: CachedResponse): Response {
  const response = new Response(body.slice(), {
    statusText,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  });
  return withProperties(response, { url, redirected });
}

/** Returns a response that is stored when its body has been read to the end. */
async function storing(
  request: MiddlewareRequest,
  response: Response,
  limit: number,
  store: CacheStore,
): Promise<Response> {
  let chunks: Uint8Array[] | undefined = [];
  let length = 0;
  return await watchBody(response, {
    onChunk(chunk) {
      length += chunk.length;
      if (length > limit) chunks = undefined;
      // A copy, because the caller may change the chunk.
      chunks?.push(chunk.slice());
    },
    async onEnd(isComplete) {
      if (!isComplete || chunks === undefined) return;
      const { url, redirected, statusText, headers } = response;
      await store.set(request.url, {
        url,
        redirected,
        statusText,
        headers: storedHeaders(headers),
        vary: variantOf(request, response),
        body: joined(chunks),
      });
    },
  });
}
