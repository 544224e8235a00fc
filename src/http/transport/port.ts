import type { TransportErrorKind } from "../../errors/transport_error.ts";
import type { Transport } from "../transport.ts";
import type { Authorities, ClientCertificate } from "./certificates.ts";
import type { Proxies, ProxyMapping } from "./proxies.ts";

/** How an HTTP session reaches servers: proxies, certificates, the verification of TLS. */
export interface ConnectionOptions {
  /**
   * Proxies by protocol; null for none. Not in browsers. Default: none
   *
   * @example `{ proxies: { all: "http://ada:countess@proxy.example.com:3128" } }`
   */
  readonly proxies?: Proxies | null | undefined;
  /**
   * The client's certificate and its key, as PEM or as paths; null for none. Not in browsers.
   * Default: none
   *
   * @example `{ cert: ["/etc/acme/client.pem", "/etc/acme/client.key"] }`
   */
  readonly cert?: ClientCertificate | null | undefined;
  /**
   * Authorities that are trusted beside those of the runtime, as PEM or as paths; null for none.
   * Not in browsers. Default: none
   *
   * @example `{ ca: "/etc/acme/authority.pem" }`
   */
  readonly ca?: Authorities | null | undefined;
  /**
   * Whether TLS is verified: the server's certificate, and that of a proxy. False works everywhere
   * but in browsers, and lets anybody in between read and change what is sent.
   *
   * @default {true}
   */
  readonly sslVerify?: boolean | undefined;
}

/** The routes of an HTTP session: its connection options, checked, and what carries by them. */
export interface ConnectionRoutes {
  /** Proxies by protocol, null for none; without their credentials. */
  readonly proxies: ProxyMapping;
  /** The client's certificate, without its key; null for none. */
  readonly cert: string | null;
  /** Authorities beside those of the runtime. */
  readonly ca: readonly string[];
  /** Whether TLS is verified where a call does not say. */
  readonly verify: boolean;
  /**
   * Checks and lays options over those that are there; what is undefined stays as it is.
   *
   * @param options The options
   * @param isBesideFetch Whether somebody's own fetch carries the requests, which would not know of
   * them. Default: false
   */
  setOptions(options: ConnectionOptions, isBesideFetch?: boolean): void;
  /**
   * Finds the transport for a URL and a method; undefined if fetch does as it is.
   *
   * @param url The URL
   * @param verify If TLS is verified
   * @param method The method, which not every fetch sends as it is written. Default: `GET`
   */
  find(url: string, verify: boolean, method?: string): Transport | undefined;
  /** Closes every transport. */
  close(): void;
}

/** What `#transport` gives: all that runtimes have and browsers do not, behind three names. */
export interface TransportPort {
  /** Routes without any option yet. */
  readonly Routes: new () => ConnectionRoutes;
  /** The runtime's own fetch, which is read late so that a mock in its place is used. */
  readonly plainFetch: Transport;
  /** What went wrong between the two ends, as fetch tells it; undefined for a mistake. */
  readonly failureKind: (error: Error) => TransportErrorKind | undefined;
}
