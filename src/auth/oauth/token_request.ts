/** Requests a token from the token endpoint, checks the response, and refuses URLs without TLS. */
import type { ClientBase } from "../../client/client_base.ts";
import { APIError } from "../../errors/api_error.ts";
import { DecodeError } from "../../errors/decode_error.ts";
import { jsonOf } from "../../errors/error_function.ts";
import { messageText, pathForMessage, quotedText } from "../../errors/message_text.ts";
import {
  describeValue,
  pathAsGiven,
  UnexpectedValueError,
} from "../../errors/unexpected_value_error.ts";
import { basicCredentials, isLoopback } from "../../http/url.ts";
import { createLoginRequests } from "../../client/lifecycle.ts";
import type { Middleware } from "../../options/middleware.ts";
import { commonSecretFields, textRedactor } from "../../call/redact.ts";
import { OAuthError, type OAuthErrorDetails } from "./oauth_error.ts";
import type { HeldLock } from "../stored_token.ts";
import { isTokenText, type OAuthToken } from "../token_store.ts";

/** A client and its token endpoint. */
export interface TokenEndpoint {
  /** A full URL, or a path of the session. */
  readonly url: string;
  /** True if the URL may be one without TLS. */
  readonly allowInsecure: boolean;
  /** The client's id. */
  readonly clientId: string;
  /** The client's secret; undefined for a public client, which has none. */
  readonly clientSecret: string | undefined;
  /** True if id and secret are sent in the body, and not in the Authorization header. */
  readonly isSecretInBody: boolean;
}

/**
 * Checks that a URL has TLS, or that its host is this machine.
 *
 * @throws {UnexpectedValueError} If everyone on the way could read the secrets of the request
 */
export function refuseInsecure(url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || isLoopback(hostname)) return;
  const expected =
    "an https URL, because secrets are sent to it; pass allowInsecure: true to send " +
    "them without TLS";
  throw new UnexpectedValueError("tokenUrl", expected, pathAsGiven(url));
}

/** Checks the URL of a token request, which may be a path below a base URL without TLS. */
const secureOnly: Middleware = (request, next) => {
  refuseInsecure(request.url);
  return next(request);
};

/** Returns middleware that lets no attempt begin when the lock is nearly over. */
function inTime(lock: HeldLock): Middleware {
  return (request, next) => {
    lock.checkTime();
    return next(request);
  };
}

/** The names and values of a token request. */
export type Form = Readonly<Record<string, string>>;

/**
 * Requests a token (RFC 6749 §4.4.2 and §6) through a session.
 *
 * The request does not wait for a login of the session, since the login may need the token. Redirects
 * are not followed, because they could carry the secret elsewhere.
 *
 * @param client The session, whose transport, retries and logger are used
 * @param endpoint The client and its token endpoint
 * @param grant The parameters of the grant
 * @param lock The lock of the store, which limits the time
 * @returns The token; without a refresh token if the server sent none
 * @throws {OAuthError} If the endpoint refuses the request, or its response has no valid token
 * @throws {UnexpectedValueError} If the URL is one without TLS
 */
export async function requestToken(
  client: ClientBase,
  { url, allowInsecure, clientId, clientSecret, isSecretInBody }: TokenEndpoint,
  grant: Form,
  lock?: HeldLock,
): Promise<OAuthToken> {
  const isBasic = clientSecret !== undefined && !isSecretInBody;
  const form: Form = {
    ...grant,
    ...(!isBasic && { client_id: clientId }),
    ...(isSecretInBody && clientSecret !== undefined && { client_secret: clientSecret }),
  };
  const credentials = isBasic && {
    authorization: basicCredentials(formEncoded(clientId), formEncoded(clientSecret)),
  };
  const api = createLoginRequests(
    { isLogin: true, isAnyUrl: true },
    (method, path, options) => client["_req"](method, path, options),
  );
  const fail = (
    body: unknown,
    describe: (redact: (text: string) => string) => string,
    cause?: APIError | DecodeError,
  ) => {
    const redact = textRedactor(
      () => [...secretsIn({ ...form, client_secret: clientSecret }), ...secretsIn(body)],
      "REDACTED",
    );
    const refusal = refusalIn(body, redact);
    const reason = refusal === undefined
      ? describe(redact)
      : `${refusal.error}${refusal.errorDescription ? ` (${refusal.errorDescription})` : ""}`;
    return failedRequest(url, reason, { ...refusal, status: cause?.status, cause });
  };
  let body: unknown;
  try {
    body = await api.post<unknown>(url, {
      data: form,
      headers: { accept: "application/json", ...credentials },
      auth: null,
      ...(lock !== undefined && { signal: lock.signal }),
      followRedirects: false,
      convJson: true,
      redactFields: commonSecretFields,
      middleware: [
        ...(allowInsecure ? [] : [secureOnly]),
        ...(lock === undefined ? [] : [inTime(lock)]),
      ],
    });
  } catch (error) {
    if (!(error instanceof APIError || error instanceof DecodeError)) throw error;
    const describe = (redact: (text: string) => string) => unreadable(error, redact);
    throw fail(jsonOf(error.response, error.body), describe, error);
  }
  const describe = problemOf(body);
  if (describe !== undefined) throw fail(body, describe);
  return tokenIn(body as TokenResponse, client["_clock"].now());
}

