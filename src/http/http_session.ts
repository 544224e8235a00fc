import { plainFetch, Routes } from "#transport";
import { checkedBound, checkedFunction, checkedHeaderText } from "../checks.ts";
import { Adapters } from "./adapters.ts";
import { type Auth, type AuthInput, checkedAuth } from "./auth.ts";
import { checkedCookieStore, type CookieStore } from "./cookie_store.ts";
import type { HeadersInput } from "./headers.ts";
import { SessionHeaders } from "./session_headers.ts";
import type { Authorities, ClientCertificate } from "./transport/certificates.ts";
import type { ConnectionOptions } from "./transport/port.ts";
import type { Proxies, ProxyMapping } from "./transport/proxies.ts";
import type { Transport } from "./transport.ts";

/** What an {@linkcode HttpSession} is made of. */
export interface HttpSessionOptions extends ConnectionOptions {
  /** Headers that every request has. Default: none; a session adds its User-Agent */
  readonly headers?: HeadersInput | undefined;
  /** A user name and a password, or a scheme, asked for each request. Default: none */
  readonly auth?: AuthInput | undefined;
  /**
   * Where cookies are kept; null keeps none. Default: a `CookieJar` of its own, made at the first
   * Set-Cookie
   */
  readonly cookies?: CookieStore | null | undefined;
  /**
   * Transports that take the place of fetch, each below a URL prefix. Default: none
   *
   * @example `{ adapters: { "https://api.example.com/v1/": myTransport } }`
   */
  readonly adapters?: Readonly<Record<string, Transport>> | undefined;
  /**
   * Seconds without data after which an exchange counts as stalled, where neither the session nor
   * the call says; null for none.
   *
   * @default {null}
   */
  readonly timeout?: number | null | undefined;
  /**
   * Carries the requests where no adapter does; like an adapter it sees to proxies and TLS by
   * itself. Default: the runtime's fetch, looked up at each request, so that a mock in its place is
   * used
   */
  readonly fetch?: Transport | undefined;
}

/**
 * What lies beneath a session: default headers, authentication, cookies, transports.
 *
 * A session has one of its own, or takes one that was made before: then several can share headers,
 * login, cookies and connections, and it is not closed with them. What is set holds from the next
 * request on.
 *
 * @example Shared by two sessions
 * ```ts
 * import { APISession, HttpSession } from "@restwright/restwright";
 *
 * const session = new HttpSession({ headers: { "X-API-Key": "k-123" } });
 * const users = new APISession({ url: "https://users.example.com", session });
 * const bills = new APISession({ url: "https://bills.example.com", session });
 * session.headers.set("X-API-Key", null); // for both
 * console.log(users.session === bills.session); // true
 * ```
 */
export class HttpSession {
  /** The headers that every request has. */
  readonly headers: SessionHeaders = new SessionHeaders();
  /** Seconds without data after which an exchange counts as stalled; undefined for none. */
  readonly timeout: number | undefined;

  readonly #adapters = new Adapters();
  readonly #fetch: Transport | undefined;
  readonly #routes = new Routes();
  #auth: Auth | null = null;
  #cookies: CookieStore | null | undefined;

  /**
   * Checks and keeps the options.
   *
   * @param options What it is made of
   * @throws {UnexpectedValueError} Names the first option that is not what was expected
   * @throws {UnsupportedOptionError} Where the runtime decides on proxies and TLS by itself
   */
  constructor(options: HttpSessionOptions = {}) {
    this.timeout = checkedBound("timeout", options.timeout) ?? undefined;
    this.#fetch = checkedFunction("fetch", options.fetch);
    this.setConnection(options);
    this.cookies = options.cookies;
    this.auth = options.auth;
    if (options.headers !== undefined) this.headers.setAll(options.headers);
    if (options.adapters !== undefined) this.#adapters.mountAll(options.adapters);
  }

  /** The authentication scheme; a user name and a password make one of Basic authentication. */
  get auth(): Auth | null {
    return this.#auth;
  }

  set auth(auth: AuthInput | undefined) {
    this.#auth = checkedAuth(auth);
  }

  /** Where cookies are kept; null keeps none, undefined makes a jar at the first Set-Cookie. */
  get cookies(): CookieStore | null | undefined {
    return this.#cookies;
  }

  set cookies(store: CookieStore | null | undefined) {
    this.#cookies = checkedCookieStore("cookies", store);
  }

