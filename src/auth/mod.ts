/**
 * Authentication schemes, and the interface for your own. Digest has its own entry point, `digest`,
 * so that other programs do not load its hash functions.
 *
 * @example
 * ```ts
 * import { BearerAuth } from "@restwright/restwright/auth";
 * import { APIClient, textFormat } from "@restwright/restwright";
 *
 * class Library extends APIClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *
 *   books(): Promise<string> {
 *     return this._get("/books", { format: textFormat });
 *   }
 * }
 *
 * // An API in memory that answers with the credentials that it receives.
 * const fetch = (_url: string, { headers }: { headers: Readonly<Record<string, string>> }) =>
 *   Promise.resolve(new Response(headers["authorization"]));
 * const library = new Library({ auth: new BearerAuth("t-456"), fetch });
 * console.log(await library.books()); // Bearer t-456
 * ```
 *
 * @module
 */

export type { AuthOption } from "../options/auth_option.ts";
export type { Auth, AuthChanges, AuthInput, AuthRequest, AuthSend } from "../http/auth.ts";
export { ApiKeyAuth } from "./api_key.ts";
export { AuthSchemes } from "./auth_schemes.ts";
export { BasicAuth } from "./basic.ts";
export { BearerAuth } from "./bearer.ts";
export { SessionTokenAuth, type SessionTokenOptions } from "./session_token.ts";
