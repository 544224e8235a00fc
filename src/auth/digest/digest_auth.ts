import { checkedFlag, checkedText } from "../../checks.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import type { Auth, AuthRequest, AuthSend } from "../../http/auth.ts";
import { readParams } from "../challenge.ts";
import { hexHashOf } from "./algorithm.ts";
import {
  type DigestChallenge,
  type DigestQop,
  headerBytes,
  readDigestChallenges,
} from "./digest_challenge.ts";
import type { DigestCredentials, DigestProof } from "./digest_response.ts";
import { DigestSession } from "./digest_session.ts";
import { DigestChallengeError, DigestServerError } from "./errors.ts";
import { ProtectionSpaces } from "./protection_spaces.ts";

/** What can be chosen in Digest authentication. */
export interface DigestOptions {
  /**
   * Whether the body is hashed into the answer wherever the server offers that (`auth-int`), and
   * not only where it insists. A function that opens a stream is then called twice a request; of a
   * stream that can be read once and of `FormData` the bytes are not known before, so that they are
   * sent by `auth`.
   *
   * @default {false}
   */
  readonly integrity?: boolean | undefined;
  /**
   * Whether the server's proof that it knows the password (`rspauth`) is checked where it sends
   * one.
   *
   * @default {true}
   */
  readonly verifyServer?: boolean | undefined;
}

/**
 * Digest authentication (RFC 7616): the password itself is never sent, only hashes that also hold
 * a nonce of the server's.
 *
 * The first request is answered by a challenge and sent once more. From then on requests carry
 * their answer, each with the next count of the same nonce, until the server asks for another. Of
 * several challenges the strongest that can be answered is. Each origin has nonces of its own.
 *
 * A 401 to a new nonce means that the credentials are wrong, and stands; so does the challenge of a
 * stream that can be read once.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { DigestAuth } from "@restwright/restwright/digest";
 *
 * const api = new APISession({ url: "https://api.example.com" });
 * api.session.auth = new DigestAuth("ada", "countess");
 * ```
 */
export class DigestAuth implements Auth {
  readonly #credentials: DigestCredentials;
  readonly #integrity: boolean;
  readonly #verifyServer: boolean;
  readonly #spaces = new ProtectionSpaces();

  /**
   * Keeps the credentials.
   *
   * @param username The user name
   * @param password The password
   * @param options What can be chosen
   * @throws {UnexpectedValueError} Where one of them is not what was expected
   */
  constructor(username: string, password: string, options: DigestOptions = {}) {
    this.#credentials = {
      username: checkedUsername(username),
      password: checkedText("password", password),
    };
    this.#integrity = checkedFlag("integrity", options.integrity ?? false);
    this.#verifyServer = checkedFlag("verifyServer", options.verifyServer ?? true);
  }

  /**
   * Sends the request with the answer to the last challenge, and once more where it is challenged
   * anew.
   *
   * @throws {DigestChallengeError} Where there are Digest challenges and none can be answered
   * @throws {DigestServerError} Where the server's proof does not fit
   */
  async authenticate(request: AuthRequest, send: AuthSend): Promise<Response> {
    const url = new URL(request.url);
    const exchange = new DigestExchange(request, send, this.#integrity);
    let session = this.#spaces.find(url);
    let response = await this.#sendWith(session, exchange);
    let isFresh = false;
    let mayShare = true;
    while (response.status === 401 && !isFresh) {
      const challenge = await exchange.answerable(response);
      if (challenge === undefined) return response;
      // Another request may have met the challenge meanwhile: its nonce is as good.
      const shared = mayShare ? this.#spaces.find(url) : undefined;
      mayShare = false;
      isFresh = shared === undefined || shared === session ||
        shared.challenge.realm !== challenge.realm;
      session = isFresh ? new DigestSession(challenge, this.#credentials) : shared!;
      if (isFresh) this.#spaces.begin(url, session);
      if (!request.isReplayable) return response;
      await response.body?.cancel();
      response = await this.#sendWith(session, exchange);
    }
    if (response.status === 401 && session !== undefined) this.#spaces.end(url, session);
    return response;
  }

  async #sendWith(
    session: DigestSession | undefined,
    exchange: DigestExchange,
  ): Promise<Response> {
    const qop = session === undefined ? "none" : exchange.qopFor(session.challenge);
    if (session === undefined || qop === "none") return await exchange.send();
    const { response, proof } = await exchange.answer(session, qop);
    const info = readParams(response.headers.get("authentication-info"));
    if (this.#verifyServer && !session.isServerProven(info, proof)) {
      await response.body?.cancel();
      throw new DigestServerError();
    }
    session.advance(headerBytes(info.get("nextnonce") ?? ""), proof);
    return response;
  }
}

/** What one request can be protected by; "none" where it cannot be as the challenge wants. */
type PossibleQop = DigestQop | undefined | "none";

/** One request, as it is sent with and without answers. */
class DigestExchange {
  readonly #request: AuthRequest;
  readonly #integrity: boolean;
  readonly send: AuthSend;

  constructor(request: AuthRequest, send: AuthSend, integrity: boolean) {
    this.#request = request;
    this.send = send;
    this.#integrity = integrity;
  }

  /** The strongest challenge that can be answered; undefined where there is none of Digest. */
  async answerable(response: Response): Promise<DigestChallenge | undefined> {
    const { known, problems } = readDigestChallenges(response.headers.get("www-authenticate"));
    const challenge = known.find((each) => this.qopFor(each) !== "none");
    if (challenge !== undefined || (known.length === 0 && problems.length === 0)) return challenge;
    await response.body?.cancel();
    throw new DigestChallengeError(
      response,
      known.length > 0
        ? "the Digest challenge asks for a hash of the body (auth-int), whose bytes are not known " +
          "before it is sent; give text, bytes or a function that opens a stream"
        : `the Digest challenge cannot be answered: it ${problems.join("; another ")}`,
    );
  }

  /** What the request is protected by. */
  qopFor({ qops }: DigestChallenge): PossibleQop {
    if (qops.length === 0) return undefined;
    const isWanted = this.#integrity || !qops.includes("auth");
    if (isWanted && qops.includes("auth-int") && this.#request.readBody() !== undefined) {
      return "auth-int";
    }
    return qops.includes("auth") ? "auth" : "none";
  }

  /** Sends the request with the answer to a challenge. */
  async answer(
    session: DigestSession,
    qop: DigestQop | undefined,
  ): Promise<{ readonly response: Response; readonly proof: DigestProof }> {
    const { method, url, readBody } = this.#request;
    const { pathname, search } = new URL(url);
    const { hash } = session.challenge.algorithm;
    const bodyHash = qop === "auth-int" ? await hexHashOf(hash, readBody()!) : "";
    const proof = session.next(pathname + search, qop);
    const authorization = session.authorization(proof, method, bodyHash);
    return { response: await this.send({ headers: { authorization } }), proof };
  }
}

/** A control character in it could end the header; half a surrogate pair is no character. */
function checkedUsername(username: unknown): string {
  if (/\p{Cc}|\p{Cs}/u.test(checkedText("username", username))) {
    throw new UnexpectedValueError("username", "a text without control characters", username);
  }
  return username as string;
}
