import { openBuiltinTransport } from "./node_http.ts";
import type { Route, RuntimeTransport } from "./route.ts";
import { proxyRefusal } from "./tunnel_refusal.ts";

/** A client of Deno. */
interface HttpClient {
  close(): void;
}

/** What is used of Deno. */
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
 * Opens a transport on Deno: a client of its own.
 *
 * Deno's clients cannot leave TLS unverified, and send a proxy's credentials on to the server
 * behind its tunnel (Deno 2.9.6): both go by `node:https`.
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
        // It has what the proxy answered in its words alone.
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
