/** The interface of authentication schemes, and the sending of a request with one. */
import { checkedText } from "../base/checks.ts";
import { streamChunks } from "../base/stream_chunks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { checkedHeaders, type HeaderFields, type HeadersInput, mergeFields } from "./headers.ts";
import { type FetchBody, isReplayable, type RequestBody, type UploadBody } from "./request_body.ts";
import { namedCookies } from "./cookie_storage.ts";
import { isResponse } from "./response.ts";
import { basicCredentials, splitUrl } from "./url.ts";

/**
 * A request that an authentication scheme is about to send.
 *
 * @category Authentication
 */
export interface AuthRequest {
  /** The method as it is sent. */
  readonly method: string;
  /** The URL. */
  readonly url: string;
  /** The headers so far, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; undefined if there is none, or if it is a stream. */
  readonly body: NonNullable<RequestInit["body"]> | undefined;
  /** True if the session trusts the origin. The scheme of a call is also used for other origins. */
  readonly isTrusted: boolean;
  /** True if the request can be sent more than once; false for a stream that can be read once. */
  readonly isReplayable: boolean;
  /**
   * Reads the body before it is sent, for schemes that sign or hash it. A function that opens a
   * stream is called once more, at the first chunk.
   *
   * @returns The bytes in chunks (no chunks if there is no body); undefined for a stream that can be
   * read once, and for `FormData`, because fetch chooses its boundary
   */
  readonly readBody: () => AsyncIterable<Uint8Array> | undefined;
}

/**
 * The changes that a scheme makes to a request.
 *
 * @category Authentication
 */
export interface AuthChanges {
  /** Headers to merge over those of the request. */
  readonly headers?: HeadersInput | undefined;
  /** Cookies by name, to send with those of the session. Browsers send only their own. */
  readonly cookies?: Readonly<Record<string, string>> | undefined;
  /** Another URL of the same origin. */
  readonly url?: string | undefined;
}

/**
 * Sends the request with changes. After a challenge, call it again.
 *
 * @category Authentication
 */
export type AuthSend = (changes?: AuthChanges) => Promise<Response>;

/**
 * An authentication scheme: one method that wraps the sending of a request.
 *
 * It is used for each request to the session's own origin, and to those that it trusts. The `auth`
 * option of a call is used for that call, wherever it goes. After a redirect to another origin, the
 * scheme is not used again.
 *
 * @example A custom scheme
 * ```ts
 * import type { Auth } from "@restwright/restwright/auth";
 *
 * const dated: Auth = {
 *   authenticate(request, send) {
 *     const day = new Date().toISOString().slice(0, 10);
 *     return send({ headers: { "x-signature": `${request.method} ${day}` } });
 *   },
 * };
 * console.log(typeof dated.authenticate); // function
 * ```
 *
 * @example A scheme that answers a challenge
 * ```ts
 * import type { Auth } from "@restwright/restwright/auth";
 * import { discardBody } from "@restwright/restwright/http";
 *
 * const onDemand: Auth = {
 *   async authenticate(_request, send) {
 *     const response = await send();
 *     if (response.status !== 401) return response;
 *     discardBody(response);
 *     return await send({ headers: { authorization: "Token abc" } });
 *   },
 * };
 * console.log(typeof onDemand.authenticate); // function
 * ```
 *
 * @category Authentication
 */
export interface Auth {
  /**
   * Sends a request with the scheme's changes.
   *
   * @param request The request so far
   * @param send Sends it with changes
   * @returns The response of the call
   */
  authenticate(request: AuthRequest, send: AuthSend): Promise<Response>;
  /** Releases what the scheme holds, such as a token. It is called when the session is closed. */
  close?(): void | Promise<void>;
}

/**
 * A user name and a password, or a scheme; null for none.
 *
 * @category Authentication
 */
export type AuthInput = Auth | readonly [username: string, password: string] | null;

/**
 * Returns the scheme of a user name and a password (RFC 7617), in UTF-8.
 *
 * @throws {UnexpectedValueError} If one of them is not a string, or the user name has a colon
 */
