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
 * Opens tunnels through a proxy (RFC 9110 §9.3.6).
 *
 * The runtimes' own clients do not tell with which status a proxy refuses, and Deno's sends the
 * proxy's password on to the server.
 */
export class Tunnels {
  readonly #proxy: ProxyAddress;
  readonly #tls: TlsOptions;
  readonly #asking: Set<OutgoingRequest> = new Set();

  /**
   * @param proxy The proxy
   * @param tls How TLS is spoken to the proxy, where its URL says so
   */
  constructor(proxy: ProxyAddress, tls: TlsOptions) {
    this.#proxy = proxy;
    this.#tls = tls;
  }

  /**
   * Asks for a tunnel.
   *
   * @param target Where it leads
   * @returns The connection through it
   * @throws {TunnelRefusal} Where the proxy does not open it
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
        // What it breaks off with is of no interest any more.
        socket.on("error", () => {});
        socket.destroy();
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
      request.on("close", () => {
        this.#asking.delete(request);
        // After all that may have come before, which is then what counts.
        const end = new Error("the proxy closed the connection in place of a tunnel");
        reject(Object.assign(end, { code: "ECONNRESET" }));
      });
      request.end();
    });
  }

  /** Gives up what is not open yet; a tunnel that is belongs to who asked for it. */
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
      timeout: PATIENCE,
    });
  }
}
