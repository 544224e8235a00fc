/**
 * Authentication schemes, and the interface for your own. Digest has its own entry point, `digest`,
 * so that other programs do not load its hash functions.
 *
 * @example
 * ```ts
 * import { BearerAuth } from "@restwright/restwright/auth";
 * import { APISession } from "@restwright/restwright/session";
 *
 * const api = new APISession({
 *   url: "https://api.example.com",
 *   adapter: (_url, { headers }) => Promise.resolve(new Response(headers["authorization"] ?? "")),
 * });
 * api.httpSession.auth = new BearerAuth("t-456");
 * console.log(await (await api.get("books")).text()); // Bearer t-456
 * ```
 *
 * @module
 */

export type { Auth, AuthChanges, AuthInput, AuthRequest, AuthSend } from "../http/auth.ts";
export { ApiKeyAuth, type ApiKeyOptions } from "./api_key.ts";
export { AuthSchemes } from "./auth_schemes.ts";
export { BasicAuth } from "./basic.ts";
export { BearerAuth } from "./bearer.ts";
export { SessionTokenAuth, type SessionTokenOptions } from "./session_token.ts";
export type { OAuthToken, ReleaseLock, TokenStore } from "./token_store.ts";
