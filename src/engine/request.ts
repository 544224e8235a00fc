import { checkedSignal, isToken } from "../checks.ts";
import { pathAsGiven, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { isFullUri, type SplitUrl, splitUrl } from "../http/full_url.ts";
import { checkedHeaders, type HeaderOverrides } from "../http/headers.ts";
import { resolveCallOverrides } from "../http/overrides.ts";
import type { RequestBody } from "../http/request_body.ts";
import { prepareBody } from "./body.ts";
import { jsonBody } from "./json_body.ts";
import { resolveRequestOptions } from "./resolve_request_options.ts";
import { addQuery, encodeParams, type Params, paramsOver } from "./params.ts";
import { type Call, methods, type PreparedRequest } from "./prepared_request.ts";
import { type ConversionDefaults, parserFor } from "./response_parsers.ts";
import { redactedUrl, redactionOf } from "./redaction.ts";
import type { RequestOptions } from "./request_options.ts";
import type { EngineSettings } from "./settings.ts";
import { joinPath, pathText, withoutFragment } from "./url.ts";

/**
 * Checks a call and makes a request of it (rules 1 to 3); nothing has been sent when it raises.
 *
 * The request options are read at once: later changes by the caller have no effect.
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
  const parser = parserFor(options, usual);
  const isShownWhole = settings.restrictedPaths.length + settings.redactFields.length === 0;
  const shown = isShownWhole
    ? withoutFragment(url)
    : redactedUrl(url, redactionOf({ path, urlWithoutParams, settings }));
  const overrides = kinds.overrides === undefined
    ? settings.overrides
    : resolveCallOverrides(options, settings.overrides);
  // Only the code that writes models as XML may have to be loaded.
  const pending = kinds.body === undefined
    ? jsonBody(options.json, method)
    : prepareBody(options, method);
  const body = pending instanceof Promise ? await pending : pending;
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
