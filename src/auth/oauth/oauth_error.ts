/** The error of a token endpoint that refuses, or whose response has no usable token. */
import { brand, RestwrightError, showInJson } from "../../errors/base_error.ts";

/**
 * The details of an {@linkcode OAuthError}.
 *
 * @internal
 */
export interface OAuthErrorDetails {
  /** The status of the token endpoint's response, if the session threw an error for it. */
  readonly status?: number | undefined;
  /** The error code. */
  readonly error?: string | undefined;
  /** The explanation of the server. */
  readonly errorDescription?: string | undefined;
  /** The error of the token request, if any. */
  readonly cause?: unknown;
}

/**
 * The error for a token endpoint that refuses a request (RFC 6749 §5.2), or whose response has no
 * token that can be used.
 *
 * Every request that waits for the token fails with it. The next request asks for a token again.
 * Texts of the server are shortened and escaped, and secrets in them are replaced. The `cause` is
 * the `APIError` or the `DecodeError` of the token request, if there was one.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { ClientCredentialsAuth, OAuthError } from "@restwright/restwright/oauth";
 * import { mockTransport, silentLogger } from "@restwright/restwright/testing";
 *
 * const fetch = mockTransport({
 *   "POST /token": () => Response.json({ error: "invalid_scope" }, { status: 400 }),
 * });
 * const api = new APISession({ url: "https://api.example.com", fetch, logger: silentLogger });
 * api.httpSession.auth = new ClientCredentialsAuth(api, {
 *   tokenUrl: "https://login.example.com/token",
 *   clientId: "reports",
 *   clientSecret: "s3cret",
 *   scope: "orders.write",
 * });
 * try {
 *   await api.get("orders");
 * } catch (error) {
 *   if (!(error instanceof OAuthError)) throw error;
 *   console.log(error.error, error.status); // invalid_scope 400
 * }
 * ```
 *
 * @category Errors
 */
export class OAuthError extends RestwrightError {
  static {
    brand("OAuthError", this);
    showInJson(this, "status", "error", "errorDescription");
  }

  /** The status of the response; undefined if it is a success, but its JSON has no valid token. */
  readonly status: number | undefined;
  /**
   * The error code, such as `invalid_client` or `invalid_grant` (RFC 6749 §5.2); undefined if the
   * response has none.
   */
  readonly error: string | undefined;
  /** The explanation of the server (`error_description`), at most 200 characters of it. */
  readonly errorDescription: string | undefined;

  /**
   * Builds the error.
   *
   * @param message The message
   * @param details The response, its error code and its explanation
   */
  constructor(message: string, details: OAuthErrorDetails = {}) {
    super(message, details);
    this.status = details.status;
    this.error = details.error;
    this.errorDescription = details.errorDescription;
  }
}

/**
 * The error for a refresh token that the token endpoint does not accept any more (`invalid_grant`).
 * Nothing but a new login helps. Its `cause` is that of the refusal.
 *
 * The refresh token is not sent again: later calls throw the same error without a token request, until
 * the store has another token. If several processes share a store, each of them throws this error.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { LoginRequiredError, RefreshTokenAuth } from "@restwright/restwright/oauth";
 * import { mockTransport, silentLogger } from "@restwright/restwright/testing";
 *
 * const fetch = mockTransport({
 *   "POST /token": () => Response.json({ error: "invalid_grant" }, { status: 400 }),
 * });
 * const api = new APISession({ url: "https://api.example.com", fetch, logger: silentLogger });
 * api.httpSession.auth = new RefreshTokenAuth(api, {
 *   tokenUrl: "https://login.example.com/token",
 *   clientId: "desktop",
 *   refreshToken: "r-1",
 * });
 * try {
 *   await api.get("me");
 * } catch (error) {
 *   if (!(error instanceof LoginRequiredError)) throw error;
 *   console.log(error.error); // invalid_grant
 * }
 * ```
 *
 * @category Errors
 */
export class LoginRequiredError extends OAuthError {
  static {
    brand("LoginRequiredError", this);
  }

  /**
   * Builds the error.
   *
   * @param refusal The refusal of the token endpoint
   */
  constructor(refusal: OAuthError) {
    super(
      `${refusal.message}; a new login is needed: save its token in the store`,
      refusal,
    );
  }
}
