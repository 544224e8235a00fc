/** Opens a transport for proxies and certificates with the options of Bun's fetch. */
import type { TransportInit } from "../transport.ts";
import type { Route, RuntimeTransport } from "./route.ts";
import { checkMethod } from "./sent_method.ts";
import { proxyRefusal } from "./tunnel.ts";
import { builtinModule } from "../../base/runtime.ts";

/** The options that Bun's fetch accepts in its `init` in addition to the standard ones. */
interface BunInit {
  readonly proxy?: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  readonly tls: {
    readonly ca?: readonly string[];
    readonly cert?: string;
    readonly key?: string;
    readonly rejectUnauthorized?: boolean;
  };
}

interface Tls {
  readonly rootCertificates: readonly string[];
}

/**
 * Opens a transport on Bun. Bun's fetch takes all options of a route in its `init`, and does not
 * share connections between requests with different options.
 */
export function openBunTransport({ proxy, cert, ca, verify }: Route): RuntimeTransport {
  // The list replaces Bun's own root certificates, so it has to include them.
  const roots = ca.length === 0 ? [] : builtinModule<Tls>("node:tls")?.rootCertificates ?? [];
  const authorization = proxy?.authorization;
  const special: BunInit = {
    ...(proxy === undefined ? {} : {
      proxy: {
        url: proxy.origin,
        headers: authorization === undefined ? {} : { "proxy-authorization": authorization },
      },
    }),
    tls: {
      ...(ca.length === 0 ? {} : { ca: [...roots, ...ca] }),
      ...cert,
      ...(verify ? {} : { rejectUnauthorized: false }),
    },
  };
  return {
    async carry(url: string, init: TransportInit): Promise<Response> {
      checkMethod(init.method);
      try {
        return await fetch(url, { ...init, ...special } as RequestInit);
      } catch (error) {
        // Bun reports the status only in the message: "Proxy refused to open a tunnel: 407 …".
        const isAsked = codeOf(error) === "ERR_PROXY_TUNNEL" && /: 407\b/.test(String(error));
        if (!isAsked) throw error;
        return proxyRefusal();
      }
    },
    close() {},
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
