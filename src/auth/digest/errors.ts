import { brand, RestwrightError } from "../../errors/base_error.ts";
import { UnauthorizedError } from "../../errors/by_status.ts";
import { responseLike } from "../../http/response.ts";

/**
 * A 401 whose Digest challenges cannot be answered: they cannot be read, ask for an algorithm that
 * is not known, or for the hash of a body whose bytes are not known before it is sent.
 *
 * The message says which. Being an `UnauthorizedError` it is caught like any other 401, also where
 * the error map has another class. Its body is not read.
 */
export class DigestChallengeError extends UnauthorizedError {
  static {
    brand("DigestChallengeError", this);
  }

  /**
   * Builds the error.
   *
   * @param response The response that challenges; its body is to be cancelled by the caller
   * @param reason Why it cannot be answered, and what to do
   */
  constructor(response: Response, reason: string) {
    super(responseLike(response, null), { func: ({ status }) => `${status}: ${reason}` });
  }
}

/**
 * The server's answer does not prove that it knows the password (RFC 7616 §3.5, rspauth): somebody
 * else answered, or the server computes it wrongly. The request may have had its effect.
 */
export class DigestServerError extends RestwrightError {
  static {
    brand("DigestServerError", this);
  }

  /** Builds the error. */
  constructor() {
    super(
      "the server's proof (rspauth in Authentication-Info) does not fit the password; " +
        "if the server computes it wrongly, take it as it is by { verifyServer: false }",
    );
  }
}
