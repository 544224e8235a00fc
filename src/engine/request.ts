import { checkedSignal, isToken } from "../checks.ts";
import { pathAsGiven, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { isCookieStore } from "../http/cookie_store.ts";
import { isFullUri, type SplitUrl, splitUrl } from "../http/full_url.ts";
import { checkedHeaders, type HeaderOverrides } from "../http/headers.ts";
import type { RequestBody } from "../http/request_body.ts";
import { allParts, onDemand, type Part, withPart } from "../on_demand.ts";
import { jsonBody } from "./json_body.ts";
import { resolveRequestOptions } from "./resolve_request_options.ts";
import { addQuery, encodeParams, type Params, paramsOver } from "./params.ts";
import { type Call, methods, type PreparedRequest } from "./prepared_request.ts";
import { type ConversionDefaults, parserFor } from "./response_parsers.ts";
import type { RequestOptions } from "./request_options.ts";
import type { EngineSettings } from "./settings.ts";
import { joinPath, pathText, withoutFragment } from "./url.ts";

/** Bodies that are not JSON. */
const bodies = onDemand(() => import("./body.ts"));
/** What a call wants otherwise than its HTTP session has it. */
export const overridesPart: Part<typeof import("../http/overrides.ts")> = onDemand(() =>
  import("../http/overrides.ts")
);
/** What hides parts of a request from the log and from errors. */
export const redaction: Part<typeof import("./redaction.ts")> = onDemand(() =>
  import("./redaction.ts")
);

/**
 * Checks a call and makes a request of it (rules 1 to 3); nothing has been sent when it raises.
 *
 * The keywords are read at once: what the caller does with them afterwards does not matter. What the
 * call needs beyond the usual is loaded.
 *
 * @param call The call
 * @param given The session's settings
 * @param usual What becomes of the response where the call does not say
 * @throws {UnexpectedValueError} Where a part of it is not what was expected
 */
export async function prepareRequest(
  call: Call,
  given: EngineSettings,
  usual: ConversionDefaults,
): Promise<PreparedRequest> {
  const { options } = call;
  const method = checkedMethod(call.method);
  const { settings, kinds } = resolveRequestOptions(options, given);
  const path = pathText(call.path);
  const { url: urlWithoutParams, authorization } = urlOf(path, settings);
  const params = paramsOf(options, urlWithoutParams, settings);
  const url = params === undefined
    ? urlWithoutParams
    : addQuery(urlWithoutParams, encodeParams(params, "params"));
  const signals = [checkedSignal("signal", options.signal), settings.signal]
    .filter((signal) => signal !== undefined);
  const { headers = {} } = options;
  const own = checkedHeaders(headers);
  const parsers = parserFor(options, usual);
  const parts = [
    kinds.body === undefined
      ? jsonBody(options.json, method)
      : whenLoaded(bodies(), options, ({ prepareBody }, kept) => prepareBody(kept, method)),
    settings.restrictedPaths.length + settings.redactFields.length === 0
      ? withoutFragment(url)
      : withPart(redaction(), ({ redactedUrl, redactionOf }) =>
        redactedUrl(url, redactionOf({ path, urlWithoutParams, settings }))),
    kinds.overrides === undefined ? settings.overrides?.() : whenLoaded(
      overridesPart(),
      options,
      ({ resolveCallOverrides }, kept) =>
        withPart(settings.overrides?.(), (below) => resolveCallOverrides(kept, below)),
    ),
    parsers,
  ] as const;
  // What is at hand is not waited for.
  const [body, shown, overrides, parser] = parts.some((part) => part instanceof Promise)
    ? await allParts(parts, signals)
    : parts as AwaitedAll<typeof parts>;
  return {
    method,
    path,
    urlWithoutParams,
    url,
    headers: headersOver(own, body, authorization),
    signals,
    body,
    summary: { method, url: shown },
    parser,
    settings,
    params,
    overrides,
    fetchOptions: kinds.fetch,
    options,
  };
}

/** What becomes of parts when they have been loaded. */
type AwaitedAll<P extends readonly unknown[]> = { readonly [K in keyof P]: Awaited<P[K]> };

/** Methods that fetch refuses (Fetch Standard §2.2.1, "forbidden method"). */
const forbiddenMethods = ["CONNECT", "TRACE", "TRACK"];

/** Checks a method, and returns it as it is sent (RFC 9110 §9.1). */
function checkedMethod(method: unknown): string {
  if (isToken(method)) {
    const upper = method.toUpperCase();
    if (methods.some((known) => known === upper)) return upper;
    if (!forbiddenMethods.includes(upper)) return method;
  }
  const expected = "an HTTP method, such as GET or PURGE: a token, but not CONNECT, TRACE or TRACK";
  throw new UnexpectedValueError("method", expected, method);
}

/** Where a call goes, and the Authorization that a full URI brings along. */
function urlOf(path: string, { base, prefix, useBase = true }: EngineSettings): SplitUrl {
  if (!isFullUri(path)) {
    return { url: joinPath(useBase ? prefix : base, path), authorization: undefined };
  }
  if (/^https?:/i.test(path)) return splitUrl(path, "path", pathAsGiven);
  throw new UnexpectedValueError(
    "path",
    "a path below the base URL, or a full URL that begins with http:// or https:// (write a value " +
      "with :// in it by the path tag)",
    pathAsGiven(path),
  );
}

/** The parameters of a call, laid over those of the session, which go to whom it trusts. */
function paramsOf(
  { params }: RequestOptions,
  url: string,
  settings: EngineSettings,
): Params | object | undefined {
  if (settings.params === undefined || !settings.trust.allows(url)) return params;
  const usual: Record<string, unknown> = { ...settings.params };
  // A link to the next page has them already.
  for (const key of new URL(url).searchParams.keys()) delete usual[key];
  return paramsOver(usual, params);
}

/** Reads keywords by a part, as they are now, also where it has to be loaded first. */
function whenLoaded<M, R>(
  part: M | Promise<M>,
  options: RequestOptions,
  read: (part: M, options: RequestOptions) => R,
): R | Promise<Awaited<R>> {
  const kept = part instanceof Promise ? snapshot(options) : options;
  return withPart(part, (loaded) => read(loaded, kept));
}

/** Keywords whose values will not change any more. */
function snapshot(options: RequestOptions): RequestOptions {
  const { auth, data, files, cookies, adapters, fetchOptions } = options;
  return {
    ...options,
    ...copied({ data, files, cookies, adapters }, 4) as object,
    // What is in it is a matter of the transport, and may be anything.
    fetchOptions: copied(fetchOptions, 1) as object | undefined,
    auth: Array.isArray(auth) ? [...auth] as [string, string] : auth,
  };
}

/** Objects with fields, and lists, copied so far down; a store for cookies has a life of its own. */
function copied(value: unknown, depth: number): unknown {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((each) => copied(each, depth - 1));
  if (value instanceof URLSearchParams) return new URLSearchParams(value);
  // Scalars, bytes, files, dates and the like are what they are.
  if (Object.prototype.toString.call(value) !== "[object Object]" || isCookieStore(value)) {
    return value;
  }
  const fields = Object.entries(value as object);
  const copy = Object.fromEntries(fields.map(([name, each]) => [name, copied(each, depth - 1)]));
  return Object.setPrototypeOf(copy, Object.getPrototypeOf(value));
}

function headersOver(
  own: HeaderOverrides,
  body: RequestBody,
  authorization: string | undefined,
): HeaderOverrides {
  const type = body.kind === "whole" && body.type;
  if (!type && !authorization) return own;
  return {
    ...type && { "content-type": type },
    ...authorization && { authorization },
    ...own,
  };
}
