import { type Auth, type AuthRequest, type AuthSend, basicScheme } from "../http/auth.ts";

/**
 * Basic authentication (RFC 7617): user name and password with every request, in UTF-8.
 *
 * @example
 * ```ts
 * import { APISession, BasicAuth } from "@restwright/restwright";
 *
 * const api = new APISession({ url: "https://api.example.com" });
 * api.session.auth = new BasicAuth("ada", "countess"); // or ["ada", "countess"]
 * api.session.auth = null; // none again
 * ```
 */
export class BasicAuth implements Auth {
  readonly #scheme: Auth;

  /**
   * Keeps the credentials.
   *
   * @param username The user name; it has no colon
   * @param password The password
   * @throws {UnexpectedValueError} Where one of them is not what was expected
   */
  constructor(username: string, password: string) {
    this.#scheme = basicScheme(username, password);
  }

  /** Sends the request with the credentials. */
  authenticate(request: AuthRequest, send: AuthSend): Promise<Response> {
    return this.#scheme.authenticate(request, send);
  }
}
