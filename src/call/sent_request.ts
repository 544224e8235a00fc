/** One HTTP request of an attempt, as the middleware around it sees it. */
import { isStreamFormat } from "../content/response_format.ts";
import type { HttpSession } from "../http/http_session.ts";
import { type Attempt, checkResponse } from "../http/send.ts";
import { BEFORE_SCHEME } from "../http/scheme_changes.ts";
import type { Transport, TransportInit } from "../http/transport.ts";
import type { Logger } from "../log/logger.ts";
import type { Call } from "./call.ts";
import type { NetworkMiddleware, NetworkRequest } from "../options/middleware.ts";
import { shownUrl } from "./redact.ts";

/** An attempt of a call, with what the middleware around its requests sees. */
export interface CallAttempt extends Attempt<Call> {
  /** The logger of the call. */
  readonly logger: Logger;
}

/** One HTTP request. The private fields keep the attempt out of logs that print the request. */
export class SentRequest implements NetworkRequest {
  readonly url: string;
  readonly init: TransportInit;
  readonly isTrusted: boolean;
  readonly #attempt: CallAttempt;
  readonly #transport: Transport;
  readonly #isFinal: boolean;

  /**
   * @param attempt The attempt
   * @param transport The transport
   * @param url The full URL
   * @param init The method, headers, body and signal
   * @param isTrusted True if the request gets the credentials of the session
   * @param isFinal True if no function of the program can still change the request
   */
  constructor(
    attempt: CallAttempt,
    transport: Transport,
    url: string,
    init: TransportInit,
    isTrusted: boolean,
    isFinal: boolean,
  ) {
    this.#attempt = attempt;
    this.#transport = transport;
    this.#isFinal = isFinal;
    this.url = url;
    this.init = init;
    this.isTrusted = isTrusted;
  }

  get shownUrl(): string {
    return shownUrl(this.url, this.call);
  }

  get callSignals(): readonly AbortSignal[] {
    return this.call.signals;
  }

  get identity(): string | undefined {
    return this.#isFinal ? this.currentIdentity : undefined;
  }

  /** The identity of the request as it is now, also if a function of the program can still change it. */
  get currentIdentity(): string | undefined {
    const { settings: { format, cookies } } = this.call;
    const parts = isStreamFormat(format) ? undefined : comparedParts(this, idOf);
    if (parts === undefined) return undefined;
    const storage = cookies?.storage;
    return JSON.stringify([
      ...[idOf(this.session), idOf(this.#transport), storage ? idOf(storage) : storage === null],
      ...parts,
    ]);
  }

  /** The call. */
  get call(): Call {
    return this.#attempt.call;
  }

  /** The logger of the call. */
  get logger(): Logger {
    return this.#attempt.logger;
  }

  /** The HTTP session. */
  get session(): HttpSession {
    return this.#attempt.http;
  }

  /** True if the session would choose the same transport for any call to this URL. */
  get isBySession(): boolean {
    const { url, init, session } = this;
    return session.transportFor(url, undefined, undefined, init.method) === this.#transport;
  }

  /** The signal of the transport. */
  get signal(): AbortSignal | undefined {
    return this.init.signal ?? undefined;
  }

  /**
   * Returns the request with further headers.
   *
   * @param headers The headers
   * @param isFinal True if no function of the program can change the result. Default: as before
   */
  with(
    headers: Readonly<Record<string, string>> | undefined,
    isFinal: boolean = this.#isFinal,
  ): SentRequest {
    if (headers === undefined && isFinal === this.#isFinal) return this;
    const init = { ...this.init, headers: { ...this.init.headers, ...headers } };
    return new SentRequest(this.#attempt, this.#transport, this.url, init, this.isTrusted, isFinal);
  }

  /** Sends the request through its transport. The idle timeout counts until the headers arrive. */
  async send(): Promise<Response> {
    this.startIdle();
    try {
      const response: unknown = await this.#transport(this.url, this.init);
      if (!(response instanceof Response)) checkResponse(response);
      return response;
    } finally {
      this.stopIdle();
    }
  }

  /** Begins to measure how long the attempt waits for data. */
  startIdle(): void {
    const { scope, signal } = this.#attempt;
    // A later attempt has its own signal.
    if (scope?.signal === signal) scope?.idleTimer?.start(scope);
  }

  /** Stops measuring. */
  stopIdle(): void {
    const { scope, signal } = this.#attempt;
    if (scope?.signal === signal) scope?.idleTimer?.stop(scope);
  }
}

/** The key by which copies of the toolkit recognise their functions around a request. */
const OWN = Symbol.for("restwright.network");

/**
 * Marks a function around each HTTP request as one of the toolkit: it adds only headers that do not
 * change whose response it is, such as conditions and trace context.
 */
export function ownNetwork<F extends object>(network: F): F {
  return Object.defineProperty(network, OWN, { value: true });
}

/** Reports if a function around each HTTP request is one of the toolkit. */
export function isOwnNetwork(network: NetworkMiddleware): boolean {
  return OWN in network;
}

/**
 * Headers that differ between requests, but do not change the response: they only connect log
 * records.
 */
const harmless: ReadonlySet<string> = new Set([
  ...["traceparent", "tracestate", "x-correlation-id", "x-request-id"],
]);

/** Parts of an `init` that are not sent, or compared separately. */
const otherParts: ReadonlySet<string | symbol> = new Set(["headers", "signal", BEFORE_SCHEME]);

/**
 * Returns everything that a GET or HEAD sends, in a fixed order: the URL, the headers and the options
 * of fetch.
 *
 * @param request The request
 * @param compared Returns a value that stands for an object, such as a dispatcher; undefined if it
 * cannot be compared
 * @returns The parts for JSON, with secrets; undefined if one of them cannot be compared
 */
export function comparedParts(
  { url, init }: Pick<NetworkRequest, "url" | "init">,
  compared: (value: object) => number | undefined,
): unknown[] | undefined {
  const { method, headers, body } = init;
  if (method !== "GET" && method !== "HEAD" || body !== undefined) return undefined;
  const options: unknown[] = [];
  for (const name of Reflect.ownKeys(init)) {
    const value: unknown = init[name as keyof TransportInit];
    if (otherParts.has(name) || value === undefined) continue;
    if (typeof name === "symbol") return undefined;
    const isObject = typeof value === "object" && value !== null || typeof value === "function";
    const known = isObject ? compared(value) : value;
    if (known === undefined || typeof known === "symbol") return undefined;
    options.push([name, typeof value, String(known)]);
  }
  const names = Object.keys(headers).filter((name) => !harmless.has(name)).sort();
  return [url, names.map((name) => [name, headers[name]]), options];
}

const ids = new WeakMap<object, number>();
let lastId = 0;

/** Returns a number that stands for an object in this process. */
function idOf(value: object): number {
  let id = ids.get(value);
  if (id === undefined) ids.set(value, id = ++lastId);
  return id;
}
