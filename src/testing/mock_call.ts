/** The record of a request that a mock transport received. */
import type { TransportInit } from "../http/transport.ts";
import { inBackground } from "./background_work.ts";

/**
 * A request that a mock transport received.
 *
 * @category Test doubles
 */
export interface MockCall {
  /** The method as it was sent. */
  readonly method: string;
  /** The full URL with its query. */
  readonly url: string;
  /** The path of the URL, percent-encoded. */
  readonly path: string;
  /** The values of `:name` in the route, decoded. */
  readonly pathParams: Readonly<Record<string, string>>;
  /** The parameters of the query, decoded. A name that occurs several times has an array. */
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; an empty string without a body. */
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown;
}

/**
 * Reads a request. A stream is read to its end.
 *
 * @param url The URL
 * @param init The second parameter of the transport
 * @param pathParams The values of `:name` in the route
 */
export async function readCall(
  url: URL,
  { method, headers, body }: TransportInit,
  pathParams: Record<string, string>,
): Promise<MockCall> {
  const sent = new Response(body ?? null);
  // Like fetch, for forms and text.
  const type = sent.headers.get("content-type");
  // A stream may wait for the clock, which would wait for it.
  const text = await (body instanceof ReadableStream ? sent.text() : inBackground(sent.text()));
  return {
    method,
    url: url.href,
    path: url.pathname,
    pathParams,
    params: paramsOf(url),
    headers: type === null ? { ...headers } : { "content-type": type, ...headers },
    text,
    json: parsed(text),
  };
}

function paramsOf({ searchParams }: URL): Record<string, string | string[]> {
  const names = [...new Set(searchParams.keys())];
  return Object.fromEntries(names.map((name) => {
    const values = searchParams.getAll(name);
    return [name, values.length === 1 ? values[0]! : values];
  }));
}

/** Returns the JSON value of a text; undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
