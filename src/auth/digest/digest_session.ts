/** Counts and signs the requests that share a nonce, and checks the proof of the server. */
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
 * An authentication session (RFC 7616 §3.6). It starts with a challenge. Its requests share the
 * nonce, each with its own count, until the next challenge.
 */
export class DigestSession {
  /** The challenge that the session started with. */
  readonly challenge: DigestChallenge;
  readonly #username: string;
  readonly #secret: string;
  /** The client nonce, the same for the whole session: the -sess forms hash it into the secret. */
  readonly #cnonce: string;
  #nonce: string;
  #count = 0;

  /**
   * @param challenge The challenge
   * @param given The user name and the password
   */
  constructor(challenge: DigestChallenge, given: DigestCredentials) {
    this.challenge = challenge;
    const credentials = credentialsFor(given, challenge.isUtf8);
    this.#username = credentials.username;
    this.#cnonce = hex(crypto.getRandomValues(new Uint8Array(16)));
    this.#secret = secretHash(challenge, credentials, this.#cnonce);
    this.#nonce = challenge.nonce;
  }

  /** Returns the proof for the next request, and increments the count. */
  next(uri: string, qop: DigestQop | undefined): DigestProof {
    return { nonce: this.#nonce, count: ++this.#count, cnonce: this.#cnonce, qop, uri };
  }

  /** Returns the Authorization header of a request. */
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
   * Reports if the server has proven that it knows the password (§3.5). Also true if the proof
   * cannot be checked: there is none, it covers the response body, or the scheme is that of RFC
   * 2069.
   */
  isServerProven(info: ReadonlyMap<string, string>, proof: DigestProof): boolean {
    const claimed = info.get("rspauth");
    const qop = info.get("qop") ?? proof.qop;
    if (claimed === undefined || proof.qop === undefined || qop === "auth-int") return true;
    const { algorithm } = this.challenge;
    const own = responseHash(algorithm, this.#secret, { ...proof, qop: "auth" }, "", "");
    return claimed.toLowerCase() === own;
  }

  /** Switches to the nonce that the server names for the next request (§3.5). */
  advance(nonce: string, proof: DigestProof): void {
    // If several requests were sent with one nonce, the first response that names the next one
    // counts.
    if (nonce === "" || nonce === this.#nonce || proof.nonce !== this.#nonce) return;
    this.#nonce = nonce;
    this.#count = 0;
  }
}
