/** Follows redirects: builds the next request, or refuses it. Loaded at the first redirect. */
import type { RequestSummary } from "../errors/message_text.ts";
import { RedirectError } from "../errors/redirect_error.ts";
import { crossOriginHeaders, keepsCallCredentials } from "./credentials.ts";
import type { HeaderOverrides } from "./headers.ts";
import { isReplayable, noBody } from "./request_body.ts";
import { discardBody, isRedirect, withProperties } from "./response.ts";
import { type Attempt, type HttpRequest, sendRequest } from "./send.ts";

/** Headers that describe a body (Fetch Standard, "request-body-header name"). */
const noBodyHeaders: HeaderOverrides = {
  "content-encoding": null,
  "content-language": null,
  "content-location": null,
  "content-type": null,
};

/**
 * Follows a redirect, and those that come after it. The bodies of redirects are discarded.
 *
 * @param response The redirect that the request of the attempt was answered with
 * @param attempt The attempt
 * @param isTrusted True if that request had the credentials of the session
 * @param keeps True if it had those of the call
 * @throws {RedirectError} If a redirect cannot be followed, if it leads the body of a login to another
 * origin, or if there are too many
 */
export async function followFrom(
  response: Response,
  attempt: Attempt,
  isTrusted: boolean,
  keeps: boolean,
): Promise<Response> {
  const { call } = attempt;
  const { settings: { maxRedirects, trust }, summary } = call;
  let step: HttpRequest = call;
  for (let count = 0; isRedirect(response); count++) {
    discardBody(response);
    const next = nextStep(step, response, summary);
    if (count >= (maxRedirects ?? Infinity)) {
      throw new RedirectError(`more than ${maxRedirects} redirects`, response.status, summary);
    }
    const isKept = keepsCallCredentials(trust, step.url, next.url);
    if (!isKept && call.hasSecretBody && next.body.kind !== "none") {
      const problem =
        `a ${response.status} requires the body of a login again at another origin; ` +
        "add it to trustedOrigins if it belongs to the API";
      throw new RedirectError(problem, response.status, summary);
    }
    // Credentials that one redirect dropped do not come back at the next one.
    keeps &&= isKept;
    isTrusted &&= keeps;
    step = isKept ? next : { ...next, headers: crossOriginHeaders(next.headers, trust) };
    response = await sendRequest(attempt, step, isTrusted, keeps);
  }
  call.sent.isDiverted = !keeps;
  return redirectedResponse(response, step.url);
}

/** Sets the URL of a response after redirects, because that of an adapter does not know it. */
function redirectedResponse(response: Response, url: string): Response {
  return withProperties(response, { redirected: true, url: response.url || url });
}

/**
 * Returns the request that a redirect leads to (RFC 9110 §15.4, Fetch Standard §4.4).
 *
 * @param step The request that was redirected
 * @param response The redirect
 * @param summary The call for errors
 * @throws {RedirectError} If the redirect cannot be followed
 */
export function nextStep(
  step: HttpRequest,
  response: Response,
  summary?: RequestSummary,
): HttpRequest {
  const url = targetOf(response.headers.get("location") ?? "", step.url);
  if (url === undefined) {
    const found = `the Location of a ${response.status} is not an http or https URL`;
    throw new RedirectError(found, response.status, summary);
  }
  if (becomesGet(response.status, step.method)) {
    // The headers of the session describe no body either.
    const headers = { ...step.headers, ...noBodyHeaders };
    const method = step.method === "HEAD" ? "HEAD" : "GET";
    return { method, url, headers, body: noBody, redirectedBy: response.status };
  }
  if (!isReplayable(step.body)) {
    throw new RedirectError(
      `a ${response.status} requires the body again, but it is a stream that can be read only once; ` +
        "pass a function that opens the stream",
      response.status,
      summary,
    );
  }
  return { ...step, url, redirectedBy: response.status };
}

/** A 303 asks for a GET. A 301 or 302 turns a POST into a GET, as all clients do. */
function becomesGet(status: number, method: string): boolean {
  return status === 303 || (method === "POST" && (status === 301 || status === 302));
}

/**
 * Returns the URL of a Location header, without credentials. It inherits the fragment (RFC 9110
 * §10.2.2). Returns undefined if it is not an http or https URL.
 */
function targetOf(location: string, base: string): string | undefined {
  const url = URL.parse(utf8Text(location), base);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  url.username = "";
  url.password = "";
  if (url.hash === "" && !location.includes("#")) url.hash = new URL(base).hash;
  return url.href;
}

/** Decodes a header of UTF-8 bytes, which fetch reads as Latin-1. Some servers send such paths. */
function utf8Text(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text;
  try {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
}
