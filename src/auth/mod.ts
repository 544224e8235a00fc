/**
 * Authentication schemes, and what a scheme of one's own looks like.
 *
 * @module
 */

export type { Auth, AuthChanges, AuthInput, AuthRequest, AuthSend } from "../http/auth.ts";
export { ApiKeyAuth, type ApiKeyOptions } from "./api_key.ts";
export { BasicAuth } from "./basic.ts";
export { BearerAuth } from "./bearer.ts";
export { SessionTokenAuth, type SessionTokenOptions } from "./session_token.ts";
