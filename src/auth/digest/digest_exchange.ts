import type { AuthRequest, AuthSend } from "../../http/auth.ts";
import { hexHashOf } from "./algorithm.ts";
import { type DigestChallenge, type DigestQop, readDigestChallenges } from "./digest_challenge.ts";
import type { DigestProof } from "./digest_response.ts";
import type { DigestSession } from "./digest_session.ts";
import { DigestChallengeError } from "./errors.ts";

/** One request, as it is sent with and without answers. */
export class DigestExchange {
  /** Sends the request, with changes. */
  readonly send: AuthSend;
  readonly #request: AuthRequest;
  readonly #target: URL;
  readonly #integrity: boolean;

  /**
   * @param request The request
   * @param send Sends it
   * @param integrity Whether the body is hashed wherever that is offered
   */
  constructor(request: AuthRequest, send: AuthSend, integrity: boolean) {
    this.send = send;
    this.#request = request;
    this.#target = new URL(request.url);
    // The fetch of Node 22 does not send a question mark without a query, so none does here: what is
    // hashed has to be what is sent.
    if (this.#target.search === "") this.#target.search = "";
    this.#integrity = integrity;
  }

  /** The strongest challenge that can be answered; undefined where there is none of Digest. */
  async answerable(response: Response): Promise<DigestChallenge | undefined> {
    const { known, problems } = readDigestChallenges(response.headers.get("www-authenticate"));
    const challenge = known.find((each) => this.#qopFor(each) !== "none");
    if (challenge !== undefined || (known.length === 0 && problems.length === 0)) return challenge;
    await response.body?.cancel();
    throw new DigestChallengeError(
      response,
      known.length > 0
        ? "the Digest challenge asks for a hash of the body (auth-int), whose bytes are not known " +
          "before it is sent; give text, bytes or a function that opens a stream"
        : `the Digest challenge cannot be answered: it ${shownProblems(problems)}`,
    );
  }

  /** Whether the session that another request began will do for a challenge of this one. */
  canShare(session: DigestSession | undefined, { realm }: DigestChallenge): boolean {
    return session?.challenge.realm === realm && this.#qopFor(session.challenge) !== "none";
  }

  /** What the request is answered by; undefined where it cannot be as the session wants. */
  proofFor(session: DigestSession | undefined): DigestProof | undefined {
    if (session === undefined) return undefined;
    const { pathname, search } = this.#target;
    const qop = this.#qopFor(session.challenge);
    return qop === "none" ? undefined : session.next(pathname + search, qop);
  }

  /** Sends the request with its answer. */
  async answer(session: DigestSession, proof: DigestProof): Promise<Response> {
    const { method, readBody } = this.#request;
    const { hash } = session.challenge.algorithm;
    const bodyHash = proof.qop === "auth-int" ? await hexHashOf(hash, readBody()!) : "";
    const authorization = session.authorization(proof, method, bodyHash);
    return await this.send({ headers: { authorization }, url: this.#target.href });
  }

  /** What is protected; "none" where it cannot be as the challenge wants. */
  #qopFor({ qops }: DigestChallenge): DigestQop | undefined | "none" {
    if (qops.length === 0) return undefined;
    const isWanted = this.#integrity || !qops.includes("auth");
    if (isWanted && qops.includes("auth-int") && this.#request.readBody() !== undefined) {
      return "auth-int";
    }
    return qops.includes("auth") ? "auth" : "none";
  }
}

/** What is wrong with the challenges, each thing once, and not all that a server can think of. */
function shownProblems(problems: readonly string[]): string {
  return [...new Set(problems)].slice(0, 3).join("; another ");
}
