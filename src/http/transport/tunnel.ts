/** Opens tunnels through a proxy, and returns the proxy's response if it asks for credentials. */
import { isHeaderText } from "../../base/checks.ts";
import { messageText } from "../../errors/message_text.ts";
import {
  hostOf,
  httpModule,
  type IncomingMessage,
  type OutgoingRequest,
  serverName,
  type Socket,
  type TlsOptions,
} from "./node_builtins.ts";
import type { ProxyAddress } from "./proxies.ts";

/** Milliseconds without data after which a proxy that was asked for a tunnel is considered dead. */
const TUNNEL_TIMEOUT = 30_000;

/** The destination of a tunnel. */
export interface TunnelTarget {
  /** A host name or an IP address. */
  readonly host: string;
  /** A port. */
  readonly port: number | string;
}

/**
 * Opens tunnels through a proxy (RFC 9110 §9.3.6).
 *
 * The runtimes' own clients do not report the status with which a proxy refuses a tunnel, and
 * Deno's clients send the proxy's password on to the server.
 */
export class Tunnels {
  readonly #proxy: ProxyAddress;
  readonly #tls: TlsOptions;
  readonly #asking: Set<OutgoingRequest> = new Set();

  /**
   * @param proxy The proxy
   * @param tls TLS options for the connection to an `https:` proxy
   */
  constructor(proxy: ProxyAddress, tls: TlsOptions) {
    this.#proxy = proxy;
    this.#tls = tls;
  }

  /**
   * Asks the proxy for a tunnel.
   *
   * @param target The destination
   * @returns The connection through the tunnel
   * @throws {TunnelRefusal} If the proxy refuses the tunnel
   */
  open(target: TunnelTarget): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const request = this.#ask(target);
      this.#asking.add(request);
      const refuse = ({ statusCode, statusMessage, rawHeaders }: IncomingMessage) =>
        reject(new TunnelRefusal(statusCode, statusMessage, rawHeaders));
      request.on("connect", (response: IncomingMessage, socket: Socket, head: Uint8Array) => {
        this.#asking.delete(request);
        socket.setTimeout(0);
        if (response.statusCode >= 200 && response.statusCode < 300) {
          if (head.length > 0) socket.unshift(head);
          return resolve(socket);
        }
        refuse(response);
        // Errors that occur while the connection closes do not matter.
        socket.on("error", () => {});
        socket.destroy();
      });
      request.on("response", (response: IncomingMessage) => {
        refuse(response);
        response.destroy();
      });
      request.on("timeout", () => {
        const silence = new Error(`the proxy did not answer for ${TUNNEL_TIMEOUT / 1000} s`);
        request.destroy(Object.assign(silence, { code: "ETIMEDOUT" }));
      });
      request.on("error", (error: Error) => reject(error));
      request.on("close", () => {
        this.#asking.delete(request);
        // This has no effect if an earlier event has settled the promise.
        const end = new Error("the proxy closed the connection instead of opening a tunnel");
        reject(Object.assign(end, { code: "ECONNRESET" }));
      });
      request.end();
    });
  }

  /** Cancels tunnels that are not open yet. An open tunnel belongs to the caller of `open`. */
  close(): void {
    for (const request of this.#asking) request.destroy();
  }

  #ask({ host, port }: TunnelTarget): OutgoingRequest {
    const { origin, authorization } = this.#proxy;
    const url = new URL(origin);
    const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    return httpModule(url.protocol).request({
      ...this.#tls,
      host: hostOf(url),
      servername: serverName(hostOf(url)),
      port: url.port || (url.protocol === "https:" ? "443" : "80"),
      method: "CONNECT",
      path: authority,
      headers: {
        host: authority,
        ...(authorization === undefined ? {} : { "proxy-authorization": authorization }),
      },
      agent: false,
      timeout: TUNNEL_TIMEOUT,
    });
  }
}

/** The status with which a proxy asks for credentials (RFC 9110 §15.5.8). */
const ASKS = 407;

/** An error that is thrown if a proxy does not open a tunnel. */
export class TunnelRefusal extends Error {
  /** The code that Bun's fetch uses for the same error. */
  readonly code: string = "ERR_PROXY_TUNNEL";
  /** The response that the session handles; undefined if the proxy does not ask for credentials. */
  readonly response: Response | undefined;

  /**
   * @param status The status of the proxy's response
   * @param reason The reason phrase of the response
   * @param fields The headers of the response as a flat list: name, value, name, value
   */
  constructor(status: number, reason: string, fields: readonly string[]) {
    super(`the proxy did not open a tunnel: ${status} ${messageText(reason)}`);
    this.response = status === ASKS ? proxyRefusal(reason, fields) : undefined;
  }
}

/** Returns the response of a proxy that asks for credentials instead of opening a tunnel. */
export function proxyRefusal(
  reason: string = "Proxy Authentication Required",
  fields: readonly string[] = [],
): Response {
  const statusText = isHeaderText(reason) ? reason : "";
  return new Response(null, { status: ASKS, statusText, headers: headerPairs(fields) });
}

/** Groups header fields from a flat list (name, value, name, value) into pairs. */
export function headerPairs(fields: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) pairs.push([fields[at]!, fields[at + 1]!]);
  return pairs;
}