  /** Proxies by protocol, null for none; what is read is without the credentials. */
  get proxies(): ProxyMapping {
    return this.#routes.proxies;
  }

  set proxies(proxies: Proxies | null) {
    this.setConnection({ proxies });
  }

  /** The client's certificate and its key, null for none; what is read is the certificate alone. */
  get cert(): string | null {
    return this.#routes.cert;
  }

  set cert(cert: ClientCertificate | null) {
    this.setConnection({ cert });
  }

  /** The authorities beside those of the runtime, null for none; what is read is a list of PEM. */
  get ca(): readonly string[] {
    return this.#routes.ca;
  }

  set ca(ca: Authorities | null) {
    this.setConnection({ ca });
  }

  /** Whether TLS is verified where a call does not say. */
  get sslVerify(): boolean {
    return this.#routes.verify;
  }

  set sslVerify(sslVerify: boolean) {
    this.setConnection({ sslVerify });
  }

  /**
   * Sets how servers are reached; what is left out or undefined stays as it is.
   *
   * @param options Proxies, certificates, the verification of TLS
   * @throws {UnexpectedValueError} Names the first option that is not what was expected
   * @throws {UnsupportedOptionError} Where the runtime decides on proxies and TLS by itself
   */
  setConnection(options: ConnectionOptions): void {
    this.#routes.setOptions(options, this.#fetch !== undefined);
  }

  /**
   * Closes what it holds: the authentication scheme gives back its token, and the connections that
   * its options asked for are closed; those of the runtime's own fetch belong to the runtime. Bodies
   * that have arrived can be read to their end.
   *
   * A session closes the one that it made for itself; one that was made before is closed by whoever
   * made it.
   */
  async close(): Promise<void> {
    try {
      await this.#auth?.close?.();
    } finally {
      this.#routes.close();
    }
  }

  /** What leaving a context with `await using` does: the same as `close`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Puts a transport in the place of fetch below a URL prefix; the longest prefix wins.
   *
   * @param prefix A URL, or `https://` for every URL of its scheme
   * @param transport The transport
   * @throws {UnexpectedValueError} Where one of them is not what was expected
   */
  mount(prefix: string, transport: Transport): void {
    this.#adapters.mount(prefix, transport);
  }

  /**
   * The transport that carries a request: the adapter that is mounted on its URL, else fetch.
   *
   * Bun's fetch sends methods that it does not know as GET. The transport for such a method is
   * another one; the one for `GET` refuses it.
   *
   * @param url The URL
   * @param verify Whether TLS is verified, which adapters see to by themselves. Default: as
   * `sslVerify` says
   * @param fetch What takes the place of fetch for this request
   * @param method The method of the request. Default: `GET`
   */
  transportFor(
    url: string,
    verify: boolean = this.sslVerify,
    fetch?: Transport,
    method?: string,
  ): Transport {
    return this.#adapters.find(url) ?? fetch ?? this.#fetch ??
      this.#routes.find(url, verify, method) ?? plainFetch;
  }

  /**
   * The value of the Cookie header for a request; empty where there are no cookies.
   *
   * @param url The URL that it goes to
   * @param store Where they are kept. Default: the session's own
   * @throws {UnexpectedValueError} If the store returns something that cannot be sent; the error
   * does not show it
   */
  cookieHeader(
    url: string,
    store: CookieStore | null | undefined = this.#cookies,
  ): string | Promise<string> {
    const cookies = store?.cookieHeader(url) ?? "";
    return typeof cookies === "string"
      ? checkedCookies(cookies)
      : Promise.resolve(cookies).then(checkedCookies);
  }

  /**
   * Keeps the cookies that a response sets.
   *
   * @param response The response
   * @param url The URL that it came from
   * @param store Where they are kept. Default: the session's own
   */
  async keepCookies(
    response: Response,
    url: string,
    store: CookieStore | null | undefined = this.#cookies,
  ): Promise<void> {
    const setCookies = response.headers.getSetCookie();
    if (setCookies.length === 0) return;
    if (store === undefined) {
      const { CookieJar } = await import("#cookies");
      // What is set meanwhile stays: two first responses at once share one jar.
      if (this.#cookies === undefined) this.#cookies = CookieJar ? new CookieJar() : null;
      store = this.#cookies;
    }
    await store?.keep(setCookies, url);
  }
}

/** Checks the cookies that a store returned, which may be the user's own. */
function checkedCookies(cookies: string | null | undefined): string {
  return checkedHeaderText("cookies.cookieHeader()", cookies ?? "");
}
