/** The connection options, and the exports that each implementation of `#transport` has. */
import type { Clock } from "../../base/clock.ts";
import type { RequestSummary } from "../../errors/message_text.ts";
import type { TransportErrorKind } from "../../errors/transport_error.ts";
import type { ChunkReader, IdleTimer } from "../idle_timer.ts";
import type { Transport } from "../transport.ts";
import type { CertificateAuthorities, ClientCertificate } from "./certificates.ts";
import type { Proxies, ProxyMapping } from "./proxies.ts";

/**
 * Connection options of an HTTP session: proxies, certificates and TLS verification.
 *
 * @category Sessions and clients
 */
export interface ConnectionOptions {
  /**
   * Proxies by protocol; null for none. Not supported in browsers. Default: none
   *
   * @example `{ proxies: { all: "http://ada:countess@proxy.example.com:3128" } }`
   */
  readonly proxies?: Proxies | null | undefined;
  /**
   * The client's certificate and its key, as PEM or as paths; null for none. Not supported in
   * browsers. Default: none
   *
   * @example `{ cert: ["/etc/acme/client.pem", "/etc/acme/client.key"] }`
   */
  readonly cert?: ClientCertificate | null | undefined;
  /**
   * Authorities that are trusted in addition to those of the runtime, as PEM or as paths; null for
   * none. Not supported in browsers. Default: none
   *
   * @example `{ ca: "/etc/acme/authority.pem" }`
   */
  readonly ca?: CertificateAuthorities | null | undefined;
  /**
   * True if TLS is verified: the certificates of the server and of a proxy. False is supported
   * everywhere except in browsers. It lets anyone on the network path read and change the traffic.
   *
   * @default {true}
   */
  readonly sslVerify?: boolean | undefined;
}

/**
 * The connection options of an HTTP session after their check, and the transports that use them.
 */
export interface ConnectionRoutes {
  /** Proxies by protocol, null for none. Their credentials are left out. */
  readonly proxies: ProxyMapping;
  /** The client's certificate, without its key; null for none. */
  readonly cert: string | null;
  /** Authorities that are trusted in addition to those of the runtime. */
  readonly ca: readonly string[];
  /** True if TLS is verified for calls that do not set `verify`. */
  readonly verify: boolean;
  /**
   * Checks options and merges them over the current ones. An option that is undefined does not
   * change.
   *
   * @param options The options
   * @param hasCustomFetch True if the session has a custom fetch, which ignores these options.
   * Default: false
   */
  setOptions(options: ConnectionOptions, hasCustomFetch?: boolean): void;
  /**
   * Returns the transport for a URL and a method; undefined if plain fetch is sufficient.
   *
   * @param url The URL
   * @param verify True if TLS is verified
   * @param method The method. Some runtimes' fetch changes it. Default: `GET`
   * @param isSentOnce True if the runtime must not repeat the request by itself. Default: false
   */
  find(
    url: string,
    verify: boolean,
    method?: string,
    isSentOnce?: boolean,
  ): Transport | undefined;
  /** Closes every transport. */
  close(): void;
}

/** The exports of `#transport`: the parts that differ between browsers and other runtimes. */
export interface TransportPort {
  /** The class of routes. A new instance has no options yet. */
  readonly Routes: new () => ConnectionRoutes;
  /** The runtime's own fetch. The global is looked up at each call, so that a mock is used. */
  readonly plainFetch: Transport;
  /** Returns the timer of an attempt for a timeout in seconds. */
  readonly idleTimerFor: (timeout: number, clock: Clock) => IdleTimer;
  /** Returns the fastest reader of a body. */
  readonly readerOf: (response: Response, body: ReadableStream<Uint8Array>) => ChunkReader;
  /** Returns the error for a port that fetch blocks; any other error as it is. */
  readonly explainBlockedPort: (
    error: unknown,
    step: { readonly url: string; readonly redirectedBy?: number },
    request: RequestSummary,
  ) => unknown;
  /** Returns the kind of a failed connection from fetch's error; undefined for a mistake. */
  readonly failureKind: (error: Error) => TransportErrorKind | undefined;
}
