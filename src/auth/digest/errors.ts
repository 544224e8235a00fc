/**
 * The errors of Digest: a challenge that cannot be answered, and a server without a valid proof.
 */
import { brand, RestwrightError } from "../../errors/base_error.ts";
import { UnauthorizedError } from "../../errors/status_errors.ts";
import { responseLike } from "../../http/response.ts";

/**
 * An error for a 401 whose Digest challenges cannot be answered: they cannot be parsed, name an
 * unknown algorithm, or require a hash of a body whose bytes are not known before it is sent.
 *
 * The message contains the reason. It extends `UnauthorizedError`, so you can catch it like any other 401,
 * even if the error map has another class. The response body is not read.
 *
 * @category Errors
 */
export class DigestChallengeError extends UnauthorizedError {
  static {
    brand("DigestChallengeError", this);
  }

  /**
   * Creates the error.
   *
   * @param response The response with the challenges; the caller cancels its body
   * @param reason The reason why it cannot be answered, and what to do
   */
  constructor(response: Response, reason: string) {
    super(responseLike(response, null), { func: ({ status }) => `${status}: ${reason}` });
  }
}

/**
 * An error for a response that does not prove that the server knows the password (RFC 7616 §3.5,
 * rspauth): another server answered, or the server computes the proof wrongly. The request may have
 * had its effect.
 *
 * @category Errors
 */
export class DigestServerError extends RestwrightError {
  static {
    brand("DigestServerError", this);
  }

  /** Creates the error. */
  constructor() {
    super(
      "the server's proof (rspauth in Authentication-Info) does not match the password; " +
        "if the server computes it wrongly, turn the check off with { verifyServer: false }",
    );
  }
}
