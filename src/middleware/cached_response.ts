/** Decides if a response may be stored and reused, and updates a stored one (RFC 9111). */
import type { TransportInit } from "../http/transport.ts";

/**
 * A stored response. It is a plain object, which can be cloned and stored as it is, for example by
 * IndexedDB.
 *
 * @category Middleware
 */
export interface CachedResponse {
  /** The URL of the response. */
  readonly url: string;
  /** True if fetch itself followed a redirect to the URL, as in browsers. */
  readonly redirected: boolean;
  /** The reason phrase. */
  readonly statusText: string;
  /** The headers, with names in lower case. */
  readonly headers: readonly (readonly [string, string])[];
  /** The request headers that `Vary` names; null for one that was not set. */
  readonly vary: Readonly<Record<string, string | null>>;
  /** The body. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * A store for the responses of one session and one user. A `Map` is a store without a limit.
 *
 * An error of the store fails the call. Catch it in the store if calls should continue without it.
 *
 * @category Middleware
 */
export interface CacheStore {
  /**
   * Returns the response that was stored last; null or undefined if there is none.
   *
   * @param key A hash of everything that was sent, such as the URL and the credentials. It is the same
   * in another process
   */
  get(
    key: string,
  ): CachedResponse | null | undefined | Promise<CachedResponse | null | undefined>;
  /** Stores a response, in place of the last one. */
  set(key: string, response: CachedResponse): unknown;
}

/** Request headers with which a call decides itself on caching, or asks for a part. */
const ownConditions: readonly string[] = [
  ...["if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range", "range"],
];

/** Reports if a request can be answered from the cache: a plain GET (RFC 9110 §13, RFC 9111 §3). */
export function isCacheable({ method, headers }: TransportInit): boolean {
  return method === "GET" && ownConditions.every((name) => headers[name] === undefined) &&
    !directives(headers["cache-control"] ?? null).has("no-store");
}

/** Reports if a response can be stored and revalidated (RFC 9111 §3, §4.1). */
export function isStorable({ status, headers }: Response): boolean {
  return status === 200 && (headers.has("etag") || headers.has("last-modified")) &&
    !varyOf(headers).includes("*") && !directives(headers.get("cache-control")).has("no-store");
}

/** Returns the names of the directives of Cache-Control, in lower case (RFC 9111 §5.2). */
function directives(field: string | null): Set<string> {
  const unquoted = (field ?? "").replace(/"(?:[^"\\]|\\.)*"/g, "");
  return new Set(unquoted.toLowerCase().split(",").map((each) => each.split("=")[0]!.trim()));
}

/** Returns the names in Vary, in lower case (RFC 9110 §12.5.5). */
function varyOf(headers: Headers): string[] {
  return (headers.get("vary") ?? "").toLowerCase().split(",").map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Returns the headers of a request that Vary names. */
export function variantOf(
  { headers }: TransportInit,
  response: Response,
): Record<string, string | null> {
  return Object.fromEntries(
    varyOf(response.headers).map((name) => [name, headers[name] ?? null]),
  );
}

/** Reports if a request has the headers that a response was selected by (RFC 9111 §4.1). */
export function isSameVariant({ headers }: TransportInit, { vary }: CachedResponse): boolean {
  return Object.entries(vary).every(([name, value]) => (headers[name] ?? null) === value);
}

/** Returns the headers that revalidate a response (RFC 9111 §4.3.1). */
export function conditionsFor({ headers }: CachedResponse): Record<string, string> {
  const conditions: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (name === "etag") conditions["if-none-match"] = value;
    if (name === "last-modified") conditions["if-modified-since"] = value;
  }
  return conditions;
}

/** Headers that belong to one message, or to cookies, and are not stored (RFC 9111 §3.1). */
const unstored: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info"],
  ...["proxy-connection", "set-cookie", "te", "trailer", "transfer-encoding", "upgrade"],
]);

/** Headers of the stored body, which a 304 does not update (RFC 9111 §3.2). */
const ofBody: ReadonlySet<string> = new Set([
  ...["content-encoding", "content-length", "content-range", "content-type"],
]);

/** Returns the headers of a response that are stored. */
export function storedHeaders(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => !unstored.has(name));
}

/** Returns a stored response with the headers of a 304 (RFC 9111 §3.2, §4.3.4). */
export function updatedBy(stored: CachedResponse, { headers }: Response): CachedResponse {
  const updates = storedHeaders(headers).filter(([name]) => !ofBody.has(name));
  const updated = new Set(updates.map(([name]) => name));
  const others = stored.headers.filter(([name]) => !updated.has(name));
  return { ...stored, headers: [...others, ...updates] };
}
