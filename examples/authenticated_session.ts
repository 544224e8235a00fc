// The contract's example subclass. It authenticates with an API key in a header, or with a session
// token from a login, or not at all. An SDK copies the parts that its API needs.

import { APISession, type LoginRequests, type SessionOptions, voidFormat } from "../mod.ts";

/** Options of an {@linkcode AuthenticatedSession}. `apiKey` wins over `username` and `password`. */
export interface AuthenticatedOptions extends SessionOptions {
  readonly apiKey?: string;
  readonly username?: string;
  readonly password?: string;
}

/** A session that authenticates with an API key or with a session token. */
export class AuthenticatedSession extends APISession {
  static override readonly optionNames: readonly string[] = ["apiKey", "username", "password"];
  /** Keeps the password and the token out of the log. */
  static override readonly restrictedPaths: readonly string[] = ["auth"];

  #isLoggedIn = false;

  constructor(options: AuthenticatedOptions = {}) {
    super(options);
  }

  protected override async _authenticate(
    { apiKey, username, password }: AuthenticatedOptions,
    login: LoginRequests,
  ): Promise<void> {
    const { headers } = this.httpSession;
    if (apiKey !== undefined) {
      headers.set("X-API-Key", apiKey);
    } else if (username !== undefined && password !== undefined) {
      const json = { username, password };
      const { token } = await login.post<{ token: string }>("auth", { json, convJson: true });
      headers.set("X-Session-Token", token);
      this.#isLoggedIn = true;
    } else {
      this._log.warn("the session starts unauthenticated: pass apiKey, or username and password");
    }
  }

  protected override async _deauthenticate(): Promise<void> {
    if (!this.#isLoggedIn) return; // an API key needs no logout
    try {
      await this.delete("auth", { format: voidFormat }); // drops the body, if there is one
    } finally {
      this.httpSession.headers.set("X-Session-Token", null);
    }
  }
}
