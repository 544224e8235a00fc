import { isHeaderText } from "../../checks.ts";
import { builtinModule, detectRuntime } from "../../runtime.ts";
import type { Transport } from "../transport.ts";

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

/** Responses that were hidden, the newest last. */
const hidden: { readonly key: string; readonly response: Response }[] = [];

let isListening = false;

/**
 * The runtime's own fetch, which is read late so that a mock in its place is used; on Node it
 * gives a 407 like any other response, without its body.
 */
export const plainFetch: Transport = detectRuntime().name === "Node" ? nodeFetch : anyFetch;

function anyFetch(...request: Parameters<Transport>): Promise<Response> {
  return fetch(...request);
}

async function nodeFetch(...[url, init]: Parameters<Transport>): Promise<Response> {
  listen();
  try {
    return await fetch(url, init);
  } catch (error) {
    const cause: unknown = error instanceof TypeError ? error.cause : undefined;
    const response = cause instanceof Error && cause.message === ""
      ? takeHidden(url, init.method)
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
      headers: pairsOf(response.headers),
    }),
  });
  if (hidden.length > MOST) hidden.shift();
}

function takeHidden(url: string, method: string): Response | undefined {
  const { origin, pathname, search } = new URL(url);
  const key = `${method} ${origin}${pathname}${search}`;
  const index = hidden.findIndex((each) => each.key === key);
  return index < 0 ? undefined : hidden.splice(index, 1)[0]?.response;
}

/** Header fields as they came: name, value, name, value. */
function pairsOf(fields: readonly Uint8Array[]): [string, string][] {
  const latin1 = new TextDecoder("latin1");
  const texts = fields.map((field) => latin1.decode(field));
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < texts.length; at += 2) pairs.push([texts[at]!, texts[at + 1]!]);
  return pairs;
}
