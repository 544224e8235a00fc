import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { RequestSummary } from "../errors/request_summary.ts";
import { basicCredentials, isFullUri, splitUrl } from "../http/full_url.ts";
import { type HeaderOverlay, headerOverlay } from "../http/headers.ts";
import { prepareBody } from "./body.ts";
import {
  checkedBound,
  checkedCount,
  checkedFlag,
  checkedStatuses,
  checkedText,
  checkedTexts,
} from "../checks.ts";
import { type Overlay, readOverlay } from "../http/overlay.ts";
import type { RequestBody } from "../http/request_body.ts";
import { type Conversion, type ConversionDefaults, conversionOf } from "./conversion.ts";
import { addQuery, encodeParams, type Params, paramsMapping, paramsOver } from "./params.ts";
import { redactedJson, redactedUrl, type Redaction } from "./redact.ts";
import { fetchOptionsOf, type RequestOptions } from "./request_options.ts";
import { type EngineSettings, settingsFor } from "./settings.ts";
import { barePath, type Path, pathText, placeBelow } from "./url.ts";

/** The HTTP methods that can be sent (RFC 9110 §9, RFC 5789); fetch refuses CONNECT and TRACE. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";

/** What a face asks the engine for: one call. */
export interface Call {
  /** The HTTP method, in any case. */
  readonly method: string;
  /** The path below the base, or a full URI. */
  readonly path: Path;
  /** The keywords. */
  readonly options: RequestOptions;
}

/** A request that is ready for its attempts: checked, joined and serialised. */
export interface PreparedRequest {
  /** The method, in upper case. */
  readonly method: Method;
  /** The URL with the query of its path, without the parameters. */
  readonly address: string;
  /** The URL that is sent. */
  readonly url: string;
  /** The headers, to be laid over the session's. */
  readonly headers: HeaderOverlay;
  /** The body. */
  readonly body: RequestBody;
  /** What may be shown of it. */
  readonly redaction: Redaction;
  /** Mapped statuses that are retried as well. */
  readonly retryOn: readonly number[];
  /** What becomes of the response. */
  readonly conversion: Conversion;
  /** Seconds without data after which an attempt counts as stalled. */
  readonly timeout: number | undefined;
  /** How many redirects are followed; undefined follows none. */
  readonly maxRedirects: number | undefined;
  /** What it works by: the engine's settings, or the call's own. */
  readonly settings: EngineSettings;
  /** Its query parameters, with those of the session. */
  readonly params: Params | object | undefined;
  /** What it wants otherwise than the HTTP session has it. */
  readonly overlay: Overlay | undefined;
  /** Whether TLS is verified. */
  readonly verify: boolean;
  /** What else fetch is given. */
  readonly fetchOptions: RequestInit | undefined;
  /** The keywords it was made of. */
  readonly options: RequestOptions;
}

/** What holds for a call where nothing else says. */
export interface Usual extends ConversionDefaults {
  /** What the face wants otherwise than the HTTP session has it. */
  readonly overlay: Overlay | undefined;
  /** Whether TLS is verified. */
  readonly verify: boolean;
  /** Seconds without data after which an attempt counts as stalled. */
  readonly timeout: number | undefined;
}

const nothingUsual: Usual = {
  overlay: undefined,
  verify: true,
  timeout: undefined,
  box: undefined,
  boxAttrs: undefined,
  convJson: undefined,
};

const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

const noHeaders: HeaderOverlay = headerOverlay({});
const noStatuses: readonly number[] = [];
const nothingHidden: Redaction = { fields: new Set(), restricted: false, value: "REDACTED" };

/**
 * Checks a call and makes a request of it (rules 1 to 3); nothing has been sent when it raises.
 *
 * @param call The call
 * @param settings The session's settings
 * @param usual What holds where neither the call nor the settings say
 * @throws {UnexpectedValueError} Where a part of it is not what was expected
 */
export function prepareRequest(
  call: Call,
  settings: EngineSettings,
  usual: Usual = nothingUsual,
): PreparedRequest {
  const { options } = call;
  const method = checkedMethod(call.method);
  const fetchOptions = fetchOptionsOf(options);
  const { address, credentials } = addressOf(call.path, options.useBase, settings);
  const params = paramsOf(options, address, settings);
  const query = params === undefined ? "" : encodeParams(params, "params");
  const body = prepareBody(options, method);
  return {
    method,
    address,
    url: addQuery(address, query),
    headers: headersOf(options, body, credentials),
    body,
    redaction: redactionOf(options, pathText(call.path), address, settings),
    retryOn: options.retryOn === undefined
      ? noStatuses
      : checkedStatuses("retryOn", options.retryOn),
    conversion: conversionOf(options, usual),
    timeout: options.timeout === undefined
      ? settings.timeout === null ? undefined : settings.timeout ?? usual.timeout
      : checkedBound("timeout", options.timeout),
    maxRedirects: redirectsOf(options, settings),
    settings: settingsFor(settings, options),
    params,
    overlay: readOverlay(options, usual.overlay),
    verify: options.verify === undefined ? usual.verify : checkedFlag("verify", options.verify),
    fetchOptions,
    options,
  };
}

/** The request as an error may show it: redacted as the log is, without credentials. */
export function summaryOf({ method, url, redaction }: PreparedRequest): RequestSummary {
  return { method, url: redactedUrl(url, redaction) };
}

