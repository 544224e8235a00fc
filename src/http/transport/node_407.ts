/** Returns the 407 of a server on Node, whose fetch hides it. */
import { isHeaderText } from "../../base/checks.ts";
import type { Transport, TransportInit } from "../transport.ts";
import { type Dispatcher, latin1Text, unlimitedDispatcher } from "./node_dispatcher.ts";
import { checkMethod, usualMethods } from "./sent_method.ts";
import { headerPairs } from "./tunnel.ts";
import { builtinModule, detectRuntime } from "../../base/runtime.ts";

// Node's fetch does not return a response with the status 407. It rejects with an error that has an
// empty message. Before that, Node publishes the headers of the response on a diagnostics channel.

/** The status of the responses that Node's fetch does not return. */
const HIDDEN = 407;

/** The maximum number of remembered responses. The request that one answers removes it. */
const MOST = 64;

/** An event that Node's fetch publishes on the channel `undici:request:headers`. */
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

/** Responses that fetch has not returned, the newest last. */
const hidden: { readonly key: string; readonly response: Response }[] = [];

let isListening = false;

/**
 * The runtime's own fetch. The global is looked up at each call, so that a mock is used. On Node it
 * returns a 407 like any other response, but without its body, and it has no time limits of its
 * own.
 *
 * @throws {UnsupportedOptionError} If fetch would send another method
 */
export const plainFetch: Transport = detectRuntime().name === "Node" ? fetchShowing407 : anyFetch;

async function anyFetch(...[url, init]: Parameters<Transport>): Promise<Response> {
  if (!usualMethods.has(init.method)) checkMethod(init.method);
  return await fetch(url, init);
}

/** Functions that were checked, and if they are Node's fetch. */
const checked = new WeakMap<typeof fetch, boolean>();

/** Reports if a fetch is Node's own, and not a mock, which would ignore a dispatcher. */
function isNodesOwn(which: typeof fetch): boolean {
  const isOwn = Function.prototype.toString.call(which).includes("internal/deps/undici");
  checked.set(which, isOwn);
  return isOwn;
}

/**
 * Calls Node's fetch, and returns a 407 like any other response, but without its body.
 *
 * @param url The URL
 * @param init The init of fetch. A dispatcher in it replaces the one without time limits
 * @param proxy The origin of the proxy that is asked for the whole URL. Default: empty, for none
 * @throws {UnsupportedOptionError} If fetch would send another method
 */
export async function fetchShowing407(
  url: string,
  init: TransportInit & { readonly dispatcher?: Dispatcher },
  proxy: string = "",
): Promise<Response> {
  if (!usualMethods.has(init.method)) checkMethod(init.method);
  if (!isListening) listen();
  try {
    // A dispatcher of the caller, and a fetch that is not Node's own, have their own limits.
    const isOurs = init.dispatcher === undefined && (checked.get(fetch) ?? isNodesOwn(fetch));
    const dispatcher = isOurs ? unlimitedDispatcher() : undefined;
    return await fetch(url, dispatcher === undefined ? init : { ...init, dispatcher });
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
  isListening = true;
  const channels = builtinModule<DiagnosticsChannel>("node:diagnostics_channel");
  channels?.subscribe("undici:request:headers", ({ request, response }) => {
    if (response.statusCode !== HIDDEN) return;
    // An error thrown here would end the process.
    try {
      remember(request, response);
    } catch {
      // Without the response, the caller gets the error of fetch.
    }
  });
}

function remember(request: HeadersEvent["request"], response: HeadersEvent["response"]): void {
  hidden.push({
    key: `${request.method} ${request.origin}${request.path}`,
    response: new Response(null, {
      status: HIDDEN,
      statusText: isHeaderText(response.statusText) ? response.statusText : "",
      headers: headerPairs(response.headers.map((field) => latin1Text(field))),
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
