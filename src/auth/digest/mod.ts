/**
 * Digest authentication (RFC 7616).
 *
 * It is a separate entry point, so that other programs do not load the hash functions of
 * `@noble/hashes`. They are needed because WebCrypto has neither MD5 nor SHA-512/256.
 *
 * @example
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { DigestAuth } from "@restwright/restwright/digest";
 * import { mockTransport } from "@restwright/restwright/testing";
 *
 * class Vault extends APIClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *
 *   async open(): Promise<void> {
 *     await this._get("/vault", { convJson: true });
 *   }
 * }
 *
 * const headers = { "www-authenticate": 'Digest realm="vault", nonce="n-1", qop="auth"' };
 * const fetch = mockTransport({
 *   "GET /vault": ({ headers: { authorization } }) =>
 *     authorization === undefined ? new Response(null, { status: 401, headers }) : 200,
 * });
 * await new Vault({ auth: new DigestAuth("ada", "countess"), fetch }).open();
 * console.log(fetch.calls[1]?.headers["authorization"]?.slice(0, 22)); // Digest username="ada",
 * ```
 *
 * @module
 */

export { DigestAuth, type DigestOptions } from "./digest_auth.ts";
export { DigestChallengeError, DigestServerError } from "./errors.ts";
