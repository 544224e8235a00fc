/** Serves the example API to browsers, through a proxy (the front) that adds CORS headers. */
import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { startLibraryApi } from "../../../examples/library_api.ts";
import { bodyOf, startServer } from "../../../tests/support/server.ts";
import { type ArrivedRequest, frontRoutes } from "./front_routes.ts";

/** A running front. */
export interface Front {
  /** The origin of the front. */
  readonly url: string;
  /** The requests that arrived so far, including preflight requests. */
  readonly requests: readonly ArrivedRequest[];
  /** Closes all connections and stops the front and the API. */
  stop(): Promise<void>;
}

/**
 * The CORS headers of every response except that of `/closed`. They allow only those request
 * headers that the scenes send on purpose. If a request had another one, such as User-Agent, the
 * browser would block it.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers": "authorization, content-type, x-api-key, x-session-token",
  "access-control-expose-headers": "retry-after, www-authenticate, x-request-id",
  "access-control-allow-credentials": "true",
};

/**
 * Starts the API and its front, each on a loopback port that the system picks.
 *
 * @param origin The origin whose pages may use the API
 */
export async function startFront(origin: string): Promise<Front> {
  const api = await startLibraryApi();
  const requests: ArrivedRequest[] = [];
  const times = new Map<string, number>();
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/" } = incoming;
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    );
    const request: ArrivedRequest = { method, path, headers, body: await bodyOf(incoming) };
    requests.push(request);
    const [pathname = "/"] = path.split("?", 1);
    if (pathname !== "/closed") {
      const letIn = { "access-control-allow-origin": origin, vary: "origin", ...ALLOWED };
      for (const [name, value] of Object.entries(letIn)) response.setHeader(name, value);
    }
    if (method === "OPTIONS") return void response.writeHead(204).end();
    const route = frontRoutes[pathname];
    if (route === undefined) return await passOn(request, api.url, response);
    times.set(path, (times.get(path) ?? -1) + 1);
    route({ ...request, times: times.get(path) ?? 0 }, response);
  }
  const front = await startServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      // Some scenes abort their request on purpose before it is read to the end.
      if (!response.headersSent) response.writeHead(500).end(String(error));
    });
  });
  return {
    url: front.url,
    requests,
    async stop() {
      await front.stop();
      await api.stop();
    },
  };
}

/** Forwards a request to the API. */
async function passOn(
  { method, path, headers, body }: ArrivedRequest,
  api: string,
  response: ServerResponse,
): Promise<void> {
  const kept = ["accept", "content-type", "x-session-token"].flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const answer = await fetch(`${api}${path}`, {
    method,
    headers: Object.fromEntries(kept),
    ...(body === "" ? {} : { body }),
  });
  for (const name of ["content-type", "x-request-id"]) {
    const value = answer.headers.get(name);
    if (value !== null) response.setHeader(name, value);
  }
  response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
}
