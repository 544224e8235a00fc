/** Middleware that stores responses, and asks the server each time if they have changed. */
import { isUint8Array } from "../base/bytes.ts";
import { check, checkedLimit, checkedOptions, fieldsCheck, hasMethods } from "../base/checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { HttpSession } from "../http/http_session.ts";
import { joined } from "../http/incoming_response.ts";
import { discardBody, withProperties } from "../http/response.ts";
import type { TransportInit } from "../http/transport.ts";
import type { Middleware, MiddlewareRequest } from "../options/middleware.ts";
import { comparedParts, type SentRequest } from "../call/sent_request.ts";
import { aroundRequests } from "./around_requests.ts";
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
import { type Sharing, sharingBy } from "./sharing.ts";
import { watchBody } from "./watch_body.ts";

/**
 * The options of {@linkcode etagCache}.
 *
 * @category Middleware
 */
export interface EtagCacheOptions {
  /**
   * The most responses that the memory store keeps, for each session; null for no limit.
   *
   * @default {1000}
   */
  readonly maxEntries?: number | null | undefined;
  /**
   * The most bytes that the memory store keeps, for each session: bodies, headers and URLs; null for
   * no limit.
   *
   * @default {10485760}
   */
  readonly maxBytes?: number | null | undefined;
  /**
   * The longest body that is stored, in bytes; null for no limit.
   *
   * @default {1048576}
   */
  readonly maxBodyBytes?: number | null | undefined;
  /**
   * A store in place of the memory store, for one session. Default: a memory store for each session
   */
  readonly store?: CacheStore | undefined;
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
 * `Vary: *`.
 *
 * A stored response is only used for a request that sends the same: the URL, all headers with those of
 * the session, cookies and authentication, and the options of fetch. So users do not see each other's
 * responses, and a renewed token begins with an empty cache. Each session has its own memory store.
 *
 * Requests without an `identity`, such as those of a call with a `StreamFormat`, and requests that
 * contain a condition or a range, pass through. So do all requests if an inner middleware sets a
 * `request.network` of your own, which may add a user, unless you pass the option `identity`.
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
  const { store, maxEntries, maxBytes, maxBodyBytes = 2 ** 20, identity } = checkedOptions(
    options,
    [
      "identity",
      "maxBodyBytes",
      "maxBytes",
      "maxEntries",
      "store",
    ],
  );
  const limit = checkedLimit("maxBodyBytes", maxBodyBytes) ?? Infinity;
  const sharingOf = sharingBy(identity);
  const entryFor = checkedStore<CacheStore | undefined>("store", store) === undefined
    ? inMemory(
      checkedLimit("maxEntries", maxEntries === undefined ? 1000 : maxEntries) ?? Infinity,
      checkedLimit("maxBytes", maxBytes === undefined ? 10 * 2 ** 20 : maxBytes) ?? Infinity,
    )
    : inStore(store!, { maxEntries, maxBytes });
  return (request, next) => {
    /** The error of a store that reads over the network may look like a failure of this request. */
    let storeFailure: { readonly error: unknown } | undefined;
    const caching = aroundRequests((own) => async (sent, send) => {
      const { init } = sent;
      const sharing = isCacheable(init) ? sharingOf(sent, own) : undefined;
      const entry = sharing && await entryFor(sent, sharing);
      if (entry === undefined) return await send();
      let stored: CachedResponse | undefined;
      try {
        stored = checkedResponse(await entry.store.get(entry.key));
      } catch (error) {
        storeFailure = { error };
        throw error;
      }
      const usable = stored !== undefined && isSameVariant(init, stored) ? stored : undefined;
      const response = await send(usable && conditionsFor(usable));
      if (response.status === 304 && usable !== undefined) {
        discardBody(response);
        const updated = updatedBy(usable, response);
        await entry.store.set(entry.key, updated);
        return toResponse(updated, response);
      }
      return isStorable(response) ? await storing(init, response, limit, entry) : response;
    });
    return caching(request, (following) =>
      next(following).catch((error) => {
        throw storeFailure === undefined ? error : storeFailure.error;
      }));
  };
}

/** The place of a response in a store. */
interface Entry {
  readonly store: CacheStore;
  readonly key: string;
}

/** Finds the place for the response to a request; undefined if it must not be stored. */
type FindEntry = (
  sent: SentRequest,
  sharing: Sharing,
) => Entry | undefined | Promise<Entry | undefined>;

/** Returns a function that finds a place in the memory store of a session. */
function inMemory(maxEntries: number, maxBytes: number): FindEntry {
  const stores = new WeakMap<HttpSession, CacheStore>();
  return ({ session }, { key }) => {
    let store = stores.get(session);
    if (store === undefined) stores.set(session, store = new MemoryStore(maxEntries, maxBytes));
    return { store, key };
  };
}

/** Returns a function that finds a place in a store of the program, but for one session. */
function inStore(store: CacheStore, ofMemory: object): FindEntry {
  for (const [name, value] of Object.entries(ofMemory)) {
    if (value === undefined) continue;
    throw new UnexpectedValueError(name, "left out with a store, which has its own limits", value);
  }
  let owner: HttpSession | undefined;
  return async (sent, { user }) => {
    if (!sent.isBySession) return undefined;
    // Objects, such as a dispatcher, cannot be compared with those of another process.
    const parts = comparedParts(sent, () => undefined);
    if (parts === undefined) return undefined;
    owner ??= sent.session;
    if (owner === sent.session) {
      if (user !== undefined) parts.push(user);
      return { store, key: await hashOf(JSON.stringify(parts)) };
    }
    const expected = "a store for one session; create an etagCache with its own store for each";
    throw new UnexpectedValueError("store", expected, store);
  };
}

/** Returns the SHA-256 hash of a text, in hexadecimal. */
async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(hash).reduce((hex, byte) => hex + byte.toString(16).padStart(2, "0"), "");
}

/** Checks the result of a store. */
function checkedResponse(stored: CachedResponse | undefined | null): CachedResponse | undefined {
  // Many databases have null for a missing value.
  return stored === undefined || stored === null
    ? undefined
    : checkedFields<CachedResponse>("the result of store.get()", stored);
}

const checkedFields: <T>(option: string, value: unknown) => T = fieldsCheck(
  "undefined, or a response that was passed to set()",
  {
    url: check("a string", (value) => typeof value === "string"),
    headers: check(
      "a list of pairs of strings",
      (value) => Array.isArray(value) && value.every(isPair),
    ),
    vary: check("an object", (value) => typeof value === "object" && value !== null),
    body: check("a Uint8Array", isUint8Array),
  },
);

function isPair(pair: unknown): boolean {
  return Array.isArray(pair) && pair.length === 2 &&
    pair.every((text) => typeof text === "string");
}

/** Returns the response of a stored one, with the cookies that its 304 sets. */
function toResponse(
  { url, redirected, statusText, headers, body }: CachedResponse,
  revalidation: Response,
): Response {
  const response = new Response(body.slice(), {
    statusText,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  });
  for (const cookie of revalidation.headers.getSetCookie?.() ?? []) {
    response.headers.append("set-cookie", cookie);
  }
  return withProperties(response, { url, redirected });
}

/** Returns a response that is stored when its body has been read to the end. */
async function storing(
  init: TransportInit,
  response: Response,
  limit: number,
  { store, key }: Entry,
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
      await store.set(key, {
        url,
        redirected,
        statusText,
        headers: storedHeaders(headers),
        vary: variantOf(init, response),
        body: joined(chunks),
      });
    },
  });
}
