// The example subclass of the contract: an API key in a header, or a session token that a login
// gives, or neither. An SDK copies what its API needs of it.

import { APISession, type Login, type SessionOptions } from "../mod.ts";

/** Who calls: an API key, or a user name and a password; the key wins where both are given. */
export interface AuthenticatedOptions extends SessionOptions {
  readonly apiKey?: string;
  readonly username?: string;
  readonly password?: string;
}

/** A session that is authenticated by an API key or by a session token. */
export class AuthenticatedSession extends APISession {
  static override readonly optionNames: readonly string[] = ["apiKey", "username", "password"];
  /** Neither the password nor the token is logged. */
  static override readonly restrictedPaths: readonly string[] = ["auth"];

  #isLoggedIn = false;

  constructor(options: AuthenticatedOptions = {}) {
    super(options);
  }

  protected override async _authenticate(
    { apiKey, username, password }: AuthenticatedOptions,
    login: Login,
  ): Promise<void> {
    const { headers } = this.session;
    if (apiKey !== undefined) {
      headers.set("X-API-Key", apiKey);
    } else if (username !== undefined && password !== undefined) {
      const json = { username, password };
      const { token } = await login.post<{ token: string }>("auth", { json, convJson: true });
      headers.set("X-Session-Token", token);
      this.#isLoggedIn = true;
    } else {
      this._log.warn("the session starts unauthenticated: give apiKey, or username and password");
    }
  }

  protected override async _deauthenticate(): Promise<void> {
    if (!this.#isLoggedIn) return; // an API key has no end
    await this.delete("auth", { convJson: true });
    this.session.headers.set("X-Session-Token", null);
  }
}
