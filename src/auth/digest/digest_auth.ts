/**
 * The scheme of Digest authentication: answers the challenge of a 401, and later ones in advance.
 */
import { checkedFlag, checkedOptions, checkedText } from "../../base/checks.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import type { Auth, AuthRequest, AuthSend } from "../../http/auth.ts";
import { discardBody } from "../../http/response.ts";
import { readParams } from "../challenge.ts";
import { headerBytes } from "./digest_challenge.ts";
import { DigestExchange } from "./digest_exchange.ts";
import type { DigestCredentials, DigestProof } from "./digest_response.ts";
import { DigestSession } from "./digest_session.ts";
import { DigestServerError } from "./errors.ts";
import { ProtectionSpaces } from "./protection_spaces.ts";

/**
 * Options of {@linkcode DigestAuth}.
 *
 * @category Authentication
 */
export interface DigestOptions {
  /**
   * If true, the body is hashed into the response (`auth-int`) whenever the server offers that, and
   * not only when the server requires it. A function that opens a stream is then called twice per
   * request. The bytes of `FormData` and of one-shot streams are not known before they are sent, so
   * those use `auth`.
   *
   * @default {false}
   */
  readonly integrity?: boolean | undefined;
  /**
   * If true, and if the server sends a proof that it knows the password (`rspauth`), the proof is
   * checked.
   *
   * @default {true}
   */
  readonly verifyServer?: boolean | undefined;
}

/**
 * A scheme for Digest authentication (RFC 7616). It never sends the password itself, only hashes
 * that also contain a nonce from the server.
 *
 * The server answers the first request with a challenge, and the request is sent once more. Later
 * requests carry their answer at once, each with the next count of the same nonce, until the server
 * sends a new challenge. If there are several challenges, the strongest one that can be answered is
 * used. Nonces are stored per origin.
 *
 * A 401 to an answer with a new nonce means that the credentials are wrong, so it is final. A
 * challenge to a request with a one-shot stream is final too, because the stream cannot be sent
 * again.
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
 * @category Authentication
 */
export class DigestAuth implements Auth {
  readonly #credentials: DigestCredentials;
  readonly #integrity: boolean;
  readonly #verifyServer: boolean;
  readonly #spaces = new ProtectionSpaces();

  /**
   * Stores the credentials. No request is sent.
   *
   * @param username The user name
   * @param password The password
   * @param options Settings for body hashing and for the check of the server's proof
   * @throws {UnexpectedValueError} If the user name, the password or an option is invalid
   */
  constructor(username: string, password: string, options: DigestOptions = {}) {
    this.#credentials = {
      username: checkedUsername(username),
      password: checkedText("password", password),
    };
    const { integrity = false, verifyServer = true } = checkedOptions(options, [
      "integrity",
      "verifyServer",
    ]);
    this.#integrity = checkedFlag("integrity", integrity);
    this.#verifyServer = checkedFlag("verifyServer", verifyServer);
  }

  /**
   * Sends the request with an answer to the last challenge, and again if the server sends a new
   * one.
   *
   * @throws {DigestChallengeError} If there are Digest challenges but none can be answered
   * @throws {DigestServerError} If the server's proof is wrong
   */
  async authenticate(request: AuthRequest, send: AuthSend): Promise<Response> {
    const url = new URL(request.url);
    const exchange = new DigestExchange(request, send, this.#integrity);
    let session = this.#spaces.find(url);
    let response = await this.#sendWith(session, exchange.proofFor(session), exchange);
    let isFresh = false;
    for (let sent = 1; response.status === 401 && !isFresh; sent++) {
      const challenge = exchange.answerable(response);
      if (challenge === undefined) return response;
      // Another request may have answered the challenge meanwhile. Its session is shared, but only
      // tried once.
      const other = sent === 1 ? this.#spaces.find(url) : undefined;
      isFresh = other === session || !exchange.canShare(other, challenge);
      session = isFresh ? new DigestSession(challenge, this.#credentials) : other!;
      // Take the first count before other requests see the session: some servers accept a nonce
      // only once.
      const proof = request.isReplayable ? exchange.proofFor(session) : undefined;
      if (isFresh) this.#spaces.begin(url, session);
      if (!request.isReplayable) return response;
      discardBody(response);
      response = await this.#sendWith(session, proof, exchange);
    }
    if (response.status === 401 && session !== undefined) this.#spaces.end(url, session);
    return response;
  }

  async #sendWith(
    session: DigestSession | undefined,
    proof: DigestProof | undefined,
    exchange: DigestExchange,
  ): Promise<Response> {
    if (session === undefined || proof === undefined) return await exchange.send();
    const response = await exchange.answer(session, proof);
    const info = readParams(response.headers.get("authentication-info"));
    if (this.#verifyServer && !session.isServerProven(info, proof)) {
      discardBody(response);
      throw new DigestServerError();
    }
    session.advance(headerBytes(info.get("nextnonce") ?? ""), proof);
    return response;
  }
}

/**
 * Checks a user name. A control character could end the header; half a surrogate pair is not a
 * character.
 */
function checkedUsername(username: unknown): string {
  if (/\p{Cc}|\p{Cs}/u.test(checkedText("username", username))) {
    throw new UnexpectedValueError("username", "a string without control characters", username);
  }
  return username as string;
}
