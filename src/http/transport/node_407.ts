import { isHeaderText } from "../../header_text.ts";
import { builtinModule, detectRuntime } from "../../runtime.ts";
import type { Transport, TransportInit } from "../transport.ts";
import { type Dispatcher, unlimitedDispatcher } from "./node_dispatcher.ts";
import { checkMethod } from "./sent_method.ts";
import { headerPairs } from "./tunnel_refusal.ts";

// Node's fetch gives no response for a 407: it rejects with an error that says nothing. What the
// server sent passes on a diagnostics channel before that.

/** The status that Node's fetch hides. */
const HIDDEN = 407;

/** The most responses that are remembered; each is taken out by the request that it answers. */
const MOST = 64;

/** What Node's fetch tells on its channel `undici:request:headers`. */
interface HeadersEvent {
  readonly request: { readonly origin?: string; readonly path: string; readonly method: string };
  readonly response: {
    readonly statusCode: number;
    readonly statusText: string;
    readonly headers: readonly Uint8Array[];
  };
}

interface DiagnosticsChannel {
  subscribe(channel: string, listen: (event: HeadersEvent) => void): void;
}

const latin1 = new TextDecoder("latin1");

/** Responses that were hidden, the newest last. */
const hidden: { readonly key: string; readonly response: Response }[] = [];

let isListening = false;

/**
 * The runtime's own fetch, which is read late so that a mock in its place is used; on Node it
 * gives a 407 like any other response, without its body, and has no time limits of its own.
 *
 * @throws {UnsupportedOptionError} If fetch would send another method
 */
export const plainFetch: Transport = detectRuntime().name === "Node" ? nodeFetch : anyFetch;

async function anyFetch(...[url, init]: Parameters<Transport>): Promise<Response> {
  checkMethod(init.method);
  return await fetch(url, init);
}

function nodeFetch(...[url, init]: Parameters<Transport>): Promise<Response> {
  const dispatcher = isNodesOwn(fetch) ? unlimitedDispatcher() : undefined;
  // One that the caller gives, by fetchOptions, goes before it.
  return fetchShowing407(url, dispatcher === undefined ? init : { dispatcher, ...init }, "");
}

/** Functions that were looked at, and whether they are Node's fetch. */
const looked = new WeakMap<typeof fetch, boolean>();

/** Whether a fetch is Node's own, and nobody's mock, to which a dispatcher means nothing. */
function isNodesOwn(which: typeof fetch): boolean {
  const known = looked.get(which);
  if (known !== undefined) return known;
  const isOwn = Function.prototype.toString.call(which).includes("internal/deps/undici");
  looked.set(which, isOwn);
  return isOwn;
}

/**
 * Node's fetch, that gives a 407 like any other response, without its body.
 *
 * @param url The URL
 * @param init What fetch is given
 * @param proxy The origin of the proxy that is asked for the whole URL; empty where none is
 * @throws {UnsupportedOptionError} If fetch would send another method
 */
export async function fetchShowing407(
  url: string,
  init: TransportInit & { readonly dispatcher?: Dispatcher },
  proxy: string,
): Promise<Response> {
  checkMethod(init.method);
  listen();
  try {
    return await fetch(url, init);
  } catch (error) {
    const cause: { readonly message?: unknown } = Object(Object(error).cause);
    const response = cause.message === ""
      ? takeHidden(`${init.method} ${proxy}${targetOf(url)}`)
      : undefined;
    if (response === undefined) throw error;
    return response;
  }
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  const channels = builtinModule<DiagnosticsChannel>("node:diagnostics_channel");
  channels?.subscribe("undici:request:headers", ({ request, response }) => {
    if (response.statusCode !== HIDDEN) return;
    // An error thrown here would end the program.
    try {
      remember(request, response);
    } catch {
      // A response that cannot be made is not missed: fetch's own error is raised.
    }
  });
}

function remember(request: HeadersEvent["request"], response: HeadersEvent["response"]): void {
  hidden.push({
    key: `${request.method} ${request.origin}${request.path}`,
    response: new Response(null, {
      status: HIDDEN,
      statusText: isHeaderText(response.statusText) ? response.statusText : "",
      headers: headerPairs(response.headers.map((field) => latin1.decode(field))),
    }),
  });
  if (hidden.length > MOST) hidden.shift();
}

function targetOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search}`;
}

function takeHidden(key: string): Response | undefined {
  const index = hidden.findIndex((each) => each.key === key);
  return index < 0 ? undefined : hidden.splice(index, 1)[0]?.response;
}
