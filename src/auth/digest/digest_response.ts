/** Computes the hashes of Digest, and writes the Authorization header with them. */
import { byteText, type DigestAlgorithm, hexHash } from "./algorithm.ts";
import type { DigestChallenge, DigestQop } from "./digest_challenge.ts";

// The computation of RFC 7616 §3.4. All texts have one character per byte.

/** A user name and a password. */
export interface DigestCredentials {
  /** The user name. */
  readonly username: string;
  /** The password. */
  readonly password: string;
}

/** The values that the answer to a challenge is computed from, for one request. */
export interface DigestProof {
  /** The server's nonce. */
  readonly nonce: string;
  /** The number of requests that were sent with this nonce, including this one. */
  readonly count: number;
  /** The client's nonce. */
  readonly cnonce: string;
  /** The protection; undefined for the scheme of RFC 2069. */
  readonly qop: DigestQop | undefined;
  /** The path and the query. */
  readonly uri: string;
}

/**
 * Returns the user name and password as UTF-8 bytes. If the server declares UTF-8 (§4), they are
 * first put in Unicode normalization form C. The challenge cannot name another encoding.
 */
export function credentialsFor(
  { username, password }: DigestCredentials,
  isUtf8: boolean,
): DigestCredentials {
  const bytes = (text: string) => byteText(isUtf8 ? text.normalize("NFC") : text);
  return { username: bytes(username), password: bytes(password) };
}

/** Returns the hash of the secret, H(A1) (§3.4.2). */
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
 * Returns the response to a challenge (§3.4.1). With an empty method, it returns the server's own
 * proof (§3.5).
 *
 * @param algorithm The algorithm
 * @param secret The hash of the secret
 * @param proof The values that the response is computed from
 * @param method The request method
 * @param bodyHash The hash of the body, used for auth-int only
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

/** Returns the value of the Authorization header (§3.4). */
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
    // Without qop there is normally no cnonce (§3.4), but the -sess forms need it.
    (qop !== undefined || algorithm.isSession) && ["cnonce", quoted(cnonce)],
    qop !== undefined && ["qop", qop],
    ["response", quoted(response)],
    opaque !== undefined && ["opaque", quoted(opaque)],
    challenge.isUserHashed && ["userhash", "true"],
  ];
  const written = fields.filter((field) => field !== false);
  return `Digest ${written.map(([name, value]) => `${name}=${value}`).join(", ")}`;
}

/** Returns the user name field: hashed (§3.4.4), encoded as UTF-8 (RFC 8187), or as it is. */
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

/** Returns the nonce count as eight hexadecimal digits. */
function countText(count: number): string {
  return count.toString(16).padStart(8, "0");
}