/**
 * The debug record of one attempt (rule 6): a JSON object with method, url, params and body, and
 * with verify where TLS is not verified.
 */
export function debugRecord(request: PreparedRequest): string {
  const { method, address, body, redaction, verify, params, options: { json } } = request;
  // What is shown is what is sent: the caller may have changed the value meanwhile.
  const sent = json !== undefined && body.kind === "whole" ? String(body.content) : "{}";
  const isShown = !redaction.restricted && redaction.fields.size === 0;
  const shownBody = isShown ? sent : redactedJson(JSON.parse(sent), redaction);
  return `{"method":${JSON.stringify(method)},` +
    `"url":${JSON.stringify(redactedUrl(address, redaction))},` +
    `"params":${redactedJson(paramsMapping(params), redaction)},` +
    `"body":${shownBody}${verify ? "" : ',"verify":false'}}`;
}

/** What is told of a retry. */
export interface RetryRecord {
  /** The number of the attempt that failed. */
  readonly attempt: number;
  /** How many attempts there may be. */
  readonly of: number;
  /** Why it failed. */
  readonly reason: string;
  /** Seconds before the next. */
  readonly wait: number;
  /** The id that the response gave the request. */
  readonly requestId?: string | undefined;
}

/** The warning record of one retry: which attempt failed, why, and the wait before the next. */
export function retryRecord(
  request: PreparedRequest,
  retry: RetryRecord,
): string {
  return JSON.stringify({ ...summaryOf(request), ...retry });
}

/** The error record of an attempt that got no whole response. */
export function transportErrorRecord(
  request: PreparedRequest,
  attempt: number,
  error: Error,
): string {
  return JSON.stringify({ ...summaryOf(request), attempt, error: error.message });
}

function checkedMethod(method: unknown): Method {
  const upper = typeof method === "string" ? method.toUpperCase() : undefined;
  const known = methods.find((each) => each === upper);
  if (known !== undefined) return known;
  throw new UnexpectedValueError("method", `one of ${methods.join(", ")}`, method);
}

function addressOf(
  path: unknown,
  useBase: boolean | undefined,
  { base, prefix }: EngineSettings,
): { address: string; credentials: string | undefined } {
  const text = pathText(path);
  if (isFullUri(text)) {
    const { url, credentials: given } = splitUrl(text, "path");
    return { address: url, credentials: given && basicCredentials(given) };
  }
  const isBased = useBase === undefined || checkedFlag("useBase", useBase);
  return { address: placeBelow(isBased ? prefix : base, text), credentials: undefined };
}

/** The parameters of a call, laid over those of the session, which go to whom it trusts. */
function paramsOf(
  { params }: RequestOptions,
  address: string,
  settings: EngineSettings,
): Params | object | undefined {
  if (settings.params === undefined || !settings.trust.covers(address)) return params;
  // A link to the next page has them already.
  const query = new URL(address).searchParams;
  const usual = Object.fromEntries(
    Object.entries(settings.params).filter(([key]) => !query.has(key)),
  );
  if (params === undefined) return usual;
  encodeParams(params, "params"); // names what is wrong with them, as they were given
  return paramsOver(usual, params);
}

function redirectsOf(
  { followRedirects, maxRedirects }: RequestOptions,
  settings: EngineSettings,
): number | undefined {
  const follows = followRedirects === undefined
    ? settings.followRedirects
    : checkedFlag("followRedirects", followRedirects);
  const most = maxRedirects === undefined
    ? settings.maxRedirects
    : checkedCount("maxRedirects", maxRedirects);
  return follows ? most : undefined;
}

function headersOf(
  options: RequestOptions,
  body: RequestBody,
  credentials: string | undefined,
): HeaderOverlay {
  const type = body.kind === "whole" ? body.type : undefined;
  if (type === undefined && credentials === undefined) {
    return options.headers === undefined ? noHeaders : headerOverlay(options.headers);
  }
  return {
    ...(type === undefined ? {} : { "content-type": type }),
    ...(credentials === undefined ? {} : { authorization: credentials }),
    ...(options.headers === undefined ? {} : headerOverlay(options.headers)),
  };
}

function redactionOf(
  options: RequestOptions,
  path: string,
  address: string,
  settings: EngineSettings,
): Redaction {
  const restricted = isRestricted(path, address, settings);
  const { redactFields, redactValue } = options;
  if (!restricted && redactFields === undefined) return nothingHidden;
  return {
    fields: new Set(redactFields === undefined ? [] : checkedTexts("redactFields", redactFields)),
    restricted,
    value: redactValue === undefined
      ? nothingHidden.value
      : checkedText("redactValue", redactValue),
  };
}

/** Whether a path is restricted, however it was written: alone, below the base path, as a URI. */
function isRestricted(path: string, address: string, settings: EngineSettings): boolean {
  const { restrictedPaths, base, prefix } = settings;
  if (restrictedPaths.size === 0) return false;
  const full = new URL(address);
  const whole = barePath(full.pathname);
  const below = (start: string) => {
    const above = barePath(new URL(start).pathname);
    return whole.startsWith(`${above}/`) ? whole.slice(above.length + 1) : whole;
  };
  const names = [barePath(path), whole, below(base), below(prefix), full.origin + full.pathname];
  return names.some((name) => restrictedPaths.has(barePath(name)));
}
