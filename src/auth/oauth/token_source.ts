/** Requests the tokens of the OAuth schemes, and decides when one is due. */
import type { ClientBase } from "../../client/client_base.ts";
import { checkedFunction, checkedSeconds } from "../../base/checks.ts";
import { likelyMilliseconds } from "../../options/likely_mistakes.ts";
import { type IsExpired, SharedToken } from "../shared_token.ts";
import { checkedLockLifetime, type HeldLock, StoredToken } from "../stored_token.ts";
import { checkedStore, memoryStore, type OAuthToken } from "../token_store.ts";
import { LoginRequiredError, OAuthError } from "./oauth_error.ts";
import {
  checkedEndpoint,
  checkedParameters,
  checkedSecret,
  type SourceOptions,
} from "./options.ts";
import { failedRequest, type Form, requestToken, type TokenEndpoint } from "./token_request.ts";

/** Requests tokens with a grant. */
class TokenSource {
  readonly #client: ClientBase;
  readonly #endpoint: TokenEndpoint;
  readonly #margin: number;
  readonly #grantOf: (stored: OAuthToken | undefined) => Form;
  /** The parameters that do not depend on the grant. */
  readonly #others: Form;
  /** The last refresh token that the server has refused. It does not become valid again. */
  #refused: { readonly refreshToken: string; readonly error: LoginRequiredError } | undefined;

  constructor(
    client: ClientBase,
    options: SourceOptions,
    grantOf: (stored: OAuthToken | undefined) => Form,
  ) {
    const { scope, parameters, expiryMargin = 30 } = options;
    for (const text of likelyMilliseconds({ expiryMargin }, ["expiryMargin"])) {
      client["_log"].warn(text);
    }
    this.#client = client;
    this.#endpoint = checkedEndpoint(options);
    this.#margin = checkedSeconds("expiryMargin", expiryMargin) * 1000;
    this.#grantOf = grantOf;
    this.#others = {
      ...(scope !== undefined && { scope: checkedSecret("scope", scope) }),
      ...(parameters !== undefined && checkedParameters(parameters)),
    };
  }

  /** Reports if a token expires soon, by the clock of the session. */
  isDue({ expiresAt }: OAuthToken): boolean {
    return expiresAt !== undefined && this.#client["_clock"].now() >= expiresAt - this.#margin;
  }

  /**
   * Checks that a token can be requested.
   *
   * @throws {LoginRequiredError} If the server has refused the refresh token before
   * @throws {UnexpectedValueError} If there is no refresh token
   */
  check(stored: OAuthToken | undefined): void {
    const { refresh_token: refreshToken } = this.#grantOf(stored);
    if (refreshToken !== undefined && refreshToken === this.#refused?.refreshToken) {
      throw this.#refused.error;
    }
  }

  /**
   * Requests a token.
   *
   * @param stored The token that it replaces
   * @param lock The lock of the store
   */
  async request(
    stored: OAuthToken | undefined,
    lock: HeldLock | undefined,
  ): Promise<OAuthToken> {
    const grant = this.#grantOf(stored);
    const { refresh_token: refreshToken } = grant;
    if (refreshToken === undefined) return await this.#send(grant, lock);
    try {
      // Without a new refresh token, the old one stays valid (RFC 6749 §6).
      return { refreshToken, ...await this.#send(grant, lock) };
    } catch (thrown) {
      if (!(thrown instanceof OAuthError && thrown.error === "invalid_grant")) throw thrown;
      const error = new LoginRequiredError(thrown);
      this.#refused = { refreshToken, error };
      throw error;
    }
  }

  async #send(grant: Form, lock: HeldLock | undefined): Promise<OAuthToken> {
    const form = { ...grant, ...this.#others };
    try {
      return await requestToken(this.#client, this.#endpoint, form, lock);
    } catch (error) {
      const reason = lock?.signal.reason;
      if (reason === undefined || error !== reason) throw error;
      throw failedRequest(this.#endpoint.url, reason.message);
    }
  }
}

/**
 * Creates the token that the requests of a scheme share.
 *
 * @param client The session that sends the token requests
 * @param options The options
 * @param grantOf Returns the parameters of the grant
 * @throws {UnexpectedValueError} If an option is not valid; the error names the first one
 */
export function oauthToken(
  client: ClientBase,
  options: SourceOptions,
  grantOf: (stored: OAuthToken | undefined) => Form,
): SharedToken<OAuthToken> {
  const source = new TokenSource(client, options, grantOf);
  const store = options.store === undefined ? memoryStore() : checkedStore("store", options.store);
  const stored = new StoredToken({
    store,
    lockLifetime: checkedLockLifetime(options.lockLifetime, store),
    clock: client["_clock"],
    log: () => client["_log"],
    isDue: (token) => source.isDue(token),
    check: (token) => source.check(token),
    request: (token, lock) => source.request(token, lock),
  });
  return new SharedToken({
    renew: () => stored.renew(),
    isReplaced: options.store && ((token) => stored.isReplaced(token)),
    isDue: (token) => source.isDue(token),
    changes: ({ accessToken }) => ({ headers: { authorization: `Bearer ${accessToken}` } }),
    isExpired: checkedFunction<IsExpired | undefined>("isExpired", options.isExpired),
  });
}
