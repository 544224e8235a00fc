/** Checks the options of a call, and builds its request: URL, headers, body and signals. */
import { checkedSignal, isPromise, isToken } from "../base/checks.ts";
import { isStyled } from "../base/styled_value.ts";
import { pathAsGiven, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { crossOriginHeaders, keepsCallCredentials } from "../http/credentials.ts";
import { checkedHeaders, type HeaderOverrides } from "../http/headers.ts";
import { noBody, type RequestBody, withTypeOf } from "../http/request_body.ts";
import { maybeSigned } from "../http/signed_url.ts";
import {
  isFullUri,
  joinPath,
  type Path,
  pathText,
  type SplitUrl,
  splitUrl,
  withoutFragment,
} from "../http/url.ts";
import type { Logger } from "../log/logger.ts";
import { likelyMilliseconds } from "../options/likely_mistakes.ts";
import { resolveCall, type Settings } from "../options/settings.ts";
import type { RequestOptions } from "../options/request_options.ts";
import { prepareBody } from "../content/body.ts";
import { type Call, type CallContext, type Format, type Method, methods } from "./call.ts";
import {
  addQuery,
  encodeParams,
  overlayParams,
  paramName,
  type Params,
  paramsMapping,
  styledKeys,
} from "../content/params.ts";
import { writeRecord } from "./log_record.ts";
import { type ConversionDefaults, formatOf } from "./formats/choose.ts";
import { type RedactedCall, redactedUrl, redactionOf } from "./redact.ts";

/** A call as a program makes it. */
export interface CallInput {
  /** The HTTP method. */
  readonly method: string;
  /** The path below the base URL, or a full URL. */
  readonly path: Path;
  /** The request options. */
  readonly options: RequestOptions;
  /**
   * Receives the response, limits the credentials of a link, and allows the URLs that an option of the
   * SDK has.
   */
  readonly context: CallContext | undefined;
}

/**
 * Checks a call and builds its request (rules 1 to 3). If this throws, nothing has been sent.
 *
 * The request options are read at once: later changes by the caller have no effect. The result is a
 * promise only if the code that writes a model as XML has to be loaded.
 *
 * @param input The method, path and options of the call
 * @param client The settings of the session, and how it converts responses by default
 * @throws {UnexpectedValueError} If a part of the call is not valid
 */
export function buildCall(
  { method: givenMethod, path: givenPath, options, context }: CallInput,
  client: {
    readonly settings: Settings;
    readonly hooks: ConversionDefaults & { readonly logger: Logger };
  },
): Call | Promise<Call> {
  const method = checkedMethod(givenMethod);
  const { settings, fetchInit, hasBody, suspectTimes } = resolveCall(options, client.settings);
  if (suspectTimes !== undefined) {
    const logger = settings.logger ?? client.hooks.logger;
    for (const text of likelyMilliseconds(suspectTimes)) writeRecord(logger, "warn", () => text);
  }
  if (settings.errorsInSuccess && settings.errorFrom === undefined) {
    const expected = "left out without errorFrom, which finds the errors";
    throw new UnexpectedValueError("errorsInSuccess", expected, true);
  }
  const path = pathText(givenPath);
  const { url: urlWithoutParams, authorization } = targetOf(path, settings, context);
  const isOpen = keepsCredentials(context, urlWithoutParams, settings);
  const params = isOpen ? paramsOf(options, urlWithoutParams, settings) : options.params;
  const url = params === undefined
    ? urlWithoutParams
    : addQuery(urlWithoutParams, encodeParams(params, "params", settings.paramsStyle));
  const signals = signalsOf(options, settings);
  const format = formatOf(options, settings, client.hooks);
  const headers = headersOf(options, format, authorization);
  const call: Call = {
    method,
    path,
    urlWithoutParams,
    url,
    params,
    // As after a redirect to another origin.
    headers: isOpen ? headers : crossOriginHeaders(headers, settings.trust),
    defaultHeaders: format.defaultHeaders,
    body: noBody,
    signals,
    format,
    settings,
    isAuthOwn: options.auth !== undefined,
    hasSecretBody: context?.hasSecretBody,
    withoutCredentials: !isOpen,
    fetchInit,
    summary: { method, url: shownUrlOf({ path, urlWithoutParams, url, settings, params }) },
    sent: {},
    options,
  };
  if (!hasBody) return call;
  const body = prepareBody(options, method);
  return isPromise(body) ? body.then((written) => withBody(call, written)) : withBody(call, body);
}

/**
 * Returns the URL that a call would have, without credentials.
 *
 * @param path The path below the base URL, or a full URL; undefined for the base URL itself
 * @param options The request options, of which those of the URL count
 * @param client The settings of the session
 * @throws {UnexpectedValueError} If a part of the URL is not valid
 */
export function urlOfCall(
  path: Path | undefined,
  options: RequestOptions,
  client: Settings,
): string {
  const { settings } = resolveCall(options, client);
  const { url } = path === undefined
    ? { url: settings.useBase ? settings.prefix : settings.base }
    : targetOf(pathText(path), settings, undefined);
  const params = paramsOf(options, url, settings);
  return params === undefined
    ? url
    : addQuery(url, encodeParams(params, "params", settings.paramsStyle));
}

/** Returns the URL of a call without its parameters, and the credentials that a full URL contains. */
function targetOf(path: string, settings: Settings, context: CallContext | undefined): SplitUrl {
  if (isFullUri(path)) return splitFullUrl(path, settings, context?.isAnyUrl);
  return { url: joinPath(settings.useBase ? settings.prefix : settings.base, path) };
}

/** Reports if a call may have credentials, which is false for some links that a server sent. */
function keepsCredentials(
  context: CallContext | undefined,
  url: string,
  settings: Settings,
): boolean {
  const from = context?.linkedFrom;
  return from === undefined || !context!.withoutCredentials && followsLink(from, url, settings);
}

/** Returns the parameters of a call, merged over those of the session if its URL is trusted. */
function paramsOf(
  { params }: RequestOptions,
  url: string,
  settings: Settings,
): Params | object | undefined {
  if (settings.params === undefined || !settings.trust.allows(url)) return params;
  return mergeClientParams(params, url, settings);
}

/** Returns the signals that abort a call: first its own, then that of the session. */
function signalsOf(options: RequestOptions, settings: Settings): AbortSignal[] {
  const signals = settings.signal === undefined ? [] : [settings.signal];
  const { signal } = options;
  // As for fetch, null is none.
  if (signal !== undefined && signal !== null) signals.unshift(checkedSignal("signal", signal)!);
  return signals;
}

/** Returns the headers of a call, merged over those of its format and its URL. */
function headersOf(
  options: RequestOptions,
  format: Format,
  authorization: string | undefined,
): HeaderOverrides {
  const headers = options.headers === undefined ? {} : checkedHeaders(options.headers);
  if (authorization === undefined && format.headers === undefined) return headers;
  return { ...format.headers, ...(authorization && { authorization }), ...headers };
}

/** Returns the URL for logs and errors. */
function shownUrlOf(call: RedactedCall & { readonly url: string }): string {
  const { url, settings: { restrictedPaths, redactFields } } = call;
  if (restrictedPaths.length + redactFields.length > 0 || maybeSigned.test(url)) {
    return redactedUrl(url, redactionOf(call));
  }
  return url.includes("#") ? withoutFragment(url) : url;
}

/** Adds the body and its content type. */
function withBody(call: Call, body: RequestBody): Call {
  const typed = { ...call, body, headers: withTypeOf(body, call.headers) };
  const usualType = body.kind === "opened" ? body.usualType : undefined;
  return usualType === undefined
    ? typed
    : { ...typed, defaultHeaders: { ...call.defaultHeaders, "content-type": usualType } };
}

/**
 * Adds an idempotency key to a POST or PATCH that has none (option `idempotencyHeader`), or to any
 * request with the option of its own.
 *
 * @param call The call
 * @param before The same call with the options of earlier attempts, whose key is used again
 */
export function withIdempotencyKey(call: Call, before?: Call): Call {
  const name = call.settings.idempotencyHeader;
  if (name === null || call.headers[name] !== undefined) return call;
  const { method, options } = call;
  if (method !== "POST" && method !== "PATCH" && options.idempotencyHeader === undefined) {
    return call;
  }
  const earlier = before?.headers[name];
  // Null stays null: the first attempt had no key either.
  const key = earlier === undefined ? crypto.randomUUID() : earlier;
  return { ...call, headers: { ...call.headers, [name]: key } };
}

/**
 * Reports if credentials would follow a redirect from the first page of a list to a link.
 *
 * @param from The path of the first page
 * @param url The link
 * @param settings The base URL, and the origins that get credentials
 */
function followsLink(from: Path, url: string, { base, trust }: Settings): boolean {
  const start = pathText(from);
  return keepsCallCredentials(trust, isFullUri(start) ? start : base, url);
}

/** Methods that fetch refuses (Fetch Standard §2.2.1, "forbidden method"). */
const forbiddenMethods = ["CONNECT", "TRACE", "TRACK"];

/** Checks a method, and returns it as it is sent (RFC 9110 §9.1). */
export function checkedMethod(method: unknown, option = "method"): string {
  if (methods.includes(method as Method)) return method as Method;
  if (isToken(method)) {
    const upper = method.toUpperCase();
    if (methods.includes(upper as Method)) return upper;
    if (!forbiddenMethods.includes(upper)) return method;
  }
  const expected = "an HTTP method such as GET or PURGE, but not CONNECT, TRACE or TRACK";
  throw new UnexpectedValueError(option, expected, method);
}

/** Returns a full URL without its credentials, and their Authorization header. */
function splitFullUrl(
  path: string,
  { absoluteUrls, trust }: Settings,
  isAnyUrl = absoluteUrls === "any",
): SplitUrl {
  if (/^https?:/i.test(path)) {
    const split = splitUrl(path, "path", pathAsGiven);
    if (isAnyUrl || trust.allows(split.url)) return split;
    const expected =
      "a path, or a full URL of the base URL's origin or of trustedOrigins, because " +
      'absoluteUrls is "trusted"';
    throw new UnexpectedValueError("path", expected, pathAsGiven(path));
  }
  throw new UnexpectedValueError(
    "path",
    "a path below the base URL, or a full URL that begins with http:// or https:// (use the path " +
      "tag for a value that contains ://)",
    pathAsGiven(path),
  );
}

/** Merges the parameters of a call over those of its client. */
function mergeClientParams(
  params: RequestOptions["params"],
  url: string,
  { params: clientParams, paramsStyle }: Settings,
): Params | object | undefined {
  const defaults: Record<string, unknown> = { ...paramsMapping(clientParams) };
  // A link to the next page contains them already.
  const inUrl = new URL(url).searchParams;
  for (const key of inUrl.keys()) {
    delete defaults[key];
    delete defaults[paramName(key, paramsStyle)];
  }
  for (const [name, value] of Object.entries(defaults)) {
    if (isStyled(value) && styledKeys(name, value).some((key) => inUrl.has(key))) {
      delete defaults[name];
    }
  }
  return overlayParams(params, defaults);
}
