/** Chooses the way of each request: plain fetch, or a transport for its proxy and certificates. */
import { checkedFlag } from "../../base/checks.ts";
import { SessionStateError } from "../../errors/session_state_error.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import type { Transport } from "../transport.ts";
import { detectRuntime } from "../../base/runtime.ts";
import { checkedAuthorities, checkedCert, type PemPair } from "./certificates.ts";
import { fetchOnce } from "./deno_once.ts";
import type { ConnectionOptions, ConnectionRoutes } from "./port.ts";
import { checkedProxies, noProxies, type ProxyAddress, type ProxyMapping } from "./proxies.ts";
import type { RuntimeTransport } from "./route.ts";
import { checkRuntime, hasTransports, openNodeHttp, openTransport } from "./runtime_transport.ts";
import { isSentAsWritten, usualMethods } from "./sent_method.ts";

/** Only Deno's fetch repeats requests whose methods are not idempotent. */
const isDeno = detectRuntime().name === "Deno";

/**
 * The routes of an HTTP session. A transport is opened at its first use. It stays open until the
 * options change or the session is closed.
 */
export class Routes implements ConnectionRoutes {
  #proxies = noProxies;
  #cert: PemPair | undefined;
  #ca: readonly string[] = [];
  /** True if TLS is verified for calls that do not set `verify`. */
  verify = true;
  #isClosed = false;
  /** Open transports by proxy (undefined for none), then by verification and kind of transport. */
  readonly #opened = new Map<ProxyAddress | undefined, Map<string, OpenedRoute>>();

  /** Proxies by protocol, null for none. Their credentials are left out. */
  get proxies(): ProxyMapping {
    const { http, https } = this.#proxies;
    return { http: http?.origin ?? null, https: https?.origin ?? null };
  }

  /** The client's certificate, without its key; null for none. */
  get cert(): string | null {
    return this.#cert?.cert ?? null;
  }

  /** Authorities that are trusted in addition to those of the runtime. */
  get ca(): readonly string[] {
    return this.#ca;
  }

  /**
   * Checks options and merges them over the current ones. An option that is undefined does not
   * change.
   *
   * @throws {UnexpectedValueError} If an option is not valid. The error names the first one.
   * @throws {UnsupportedOptionError} If the runtime does not support an option
   */
  setOptions({ proxies, cert, ca, sslVerify }: ConnectionOptions, hasCustomFetch = false): void {
    if (hasCustomFetch) rejectWithCustomFetch({ proxies, cert, ca, sslVerify });
    for (const [option, value] of Object.entries({ proxies, cert, ca })) {
      if (value !== undefined && value !== null) checkRuntime(option);
    }
    if (sslVerify !== undefined && !checkedFlag("sslVerify", sslVerify)) checkRuntime("sslVerify");
    const table = checkedProxies(proxies);
    const pair = checkedCert(cert);
    const authorities = checkedAuthorities(ca);
    // Nothing is set before all options have been checked.
    if (proxies !== undefined) this.#proxies = table;
    if (cert !== undefined) this.#cert = pair;
    if (ca !== undefined) this.#ca = authorities;
    if (sslVerify !== undefined) this.verify = sslVerify;
    const isSame = [proxies, cert, ca, sslVerify].every((each) => each === undefined);
    if (!isSame) this.#closeRoutes();
  }

  /**
   * Returns the transport for a URL and a method; undefined if the runtime's fetch is sufficient.
   *
   * @param url The URL
   * @param verify True if TLS is verified
   * @param method The method. If fetch would change it, the request is sent by `node:http`.
   * @param isSentOnce True if the runtime must not repeat the request by itself
   * @throws {SessionStateError} If the session has been closed
   * @throws {UnsupportedOptionError} If `verify` is false and the runtime does not support that
   */
  find(
    url: string,
    verify: boolean,
    method: string = "GET",
    isSentOnce: boolean = false,
  ): Transport | undefined {
    const isSecure = url.startsWith("https:");
    const proxy = isSecure ? this.#proxies.https : this.#proxies.http;
    const isUsual = verify && this.#cert === undefined && this.#ca.length === 0;
    const isByFetch = usualMethods.has(method) || isSentAsWritten(method) || !hasTransports();
    if (isByFetch && proxy === undefined && (isUsual || !isSecure)) {
      return isSentOnce && isDeno ? fetchOnce : undefined;
    }
    if (this.#isClosed) throw new SessionStateError("the HTTP session is closed");
    const { carry, carryOnce } = this.#route(proxy, verify, isByFetch);
    return isSentOnce ? carryOnce : carry;
  }

  /** Closes every transport. Requests that need one throw an error from now on. */
  close(): void {
    this.#isClosed = true;
    this.#closeRoutes();
  }

  #route(proxy: ProxyAddress | undefined, verify: boolean, isByFetch: boolean): OpenedRoute {
    const key = `${verify},${isByFetch}`;
    const existing = this.#opened.get(proxy)?.get(key);
    if (existing !== undefined) return existing;
    if (!verify) checkRuntime("verify");
    const open = isByFetch ? openTransport : openNodeHttp;
    const opening = open({ proxy, cert: this.#cert, ca: this.#ca, verify });
    // The requests that use the route report the error. It must not be an unhandled rejection, too.
    opening.catch(() => {});
    const route: OpenedRoute = {
      opening,
      carry: async (url, init) => (await opening).carry(url, init),
      carryOnce: async (url, init) => {
        const { carry, carryOnce = carry } = await opening;
        return await carryOnce(url, init);
      },
    };
    const ofProxy = this.#opened.get(proxy) ?? new Map<string, OpenedRoute>();
    this.#opened.set(proxy, ofProxy.set(key, route));
    return route;
  }

  #closeRoutes(): void {
    for (const ofProxy of this.#opened.values()) {
      for (const { opening } of ofProxy.values()) {
        // If a transport failed to open, its requests have already reported that.
        opening.then((transport) => transport.close(), () => {});
      }
    }
    this.#opened.clear();
  }
}

/** A transport that is open or being opened. */
interface OpenedRoute {
  readonly opening: Promise<RuntimeTransport>;
  readonly carry: Transport;
  readonly carryOnce: Transport;
}

/** Rejects connection options of a session with a custom fetch, which would ignore them. */
function rejectWithCustomFetch(options: ConnectionOptions): void {
  for (const [option, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === true) continue;
    const expected =
      "left out if fetch is passed, because that function handles proxies and TLS itself; to change " +
      "requests and responses, pass middleware instead of fetch";
    throw new UnexpectedValueError(option, expected, value);
  }
}
