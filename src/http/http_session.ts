import type { Clock } from "../clock.ts";
import { Adapters } from "./adapters.ts";
import type { Cancellation } from "./cancellation.ts";
import { ExchangeWatch } from "./exchange_watch.ts";
import { type HeaderFields, headerFields, type HeaderOverlay, layHeaders } from "./headers.ts";
import { plainFetch } from "./transport/hidden_status.ts";
import type { Transport, TransportInit } from "./transport.ts";

/** One request, as the HTTP session sends it. */
export interface HttpRequest {
  /** The method, in upper case. */
  readonly method: string;
  /** The full URL, without credentials. */
  readonly url: string;
  /** The headers of this request, laid over those of the session. */
  readonly headers: HeaderOverlay;
  /** What else fetch is given. */
  readonly fetchOptions: RequestInit | undefined;
  /** Seconds without data after which the exchange counts as stalled. */
  readonly timeout: number | undefined;
}

/**
 * What lies beneath a session: the default headers and the transports.
 *
 * A request without timeout, signal and deadline goes straight to the transport, and its response
 * straight back.
 */
export class HttpSession {
  /** The headers that every request has, names in lower case. */
  readonly headers: HeaderFields = headerFields();
  /** The transports that take the place of fetch below some URL. */
  readonly adapters: Adapters = new Adapters();
  readonly #clock: Clock;

  /** @param clock What silence is measured by */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Sends one request.
   *
   * @param request The request
   * @param body The body for this attempt
   * @param cancellation What can end the call from outside
   * @param explain Makes an error of the body's stream one that may be shown
   * @returns The response, its body watched where the request has a timeout or can be ended
   */
  send(
    request: HttpRequest,
    body: BodyInit | undefined,
    cancellation: Cancellation | undefined,
    explain: (error: unknown) => unknown,
  ): Promise<Response> {
    const { method, url, timeout, fetchOptions } = request;
    const transport: Transport = this.adapters.find(url) ?? plainFetch;
    const init: TransportInit = {
      ...fetchOptions,
      method,
      headers: layHeaders(this.headers, request.headers),
      redirect: "manual",
    };
    if (body !== undefined) init.body = body;
    // A stream is sent before the response is read; fetch wants to be told (Fetch Standard §5.4).
    if (body instanceof ReadableStream) Object.assign(init, { duplex: "half" });
    if (timeout === undefined && cancellation === undefined) return transport(url, init);
    const watch = new ExchangeWatch({ timeout, cancellation, clock: this.#clock, explain });
    // An adapter may answer without a promise.
    return watch.exchange(async (signal) => await transport(url, { ...init, signal }));
  }
}
