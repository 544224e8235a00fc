import type { Clock } from "../clock.ts";
import type { RequestSummary } from "../errors/request_summary.ts";
import { detectRuntime } from "../runtime.ts";
import { IncomingResponse } from "./incoming_response.ts";
import type { Auth } from "./auth.ts";
import type { Cancellation } from "./cancellation.ts";
import { authenticated } from "./authentication.ts";
import { IdleTimeout } from "./idle_timeout.ts";
import { followed } from "./redirect.ts";
import {
  type HeaderFields,
  type HeaderOverrides,
  mergeHeaders,
  withoutBrowsersOwn,
} from "./headers.ts";
import type { RedirectStep, StepSender } from "./redirect_step.ts";
import type { HttpSession } from "./http_session.ts";
import type { Overrides } from "./overrides.ts";
import type { UploadBody } from "./request_body.ts";
import { discard } from "./response.ts";
import type { TransportInit } from "./transport.ts";
import { explainBlockedPort } from "./transport_failure.ts";
import { type CredentialPolicy, crossOriginHeaders } from "./credential_policy.ts";

/** What an exchange goes by. */
export interface ExchangeSettings {
  /** Seconds without data after which it counts as stalled; undefined as the HTTP session has it. */
  readonly timeout: number | null | undefined;
  /** Whether redirects are followed, */
  readonly followRedirects: boolean;
  /** and how many. */
  readonly maxRedirects: number;
  /** What silence is measured by. */
  readonly clock: Clock;
  /** Whether TLS is verified; undefined as the HTTP session has it. */
  readonly verify?: boolean | undefined;
  /** To whom credentials go. */
  readonly trust: CredentialPolicy;
  /** The Authorization that goes to whom is trusted, where nothing else says. */
  readonly credentials: string | undefined;
}

/** One request, as it is exchanged for a response. */
export interface ExchangeRequest extends RedirectStep {
  /** What else fetch is given. */
  readonly fetchOptions: RequestInit | undefined;
  /** What the request wants otherwise than the HTTP session has it. */
  readonly overrides: Overrides | undefined;
  /** What it goes by. */
  readonly settings: ExchangeSettings;
  /** The call, as errors show it. */
  readonly summary: RequestSummary;
}

/** What surrounds an exchange. */
export interface ExchangeContext {
  /** The body while it is sent. */
  readonly source: UploadBody;
  /** What can end the call from outside. */
  readonly cancellation: Cancellation | undefined;
  /** Headers over those of the HTTP session, which go where those go. */
  readonly headers: HeaderOverrides | undefined;
  /** Makes an error of the transport one that may be shown. */
  readonly explain: (error: unknown) => unknown;
}

/**
 * Browsers do not show where a redirect leads: there, fetch itself follows it. They say themselves
 * who they are, and which cookies they keep.
 */
const isBrowser = detectRuntime().name === "Browser";

/** Seconds without data after which an exchange counts as stalled; undefined for none. */
function timeoutOf(http: HttpSession, { timeout }: ExchangeSettings): number | undefined {
  return timeout === undefined ? http.timeout : timeout ?? undefined;
}

/** The scheme of a call: its own, or none by its wish, or the session's. */
function authOf(http: HttpSession, overrides: Overrides | undefined): Auth | null {
  return overrides?.auth === undefined ? http.auth : overrides.auth;
}

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
): Promise<IncomingResponse> {
  const { settings } = request;
  const { cancellation } = context;
  // As it is now, and as the record of the attempt says, whatever is switched meanwhile.
  const { verify = http.sslVerify } = settings;
  const timeout = timeoutOf(http, settings);
  const watch = timeout === undefined && cancellation === undefined
    ? undefined
    : new IdleTimeout(timeout, settings.clock, context);
  cancellation?.throwIfEnded();
  const send = stepSender(http, request, context, watch, verify);
  try {
    const isTrusted = settings.trust.allows(request.url);
    const response = await (settings.followRedirects && !isBrowser
      ? followed(send, request, isTrusted)
      : send(request, isTrusted, true));
    return new IncomingResponse(response, watch);
  } catch (error) {
    watch?.release();
    throw error;
  }
}

/** What sends the hops of one exchange: with headers, authentication and cookies. */
function stepSender(
  http: HttpSession,
  request: ExchangeRequest,
  context: ExchangeContext,
  watch: IdleTimeout | undefined,
  verify: boolean,
): StepSender {
  const { overrides, settings } = request;
  return (step, isTrusted, keepsCallCredentials) => {
    const send = async (url: string, fields: HeaderFields): Promise<Response> => {
      const kept = await http.cookieHeader(url, overrides?.cookieStore);
      const cookies = isTrusted ? overrides?.cookiesOver?.(kept) ?? kept : kept;
      const isWithout = cookies === "" || step.headers["cookie"] === null;
      const all = isWithout ? fields : mergeHeaders({ cookie: cookies }, fields);
      const body = step.body.kind === "none" ? undefined : context.source.open();
      const init: TransportInit = {
        ...overrides?.fetchOptions,
        ...request.fetchOptions,
        method: step.method,
        headers: isBrowser ? withoutBrowsersOwn(all) : all,
        redirect: isBrowser && settings.followRedirects ? "follow" : "manual",
        ...(body !== undefined && { body }),
        // A stream is sent before the response is read; fetch wants to be told (Fetch Standard §5.4).
        ...(body instanceof ReadableStream && { duplex: "half" }),
      };
      const transport = overrides?.adapters?.find(url) ??
        http.transportFor(url, verify, overrides?.fetch, step.method);
      let response: Response;
      try {
        response = await (watch?.send(transport, url, init) ?? transport(url, init));
      } catch (error) {
        throw explainBlockedPort(error, step, request.summary);
      }
      try {
        await http.keepCookies(response, url, overrides?.cookieStore);
      } catch (error) {
        discard(response);
        throw error;
      }
      return response;
    };

    const usual = http.headers.fields();
    const { trust } = settings;
    const fields = isTrusted
      ? mergeHeaders(usual, context.headers, step.headers)
      : mergeHeaders(crossOriginHeaders(mergeHeaders(usual, context.headers), trust), step.headers);
    // A call's own scheme goes to where the call does; the session's, to whom it trusts. An
    // Authorization of the request's own, or none by its wish, wins over both.
    const isAsked = (isTrusted || keepsCallCredentials && overrides?.isAuthOwn) &&
      step.headers["authorization"] === undefined;
    const auth = isAsked && authOf(http, overrides);
    if (auth === null && overrides?.auth !== null && settings.credentials !== undefined) {
      fields["authorization"] ??= settings.credentials;
    }
    const sending = auth
      ? authenticated(auth, { step, fields, source: context.source, isTrusted, send })
      : send(step.url, fields);
    return watch?.guard(sending) ?? sending;
  };
}
