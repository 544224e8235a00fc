/** Chooses the challenge and the protection for one request, and sends it with the answer. */
import type { AuthRequest, AuthSend } from "../../http/auth.ts";
import { discardBody } from "../../http/response.ts";
import { hexHashOf } from "./algorithm.ts";
import { type DigestChallenge, type DigestQop, readDigestChallenges } from "./digest_challenge.ts";
import type { DigestProof } from "./digest_response.ts";
import type { DigestSession } from "./digest_session.ts";
import { DigestChallengeError } from "./errors.ts";

/** One request that can be sent with and without an answer to a challenge. */
export class DigestExchange {
  /** Sends the request with the given changes. */
  readonly send: AuthSend;
  readonly #request: AuthRequest;
  readonly #target: URL;
  readonly #integrity: boolean;

  /**
   * @param request The request
   * @param send Sends the request
   * @param integrity True if the body is hashed whenever the server offers that
   */
  constructor(request: AuthRequest, send: AuthSend, integrity: boolean) {
    this.send = send;
    this.#request = request;
    this.#target = new URL(request.url);
    // The hashed URL must be the one that is sent. The fetch of Node 22 drops a question mark
    // without a query, so it is dropped here for all runtimes.
    if (this.#target.search === "") this.#target.search = "";
    this.#integrity = integrity;
  }

  /**
   * Returns the strongest challenge that can be answered.
   *
   * @returns The challenge; undefined if the response has no Digest challenge
   * @throws {DigestChallengeError} If there are Digest challenges but none can be answered
   */
  answerable(response: Response): DigestChallenge | undefined {
    const { known, problems } = readDigestChallenges(response.headers.get("www-authenticate"));
    const challenge = known.find((each) => this.#qopFor(each) !== "none");
    if (challenge !== undefined || (known.length === 0 && problems.length === 0)) return challenge;
    discardBody(response);
    throw new DigestChallengeError(
      response,
      known.length > 0
        ? "the Digest challenge requires a hash of the body (auth-int), but the bytes of this body " +
          "are not known before it is sent; pass a string, bytes or a function that opens a stream"
        : `the Digest challenge cannot be answered: it ${shownProblems(problems)}`,
    );
  }

  /** Reports if the request can use a session of another request to answer this challenge. */
  canShare(session: DigestSession | undefined, { realm }: DigestChallenge): boolean {
    return session?.challenge.realm === realm && this.#qopFor(session.challenge) !== "none";
  }

  /**
   * Returns the proof for the next request; undefined without a session, or if the request cannot
   * be protected as the session requires.
   */
  proofFor(session: DigestSession | undefined): DigestProof | undefined {
    if (session === undefined) return undefined;
    const { pathname, search } = this.#target;
    const qop = this.#qopFor(session.challenge);
    return qop === "none" ? undefined : session.next(pathname + search, qop);
  }

  /** Sends the request with the proof in the Authorization header. */
  async answer(session: DigestSession, proof: DigestProof): Promise<Response> {
    const { method, readBody } = this.#request;
    const { hash } = session.challenge.algorithm;
    const bodyHash = proof.qop === "auth-int" ? await hexHashOf(hash, readBody()!) : "";
    const authorization = session.authorization(proof, method, bodyHash);
    return await this.send({ headers: { authorization }, url: this.#target.href });
  }

  /**
   * Returns the protection to use; undefined for RFC 2069, "none" if the challenge cannot be met.
   */
  #qopFor({ qops }: DigestChallenge): DigestQop | undefined | "none" {
    if (qops.length === 0) return undefined;
    const isWanted = this.#integrity || !qops.includes("auth");
    if (isWanted && qops.includes("auth-int") && this.#request.readBody() !== undefined) {
      return "auth-int";
    }
    return qops.includes("auth") ? "auth" : "none";
  }
}

/** Returns the problems as one text, without duplicates and at most three. */
function shownProblems(problems: readonly string[]): string {
  return [...new Set(problems)].slice(0, 3).join("; another ");
}
