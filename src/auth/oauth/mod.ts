/**
 * OAuth 2 (RFC 6749): schemes that get their tokens with client credentials or a refresh token, and
 * renew them.
 *
 * It is a separate entry point, so that other programs do not load it.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { ClientCredentialsAuth } from "@restwright/restwright/oauth";
 *
 * const api = new APISession({ url: "https://api.example.com" });
 * api.httpSession.auth = new ClientCredentialsAuth(api, {
 *   tokenUrl: "https://login.example.com/token",
 *   clientId: "reports",
 *   clientSecret: "s3cret",
 *   scope: "orders.read",
 * });
 * ```
 *
 * @module
 */

export { ClientCredentialsAuth, RefreshTokenAuth } from "./oauth_auth.ts";
export { LoginRequiredError, OAuthError } from "./oauth_error.ts";
export type { ClientCredentialsOptions, OAuthOptions, RefreshTokenOptions } from "./options.ts";
export type { OAuthToken, ReleaseLock, TokenStore } from "../token_store.ts";
