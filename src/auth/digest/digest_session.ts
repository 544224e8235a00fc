import { hex } from "./algorithm.ts";
import type { DigestChallenge, DigestQop } from "./digest_challenge.ts";
import {
  authorizationHeader,
  credentialsFor,
  type DigestCredentials,
  type DigestProof,
  responseHash,
  secretHash,
} from "./digest_response.ts";

/**
 * An authentication session (RFC 7616 §3.6): it begins with a challenge, and requests share its
 * nonce, each with a count of its own, until the next challenge.
 */
export class DigestSession {
  /** What it began with. */
  readonly challenge: DigestChallenge;
  readonly #username: string;
  readonly #secret: string;
  /** One for the whole session: the -sess forms have hashed it into the secret. */
  readonly #cnonce: string;
  #nonce: string;
  #count = 0;

  /**
   * @param challenge The challenge
   * @param given User name and password
   */
  constructor(challenge: DigestChallenge, given: DigestCredentials) {
    this.challenge = challenge;
    const credentials = credentialsFor(given, challenge.isUtf8);
    this.#username = credentials.username;
    this.#cnonce = hex(crypto.getRandomValues(new Uint8Array(16)));
    this.#secret = secretHash(challenge, credentials, this.#cnonce);
    this.#nonce = challenge.nonce;
  }

  /** What the next request is answered by; it takes the next count. */
  next(uri: string, qop: DigestQop | undefined): DigestProof {
    return { nonce: this.#nonce, count: ++this.#count, cnonce: this.#cnonce, qop, uri };
  }

  /** The Authorization header of a request. */
  authorization(proof: DigestProof, method: string, bodyHash: string): string {
    const response = responseHash(
      this.challenge.algorithm,
      this.#secret,
      proof,
      method,
      bodyHash,
    );
    return authorizationHeader(this.challenge, this.#username, proof, response);
  }

  /**
   * Whether the server knows the password as well (§3.5); true where that cannot be told, since
   * its proof is over the body of the response, or of the way of RFC 2069.
   */
  isServerProven(info: ReadonlyMap<string, string>, proof: DigestProof): boolean {
    const claimed = info.get("rspauth");
    const qop = info.get("qop") ?? proof.qop;
    if (claimed === undefined || proof.qop === undefined || qop === "auth-int") return true;
    const { algorithm } = this.challenge;
    const own = responseHash(algorithm, this.#secret, { ...proof, qop: "auth" }, "", "");
    return claimed.toLowerCase() === own;
  }

  /** Goes on with the nonce that the server names for the next request (§3.5). */
  advance(nonce: string, proof: DigestProof): void {
    // Of answers to requests with one nonce the first one counts.
    if (nonce === "" || nonce === this.#nonce || proof.nonce !== this.#nonce) return;
    this.#nonce = nonce;
    this.#count = 0;
  }
}
