/** Decides if a stored token is still good, or requests a new one and stores it. */
import type { ClientBase } from "../../client/client_base.ts";
import { checkedFunction, checkedSeconds } from "../../base/checks.ts";
import { likelyMilliseconds } from "../../options/likely_mistakes.ts";
import { type IsExpired, SharedToken } from "../shared_token.ts";
import { OAuthError } from "./oauth_error.ts";
import {
  checkedEndpoint,
  checkedParameters,
  checkedSecret,
  checkedStore,
  type SourceOptions,
} from "./options.ts";
import { type Form, requestToken, type TokenEndpoint } from "./token_request.ts";
import { checkedToken, memoryStore, type OAuthToken, type TokenStore } from "./token_store.ts";

/** Requests tokens with a grant, and keeps the last one in a store. */
class TokenSource {
  readonly #client: ClientBase;
  readonly #endpoint: TokenEndpoint;
  readonly #margin: number;
  readonly #store: TokenStore;
  readonly #grantOf: (stored: OAuthToken | undefined) => Form;
  /** The parameters that do not depend on the grant. */
  readonly #others: Form;
  /** The token that requests carry. */
  #current: OAuthToken | undefined;
  /** A new token that the store could not save yet. */
  #unsaved: OAuthToken | undefined;
  /** The last refresh token that the server has refused. It does not become valid again. */
  #refused: { readonly refreshToken: string; readonly error: OAuthError } | undefined;

  constructor(
    client: ClientBase,
    options: SourceOptions,
    grantOf: (stored: OAuthToken | undefined) => Form,
  ) {
    const { scope, parameters, expiryMargin = 30, store } = options;
    for (const text of likelyMilliseconds({ expiryMargin }, ["expiryMargin"])) {
      client["_log"].warn(text);
    }
    this.#client = client;
    this.#endpoint = checkedEndpoint(options);
    this.#margin = checkedSeconds("expiryMargin", expiryMargin) * 1000;
    this.#store = store === undefined ? memoryStore() : checkedStore("store", store);
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
   * Returns a token to replace the current one: that of the store if it is another one, as after a
   * restart, or else a new one.
   */
  async renew(): Promise<OAuthToken> {
    const stored = this.#unsaved ?? checkedToken(await this.#store.load());
    const isUsable = stored !== undefined && stored.accessToken !== this.#current?.accessToken &&
      !this.isDue(stored);
    const token = isUsable ? stored : this.#unsaved = await this.#request(stored);
    if (this.#unsaved !== undefined) await this.#store.save(this.#unsaved);
    this.#unsaved = undefined;
    return this.#current = token;
  }

  async #request(stored: OAuthToken | undefined): Promise<OAuthToken> {
    const grant = this.#grantOf(stored);
    const { refresh_token: refreshToken } = grant;
    if (refreshToken === undefined) return await this.#send(grant);
    if (refreshToken === this.#refused?.refreshToken) throw this.#refused.error;
    try {
      // Without a new refresh token, the old one stays valid (RFC 6749 §6).
      return { refreshToken, ...await this.#send(grant) };
    } catch (error) {
      const isRefused = error instanceof OAuthError && error.error === "invalid_grant";
      if (isRefused) this.#refused = { refreshToken, error };
      throw error;
    }
  }

  #send(grant: Form): Promise<OAuthToken> {
    return requestToken(this.#client, this.#endpoint, { ...grant, ...this.#others });
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
  return new SharedToken({
    renew: () => source.renew(),
    isDue: (token) => source.isDue(token),
    changes: ({ accessToken }) => ({ headers: { authorization: `Bearer ${accessToken}` } }),
    isExpired: checkedFunction<IsExpired | undefined>("isExpired", options.isExpired),
  });
}
