/** Sends a request with Deno's fetch in a way that it does not repeat. */
import type { Transport, TransportInit } from "../transport.ts";

// If a kept-alive connection closes before the response, Deno's fetch sends the request again, with
// any method, and also if the server has read it (Deno 2.9.6). It does not repeat a request whose body
// is a stream, nor one on a new connection.

/** A `Deno.HttpClient`. */
export interface HttpClient {
  close(): void;
}

/** The options of a `Deno.HttpClient` that are used. */
export interface HttpClientOptions {
  readonly caCerts?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  readonly proxy?: { readonly url: string };
  readonly poolMaxIdlePerHost?: number;
}

/** The `init` of Deno's fetch. */
type ClientInit = TransportInit & { readonly client?: HttpClient };

/** The parts of Deno's global scope that are used. */
interface DenoGlobal {
  readonly Deno: { createHttpClient(options: HttpClientOptions): HttpClient };
}

/** Creates a `Deno.HttpClient`. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  return (globalThis as unknown as DenoGlobal).Deno.createHttpClient(options);
}

/** The runtime's fetch. Another one that replaces it, such as a mock, gets the request as it is. */
const { fetch: ownFetch } = globalThis;

/** Sends a request with Deno's fetch, which does not repeat it. */
export const fetchOnce: Transport = (url, init) => sendOnce(url, init, {});

/**
 * Sends a request with Deno's fetch, which does not repeat it.
 *
 * A body is sent as a Blob, which is a stream with a length. It costs 0.03 ms. Without a body, there
 * is no such stream, and the request gets a connection of its own.
 *
 * @param url The URL
 * @param init The request. If the caller has chosen its client, it is sent as it is
 * @param options The options for the client of that connection
 * @param client The client for a request with a body. Default: the runtime's own
 */
export async function sendOnce(
  url: string,
  init: TransportInit,
  options: HttpClientOptions,
  client?: HttpClient,
): Promise<Response> {
  const usual: ClientInit = client === undefined ? init : { ...init, client };
  const isChosen = client === undefined && usual.client !== undefined;
  if (fetch !== ownFetch || isChosen) return await fetch(url, usual);
  const { body } = init;
  const content = body instanceof URLSearchParams ? String(body) : body ?? "";
  const isText = typeof content === "string";
  if (!isText && !(content instanceof ArrayBuffer) && !ArrayBuffer.isView(content)) {
    return await fetch(url, usual);
  }
  const blob = new Blob([content as string | ArrayBuffer]);
  if (blob.size > 0) {
    const type = isText && init.headers["content-type"] === undefined ? typeOf(init) : {};
    return await fetch(url, { ...usual, body: blob, headers: { ...init.headers, ...type } });
  }
  const own = createHttpClient({ ...options, poolMaxIdlePerHost: 0 });
  try {
    return await fetch(url, { ...usual, client: own } as ClientInit);
  } finally {
    own.close(); // the body of the response can still be read
  }
}

/** Returns the content type that fetch adds to a text. */
function typeOf({ body }: TransportInit): Record<string, string> {
  const type = body instanceof URLSearchParams ? "application/x-www-form-urlencoded" : "text/plain";
  return { "content-type": `${type};charset=UTF-8` };
}
