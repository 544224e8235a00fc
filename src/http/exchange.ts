import type { Clock } from "../clock.ts";
import { onDemand } from "../on_demand.ts";
import { detectRuntime } from "../runtime.ts";
import { Arrival } from "./arrival.ts";
import type { Auth } from "./auth.ts";
import type { Cancellation } from "./cancellation.ts";
import type { ExchangeWatch } from "./exchange_watch.ts";
import {
  type HeaderFields,
  type HeaderOverlay,
  layHeaders,
  withoutBrowsersOwn,
} from "./headers.ts";
import type { Hop } from "./hop.ts";
import type { HttpSession } from "./http_session.ts";
import type { Overlay } from "./overlay.ts";
import type { Source } from "./request_body.ts";
import { discard, redirectedResponse } from "./response.ts";
import type { TransportInit } from "./transport.ts";
import type { Trust } from "./trust.ts";

/** One request, as it is exchanged for a response. */
export interface ExchangeRequest extends Hop {
  /** What else fetch is given. */
  readonly fetchOptions: RequestInit | undefined;
  /** What the request wants otherwise than the HTTP session has it. */
  readonly overlay: Overlay | undefined;
}

/** What surrounds an exchange. */
export interface ExchangeContext {
  /** The body while it is sent. */
  readonly source: Source;
  /** Seconds without data after which the exchange counts as stalled. */
  readonly timeout: number | undefined;
  /** How many redirects are followed; undefined follows none. */
  readonly maxRedirects: number | undefined;
  /** Whether TLS is verified. */
  readonly verify: boolean;
  /** What can end the call from outside. */
  readonly cancellation: Cancellation | undefined;
  /** What silence is measured by. */
  readonly clock: Clock;
  /** To whom credentials go. */
  readonly trust: Trust;
  /** The Authorization that goes to whom is trusted, where nothing else says. */
  readonly credentials: string | undefined;
  /** Headers over those of the HTTP session, with its secrets as theirs. */
  readonly headers: HeaderOverlay | undefined;
  /** The User-Agent, where neither the request nor the HTTP session has one. */
  readonly userAgent: string | undefined;
  /** Makes an error of the transport one that may be shown. */
  readonly explain: (error: unknown) => unknown;
}

/**
 * Browsers do not show where a redirect leads: there, fetch itself follows it. They say themselves
 * who they are, and which cookies they keep.
 */
const isBrowser = detectRuntime().name === "Browser";

const watches = onDemand(() => import("./exchange_watch.ts"));
const overlays = onDemand(() => import("./overlay.ts"));
const redirects = onDemand(() => import("./redirect.ts"));
const authentication = onDemand(() => import("./authentication.ts"));

/**
 * Exchanges a request for a response, redirects included.
 *
 * Without timeout, signal and deadline nothing is watched, and the response is the transport's own.
 *
 * @param http What lies beneath the session
 * @param request The request
 * @param context What surrounds it
 * @throws {RedirectError} Where a redirect cannot be followed
 */
export async function exchange(
  http: HttpSession,
  request: ExchangeRequest,
  context: ExchangeContext,
): Promise<Arrival> {
  const { timeout, maxRedirects, cancellation, clock, trust, explain } = context;
  const watch = timeout === undefined && cancellation === undefined
    ? undefined
    : new (await watches()).ExchangeWatch({ timeout, cancellation, clock, explain });
  const following = maxRedirects === undefined || isBrowser ? undefined : redirects();
  const follow = (following instanceof Promise ? await following : following)?.follow;
  const sender = new HopSender(http, request, context, watch);
  try {
    let hop: Hop = request;
    let isTrusted = trust.covers(hop.url);
    for (let count = 0;; count++) {
      const sending = sender.send(hop, isTrusted);
      const response = await (watch === undefined ? sending : watch.guard(sending, discard));
      const next = follow?.(hop, response, { count, limit: maxRedirects!, trust });
      if (next === undefined) {
        return new Arrival(
          count === 0 ? response : redirectedResponse(response, hop.url),
          watch,
        );
      }
      // What was left behind at one redirect is not taken up again at the next.
      isTrusted &&= next.isCarried;
      hop = next.hop;
    }
  } catch (error) {
    watch?.release();
    throw error;
  }
}

