import type { Clock } from "../clock.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { RedirectError } from "../errors/redirect_error.ts";
import { detectRuntime } from "../runtime.ts";
import { Arrival } from "./arrival.ts";
import type { Cancellation } from "./cancellation.ts";
import { ExchangeWatch } from "./exchange_watch.ts";
import { splitUrl } from "./full_url.ts";
import {
  type HeaderFields,
  type HeaderOverlay,
  headerOverlay,
  layHeaders,
  withoutBrowsersOwn,
} from "./headers.ts";
import type { HttpSession } from "./http_session.ts";
import { joinPairs, type Overlay } from "./overlay.ts";
import { type Hop, nextHop } from "./redirect.ts";
import { type BodySource, chunksOf, isReadableBefore, isReplayable } from "./request_body.ts";
import { redirectedResponse } from "./response.ts";
import type { TransportInit } from "./transport.ts";
import type { Trust } from "./trust.ts";

/** One request, as it is exchanged for a response. */
export interface ExchangeRequest extends Hop {
  /** What else fetch is given. */
  readonly fetchOptions: RequestInit | undefined;
  /** Seconds without data after which the exchange counts as stalled. */
  readonly timeout: number | undefined;
  /** How many redirects are followed; undefined follows none. */
  readonly maxRedirects: number | undefined;
  /** What the request wants otherwise than the HTTP session has it. */
  readonly overlay: Overlay | undefined;
  /** Whether TLS is verified. */
  readonly verify: boolean;
}

/** What surrounds an exchange. */
export interface ExchangeContext {
  /** The body while it is sent. */
  readonly source: BodySource;
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
  const { timeout, maxRedirects } = request;
  const { cancellation, clock, trust, explain } = context;
  const watch = timeout === undefined && cancellation === undefined
    ? undefined
    : new ExchangeWatch({ timeout, cancellation, clock, explain });
  const sender = new HopSender(http, request, context, watch);
  try {
    let hop: Hop = request;
    let isTrusted = trust.covers(hop.url);
    for (let followed = 0;; followed++) {
      const sending = sender.send(hop, isTrusted);
      const response = await (watch === undefined ? sending : watch.guard(sending, discard));
      if (!isResponse(response)) {
        const expected = "a method that resolves to the Response that it was given";
        throw new UnexpectedValueError("authenticate", expected, response);
      }
      const next = maxRedirects === undefined ? undefined : hopAfter(hop, response);
      if (next === undefined) {
        return new Arrival(
          followed === 0 ? response : redirectedResponse(response, hop.url),
          watch,
        );
      }
      discard(response);
      if (followed === maxRedirects) {
        throw new RedirectError(`more than ${maxRedirects} redirects`, response.status);
      }
      // What was left behind at one redirect is not taken up again at the next.
      const isCarried = trust.carries(hop.url, next.url);
      isTrusted &&= isCarried;
      hop = isCarried ? next : { ...next, headers: withoutSecrets(next.headers, trust) };
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
    const fields = layHeaders(isTrusted ? usual : withoutSecrets(usual, trust), hop.headers);
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
    const { method, url, body } = hop;
    let isSent = false;
    const shown = { method, url, headers: { ...fields } };
    const content = body.kind === "whole" ? body.content : undefined;
    const isAgainPossible = isReplayable(body);
    const open = () => body.kind === "none" ? undefined : this.#context.source.open();
    const readBody = () => isReadableBefore(body) ? chunksOf(open) : undefined;
    const seen = { ...shown, body: content, isReplayable: isAgainPossible, readBody };
    return auth.authenticate(seen, (changes = {}) => {
      if (isSent && !isAgainPossible) {
        const expected = "a function that opens a stream, since the authentication sends it again";
        throw new UnexpectedValueError("content", expected, body);
      }
      isSent = true;
      const changed = changes.headers === undefined
        ? fields
        : layHeaders(fields, headerOverlay(changes.headers));
      return this.#sendOnce(hop, checkedTarget(changes.url ?? url, url), changed, isTrusted);
    });
  }

  async #sendOnce(
    hop: Hop,
    url: string,
    fields: HeaderFields,
    isTrusted: boolean,
  ): Promise<Response> {
    const { fetchOptions, maxRedirects, overlay, verify } = this.#request;
    const http = this.#http;
    const kept = await http.cookieHeader(url, overlay?.cookieStore);
    const cookies = overlay?.cookiePairs !== undefined && isTrusted
      ? joinPairs(kept, overlay.cookiePairs)
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

function withoutSecrets<H extends HeaderOverlay>(headers: H, trust: Trust): H {
  const kept = Object.entries(headers).filter(([name]) => !trust.secretHeaders.has(name));
  return Object.assign(Object.create(null), Object.fromEntries(kept));
}

/** A scheme may change path and query of a URL, not where it goes. */
function checkedTarget(url: string, before: string): string {
  if (url === before) return url;
  const expected = "a full URL of the same origin as the request's, without credentials";
  const { url: target, credentials } = splitUrl(url, "url");
  if (credentials === undefined && new URL(target).origin === new URL(before).origin) return target;
  throw new UnexpectedValueError("url", expected, url);
}

/** The next hop; a redirect that cannot be followed frees its socket. */
function hopAfter(hop: Hop, response: Response): Hop | undefined {
  try {
    return nextHop(hop, response);
  } catch (error) {
    discard(response);
    throw error;
  }
}

/** Whether a scheme gave a response; an adapter's may be of another realm. */
function isResponse(response: unknown): response is Response {
  if (response instanceof Response) return true;
  const { status, headers } = (response ?? {}) as Partial<Response>;
  return typeof status === "number" && typeof headers?.get === "function";
}

/** Frees the socket of a response that nobody reads. */
function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}
