/**
 * Sends one HTTP request: adds headers, credentials and cookies, and calls the adapter or fetch.
 */
import { explainBlockedPort } from "#transport";
import { isPromise } from "../base/checks.ts";
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { RequestSummary } from "../errors/message_text.ts";
import type { AbortScope } from "./abort.ts";
import { type Auth, authenticated } from "./auth.ts";
import { type CookieOverrides, joinCookies } from "./cookie_storage.ts";
import { type CredentialPolicy, crossOriginHeaders } from "./credentials.ts";
import {
  type HeaderFields,
  type HeaderOverrides,
  mergeFields,
  withoutBrowsersOwn,
} from "./headers.ts";
import type { HttpSession } from "./http_session.ts";
import { streamSupport } from "./stream_support.ts";
import type { RequestBody, UploadBody } from "./request_body.ts";
import { discardBody, responseFault } from "./response.ts";
import { keepPlainRequest } from "./scheme_changes.ts";
import type { AdapterLookup, Transport, TransportInit } from "./transport.ts";
import { lazyImport } from "../base/lazy_import.ts";
import { detectRuntime } from "../base/runtime.ts";

/**
 * The settings of a call that concern HTTP. An undefined one is that of the HTTP session; a client
 * that shares the HTTP session of another one has its own here.
 */
export interface HttpSettings {
  /** True if redirects are followed. */
  readonly followRedirects: boolean;
  /** The maximum number of redirects. */
  readonly maxRedirects: number | null;
  /** True if TLS is verified. */
  readonly verify?: boolean | undefined;
  /** The origins that get credentials. */
  readonly trust: CredentialPolicy;
  /** The Authorization header of the base URL's credentials, for trusted origins. */
  readonly credentials: string | undefined;
  /** Headers to merge over those of the HTTP session. */
  readonly headers?: HeaderOverrides | undefined;
  /** The User-Agent header, if it differs from that of the HTTP session. */
  readonly userAgent?: string | undefined;
  /** The authentication scheme; null for none. */
  readonly auth?: Auth | null | undefined;
  /** The cookies. */
  readonly cookies?: CookieOverrides | undefined;
  /** The transport of requests without an adapter. */
  readonly fetch?: Transport | undefined;
  /** Finds the adapter for a URL. */
  readonly adapters?: AdapterLookup | undefined;
  /** Other options for the transport. */
  readonly fetchOptions?: object | undefined;
  /** The header for idempotency keys; null for `Idempotency-Key`, if a call has it. */
  readonly idempotencyHeader?: string | null | undefined;
  /** The methods that the runtime may repeat by itself. */
  readonly runtimeRetries?: "idempotent" | "any" | undefined;
}

/** One HTTP request: the one of a call, or one that a redirect leads to. */
export interface HttpRequest {
  /** The method as it is sent. */
  readonly method: string;
  /** The full URL, without credentials. */
  readonly url: string;
  /** The headers of the request, to merge over those of the session. */
  readonly headers: HeaderOverrides;
  /** The body. */
  readonly body: RequestBody;
  /** The status of the redirect; undefined for the request of the call. */
  readonly redirectedBy?: number;
}

/** The request of a call. */
export interface HttpCall extends HttpRequest {
  /** The settings. */
  readonly settings: HttpSettings;
  /** Headers for a request if neither the session nor the call has its own. */
  readonly defaultHeaders?: HeaderFields | undefined;
  /** True if the call has its own `auth` option. Its scheme is used for every origin. */
  readonly isAuthOwn: boolean;
  /** True if the body is that of a login. Redirects carry it only where credentials go, too. */
  readonly hasSecretBody?: boolean | undefined;
  /** True if no credentials go to the URL: a link that is followed like a redirect to elsewhere. */
  readonly withoutCredentials?: boolean | undefined;
  /** Options of fetch. */
  readonly fetchInit: RequestInit | undefined;
  /** The request for errors. */
  readonly summary: RequestSummary;
  /** The parts of the last attempt that are known once it was sent. */
  readonly sent: SentParts;
}

/** The parts of a request that are known once it was sent. Errors hide the secrets in them. */
export interface SentParts {
  /** The URL, with the parameters that a scheme added. */
  url?: string;
  /** The headers. */
  headers?: HeaderFields;
  /** True if the response was requested without credentials. */
  isDiverted?: boolean;
}

/**
 * One attempt of a call.
 *
 * @typeParam C The type of the call
 */
export interface Attempt<C extends HttpCall = HttpCall> {
  /** The request of the call. */
  readonly call: C;
  /** Its HTTP session. */
  readonly http: HttpSession;
  /** The body; undefined if there is none. */
  readonly upload: UploadBody | undefined;
  /** True if an earlier attempt of the call got no response. Default: false */
  readonly hasFailed?: boolean | undefined;
  /** True if TLS is verified. It is read once, so that the log record of the attempt is true. */
  readonly verify: boolean;
  /** Aborts the call, if anything can. */
  readonly scope: AbortScope | undefined;
  /** The signal of the attempt, if it has a scope. */
  readonly signal: AbortSignal | undefined;
  /** The signal for the transport, which may be another one. Default: that of the attempt */
  readonly sentSignal?: AbortSignal | undefined;
  /**
   * Sends each request of the attempt through its transport, and starts the idle timer when the request
   * is really sent. Default: calls the transport
   */
  readonly network?: NetworkSend | undefined;
}

