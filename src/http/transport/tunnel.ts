import {
  hostOf,
  httpModule,
  type IncomingMessage,
  serverName,
  type Socket,
  type TlsOptions,
} from "./node_builtins.ts";
import type { ProxyAddress } from "./proxies.ts";
import { TunnelRefusal } from "./tunnel_refusal.ts";

/** Milliseconds of silence after which a proxy that is asked for a tunnel counts as gone. */
const PATIENCE = 30_000;

/** Where a tunnel leads. */
export interface TunnelTarget {
  /** A name, or an address. */
  readonly host: string;
  /** A port. */
  readonly port: number | string;
}

/**
 * Asks a proxy for a tunnel (RFC 9110 §9.3.6).
 *
 * The runtimes' own clients do not tell with which status a proxy refuses, and Deno sends the
 * proxy's credentials on to the server.
 *
 * @param target Where it leads
 * @param proxy The proxy
 * @param tls How TLS is spoken to the proxy, where its URL says so
 * @returns The connection through it
 * @throws {TunnelRefusal} Where the proxy does not open it
 */
export function openTunnel(
  target: TunnelTarget,
  proxy: ProxyAddress,
  tls: TlsOptions,
): Promise<Socket> {
  const url = new URL(proxy.origin);
  const host = target.host.includes(":") ? `[${target.host}]` : target.host;
  const authority = `${host}:${target.port}`;
  return new Promise((resolve, reject) => {
    const request = httpModule(url.protocol).request({
      ...tls,
      host: hostOf(url),
      servername: serverName(hostOf(url)),
      port: url.port || (url.protocol === "https:" ? "443" : "80"),
      method: "CONNECT",
      path: authority,
      headers: {
        host: authority,
        ...(proxy.authorization === undefined
          ? {}
          : { "proxy-authorization": proxy.authorization }),
      },
      agent: false,
      timeout: PATIENCE,
    });
    const refuse = ({ statusCode, statusMessage, rawHeaders }: IncomingMessage) =>
      reject(new TunnelRefusal(statusCode, statusMessage, rawHeaders));
    request.on("connect", (response: IncomingMessage, socket: Socket, head: Uint8Array) => {
      socket.setTimeout(0);
      if (response.statusCode >= 200 && response.statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      } else {
        refuse(response);
        // What it breaks off with is of no interest any more.
        socket.on("error", () => {});
        socket.destroy();
      }
    });
    request.on("response", (response: IncomingMessage) => {
      refuse(response);
      response.destroy();
    });
    request.on("timeout", () => {
      const silence = new Error(`the proxy has said nothing for ${PATIENCE / 1000} s`);
      request.destroy(Object.assign(silence, { code: "ETIMEDOUT" }));
    });
    request.on("error", (error: Error) => reject(error));
    request.end();
  });
}
