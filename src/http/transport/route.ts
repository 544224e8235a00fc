import type { Transport } from "../transport.ts";
import type { PemPair } from "./certificates.ts";
import type { ProxyAddress } from "./proxies.ts";

/** How requests reach a server where the runtime's fetch, as it is, does not do. */
export interface Route {
  /** The proxy in between. */
  readonly proxy: ProxyAddress | undefined;
  /** The client's certificate. */
  readonly cert: PemPair | undefined;
  /** Authorities that are trusted beside those of the runtime, as PEM. */
  readonly ca: readonly string[];
  /** Whether TLS is verified. */
  readonly verify: boolean;
}

/** What carries requests by one route: a client of the runtime, and its connections. */
export interface RuntimeTransport {
  /** Carries one request. */
  readonly carry: Transport;
  /** Closes what nobody uses at once, and the rest when its body has been read. */
  close(): void;
}

/** Opens a transport; there is one in a file for each runtime. */
export type OpenTransport = (route: Route) => RuntimeTransport | Promise<RuntimeTransport>;
