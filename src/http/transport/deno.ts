import { openBuiltinTransport } from "./node_http.ts";
import type { Route, RuntimeTransport } from "./route.ts";
import { proxyRefusal } from "./tunnel.ts";

/** A `Deno.HttpClient`. */
interface HttpClient {
  close(): void;
}

/** The parts of Deno's global scope that are used. */
interface DenoGlobal {
  readonly Deno: {
    createHttpClient(options: {
      readonly caCerts: readonly string[];
      readonly cert?: string;
      readonly key?: string;
      readonly proxy?: { readonly url: string };
    }): HttpClient;
  };
}

/**
 * Opens a transport on Deno, with its own `Deno.HttpClient`.
 *
 * Deno's clients cannot turn TLS verification off. They also send a proxy's credentials on to the
 * server behind its tunnel (Deno 2.9.6). In both cases the transport uses `node:https` instead.
 */
export function openDenoTransport(route: Route): RuntimeTransport {
  const { proxy, cert, ca, verify } = route;
  if (!verify || proxy?.authorization !== undefined) return openBuiltinTransport(route);
  const { Deno } = globalThis as unknown as DenoGlobal;
  const client = Deno.createHttpClient({
    caCerts: ca,
    ...cert,
    ...(proxy === undefined ? {} : { proxy: { url: proxy.origin } }),
  });
  return {
    async carry(url, init) {
      try {
        return await fetch(url, { ...init, client } as RequestInit);
      } catch (error) {
        // Deno reports the proxy's answer only in a message.
        const cause: unknown = error instanceof TypeError ? error.cause : undefined;
        const isAsked = cause instanceof Error && proxy !== undefined &&
          /\(Connect\): proxy authentication required$/.test(cause.message);
        if (!isAsked) throw error;
        return proxyRefusal();
      }
    },
    close: () => client.close(),
  };
}