/** Returns the error of a token request. */
export function failedRequest(
  url: string,
  reason: string,
  details?: OAuthErrorDetails,
): OAuthError {
  return new OAuthError(`the token request to ${pathForMessage(url)} failed: ${reason}`, details);
}

/** The response of a token endpoint (RFC 6749 §5.1). */
interface TokenResponse {
  readonly access_token: string;
  readonly token_type?: unknown;
  readonly expires_in?: number | string | null;
  readonly refresh_token?: unknown;
}

/** Returns a function that describes why a response has no token; undefined if it has one. */
function problemOf(body: unknown): ((redact: (text: string) => string) => string) | undefined {
  const { access_token, token_type, expires_in } = Object(body);
  if (!isTokenText(access_token)) return () => "the response has no valid access_token";
  // Some servers leave the type out.
  const type: unknown = token_type ?? "Bearer";
  if (typeof type !== "string" || type.toLowerCase() !== "bearer") {
    return (redact) =>
      "the token_type must be Bearer, but is " +
      (typeof type === "string" ? quotedText(redact(type)) : describeValue(type));
  }
  // Some servers send a string.
  const lifetime: unknown = expires_in ?? 0;
  const isLifetime = (typeof lifetime === "number" || typeof lifetime === "string") &&
    /^\d+(?:\.\d+)?$/.test(String(lifetime));
  if (isLifetime) return undefined;
  return () => "the expires_in of the response is not a number of seconds";
}

/** The last time that a `Date` can have, in milliseconds since 1970. JSON has no infinite number. */
const LAST_DATE = 8.64e15;

function tokenIn(
  { access_token, expires_in, refresh_token }: TokenResponse,
  now: number,
): OAuthToken {
  return {
    accessToken: access_token,
    ...(expires_in != null && {
      expiresAt: Math.min(now + Number(expires_in) * 1000, LAST_DATE),
    }),
    ...(typeof refresh_token === "string" && refresh_token && { refreshToken: refresh_token }),
  };
}

/** Describes a response that the session could not use. */
function unreadable(error: APIError | DecodeError, redact: (text: string) => string): string {
  const found = error instanceof APIError
    ? `has the status ${error.status}, and no error code`
    : `is not JSON, but ${quotedText(redact(error.headers.get("content-type") ?? ""))}`;
  return `the response ${found}; check the option tokenUrl`;
}

/** Returns the error code and its explanation (RFC 6749 §5.2); undefined if there is no code. */
function refusalIn(
  body: unknown,
  redact: (text: string) => string,
): { readonly error: string; readonly errorDescription: string | undefined } | undefined {
  // Some servers send them with the status 200.
  const { error, error_description } = Object(body);
  if (typeof error !== "string" || error === "") return undefined;
  const isText = typeof error_description === "string" && error_description !== "";
  return {
    error: messageText(redact(error)),
    errorDescription: isText ? messageText(redact(error_description), 200) : undefined,
  };
}

/** Returns the texts of a form or of a response whose names are those of secrets. */
function secretsIn(fields: unknown): string[] {
  if (typeof fields !== "object" || fields === null) return [];
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === "string" && commonSecretFields.includes(name.toLowerCase()) ? [value] : []
  );
}

/**
 * Encodes an id or a secret as a form does, before it becomes a part of Basic credentials
 * (RFC 6749 §2.3.1). A space is `%20`, because servers that decode no plus sign read it, too.
 */
function formEncoded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1).replaceAll("+", "%20");
}
