/** Opens a transport for proxies and certificates with the package undici for Node's fetch. */
import type { TransportInit } from "../transport.ts";
import { fetchShowing407 } from "./node_407.ts";
import { tlsModule, type TlsOptions, withRoots } from "./node_builtins.ts";
import {
  builtinUndici,
  type DispatchedRequest,
  type Dispatcher,
  unlimited,
} from "./node_dispatcher.ts";
import type { ProxyAddress } from "./proxies.ts";
import type { Route, RuntimeTransport } from "./route.ts";
import { TunnelRefusal, Tunnels } from "./tunnel.ts";
import { type Connections, loadUndici, type Undici } from "./undici.ts";

/** Opens a transport on Node, whose fetch takes a dispatcher of the npm package undici. */
export async function openNodeTransport(route: Route): Promise<RuntimeTransport> {
  const undici = await loadUndici(requiring(route));
  const { proxy, verify } = route;
  // Called once, and not for each connection: it loads all root certificates.
  const context = (cert: Route["cert"]): TlsOptions => {
    const ca = withRoots(route.ca);
    const options = { ...cert, ...(ca === undefined ? {} : { ca }) };
    const secureContext = tlsModule().createSecureContext(options);
    return { secureContext, rejectUnauthorized: verify };
  };
  const toServer = context(route.cert);
  if (proxy === undefined) {
    const agent = new undici.Agent({ connect: toServer });
    return { carry: carrier(undici, agent), close: () => closeWhenIdle(agent) };
  }
  const toProxy = context(undefined);
  const connect = undici.buildConnector(toServer);
  const tunnels = new Tunnels(proxy, toProxy);
  const tunnelled = new undici.Agent({
    connect({ hostname, port, protocol, ...rest }, connected) {
      const target = { host: hostname.replace(/^\[|\]$/g, ""), port: port || "443" };
      tunnels.open(target).then(
        (httpSocket) => connect({ hostname, port, protocol, ...rest, httpSocket }, connected),
        connected,
      );
    },
  });
  const forwarded = new undici.Pool(proxy.origin, { connect: toProxy });
  const throughTunnel = carrier(undici, tunnelled);
  const throughProxy = carrier(undici, forwarding(forwarded, proxy), proxy);
  return {
    carry: (url, init) => (url.startsWith("https:") ? throughTunnel : throughProxy)(url, init),
    close() {
      tunnels.close();
      closeWhenIdle(tunnelled);
      closeWhenIdle(forwarded);
    },
  };
}

function carrier(
  { Dispatcher1Wrapper }: Undici,
  connections: Dispatcher,
  proxy?: ProxyAddress,
): RuntimeTransport["carry"] {
  const isWrapped = Dispatcher1Wrapper !== undefined && builtinUndici < 8;
  const dispatcher = unlimited(isWrapped ? new Dispatcher1Wrapper(connections) : connections);
  return async (url: string, init: TransportInit) => {
    try {
      const special = { ...init, dispatcher };
      return await fetchShowing407(url, special, proxy?.origin ?? "");
    } catch (error) {
      const cause: unknown = Object(error).cause;
      if (cause instanceof TunnelRefusal && cause.response !== undefined) {
        // Several requests may have waited for the same tunnel.
        return cause.response.clone();
      }
      throw error;
    }
  };
}

/**
 * Returns a dispatcher that asks the proxy for the whole URL (RFC 9112 §3.2.2). This is for `http:`
 * URLs.
 */
function forwarding(connections: Dispatcher, proxy: ProxyAddress): Dispatcher {
  return {
    dispatch(request, handler) {
      const { origin, path } = request;
      const added = { host: new URL(origin).host, ...authorizationOf(proxy) };
      const whole = {
        ...request,
        origin: proxy.origin,
        path: `${String(origin).replace(/\/$/, "")}${path}`,
        headers: withHeaders(request.headers, added),
      };
      return connections.dispatch(whole, handler);
    },
  };
}

function authorizationOf({ authorization }: ProxyAddress): Record<string, string> {
  return authorization === undefined ? {} : { "proxy-authorization": authorization };
}

function withHeaders(
  headers: DispatchedRequest["headers"],
  added: Readonly<Record<string, string>>,
): DispatchedRequest["headers"] {
  if (!isList(headers)) return { ...headers, ...added };
  const isInPairs = Array.isArray(headers[0]);
  return [...headers, ...isInPairs ? Object.entries(added) : Object.entries(added).flat()];
}

function isList(
  headers: DispatchedRequest["headers"],
): headers is Extract<DispatchedRequest["headers"], readonly unknown[]> {
  return Array.isArray(headers);
}

/** Closes connections when their last body has been read. Does not wait for that. */
function closeWhenIdle(connections: Connections): void {
  connections.close().catch(() => {});
}

/** Returns the option that requires undici for a route; the first one if there are several. */
function requiring({ proxy, verify, cert }: Route): string {
  if (proxy !== undefined) return "proxies";
  if (!verify) return "sslVerify";
  return cert === undefined ? "ca" : "cert";
}
