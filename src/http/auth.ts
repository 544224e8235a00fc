import { checkedText } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { basicCredentials } from "./full_url.ts";
import type { HeadersInput } from "./headers.ts";

/** A request as an authentication scheme sees it. */
export interface AuthRequest {
  /** The method, as it is sent. */
  readonly method: string;
  /** The URL that it goes to. */
  readonly url: string;
  /** The headers that it has so far, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; undefined where there is none, and where it is a stream. */
  readonly body: NonNullable<RequestInit["body"]> | undefined;
  /** Whether it goes to whom the session trusts; a call's own scheme is asked for others too. */
  readonly isTrusted: boolean;
  /** Whether it can be sent more than once; not with a stream that can be read once. */
  readonly isReplayable: boolean;
  /**
   * Reads the body before it is sent, as a scheme does that signs it or hashes it; a body that is
   * none has no chunks. A function that opens a stream is called once more, at the first chunk.
   *
   * @returns Its bytes, in chunks; undefined where they are not known before: of a stream that can
   * be read once, and of `FormData`, whose boundary fetch chooses
   */
  readonly readBody: () => AsyncIterable<Uint8Array> | undefined;
}

/** What a scheme lays over a request before it is sent. */
export interface AuthChanges {
  /** Headers laid over those of the request. */
  readonly headers?: HeadersInput | undefined;
  /** The URL to send it to in place of its own; it has to be of the same origin. */
  readonly url?: string | undefined;
}

/** Sends the request, with changes; it can be called again where a response is a challenge. */
export type AuthSend = (changes?: AuthChanges) => Promise<Response>;

/**
 * An authentication scheme: one method around a send.
 *
 * It is asked for each request that goes to the session's own origin or one that it trusts; one that
 * a call names by the keyword `auth`, for that call wherever it goes. After a redirect to another
 * origin it is not asked again.
 *
 * @example A scheme of one's own
 * ```ts
 * import type { Auth } from "@restwright/restwright";
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
 * import type { Auth } from "@restwright/restwright";
 *
 * const onDemand: Auth = {
 *   async authenticate(_request, send) {
 *     const response = await send();
 *     if (response.status !== 401) return response;
 *     await response.body?.cancel();
 *     return await send({ headers: { authorization: "Token abc" } });
 *   },
 * };
 * console.log(typeof onDemand.authenticate); // function
 * ```
 */
export interface Auth {
  /**
   * Sends a request with what the scheme adds to it.
   *
   * @param request The request as it is so far
   * @param send Sends it, with changes
   * @returns The response that the call goes on with
   */
  authenticate(request: AuthRequest, send: AuthSend): Promise<Response>;
  /** Gives back what the scheme holds, such as a token; it is called when its session is closed. */
  close?(): void | Promise<void>;
}

/** A user name and a password, or a scheme; null for none. */
export type AuthInput = Auth | readonly [username: string, password: string] | null;

/**
 * The scheme of a user name and a password (RFC 7617), in UTF-8.
 *
 * @throws {UnexpectedValueError} Where one of them is not what was expected
 */
export function basicScheme(username: string, password: string): Auth {
  if (checkedText("username", username).includes(":")) {
    throw new UnexpectedValueError("username", "a text without a colon", username);
  }
  const authorization = basicCredentials(username, checkedText("password", password));
  return { authenticate: (_request, send) => send({ headers: { authorization } }) };
}

/**
 * Checks what somebody gave as authentication.
 *
 * @throws {UnexpectedValueError} Where it is none of what it can be
 */
export function checkedAuth(auth: unknown): Auth | null {
  if (auth === null || auth === undefined) return null;
  if (Array.isArray(auth) && auth.length === 2) return basicScheme(auth[0], auth[1]);
  if (typeof (auth as Partial<Auth>).authenticate === "function") return auth as Auth;
  throw new UnexpectedValueError(
    "auth",
    "a user name and a password, an object with the method authenticate, or null",
    auth,
  );
}
