import { messageText, type RequestSummary, requestText } from "./message_text.ts";

/** The data that an {@linkcode ErrorFunction} receives in addition to the response. */
export interface ErrorFunctionDetails {
  /** The number of retries made so far: 0 if the first attempt failed. */
  readonly retries: number;
  /** The request's method and URL, without credentials. Undefined if none was passed. */
  readonly request: RequestSummary | undefined;
  /**
   * The response's body as text, at most the first MiB. The server controls it: it may repeat a
   * secret that was in the request.
   */
  readonly body: string;
  /**
   * The same as `error.data`: the value of the model, or the body as JSON, which is parsed when this
   * property is first read.
   */
  readonly data: unknown;
}

/**
 * A function that returns the message of an error built from a response (the contract's
 * `error_func`). It returns undefined for the default message.
 *
 * @example Show the server's own explanation
 * ```ts
 * import { APISession, type ErrorFunction } from "@restwright/restwright";
 *
 * const explain: ErrorFunction = ({ status }, { data }) => {
 *   const { error } = Object(data);
 *   return typeof error === "string" ? `${status}: ${error}` : undefined;
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
 * For a redirect that was not followed, the message also names the target, without credentials and
 * query. The message does not include the body. Use `error.body` or `error.data` to read it.
 *
 * @param response The response with the error status
 * @param details The number of retries made so far and the request
 * @returns The message, as in `404 Not Found: GET https://api.example.com/users/7`
 */
export function defaultErrorFunction(response: Response, details: ErrorFunctionDetails): string {
  const { status, statusText } = response;
  const { request, retries } = details;
  const reason = statusText && ` ${messageText(statusText)}`;
  const from = request === undefined ? "" : `: ${requestText(request)}`;
  const after = retries === 0 ? "" : ` (after ${retries} ${retries === 1 ? "retry" : "retries"})`;
  return `${status}${reason}${from}${after}${redirectHint(response, request)}`;
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
  const type = response.headers.get("content-type") ?? "";
  if (!/^[^;]*[/+]json\s*(?:;|$)/i.test(type) && !/^\s*[[{]/.test(body)) return;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Returns the target of a redirect that was not followed, and how to follow it. Returns an empty
 * string for any other response.
 */
function redirectHint(
  { status, headers }: Response,
  request: RequestSummary | undefined,
): string {
  const location = headers.get("location") ?? "";
  if (location === "" || ![301, 302, 303, 307, 308].includes(status)) return "";
  const base = request?.url;
  let target = "";
  if (URL.canParse(location, base)) {
    const { protocol, origin, pathname, search } = new URL(location, base);
    if (!/^https?:$/.test(protocol)) {
      return " (a redirect whose Location is not an http or https URL)";
    }
    target = ` to ${messageText(origin + pathname, 200)}${search && "?…"}`;
  } else if (base !== undefined) return " (a redirect whose Location is not a valid URL)";
  return ` (a redirect${target} was not followed: pass { followRedirects: true } to follow it)`;
}