/**
 * Sends one HTTP request through its transport.
 *
 * @param transport The transport
 * @param url The full URL
 * @param init The method, headers, body and signal
 * @param isTrusted True if the request gets the credentials of the session
 */
export type NetworkSend = (
  transport: Transport,
  url: string,
  init: TransportInit,
  isTrusted: boolean,
) => Promise<Response>;

/**
 * In browsers, fetch itself follows redirects, because programs cannot see their target. Browsers
 * also set User-Agent and Cookie.
 */
export const isBrowser: boolean = detectRuntime().name === "Browser";

/**
 * Sends one request: adds the headers of the session, and authenticates it.
 *
 * @param attempt The attempt
 * @param step The request
 * @param isTrusted True if the request gets the credentials of the session
 * @param keepsCallCredentials True if the request gets those of the call
 */
export function sendRequest(
  attempt: Attempt,
  step: HttpRequest,
  isTrusted: boolean,
  keepsCallCredentials: boolean,
): Promise<Response> {
  const { http, call: { settings, isAuthOwn, defaultHeaders } } = attempt;
  const { userAgent, trust } = settings;
  const agent = userAgent === undefined ? undefined : { "user-agent": userAgent };
  const fields = isTrusted
    ? mergeFields(defaultHeaders, http.headers.fields(), agent, settings.headers, step.headers)
    : mergeFields(
      defaultHeaders,
      crossOriginHeaders(mergeFields(http.headers.fields(), agent, settings.headers), trust),
      step.headers,
    );
  // An Authorization header of the request, also one that is removed by null, wins.
  const isOpen = step.headers["authorization"] === undefined;
  if (isOpen && (isTrusted || keepsCallCredentials && isAuthOwn)) {
    const { auth = http.auth, credentials } = settings;
    if (auth) {
      return authenticated(auth, {
        method: step.method,
        url: step.url,
        fields,
        body: step.body,
        upload: attempt.upload,
        isTrusted,
        send: (url, changed, cookies) =>
          transmit(attempt, {
            step,
            url,
            fields: changed,
            cookies,
            isTrusted,
            fieldsBeforeScheme: fields,
          }),
      });
    }
    if (settings.auth !== null && credentials !== undefined) {
      fields["authorization"] ??= credentials;
    }
  }
  return transmit(attempt, { step, url: step.url, fields, isTrusted });
}

/** A request with its final URL and headers, after its authentication scheme. */
interface ReadyRequest {
  /** The step. */
  readonly step: HttpRequest;
  /** The full URL, with the parameters of the scheme. */
  readonly url: string;
  /** The headers, without cookies. */
  readonly fields: HeaderFields;
  /** The cookies of the scheme, in the form of a Cookie header. Default: none */
  readonly cookies?: string;
  /** True if the request gets the credentials of the session. */
  readonly isTrusted: boolean;
  /** The headers before the scheme; undefined without one. */
  readonly fieldsBeforeScheme?: HeaderFields;
}

/**
 * Sends a request with its cookies through the adapter or fetch, and keeps those of the response. It
 * awaits the transport itself, because each promise costs time.
 */
async function transmit(attempt: Attempt, request: ReadyRequest): Promise<Response> {
  const { call, scope, signal, sentSignal = signal, network } = attempt;
  const { step, url, isTrusted } = request;
  const withCookies = headersWithCookies(attempt, request);
  const headers = isPromise(withCookies) ? await withCookies : withCookies;
  const plainInit = initOf(attempt, request, headers);
  const init = plainInit.body instanceof FormData && isByProgram(attempt, url)
    ? await withFormWritten(plainInit, plainInit.body)
    : plainInit;
  const transport = transportOf(attempt, request, headers);
  if (sentSignal?.aborted) throw sentSignal.reason;
  // A redirect may drop credentials, but adds none.
  if (step.redirectedBy === undefined) {
    call.sent.url = url;
    call.sent.headers = headers;
  }
  // The idle timeout does not count while a scheme, a cookie storage or a middleware works.
  const isTimed = network === undefined && scope?.signal === signal;
  if (isTimed) scope?.idleTimer?.start(scope);
  let response: unknown;
  try {
    response = await (network === undefined
      ? transport(url, init)
      : network(transport, url, init, isTrusted));
  } catch (error) {
    throw explainBlockedPort(error, step, call.summary);
  } finally {
    // A later attempt has its own signal.
    if (isTimed && scope?.signal === signal) scope?.idleTimer?.stop(scope);
  }
  if (!(response instanceof Response)) checkResponse(response);
  if (setsCookies(response)) await keepCookies(attempt, response, url);
  return response;
}

