import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { Auth, AuthRequest } from "./auth.ts";
import { splitUrl } from "./full_url.ts";
import { checkedHeaders, type HeaderFields, mergeHeaders } from "./headers.ts";
import type { RedirectStep } from "./redirect_step.ts";
import { type FetchBody, isReplayable, type RequestBody, type UploadBody } from "./request_body.ts";

/** A request that a scheme sends. */
export interface Authenticated {
  /** The request. */
  readonly step: RedirectStep;
  /** Its headers, with those of the session. */
  readonly fields: HeaderFields;
  /** Its body while it is sent. */
  readonly source: UploadBody;
  /** Whether it goes to whom the session trusts. */
  readonly isTrusted: boolean;
  /** Sends it. */
  readonly send: (url: string, fields: HeaderFields) => Promise<Response>;
}

/**
 * Sends a request by a scheme.
 *
 * @param auth The scheme
 * @param request The request
 * @throws {UnexpectedValueError} Where the scheme does what it may not
 */
export async function authenticated(
  auth: Auth,
  { step, fields, source, isTrusted, send }: Authenticated,
): Promise<Response> {
  const { method, url, body } = step;
  let isSent = false;
  const open = () => body.kind === "none" ? undefined : source.open();
  const request: AuthRequest = {
    method,
    url,
    headers: { ...fields },
    body: body.kind === "whole" ? body.content : undefined,
    isTrusted,
    isReplayable: isReplayable(body),
    readBody: () => isReadableBefore(body) ? chunksOf(open) : undefined,
  };
  const response: unknown = await auth.authenticate(request, (changes = {}) => {
    if (isSent && !isReplayable(body)) {
      throw new UnexpectedValueError(
        "content",
        "a function that opens a stream, since the authentication sends it again",
        body,
      );
    }
    isSent = true;
    const { headers } = changes;
    const changed = headers === undefined ? fields : mergeHeaders(fields, checkedHeaders(headers));
    return send(checkedTarget(changes.url ?? url, url), changed);
  });
  if (isResponse(response)) return response;
  throw new UnexpectedValueError(
    "authenticate",
    "a method that resolves to the Response that it was given",
    response,
  );
}

/** Whether its bytes are known before it is sent; it is fetch that writes a form of parts. */
function isReadableBefore(body: RequestBody): boolean {
  return body.kind === "whole" ? !(body.content instanceof FormData) : isReplayable(body);
}

/** The bytes that fetch sends for a body, in chunks; it is opened when the first is asked for. */
async function* chunksOf(open: () => FetchBody | undefined): AsyncGenerator<Uint8Array> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = new Response(open()).body
    ?.getReader();
  try {
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      yield read.value;
    }
  } finally {
    await reader?.cancel();
  }
}

/** A scheme may change path and query of a URL, not where it goes. */
function checkedTarget(url: string, before: string): string {
  if (url === before) return url;
  const expected = "a full URL of the same origin as the request's, without credentials";
  const { url: target, authorization } = splitUrl(url, "url");
  if (authorization === undefined && new URL(target).origin === new URL(before).origin) {
    return target;
  }
  throw new UnexpectedValueError("url", expected, url);
}

/** Whether a scheme gave a response; an adapter's may be of another realm. */
function isResponse(response: unknown): response is Response {
  if (response instanceof Response) return true;
  const { status, headers } = (response ?? {}) as Partial<Response>;
  return typeof status === "number" && typeof headers?.get === "function";
}
