/**
 * OAuth 2 (RFC 6749): schemes that get their tokens with client credentials or a refresh token, and
 * renew them.
 *
 * It is a separate entry point, so that other programs do not load it.
 *
 * @example
 * ```ts
 * import { APIClient, type ClientOptions } from "@restwright/restwright";
 * import { ClientCredentialsAuth } from "@restwright/restwright/oauth";
 * import { mockTransport } from "@restwright/restwright/testing";
 *
 * class Orders extends APIClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *
 *   constructor(options: ClientOptions = {}) {
 *     super(options);
 *     this.httpSession.auth = new ClientCredentialsAuth(this, {
 *       tokenUrl: "https://login.example.com/token",
 *       clientId: "reports",
 *       clientSecret: "s3cret",
 *       scope: "orders.read",
 *     });
 *   }
 *   list(): Promise<number[]> {
 *     return this._get("/orders", { convJson: true });
 *   }
 * }
 *
 * const fetch = mockTransport({
 *   "POST /token": { access_token: "t-1", token_type: "Bearer", expires_in: 3600 },
 *   "GET /orders": ({ headers }) => headers["authorization"] === "Bearer t-1" ? [7] : 401,
 * });
 * console.log((await new Orders({ fetch }).list())[0]); // 7
 * ```
 *
 * @module
 */

export { ClientCredentialsAuth, RefreshTokenAuth } from "./oauth_auth.ts";
export { LoginRequiredError, OAuthError } from "./oauth_error.ts";
export type { ClientCredentialsOptions, OAuthOptions, RefreshTokenOptions } from "./options.ts";
export type { OAuthToken } from "../token_store.ts";
