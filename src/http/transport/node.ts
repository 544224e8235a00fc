import { UnsupportedOptionError } from "../../errors/unsupported_option_error.ts";
import type { TransportInit } from "../transport.ts";
import { fetchShowing407 } from "./hidden_status.ts";
import {
  type Connected,
  type Socket,
  tlsModule,
  type TlsOptions,
  withRoots,
} from "./node_builtins.ts";
import type { ProxyAddress } from "./proxies.ts";
import type { Route, RuntimeTransport } from "./route.ts";
import { Tunnels } from "./tunnel.ts";
import { TunnelRefusal } from "./tunnel_refusal.ts";

/** What Node's fetch takes as `dispatcher`. */
interface Dispatcher {
  dispatch(request: DispatchedRequest, handler: unknown): boolean;
}

/** A request on its way from fetch to a connection. */
interface DispatchedRequest {
  readonly origin: string | URL;
  readonly path: string;
  /** A mapping, pairs, or name, value, name, value: by version. */
  readonly headers: Readonly<Record<string, string>> | readonly (string | readonly string[])[];
}

/** A dispatcher that has connections. */
interface Connections extends Dispatcher {
  /** Closes what is idle, and the rest when it is done. */
  close(): Promise<void>;
}

/** Where undici is asked to connect to. */
interface ConnectRequest {
  readonly hostname: string;
  readonly port: string;
  readonly protocol: string;
}

type Connector = (
  request: ConnectRequest & { readonly httpSocket?: Socket },
  connected: Connected,
) => unknown;

/** What is used of the npm package undici, version 7. */
export interface Undici {
  readonly Agent: new (options: { readonly connect: TlsOptions | Connector }) => Connections;
  readonly Pool: new (
    origin: string,
    options: { readonly connect: TlsOptions },
  ) => Connections;
  buildConnector(options: TlsOptions): Connector;
}

/** Opens a transport on Node: its fetch takes a dispatcher of the npm package undici. */
export async function openNodeTransport(route: Route): Promise<RuntimeTransport> {
  const undici = await loadUndici(requiring(route));
  const { proxy, verify } = route;
  // Once, and not for each connection: it takes the authorities of the world in.
  const context = (cert: Route["cert"]): TlsOptions => {
    const ca = withRoots(route.ca);
    const options = { ...cert, ...(ca === undefined ? {} : { ca }) };
    const secureContext = tlsModule().createSecureContext(options);
    return { secureContext, rejectUnauthorized: verify };
  };
  const toServer = context(route.cert);
  if (proxy === undefined) {
    const agent = new undici.Agent({ connect: toServer });
    return { carry: carrier(agent), close: () => letGo(agent) };
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
  const throughTunnel = carrier(tunnelled);
  const throughProxy = carrier(forwarding(forwarded, proxy), proxy);
  return {
    carry: (url, init) => (url.startsWith("https:") ? throughTunnel : throughProxy)(url, init),
    close() {
      tunnels.close();
      letGo(tunnelled);
      letGo(forwarded);
    },
  };
}

function carrier(dispatcher: Dispatcher, proxy?: ProxyAddress): RuntimeTransport["carry"] {
  return async (url: string, init: TransportInit) => {
    try {
      const special = { ...init, dispatcher };
      return await fetchShowing407(url, special, proxy?.origin ?? "");
    } catch (error) {
      const cause: unknown = error instanceof Error ? error.cause : undefined;
      if (cause instanceof TunnelRefusal && cause.response !== undefined) {
        // Several requests may have waited for the one tunnel.
        return cause.response.clone();
      }
      throw error;
    }
  };
}

/** Asks the proxy itself for a URL as a whole (RFC 9112 §3.2.2), as it is done for `http:`. */
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

/** It closes when the last body has been read: nobody waits for that. */
function letGo(connections: Connections): void {
  connections.close().catch(() => {});
}

/** Not a literal, so that bundlers do not follow it. */
const UNDICI: string = "undici";

/** The option that a route takes undici for, or the first of them. */
function requiring({ proxy, verify, cert }: Route): string {
  if (proxy !== undefined) return "proxies";
  if (!verify) return "sslVerify";
  return cert === undefined ? "ca" : "cert";
}

/**
 * Loads undici.
 *
 * @param option The option that takes it
 * @param name The package's name
 * @throws {UnsupportedOptionError} Where it is not installed
 */
export async function loadUndici(option: string, name: string = UNDICI): Promise<Undici> {
  try {
    return await import(name);
  } catch (error) {
    const reason = "on Node it takes the npm package undici, version 7: npm install undici@7";
    throw new UnsupportedOptionError(option, reason, error);
  }
}
