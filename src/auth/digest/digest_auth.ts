import { checkedFlag, checkedText } from "../../checks.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import type { Auth, AuthRequest, AuthSend } from "../../http/auth.ts";
import { readParams } from "../challenge.ts";
import { headerBytes } from "./digest_challenge.ts";
import { DigestExchange } from "./digest_exchange.ts";
import type { DigestCredentials, DigestProof } from "./digest_response.ts";
import { DigestSession } from "./digest_session.ts";
import { DigestServerError } from "./errors.ts";
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
    let response = await this.#sendWith(session, exchange.proofFor(session), exchange);
    let isFresh = false;
    for (let sent = 1; response.status === 401 && !isFresh; sent++) {
      const challenge = await exchange.answerable(response);
      if (challenge === undefined) return response;
      // Another request may have met the challenge meanwhile: its nonce is as good, once.
      const other = sent === 1 ? this.#spaces.find(url) : undefined;
      isFresh = other === session || !exchange.canShare(other, challenge);
      session = isFresh ? new DigestSession(challenge, this.#credentials) : other!;
      // The first count of a nonce is taken before others see it: some servers take no second.
      const proof = request.isReplayable ? exchange.proofFor(session) : undefined;
      if (isFresh) this.#spaces.begin(url, session);
      if (!request.isReplayable) return response;
      await response.body?.cancel();
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
      await response.body?.cancel();
      throw new DigestServerError();
    }
    session.advance(headerBytes(info.get("nextnonce") ?? ""), proof);
    return response;
  }
}

/** A control character in it could end the header; half a surrogate pair is no character. */
function checkedUsername(username: unknown): string {
  if (/\p{Cc}|\p{Cs}/u.test(checkedText("username", username))) {
    throw new UnexpectedValueError("username", "a text without control characters", username);
  }
  return username as string;
}
