import { RedirectError } from "../errors/redirect_error.ts";
import type { RequestSummary } from "../errors/request_summary.ts";
import type { HeaderOverrides } from "./headers.ts";
import type { RedirectStep, StepSender } from "./redirect_step.ts";
import { isReplayable } from "./request_body.ts";
import { discard, withProperties } from "./response.ts";
import { type CredentialPolicy, crossOriginHeaders } from "./credential_policy.ts";

/** Statuses that redirect a request (RFC 9110 §15.4). */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that describe a body, and go with it (Fetch Standard, "request-body-header name"). */
const noBodyHeaders: HeaderOverrides = {
  "content-encoding": null,
  "content-language": null,
  "content-location": null,
  "content-type": null,
};

/** A request whose response is followed. */
export interface FollowedRequest extends RedirectStep {
  /** How many redirects may be followed, and to whom credentials go. */
  readonly settings: { readonly maxRedirects: number; readonly trust: CredentialPolicy };
  /** The call, as errors show it. */
  readonly summary: RequestSummary;
}

/** Whether a response redirects. */
export function isRedirect({ status, headers }: Response): boolean {
  return redirects.has(status) && (headers.get("location") ?? "") !== "";
}

/**
 * Sends a request, and follows responses that redirect to the first one that does not; the bodies on
 * the way are let go.
 *
 * @param send Sends a step
 * @param request The first step
 * @param isTrusted Whether it gets the session's credentials
 * @throws {RedirectError} Where a redirect cannot be followed, or is one too many
 */
export async function followed(
  send: StepSender,
  request: FollowedRequest,
  isTrusted: boolean,
): Promise<Response> {
  const { settings: { maxRedirects, trust }, summary } = request;
  let step: RedirectStep = request;
  let keepsCallCredentials = true;
  for (let count = 0;; count++) {
    const response = await send(step, isTrusted, keepsCallCredentials);
    if (!isRedirect(response)) {
      return count === 0 ? response : redirectedResponse(response, step.url);
    }
    discard(response);
    const next = nextStep(step, response, summary);
    if (count >= maxRedirects) {
      throw new RedirectError(`more than ${maxRedirects} redirects`, response.status, summary);
    }
    const goesOn = carries(trust, step.url, next.url);
    // What was left behind at one redirect is not taken up again at the next.
    keepsCallCredentials &&= goesOn;
    isTrusted &&= keepsCallCredentials;
    step = goesOn ? next : { ...next, headers: crossOriginHeaders(next.headers, trust) };
  }
}

/** A response that came by way of a redirect; an adapter's own does not know its URL. */
function redirectedResponse(response: Response, url: string): Response {
  return withProperties(response, { redirected: true, url: response.url || url });
}

/**
 * Whether what was meant for one URL may go on to another that it redirects to: to the same origin,
 * or between origins that are both trusted.
 */
export function carries(trust: CredentialPolicy, from: string, to: string): boolean {
  const [one, other] = [new URL(from), new URL(to)];
  if (one.origin === other.origin) return true;
  const isDown = one.protocol === "https:" && other.protocol === "http:";
  return !isDown && trust.allows(from) && trust.allows(to);
}

/**
 * The step that a response redirects to (RFC 9110 §15.4, Fetch Standard §4.4).
 *
 * @param step The step that the response answers
 * @param response The response, which redirects
 * @param summary The call, as errors show it
 * @throws {RedirectError} Where the redirect cannot be followed
 */
export function nextStep(
  step: RedirectStep,
  response: Response,
  summary?: RequestSummary,
): RedirectStep {
  const url = targetOf(response.headers.get("location") ?? "", step.url);
  if (url === undefined) {
    const found = `a ${response.status} points to what is no http or https URL`;
    throw new RedirectError(found, response.status, summary);
  }
  if (becomesGet(response.status, step.method)) {
    // Those of the session go as well as the request's own.
    const headers = { ...step.headers, ...noBodyHeaders };
    const method = step.method === "HEAD" ? "HEAD" : "GET";
    return { method, url, headers, body: { kind: "none" }, redirectedBy: response.status };
  }
  if (!isReplayable(step.body)) {
    throw new RedirectError(
      `a ${response.status} wants the body again, and it is a stream that can be read once; ` +
        "give a function that opens one",
      response.status,
      summary,
    );
  }
  return { ...step, url, redirectedBy: response.status };
}

/** 303 asks for a GET; 301 and 302 turn a POST into one, as every client has come to do. */
function becomesGet(status: number, method: string): boolean {
  return status === 303 || (method === "POST" && (status === 301 || status === 302));
}

/**
 * Where a Location points, without credentials; it inherits the fragment (RFC 9110 §10.2.2).
 * Undefined where that is no http or https URL.
 */
function targetOf(location: string, base: string): string | undefined {
  const url = URL.parse(utf8Text(location), base);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  url.username = "";
  url.password = "";
  if (url.hash === "" && !location.includes("#")) url.hash = new URL(base).hash;
  return url.href;
}

/** A header whose bytes are UTF-8, which fetch reads as Latin-1: servers write paths so. */
function utf8Text(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text;
  try {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
}
