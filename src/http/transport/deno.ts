/** Opens a transport for proxies and certificates with a client of Deno, or with `node:http`. */
import { createHttpClient, type HttpClientOptions, sendOnce } from "./deno_once.ts";
import { openBuiltinTransport } from "./node_http.ts";
import type { Route, RuntimeTransport } from "./route.ts";
import { proxyRefusal } from "./tunnel.ts";

/**
 * Opens a transport on Deno, with its own `Deno.HttpClient`.
 *
 * Deno's clients cannot turn TLS verification off. They also send a proxy's credentials on to the
 * server behind its tunnel (Deno 2.9.6). In both cases the transport uses `node:https` instead.
 */
export function openDenoTransport(route: Route): RuntimeTransport {
  const { proxy, cert, ca, verify } = route;
  if (!verify || proxy?.authorization !== undefined) return openBuiltinTransport(route);
  const options: HttpClientOptions = {
    caCerts: ca,
    ...cert,
    ...(proxy === undefined ? {} : { proxy: { url: proxy.origin } }),
  };
  const client = createHttpClient(options);
  const showing407 = async (response: Promise<Response>): Promise<Response> => {
    try {
      return await response;
    } catch (error) {
      // Deno reports the proxy's answer only in a message.
      const cause: unknown = error instanceof TypeError ? error.cause : undefined;
      const isAsked = cause instanceof Error && proxy !== undefined &&
        /\(Connect\): proxy authentication required$/.test(cause.message);
      if (!isAsked) throw error;
      return proxyRefusal();
    }
  };
  return {
    carry: (url, init) => showing407(fetch(url, { ...init, client } as RequestInit)),
    carryOnce: (url, init) => showing407(sendOnce(url, init, options, client)),
    close: () => client.close(),
  };
}
