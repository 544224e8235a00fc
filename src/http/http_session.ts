/**
 * The HTTP session: the headers, scheme, cookies and transports that several sessions can share.
 */
import { plainFetch, Routes } from "#transport";
import {
  checkedBound,
  checkedFunction,
  checkedHeaderText,
  checkedOptions,
} from "../base/checks.ts";
import { lazyImport } from "../base/lazy_import.ts";
import { type Auth, type AuthInput, checkedAuth } from "./auth.ts";
import { checkedCookieStorage, type CookieStorage } from "./cookie_storage.ts";
import { type HeadersInput, SessionHeaders } from "./headers.ts";
import type { CertificateAuthorities, ClientCertificate } from "./transport/certificates.ts";
import type { ConnectionOptions } from "./transport/port.ts";
import type { Proxies, ProxyMapping } from "./transport/proxies.ts";
import { Adapters, type Transport } from "./transport.ts";

/**
 * The options of an {@linkcode HttpSession}.
 *
 * @category Sessions and clients
 */
export interface HttpSessionOptions extends ConnectionOptions {
  /** Headers of every request. Default: none; a session adds its User-Agent */
  readonly headers?: HeadersInput | undefined;
  /** A user name and a password, or a scheme, used for each request. Default: none */
  readonly auth?: AuthInput | undefined;
  /**
   * The storage for cookies; null for none. Default: a new `CookieJar`, created at the first
   * Set-Cookie
   */
  readonly cookies?: CookieStorage | null | undefined;
  /**
   * Transports that replace fetch, by URL prefix. Default: none
   *
   * @example `{ adapters: { "https://api.example.com/v1/": myTransport } }`
   */
  readonly adapters?: Readonly<Record<string, Transport>> | undefined;
  /**
   * Seconds without data after which an attempt fails, if neither the session nor the call sets a
   * timeout; null for no limit.
   *
   * @default {null}
   */
  readonly timeout?: number | null | undefined;
  /**
   * Sends the requests that no adapter sends. Like an adapter, it handles proxies and TLS itself.
   * Default: the runtime's fetch. The global is looked up at each request, so that a mock is used
   */
  readonly fetch?: Transport | undefined;
}

const sessionOptions: readonly (keyof HttpSessionOptions)[] = [
  "adapters",
  "auth",
  "ca",
  "cert",
  "cookies",
  "fetch",
  "headers",
  "proxies",
  "sslVerify",
  "timeout",
];

/**
 * The part of a session that sends requests: default headers, authentication, cookies, transports.
 *
 * A session creates its own, or uses one that is passed as the option `session`. In this way several
 * sessions can share headers, login, cookies and connections; closing them does not close it. Changes
 * apply from the next request on.
 *
 * @example Shared by two sessions
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { HttpSession } from "@restwright/restwright/http";
 *
 * const session = new HttpSession({ headers: { "X-API-Key": "k-123" } });
 * const users = new APISession({ url: "https://users.example.com", session });
 * const bills = new APISession({ url: "https://bills.example.com", session });
 * session.headers.set("X-API-Key", null); // for both
 * console.log(users.httpSession === bills.httpSession); // true
 * ```
 *
 * @category Sessions and clients
 */
export class HttpSession {
  /** The headers of every request. */
  readonly headers: SessionHeaders = new SessionHeaders();
  /** Seconds without data after which an attempt fails; undefined for no limit. */
  readonly timeout: number | undefined;

  #adapters: Adapters | undefined;
  readonly #fetch: Transport | undefined;
  readonly #routes = new Routes();
  #auth: Auth | null = null;
  #cookies: CookieStorage | null | undefined;

  /**
   * Checks and stores the options.
   *
   * @param options The options
   * @throws {UnexpectedValueError} If an option is not valid; the error names the first one
   * @throws {UnsupportedOptionError} If the runtime does not support an option
   */
  constructor(options: HttpSessionOptions = {}) {
    checkedOptions(options, sessionOptions);
    this.timeout = checkedBound("timeout", options.timeout) ?? undefined;
    this.#fetch = checkedFunction("fetch", options.fetch);
    this.setConnection(options);
    this.cookies = options.cookies;
    this.auth = options.auth;
    if (options.headers !== undefined) this.headers.setAll(options.headers);
    if (options.adapters !== undefined) {
      this.#adapters = new Adapters();
      this.#adapters.mountAll(options.adapters);
    }
  }

  /** The name of the class. Frameworks such as Vue wrap objects without one in a `Proxy`. */
  get [Symbol.toStringTag](): string {
    return "HttpSession";
  }

  /** The authentication scheme. A user name and a password are set as Basic authentication. */
  get auth(): Auth | null {
    return this.#auth;
  }

  set auth(auth: AuthInput | undefined) {
    this.#auth = checkedAuth("auth", auth);
  }

  /** The storage for cookies; null for none, undefined for a new jar at the first Set-Cookie. */
  get cookies(): CookieStorage | null | undefined {
    return this.#cookies;
  }

  set cookies(storage: CookieStorage | null | undefined) {
    this.#cookies = checkedCookieStorage("cookies", storage);
  }

