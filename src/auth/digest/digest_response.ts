import { byteText, type DigestAlgorithm, hexHash } from "./algorithm.ts";
import type { DigestChallenge, DigestQop } from "./digest_challenge.ts";

// The computation of RFC 7616 §3.4. All texts are bytes, a character each.

/** A user name and a password as they are hashed. */
export interface DigestCredentials {
  /** The user name. */
  readonly username: string;
  /** The password. */
  readonly password: string;
}

/** What one request is answered by. */
export interface DigestProof {
  /** The server's nonce. */
  readonly nonce: string;
  /** How many requests were sent with this nonce, this one included. */
  readonly count: number;
  /** The client's nonce. */
  readonly cnonce: string;
  /** What is protected; undefined for the way of RFC 2069. */
  readonly qop: DigestQop | undefined;
  /** Path and query. */
  readonly uri: string;
}

/**
 * A user name and a password as a challenge wants them hashed: in UTF-8, and in the normal form C
 * where the server says that it is UTF-8 (§4). What else servers may mean they do not say.
 */
export function credentialsFor(
  { username, password }: DigestCredentials,
  isUtf8: boolean,
): DigestCredentials {
  const bytes = (text: string) => byteText(isUtf8 ? text.normalize("NFC") : text);
  return { username: bytes(username), password: bytes(password) };
}

/** The hash of the secret, H(A1) (§3.4.2). */
export function secretHash(
  { algorithm: { hash, isSession }, realm, nonce }: Pick<
    DigestChallenge,
    "algorithm" | "realm" | "nonce"
  >,
  { username, password }: DigestCredentials,
  cnonce: string,
): string {
  const secret = hexHash(hash, `${username}:${realm}:${password}`);
  return isSession ? hexHash(hash, `${secret}:${nonce}:${cnonce}`) : secret;
}

/**
 * The response to a challenge (§3.4.1), or that of the server, whose method is empty (§3.5).
 *
 * @param algorithm The algorithm
 * @param secret The hash of the secret
 * @param proof What it is an answer of
 * @param method The method
 * @param bodyHash The hash of the body, for auth-int
 */
export function responseHash(
  { hash }: DigestAlgorithm,
  secret: string,
  { nonce, count, cnonce, qop, uri }: DigestProof,
  method: string,
  bodyHash: string,
): string {
  const a2 = hexHash(hash, `${method}:${uri}${qop === "auth-int" ? `:${bodyHash}` : ""}`);
  const between = qop === undefined ? "" : `${countText(count)}:${cnonce}:${qop}:`;
  return hexHash(hash, `${secret}:${nonce}:${between}${a2}`);
}

/** The value of the Authorization header (§3.4). */
export function authorizationHeader(
  challenge: DigestChallenge,
  username: string,
  proof: DigestProof,
  response: string,
): string {
  const { realm, opaque, algorithm, algorithmName } = challenge;
  const { nonce, count, cnonce, qop, uri } = proof;
  const fields: (readonly [string, string] | false)[] = [
    usernameField(challenge, username),
    ["realm", quoted(realm)],
    ["uri", quoted(uri)],
    algorithmName !== undefined && ["algorithm", algorithmName],
    ["nonce", quoted(nonce)],
    qop !== undefined && ["nc", countText(count)],
    // Without qop there is none (§3.4), but the -sess forms cannot do without.
    (qop !== undefined || algorithm.isSession) && ["cnonce", quoted(cnonce)],
    qop !== undefined && ["qop", qop],
    ["response", quoted(response)],
    opaque !== undefined && ["opaque", quoted(opaque)],
    challenge.isUserHashed && ["userhash", "true"],
  ];
  const written = fields.filter((field) => field !== false);
  return `Digest ${written.map(([name, value]) => `${name}=${value}`).join(", ")}`;
}

/** The user name as a hash (§3.4.4), in UTF-8 (RFC 8187), or as it is. */
function usernameField(
  { realm, algorithm, isUserHashed, isUtf8 }: DigestChallenge,
  username: string,
): readonly [string, string] {
  if (isUserHashed) return ["username", quoted(hexHash(algorithm.hash, `${username}:${realm}`))];
  if (!isUtf8 || /^[\x20-\x7e]*$/.test(username)) return ["username", quoted(username)];
  const encoded = username.replace(/[^0-9A-Za-z._~-]/g, (byte) => {
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
  return ["username*", `UTF-8''${encoded}`];
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** The nonce count: eight digits in hexadecimal. */
function countText(count: number): string {
  return count.toString(16).padStart(8, "0");
}