export function basicScheme(username: string, password: string): Auth {
  if (checkedText("username", username).includes(":")) {
    throw new UnexpectedValueError("username", "a string without a colon", username);
  }
  const authorization = basicCredentials(username, checkedText("password", password));
  return { authenticate: (_request, send) => send({ headers: { authorization } }) };
}

/**
 * Checks the option `auth`, and returns the scheme.
 *
 * @throws {UnexpectedValueError} If it is neither a pair, a scheme nor null
 */
export function checkedAuth(option: string, auth: unknown): Auth | null {
  if (auth === null || auth === undefined) return null;
  if (Array.isArray(auth) && auth.length === 2) return basicScheme(auth[0], auth[1]);
  if (typeof (auth as Partial<Auth>).authenticate === "function") return auth as Auth;
  throw new UnexpectedValueError(
    option,
    "a pair of user name and password, a scheme such as new BearerAuth(token), or null",
    auth,
  );
}

/** A request that a scheme sends. */
export interface AuthenticatedRequest {
  /** The method as it is sent. */
  readonly method: string;
  /** The URL. */
  readonly url: string;
  /** The headers, with those of the session. */
  readonly fields: HeaderFields;
  /** The body. */
  readonly body: RequestBody;
  /** The body of this attempt; undefined if there is none. */
  readonly upload: UploadBody | undefined;
  /** True if the session trusts the origin. */
  readonly isTrusted: boolean;
  /** Sends the request, with further cookies in the form of a Cookie header. */
  readonly send: (url: string, fields: HeaderFields, cookies: string) => Promise<Response>;
}

/**
 * Sends a request with a scheme.
 *
 * @param auth The scheme
 * @param request The request
 * @throws {UnexpectedValueError} If the scheme breaks its rules: it has to stay on the origin, to
 * return a response, and to send a stream only once
 */
export async function authenticated(
  auth: Auth,
  { method, url, fields, body, upload, isTrusted, send }: AuthenticatedRequest,
): Promise<Response> {
  let isSent = false;
  const open = () => body.kind === "none" ? undefined : upload?.open();
  const request: AuthRequest = {
    method,
    url,
    headers: { ...fields },
    body: body.kind === "whole" ? body.content : undefined,
    isTrusted,
    isReplayable: isReplayable(body),
    readBody: () => isReadableFirst(body) ? chunksOf(open) : undefined,
  };
  const response: unknown = await auth.authenticate(request, (changes = {}) => {
    if (isSent && !isReplayable(body)) {
      throw new UnexpectedValueError(
        "content",
        "a function that opens a stream, because the authentication sends the body again",
        body,
      );
    }
    isSent = true;
    const { headers, cookies } = changes;
    const changed = headers === undefined ? fields : mergeFields(fields, checkedHeaders(headers));
    const named = cookies === undefined ? "" : namedCookies("cookies", cookies);
    return send(checkedTarget(changes.url ?? url, url), changed, named);
  });
  if (isResponse(response)) return response;
  throw new UnexpectedValueError(
    "authenticate",
    "a method that resolves to a Response, such as the one that send() returned",
    response,
  );
}

/** Reports if the bytes are known before they are sent. Fetch itself writes multipart forms. */
function isReadableFirst(body: RequestBody): boolean {
  return body.kind === "whole" ? !(body.content instanceof FormData) : isReplayable(body);
}

/** Returns the bytes that fetch sends for a body. The body is opened at the first chunk. */
async function* chunksOf(open: () => FetchBody | undefined): AsyncGenerator<Uint8Array> {
  const { body } = new Response(open());
  if (body !== null) yield* streamChunks(body);
}

/** Checks the URL of a scheme. It may change the path and the query, but not the origin. */
function checkedTarget(url: string, before: string): string {
  if (url === before) return url;
  const expected = "a full URL of the same origin as the request's, without credentials";
  const { url: target, authorization } = splitUrl(url, "url");
  if (authorization === undefined && new URL(target).origin === new URL(before).origin) {
    return target;
  }
  throw new UnexpectedValueError("url", expected, url);
}
