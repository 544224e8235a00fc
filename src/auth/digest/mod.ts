/**
 * Digest authentication (RFC 7616).
 *
 * It is a separate entry point, so that other programs do not load the hash functions of
 * `@noble/hashes`. They are needed because WebCrypto has neither MD5 nor SHA-512/256.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { DigestAuth } from "@restwright/restwright/digest";
 *
 * const api = new APISession({ url: "https://api.example.com" });
 * api.httpSession.auth = new DigestAuth("ada", "countess");
 * ```
 *
 * @module
 */

export { DigestAuth, type DigestOptions } from "./digest_auth.ts";
export { DigestChallengeError, DigestServerError } from "./errors.ts";
