/** The two OAuth schemes: with client credentials, and with a refresh token. */
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";
import type { Auth, AuthRequest, AuthSend } from "../../http/auth.ts";
import type { AnyClient } from "../../client/request_base.ts";
import { checkedClient } from "../scheme_arguments.ts";
import type { SharedToken } from "../shared_token.ts";
import {
  checkedOAuthOptions,
  checkedOptional,
  checkedSecret,
  type ClientCredentialsOptions,
  type RefreshTokenOptions,
} from "./options.ts";
import { oauthToken } from "./token_source.ts";
import type { OAuthToken } from "../token_store.ts";

/**
 * A scheme that gets its token with the client's own credentials (RFC 6749 §4.4), and sends it with
 * every request (RFC 6750 §2.1).
 *
 * The first request asks for the token; other requests wait for the same token request. The token is
 * renewed before it expires. After a 401, or a response that `isExpired` names, it is renewed and the
 * request is sent once more; that second response is final, unless another process has replaced the
 * token in the store. If a token request fails, the requests that wait for it fail, too, and the next
 * request tries again.
 *
 * Token requests go through the session, with its transport, proxies, retries, timeouts, middleware
 * and hooks. They carry the credentials of the session only if the token endpoint is of an origin
 * that the session trusts, and never its `auth`. Secrets are not logged.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { ClientCredentialsAuth } from "@restwright/restwright/oauth";
 * import { mockTransport } from "@restwright/restwright/testing";
 *
 * const fetch = mockTransport({
 *   "POST /token": () => Response.json({ access_token: "a-1", expires_in: 3600 }),
 *   "GET /orders": ({ headers }) => Response.json({ by: headers.authorization }),
 * });
 * const api = new APISession({ url: "https://api.example.com", fetch });
 * api.httpSession.auth = new ClientCredentialsAuth(api, {
 *   tokenUrl: "https://login.example.com/token",
 *   clientId: "reports",
 *   clientSecret: "s3cret",
 * });
 * console.log(await api.get("orders", { convJson: true })); // { by: "Bearer a-1" }
 * ```
 *
 * @category Authentication
 */
export class ClientCredentialsAuth implements Auth {
  readonly #token: SharedToken<OAuthToken>;

  /**
   * Stores the options. No request is sent.
   *
   * @param client The session or client that sends the token requests
   * @param options The token endpoint and the client's credentials
   * @throws {UnexpectedValueError} If an option is not valid; the error names the first one
   */
  constructor(client: AnyClient, options: ClientCredentialsOptions) {
    const base = checkedClient(client, "ClientCredentialsAuth");
    checkedSecret("clientSecret", checkedOAuthOptions(options).clientSecret);
    const grant = { grant_type: "client_credentials" };
    this.#token = oauthToken(base, options, () => grant);
  }

  /** Sends the request with the token. If that has expired, it sends it once more with a new one. */
  authenticate(request: AuthRequest, send: AuthSend): Promise<Response> {
    return this.#token.authenticate(request, send);
  }

  /** Waits for a pending token request, so that its token is saved. */
  async close(): Promise<void> {
    await this.#token.release();
  }
}

/**
 * A scheme that gets its token with a refresh token (RFC 6749 §6), and sends it with every request.
 *
 * It behaves like {@linkcode ClientCredentialsAuth}. A server may replace the refresh token at each
 * renewal: pass a store, or the new one is lost at the end of the program. If the server no longer
 * accepts the refresh token, requests fail with an {@linkcode OAuthError} whose `error` is
 * `invalid_grant`, and the token is not sent again. The user then has to log in again: save the new
 * token in the store, and the next request uses it.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { type OAuthToken, RefreshTokenAuth } from "@restwright/restwright/oauth";
 * import { mockTransport } from "@restwright/restwright/testing";
 *
 * const fetch = mockTransport({
 *   "POST /token": () => Response.json({ access_token: "a-2", refresh_token: "r-2" }),
 *   "GET /me": () => Response.json({ name: "Ada" }),
 * });
 * let saved: OAuthToken = { accessToken: "a-1", expiresAt: 0, refreshToken: "r-1" };
 * const api = new APISession({ url: "https://api.example.com", fetch });
 * api.httpSession.auth = new RefreshTokenAuth(api, {
 *   tokenUrl: "https://login.example.com/token",
 *   clientId: "desktop",
 *   store: { load: () => saved, save: (token) => void (saved = token) },
 * });
 * await api.get("me");
 * console.log(saved.refreshToken); // r-2
 * ```
 *
 * @category Authentication
 */
export class RefreshTokenAuth implements Auth {
  readonly #token: SharedToken<OAuthToken>;

  /**
   * Stores the options. No request is sent.
   *
   * @param client The session or client that sends the token requests
   * @param options The token endpoint, and the refresh token or a store that has one
   * @throws {UnexpectedValueError} If an option is not valid; the error names the first one
   */
  constructor(client: AnyClient, options: RefreshTokenOptions) {
    const base = checkedClient(client, "RefreshTokenAuth");
    const { store, refreshToken, clientSecret, authMethod } = checkedOAuthOptions(options, [
      "refreshToken",
    ]);
    checkedOptional("clientSecret", clientSecret);
    if (clientSecret === undefined && authMethod !== undefined) {
      throw new UnexpectedValueError("authMethod", "left out without clientSecret", authMethod);
    }
    const first = checkedOptional("refreshToken", refreshToken);
    const grantOf = (stored: OAuthToken | undefined) => ({
      grant_type: "refresh_token",
      refresh_token: presentToken(stored?.refreshToken ?? first),
    });
    if (store === undefined) presentToken(first);
    this.#token = oauthToken(base, options, grantOf);
  }

  /** Sends the request with the token. If that has expired, it sends it once more with a new one. */
  authenticate(request: AuthRequest, send: AuthSend): Promise<Response> {
    return this.#token.authenticate(request, send);
  }

  /** Waits for a pending token request, so that its token is saved. */
  async close(): Promise<void> {
    await this.#token.release();
  }
}

/** Checks that there is a refresh token. */
function presentToken(token: string | undefined): string {
  if (token !== undefined) return token;
  const expected = "a refresh token, unless the store has one";
  throw new UnexpectedValueError("refreshToken", expected, token);
}
