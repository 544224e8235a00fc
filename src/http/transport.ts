/**
 * What carries a request: a function of the shape of fetch.
 *
 * It may raise a `TransportError` to say that no response came; that is retried, anything else it
 * raises that does not look like a failed connection is taken for a bug and raised at once.
 *
 * @example An adapter that answers from memory
 * ```ts
 * import { APISession, type Transport } from "@restwright/restwright";
 *
 * const canned: Transport = (url) => Promise.resolve(Response.json({ url }));
 * const session = new APISession({ url: "https://api.example.com", adapter: canned });
 * console.log(await (await session.get("status")).json());
 * ```
 *
 * @param url The full URL, without credentials
 * @param init Method, headers, body, redirect mode and signal, as fetch takes them
 */
export type Transport = (url: string, init: TransportInit) => Promise<Response>;

/** What a transport is given beside the URL: an init for fetch, its parts known to be there. */
export interface TransportInit extends RequestInit {
  /** The HTTP method, as it is sent. */
  readonly method: string;
  /** The headers, names in lower case. */
  readonly headers: Record<string, string>;
  /** "manual", since the session follows redirects itself; in browsers fetch may follow them. */
  readonly redirect: "manual" | "follow";
}