  /** Proxies by protocol, null for none. Reading it returns them without credentials. */
  get proxies(): ProxyMapping {
    return this.#routes.proxies;
  }

  set proxies(proxies: Proxies | null) {
    this.setConnection({ proxies });
  }

  /** The client's certificate and key, null for none. Reading it returns only the certificate. */
  get cert(): string | null {
    return this.#routes.cert;
  }

  set cert(cert: ClientCertificate | null) {
    this.setConnection({ cert });
  }

  /** Authorities in addition to those of the runtime, null for none. Reading returns PEM texts. */
  get ca(): readonly string[] {
    return this.#routes.ca;
  }

  set ca(ca: CertificateAuthorities | null) {
    this.setConnection({ ca });
  }

  /** True if TLS is verified for calls that do not set `verify`. */
  get sslVerify(): boolean {
    return this.#routes.verify;
  }

  set sslVerify(sslVerify: boolean) {
    this.setConnection({ sslVerify });
  }

  /**
   * Sets connection options. An option that is undefined does not change.
   *
   * @param options Proxies, certificates and TLS verification
   * @throws {UnexpectedValueError} If an option is not valid; the error names the first one
   * @throws {UnsupportedOptionError} If the runtime does not support an option
   */
  setConnection(options: ConnectionOptions): void {
    this.#routes.setOptions(options, this.#fetch !== undefined);
  }

  /**
   * Closes the HTTP session: the authentication scheme releases its token, and the connections of
   * proxies and certificates are closed. Those of the runtime's own fetch belong to the runtime.
   * Bodies that are being read can be read to their end.
   *
   * A session closes the HTTP session that it created. Close one that you created yourself.
   */
  async close(): Promise<void> {
    try {
      await this.#auth?.close?.();
    } finally {
      this.#routes.close();
    }
  }

  /** Closes the HTTP session at the end of `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Mounts a transport that replaces fetch below a URL prefix. The longest prefix wins.
   *
   * @param prefix A URL, or `https://` for every URL of its scheme
   * @param transport The transport
   * @throws {UnexpectedValueError} If one of them is not valid
   */
  mount(prefix: string, transport: Transport): void {
    (this.#adapters ??= new Adapters()).mount(prefix, transport);
  }

  /**
   * Returns the transport of a request: the adapter that is mounted on its URL, or else fetch.
   *
   * Bun's fetch sends methods that it does not know as GET. The transport for such a method is
   * another one; the one for `GET` refuses it.
   *
   * @param url The URL
   * @param verify True if TLS is verified; adapters handle TLS themselves. Default: `sslVerify`
   * @param fetch Replaces fetch for this request
   * @param method The method of the request. Default: `GET`
   * @param isSentOnce True if the runtime's fetch must not repeat the request by itself. Default: false
   */
  transportFor(
    url: string,
    verify: boolean = this.sslVerify,
    fetch?: Transport,
    method?: string,
    isSentOnce?: boolean,
  ): Transport {
    return this.ownTransportFor(url, fetch) ??
      this.#routes.find(url, verify, method, isSentOnce) ?? plainFetch;
  }

  /**
   * Returns the transport that the program has for a URL: the adapter that is mounted on it, or else the
   * fetch of the program. Undefined if it has neither.
   *
   * @param url The URL
   * @param fetch The fetch of this request. Default: that of the session
   */
  ownTransportFor(url: string, fetch: Transport | undefined = this.#fetch): Transport | undefined {
    return this.#adapters?.find(url) ?? fetch;
  }

  /**
   * Returns the Cookie header of a request; empty if there are no cookies.
   *
   * @param url The URL of the request
   * @param storage The storage. Default: that of the session
   * @throws {UnexpectedValueError} If the storage returns something that cannot be sent; the error
   * does not show it
   */
  cookieHeader(
    url: string,
    storage: CookieStorage | null | undefined = this.#cookies,
  ): string | Promise<string> {
    if (!storage) return "";
    const cookies = storage.cookieHeader(url);
    return typeof cookies === "string"
      ? checkedCookieHeader(cookies)
      : Promise.resolve(cookies).then(checkedCookieHeader);
  }

  /**
   * Keeps the cookies that a response sets.
   *
   * @param response The response
   * @param url The URL of the request
   * @param storage The storage. Default: that of the session
   */
  async keepCookies(
    response: Response,
    url: string,
    storage: CookieStorage | null | undefined = this.#cookies,
  ): Promise<void> {
    const setCookies = response.headers.getSetCookie();
    if (setCookies.length === 0) return;
    if (storage === undefined) {
      const { CookieJar } = await cookieModule();
      // If two first responses arrive at once, they share one jar.
      if (this.#cookies === undefined) this.#cookies = CookieJar ? new CookieJar() : null;
      storage = this.#cookies;
    }
    await storage?.keep(setCookies, url);
  }
}

const cookieModule = lazyImport(() => import("#cookies"));

/** Checks the value that a storage returned, because the storage may be the user's own. */
function checkedCookieHeader(cookies: string | null | undefined): string {
  return checkedHeaderText("cookies.cookieHeader()", cookies ?? "");
}
