/** The scheme that sends a fixed bearer token with every request (RFC 6750). */
import { checkedHeaderText } from "../base/checks.ts";
import type { Auth, AuthRequest, AuthSend } from "../http/auth.ts";

/**
 * A scheme that sends a bearer token with every request (RFC 6750 §2.1).
 *
 * @example A token that is looked up for each request
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { BearerAuth } from "@restwright/restwright/auth";
 *
 * let token = "first";
 * const api = new APISession({ url: "https://api.example.com" });
 * api.httpSession.auth = new BearerAuth(() => token);
 * token = "second";
 * ```
 *
 * @category Authentication
 */
export class BearerAuth implements Auth {
  readonly #token: () => string | Promise<string>;

  /**
   * Stores the token. No request is sent.
   *
   * @param token The token, or a function that returns it and is called for each request
   * @throws {UnexpectedValueError} If the token contains characters that a header cannot carry
   */
  constructor(token: string | (() => string | Promise<string>)) {
    if (typeof token === "function") this.#token = token;
    else {
      const text = checkedHeaderText("token", token);
      this.#token = () => text;
    }
  }

  /** Sends the request with the token. */
  async authenticate(_request: AuthRequest, send: AuthSend): Promise<Response> {
    const token = checkedHeaderText("token", await this.#token());
    return await send({ headers: { authorization: `Bearer ${token}` } });
  }
}