/** Returns the headers of a request with its cookies; a promise only if the storage returns one. */
function headersWithCookies(
  attempt: Attempt,
  request: ReadyRequest,
): HeaderFields | Promise<HeaderFields> {
  const { http, call: { settings: { cookies } } } = attempt;
  const stored = http.cookieHeader(request.url, cookies?.storage);
  return typeof stored === "string"
    ? addCookies(attempt, request, stored)
    : stored.then((each) => addCookies(attempt, request, each));
}

/** Returns the headers of a request with the cookies of the storage, of the call and of the scheme. */
function addCookies(
  { call: { settings } }: Attempt,
  { step, fields, isTrusted, cookies: ofScheme = "" }: ReadyRequest,
  stored: string,
): HeaderFields {
  const named = settings.cookies?.named;
  const cookies = named && isTrusted ? joinCookies(stored, named) : stored;
  const { cookie = step.headers["cookie"] === null ? "" : cookies } = fields;
  const all = joinCookies(cookie, ofScheme);
  return all === "" ? fields : mergeFields(fields, { cookie: all });
}

/** Returns the `init` for a transport. */
function initOf(
  { call, upload, signal, sentSignal = signal, hasFailed }: Attempt,
  { step, fieldsBeforeScheme }: ReadyRequest,
  headers: HeaderFields,
): TransportInit {
  const { settings } = call;
  const isOpened = step.body.kind === "opened" || step.body.kind === "once";
  const support = isOpened ? streamSupport(step.url, hasFailed) : undefined;
  const body = step.body.kind === "none" ? undefined : upload?.open(support);
  const init: TransportInit = {
    ...settings.fetchOptions,
    ...call.fetchInit,
    method: step.method,
    headers: isBrowser ? withoutBrowsersOwn(headers) : headers,
    redirect: isBrowser && settings.followRedirects ? "follow" : "manual",
  };
  if (fieldsBeforeScheme !== undefined) {
    keepPlainRequest(init, { url: step.url, headers: fieldsBeforeScheme });
  }
  if (body !== undefined) init.body = body;
  // A stream is sent before the response is read, which fetch requires (Fetch Standard §5.4).
  if (body instanceof ReadableStream) Object.assign(init, { duplex: "half" });
  if (sentSignal !== undefined) init.signal = sentSignal;
  return init;
}

/** Reports if the program has its own transport for a URL. */
function isByProgram({ http, call: { settings } }: Attempt, url: string): boolean {
  return (settings.adapters?.(url) ?? http.ownTransportFor(url, settings.fetch)) !== undefined;
}

const formModule = lazyImport(() => import("./form_blob.ts"));

/**
 * Returns an `init` with its form as a Blob. Another implementation of fetch than the runtime's may not
 * know the runtime's `FormData`.
 */
async function withFormWritten(init: TransportInit, form: FormData): Promise<TransportInit> {
  const { formBlob } = await formModule();
  const body = formBlob(form);
  return { ...init, body, headers: mergeFields({ "content-type": body.type }, init.headers) };
}

/** Returns the adapter of a request, or else its fetch. */
function transportOf(
  { http, call: { settings }, verify }: Attempt,
  { step: { method }, url }: ReadyRequest,
  headers: HeaderFields,
): Transport {
  const adapter = settings.adapters?.(url);
  if (adapter !== undefined) return adapter;
  const isOnce = !idempotentMethods.has(method) && isSentOnce(headers, settings);
  return http.transportFor(url, verify, settings.fetch, method, isOnce);
}

/** Keeps the cookies of a response, which nobody reads if that fails. */
async function keepCookies(
  { http, call: { settings } }: Attempt,
  response: Response,
  url: string,
): Promise<void> {
  try {
    await http.keepCookies(response, url, settings.cookies?.storage);
  } catch (error) {
    discardBody(response);
    throw error;
  }
}

/**
 * Reports if a response sets cookies. On Node and Deno, `has` takes 3 to 6 times as long as
 * `getSetCookie`, but the headers of an adapter may have only that.
 */
function setsCookies(response: Response): boolean {
  const { headers } = response;
  if (headers.getSetCookie !== undefined) return headers.getSetCookie().length > 0;
  // A package has replaced the global `Response`.
  checkResponse(response);
  return false;
}

/** The methods that may be repeated (RFC 9110 §9.2.2), of those that fetch knows. */
const idempotentMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** Reports if the runtime must not repeat a request whose method is not idempotent. */
function isSentOnce(
  headers: HeaderFields,
  { runtimeRetries, idempotencyHeader }: HttpSettings,
): boolean {
  return runtimeRetries !== "any" &&
    headers[idempotencyHeader ?? "idempotency-key"] === undefined;
}

/**
 * Checks what a transport returned.
 *
 * @throws {UnexpectedValueError} If it is not a complete response
 */
export function checkResponse(result: unknown): asserts result is Response {
  const fault = responseFault(result);
  if (fault === undefined) return;
  const expected = "a function that returns a Response or a promise of one";
  const actual = describedAs(`a function that returned ${fault}`);
  throw new UnexpectedValueError("fetch or adapter", expected, actual);
}
