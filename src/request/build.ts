import { checkedSignal, isToken } from "../checks.ts";
import { pathAsGiven, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { checkedHeaders, type HeaderOverrides } from "../http/headers.ts";
import type { RequestBody } from "../http/request_body.ts";
import {
  isFullUri,
  joinPath,
  type Path,
  pathText,
  type SplitUrl,
  splitUrl,
  withoutFragment,
} from "../http/url.ts";
import { resolveCall, type Settings } from "../options/resolve.ts";
import type { RequestOptions } from "../options/types.ts";
import { prepareBody } from "./body.ts";
import { type Call, methods } from "./call.ts";
import { addQuery, encodeParams, mergeParams, type Params } from "./params.ts";
import { type ConversionDefaults, parserFor } from "./parse.ts";
import { redactedUrl, redactionOf } from "./redact.ts";

/**
 * Checks a call and builds its request (rules 1 to 3). If this throws, nothing has been sent.
 *
 * The request options are read at once: later changes by the caller have no effect. The result is a
 * promise only if the code that writes a model as XML has to be loaded.
 *
 * @param method The HTTP method
 * @param givenPath The path below the base URL, or a full URL
 * @param options The request options
 * @param clientSettings The settings of the session
 * @param defaults How responses are converted by default
 * @throws {UnexpectedValueError} If a part of the call is not valid
 */
export function buildCall(
  method: unknown,
  givenPath: Path,
  options: RequestOptions,
  clientSettings: Settings,
  defaults: ConversionDefaults,
): Call | Promise<Call> {
  const sentMethod = checkedMethod(method);
  const { settings, fetchInit } = resolveCall(options, clientSettings);
  const path = pathText(givenPath);
  const { url: urlWithoutParams, authorization } = urlOf(path, settings);
  const params = paramsOf(options, urlWithoutParams, settings);
  const url = params === undefined
    ? urlWithoutParams
    : addQuery(urlWithoutParams, encodeParams(params, "params"));
  const signals = [checkedSignal("signal", options.signal), settings.signal]
    .filter((signal) => signal !== undefined);
  const headers = options.headers === undefined ? {} : checkedHeaders(options.headers);
  const parser = parserFor(options, defaults);
  const isShownWhole = settings.restrictedPaths.length + settings.redactFields.length === 0;
  const shownUrl = isShownWhole
    ? withoutFragment(url)
    : redactedUrl(url, redactionOf({ path, urlWithoutParams, settings }));
  const withBody = (body: RequestBody): Call => ({
    method: sentMethod,
    path,
    urlWithoutParams,
    url,
    params,
    headers: withBodyHeaders(headers, body, authorization),
    body,
    signals,
    parser,
    settings,
    isAuthOwn: options.auth !== undefined,
    fetchInit,
    summary: { method: sentMethod, url: shownUrl },
    options,
  });
  const body = prepareBody(options, sentMethod);
  return body instanceof Promise ? body.then(withBody) : withBody(body);
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
  const expected = "an HTTP method such as GET or PURGE, but not CONNECT, TRACE or TRACK";
  throw new UnexpectedValueError("method", expected, method);
}

/** Returns the URL of a call, and the Authorization header of a full URL with credentials. */
function urlOf(path: string, { base, prefix, useBase }: Settings): SplitUrl {
  if (!isFullUri(path)) {
    return { url: joinPath(useBase ? prefix : base, path), authorization: undefined };
  }
  if (/^https?:/i.test(path)) return splitUrl(path, "path", pathAsGiven);
  throw new UnexpectedValueError(
    "path",
    "a path below the base URL, or a full URL that begins with http:// or https:// (use the path " +
      "tag for a value that contains ://)",
    pathAsGiven(path),
  );
}

/** Merges the parameters of a call over those of the session, which only trusted origins get. */
function paramsOf(
  { params }: RequestOptions,
  url: string,
  settings: Settings,
): Params | object | undefined {
  if (settings.params === undefined || !settings.trust.allows(url)) return params;
  const defaults: Record<string, unknown> = { ...settings.params };
  // A link to the next page contains them already.
  for (const key of new URL(url).searchParams.keys()) delete defaults[key];
  return mergeParams(params, defaults);
}

/** Adds the content type of the body and the credentials of the URL to the headers. */
function withBodyHeaders(
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
