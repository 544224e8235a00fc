/** The scheme that sends a user name and a password with every request (Basic, RFC 7617). */
import { type Auth, type AuthRequest, type AuthSend, basicScheme } from "../http/auth.ts";

/**
 * A scheme that sends a user name and a password with every request: Basic authentication (RFC
 * 7617), in UTF-8.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { BasicAuth } from "@restwright/restwright/auth";
 *
 * const api = new APISession({ url: "https://api.example.com" });
 * api.httpSession.auth = new BasicAuth("ada", "countess"); // or ["ada", "countess"]
 * api.httpSession.auth = null; // none again
 * ```
 *
 * @category Authentication
 */
export class BasicAuth implements Auth {
  readonly #scheme: Auth;

  /**
   * Stores the credentials. No request is sent.
   *
   * @param username The user name, which must not contain a colon
   * @param password The password
   * @throws {UnexpectedValueError} If the user name or the password is invalid
   */
  constructor(username: string, password: string) {
    this.#scheme = basicScheme(username, password);
  }

  /** Sends the request with the credentials. */
  authenticate(request: AuthRequest, send: AuthSend): Promise<Response> {
    return this.#scheme.authenticate(request, send);
  }
}