/** Sends the hops of one exchange: with headers, authentication and cookies, by its transport. */
class HopSender {
  readonly #http: HttpSession;
  readonly #request: ExchangeRequest;
  readonly #context: ExchangeContext;
  readonly #watch: ExchangeWatch | undefined;

  constructor(
    http: HttpSession,
    request: ExchangeRequest,
    context: ExchangeContext,
    watch: ExchangeWatch | undefined,
  ) {
    this.#http = http;
    this.#request = request;
    this.#context = context;
    this.#watch = watch;
  }

  send(hop: Hop, isTrusted: boolean): Promise<Response> {
    const { overlay } = this.#request;
    const auth = overlay?.auth === undefined ? this.#http.auth : overlay.auth;
    const { trust, userAgent, headers: laid } = this.#context;
    const credentials = overlay?.auth === undefined ? this.#context.credentials : undefined;
    const own = this.#http.headers.fields();
    const usual = laid === undefined ? own : layHeaders(own, laid);
    const fields = layHeaders(isTrusted ? usual : trust.withoutSecrets(usual), hop.headers);
    const isNameless = hop.headers["user-agent"] === null || laid?.["user-agent"] === null;
    if (userAgent !== undefined && !isNameless) {
      fields["user-agent"] ??= userAgent;
    }
    // An Authorization of the request's own, or none by its wish, wins over the session's.
    if (!isTrusted || auth === null || hop.headers["authorization"] !== undefined) {
      const isOpen = isTrusted && hop.headers["authorization"] === undefined;
      if (isOpen && credentials !== undefined) fields["authorization"] ??= credentials;
      return this.#sendOnce(hop, hop.url, fields, isTrusted);
    }
    return this.#authenticate(auth, hop, fields);
  }

  async #authenticate(auth: Auth, hop: Hop, fields: HeaderFields): Promise<Response> {
    const { authenticated } = await authentication();
    return await authenticated(auth, {
      hop,
      fields,
      source: this.#context.source,
      send: (url, changed) => this.#sendOnce(hop, url, changed, true),
    });
  }

  async #sendOnce(
    hop: Hop,
    url: string,
    fields: HeaderFields,
    isTrusted: boolean,
  ): Promise<Response> {
    const { fetchOptions, overlay } = this.#request;
    const { maxRedirects, verify } = this.#context;
    const http = this.#http;
    const kept = await http.cookieHeader(url, overlay?.cookieStore);
    const cookies = overlay?.cookiePairs !== undefined && isTrusted
      ? (await overlays()).joinPairs(kept, overlay.cookiePairs)
      : kept;
    const isByHand = cookies === "" || fields["cookie"] !== undefined ||
      hop.headers["cookie"] === null;
    const all = isByHand ? fields : layHeaders(fields, { cookie: cookies });
    const init: TransportInit = {
      ...fetchOptions,
      method: hop.method,
      headers: isBrowser ? withoutBrowsersOwn(all) : all,
      redirect: isBrowser && maxRedirects !== undefined ? "follow" : "manual",
    };
    const body = hop.body.kind === "none" ? undefined : this.#context.source.open();
    if (body !== undefined) init.body = body;
    // A stream is sent before the response is read; fetch wants to be told (Fetch Standard §5.4).
    if (body instanceof ReadableStream) Object.assign(init, { duplex: "half" });
    const transport = overlay?.adapters?.find(url) ??
      http.transportFor(url, verify, overlay?.fetch);
    const response = this.#watch === undefined
      ? await transport(url, init)
      // An adapter may answer without a promise, and after everybody has gone.
      : await this.#watch.wait(
        async (signal) => await transport(url, { ...init, signal }),
        discard,
      );
    try {
      await http.keepCookies(response, url, overlay?.cookieStore);
    } catch (error) {
      discard(response);
      throw error;
    }
    return response;
  }
}
