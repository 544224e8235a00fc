/**
 * The types of a route, such as a proxy with certificates, and of a transport that is opened for
 * it.
 */
import type { Transport } from "../transport.ts";
import type { PemPair } from "./certificates.ts";
import type { ProxyAddress } from "./proxies.ts";

/** The connection options of requests that plain fetch cannot send. */
export interface Route {
  /** The proxy; undefined for none. */
  readonly proxy: ProxyAddress | undefined;
  /** The client's certificate and its key; undefined for none. */
  readonly cert: PemPair | undefined;
  /** Authorities that are trusted in addition to those of the runtime, as PEM. */
  readonly ca: readonly string[];
  /** True if TLS is verified. */
  readonly verify: boolean;
}

/** A transport for one route: a client of the runtime with its own connections. */
export interface RuntimeTransport {
  /** Sends one request. */
  readonly carry: Transport;
  /** Sends one request that the runtime must not repeat. Default: `carry`, which does not repeat it */
  readonly carryOnce?: Transport;
  /** Closes idle connections at once, and the others when their body has been read. */
  close(): void;
}

/** A function that opens a transport. Each runtime has one, in its own file. */
export type OpenTransport = (route: Route) => RuntimeTransport | Promise<RuntimeTransport>;
