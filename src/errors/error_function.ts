/** Builds the default message of an error response, with problem details and redirects. */
import { type MediaType, mediaTypeOf } from "../base/media_type.ts";
import { messageText, type RequestSummary, requestText } from "./message_text.ts";

/**
 * The data that an {@linkcode ErrorFunction} receives in addition to the response.
 *
 * @category Errors
 */
export interface ErrorFunctionDetails {
  /** The number of retries made so far: 0 if the first attempt failed. */
  readonly retries: number;
  /** The request's method and URL, without credentials. Undefined if none was passed. */
  readonly request: RequestSummary | undefined;
  /**
   * The response's body as text, at most the first MiB. The server controls it: it may repeat a
   * secret that was in the request. Pass such text through `redact`.
   */
  readonly body: string;
  /**
   * The same as `error.data`: the value of the model, or the body as JSON, which is parsed when this
   * property is first read.
   */
  readonly data: unknown;
  /**
   * Replaces the secrets of the request in a text of the server. An error that is not created by a
   * call has no request, so that the text does not change.
   */
  readonly redact: (text: string) => string;
}

/**
 * A function that returns the message of an error built from a response (the contract's
 * `error_func`). It returns undefined for the default message.
 *
 * @example Show the server's own explanation
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import type { ErrorFunction } from "@restwright/restwright/errors";
 *
 * const explain: ErrorFunction = ({ status }, { data, redact }) => {
 *   const { error } = Object(data);
 *   return typeof error === "string" ? `${status}: ${redact(error)}` : undefined;
 * };
 * new APISession({ url: "https://api.example.com", errorFunc: explain });
 * ```
 *
 * @category Errors
 */
export type ErrorFunction = (
  response: Response,
  details: ErrorFunctionDetails,
) => string | undefined;

/**
 * Returns the default message of an error: status, reason phrase, method and URL.
 *
 * After redirects, the message also names the URL that answered, and for a redirect that was not
 * followed, its target: both without credentials and query. For problem details (RFC 9457), their
 * title follows. Text of the server is shortened, escaped and redacted. The message does not include
 * the rest of the body. Use `error.body` or `error.data` to read it.
 *
 * @param response The response with the error status
 * @param details The number of retries made so far, the request and the body
 * @returns The message, as in `404 Not Found: GET https://api.example.com/users/7`
 *
 * @category Errors
 */
export function defaultErrorFunction(response: Response, details: ErrorFunctionDetails): string {
  const { status, statusText } = response;
  const { request, retries, body, redact = unchanged } = details;
  const reason = statusText && ` ${messageText(redact(statusText))}`;
  const from = request === undefined ? "" : `: ${requestText(request)}`;
  const after = retries === 0 ? "" : ` (after ${retries} ${retries === 1 ? "retry" : "retries"})`;
  const title = problemTitle(response, body);
  return `${status}${reason}${from}${after}${redirectHint(response, request, redact)}` +
    (title && `: ${messageText(redact(title), 200)}`);
}

/** Returns a text as it is: the `redact` of an error without a call. */
export function unchanged(text: string): string {
  return text;
}

/**
 * Returns the title of problem details (RFC 9457 §3.1.3). Returns an empty string for any other
 * response, and for a title that only repeats the reason phrase (§4.2.1).
 */
function problemTitle(response: Response, body: string): string {
  if (typeOf(response).essence !== "application/problem+json") return "";
  const { title } = Object(jsonOf(response, body));
  return typeof title === "string" && title !== response.statusText ? title : "";
}

/**
 * Parses the body of an error as JSON. It must have a JSON content type, or begin like an object or
 * an array, because many servers send errors as `text/plain` or `text/html`.
 *
 * @param response The response with the content type
 * @param body The body
 * @returns The value; undefined if the body is not JSON, or was cut
 */
export function jsonOf(response: Response, body: string): unknown {
  if (typeOf(response).format !== "json" && !/^\s*[[{]/.test(body)) return;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function typeOf({ headers }: Response): MediaType {
  return mediaTypeOf(headers.get("content-type"));
}

/**
 * Returns the target of a redirect that was not followed, and how to follow it, or the URL that
 * answered after redirects. Returns an empty string for any other response.
 */
function redirectHint(
  { status, headers, redirected, url }: Response,
  request: RequestSummary | undefined,
  redact: (text: string) => string,
): string {
  // Redacted before it is parsed, because the parser encodes it.
  const location = redact(headers.get("location") ?? "");
  if (location === "" || ![301, 302, 303, 307, 308].includes(status)) {
    const target = redirected ? URL.parse(url) : null;
    return target === null ? "" : ` (redirected to ${shownUrl(target, redact)})`;
  }
  const base = request?.url;
  let target = "";
  if (URL.canParse(location, base)) {
    const parsed = new URL(location, base);
    if (!/^https?:$/.test(parsed.protocol)) {
      return " (a redirect whose Location is not an http or https URL)";
    }
    target = ` to ${shownUrl(parsed, redact)}`;
  } else if (base !== undefined) return " (a redirect whose Location is not a valid URL)";
  return ` (a redirect${target} was not followed: pass { followRedirects: true } to follow it)`;
}

/** Formats a URL of the server for a message: without credentials, query and secrets. */
function shownUrl({ origin, pathname, search }: URL, redact: (text: string) => string): string {
  return `${messageText(redact(origin + pathname), 200)}${search && "?…"}`;
}

/**
 * Returns the URL of a response without credentials, query and fragment.
 *
 * @returns The URL; undefined if the response has none
 */
export function urlOf({ url }: Response): string | undefined {
  const { origin, pathname } = URL.parse(url) ?? {};
  return origin && `${origin}${pathname}`;
}
