/** The scheme that logs in with a function of the SDK, and again when the token has expired. */
import type { AnyClient } from "../client/request_base.ts";
import { checkedFunction, checkedHeaderText, checkedOptions } from "../base/checks.ts";
import { checkedHeaderName } from "../http/headers.ts";
import { systemClock } from "../base/clock.ts";
import type { Auth, AuthRequest, AuthSend } from "../http/auth.ts";
import { discardBody } from "../http/response.ts";
import {
  createLoginRequests,
  type LoginRequests,
  type LoginWatchdog,
  startWatchdog,
} from "../client/lifecycle.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { checkedClient } from "./scheme_arguments.ts";
import { type IsExpired, SharedToken } from "./shared_token.ts";
import { checkedLockLifetime, StoredToken } from "./stored_token.ts";
import { checkedStore, memoryStore, type OAuthToken, type TokenStore } from "./token_store.ts";

/**
 * Options of {@linkcode SessionTokenAuth}.
 *
 * @category Authentication
 */
export interface SessionTokenOptions {
  /**
   * Logs in and returns the token.
   *
   * @param api The request methods of the session, as for `_authenticate`; their requests carry no
   * token
   */
  readonly login: (api: LoginRequests) => Promise<string>;
  /**
   * Logs out with the token when the session is closed. The body of a response that it returns is not
   * read. With a store it is refused, because others use the token, too. Default: no request is sent
   *
   * @param api The request methods of the session; their requests carry the token
   * @param token The token
   */
  readonly logout?: ((api: LoginRequests, token: string) => Promise<unknown>) | undefined;
  /**
   * Reports if an error response means that the token has expired, for APIs that do not answer 401. It
   * is called with each response of a status of at least 400, and may read its body. It is not called
   * with the response to the repeated request. Default: the status is 401
   *
   * @example `{ isExpired: ({ status }) => status === 401 || status === 419 }`
   */
  readonly isExpired?: ((response: Response) => boolean | Promise<boolean>) | undefined;
  /**
   * The header that carries the token. If the scheme is the `auth` of the session, the header is
   * sent only to the session's own origin and to origins that the session trusts.
   *
   * @default {"X-Session-Token"}
   */
  readonly header?: string | undefined;
  /**
   * The scheme that is written before the token in the header, followed by a space. Default: none
   */
  readonly scheme?: string | undefined;
  /**
   * Keeps the token, as its `accessToken`, so that it survives a restart, or is shared by several
   * processes. Default: memory
   */
  readonly store?: TokenStore | undefined;
  /**
   * Seconds after which the lock of the store is free, even if the process that has it was killed or
   * paused. If a login takes longer, another process may log in, too. It has an effect only with a store
   * that has the method `lock`; with another one it is refused.
   *
   * @default {30}
   */
  readonly lockLifetime?: number | undefined;
}

/**
 * The explanation in the watchdog's warning, for a login that sends its requests through the
 * session.
 */
const DEADLOCK_HINT =
  "login() sends it through the session, it waits for itself: send it through the parameter of login()";

/**
 * A scheme that logs in and sends the token with every request (the contract's session token).
 *
 * The first request logs in; other requests wait for the same login. A 401 to a request means that
 * its token has expired; for other APIs, `isExpired` decides. The scheme then logs in again, unless
 * another request already has, and sends the request once more; that second response is final, even
 * if it is a 401, unless another process has replaced the token in the store. When the session is
 * closed, the scheme logs out if it is logged in.
 *
 * If a login fails, the requests that wait for it fail too, and the next request tries again. If a
 * login takes more than 5 seconds, and none of its requests waits for a response, a warning is logged:
 * a login that sends its requests through the session, and not through its parameter `api`, waits for
 * itself forever.
 *
 * @example
 * ```ts
 * import { APISession, type SessionOptions } from "@restwright/restwright";
 * import { SessionTokenAuth } from "@restwright/restwright/auth";
 * import type { HttpSession, Transport } from "@restwright/restwright/http";
 *
 * class Vault extends APISession {
 *   static override readonly url: string = "https://vault.example.com";
 *   static override readonly restrictedPaths: readonly string[] = ["session"];
 *
 *   protected override _buildSession(options: SessionOptions): HttpSession {
 *     const http = super._buildSession(options);
 *     http.auth = new SessionTokenAuth(this, {
 *       async login(api) {
 *         const json = { username: "ada", password: "countess" };
 *         return (await api.post<{ token: string }>("session", { json, convJson: true })).token;
 *       },
 *       logout: (api) => api.delete("session"),
 *     });
 *     return http;
 *   }
 * }
 *
 * const seen: string[] = [];
 * const adapter: Transport = (url, init) => {
 *   seen.push(`${init.method} ${new URL(url).pathname}`);
 *   return Promise.resolve(Response.json({ token: "t-1" }));
 * };
 * const vault = new Vault({ adapter });
 * await vault.get("secrets", { convJson: true });
 * console.log(seen); // ["POST /session","GET /secrets"]
 * ```
 *
 * @category Authentication
 */
export class SessionTokenAuth implements Auth {
  readonly #options: SessionTokenOptions;
  readonly #header: string;
  readonly #prefix: string;
  /** Request methods for the login. Their requests carry no token, so they do not wait for one. */
  readonly #loginApi: LoginRequests;
  readonly #logoutApi: (token: string) => LoginRequests;
  readonly #watchdog: LoginWatchdog;
  /** The number of requests of the login that have no response yet. */
  #loginRequests = 0;
  readonly #token: SharedToken<OAuthToken>;

  /**
   * Stores the options. No request is sent.
   *
   * @param client The session or client that logs in: the one whose requests this scheme
   * authenticates
   * @param options The functions that log in and out, and the header for the token
   * @throws {UnexpectedValueError} If an option is invalid; the error names the first one
   */
  constructor(client: AnyClient, options: SessionTokenOptions) {
    const base = checkedClient(client, "SessionTokenAuth");
    const known = ["header", "isExpired", "lockLifetime", "login", "logout", "scheme", "store"];
    const { login, logout, isExpired, header = "X-Session-Token", scheme, store, lockLifetime } =
      checkedOptions(options, known);
    checkedFunction("login", login ?? null);
    checkedFunction("logout", logout);
    if (logout !== undefined && store !== undefined) {
      const expected = "left out with a store, because other processes use the token, too";
      throw new UnexpectedValueError("logout", expected, logout);
    }
    this.#options = options;
    const checked = store === undefined ? memoryStore() : checkedStore("store", store);
    const stored = new StoredToken({
      store: checked,
      lockLifetime: checkedLockLifetime(lockLifetime, checked),
      clock: base["_clock"],
      log: () => base["_log"],
      isDue: () => false,
      request: () => this.#login(),
    });
    this.#token = new SharedToken({
      renew: () => stored.renew(),
      isReplaced: store && ((token) => stored.isReplaced(token)),
      isDue: () => false,
      changes: (token) => this.#changes(token),
      isExpired: checkedFunction<IsExpired | undefined>("isExpired", isExpired),
    });
    this.#watchdog = {
      clock: systemClock,
      warn: (message) => {
        // A login that waits for its own request, or for a limit before it, does not wait for itself.
        if (this.#loginRequests === 0) base["_log"].warn(message);
      },
    };
    this.#header = checkedHeaderName("header", header);
    this.#prefix = scheme === undefined ? "" : `${checkedHeaderText("scheme", scheme)} `;
    this.#loginApi = createLoginRequests({}, async (method, path, given) => {
      this.#loginRequests++;
      try {
        return await base["_req"](method, path, { auth: null, ...given });
      } finally {
        this.#loginRequests--;
      }
    });
    this.#logoutApi = (token) =>
      createLoginRequests(
        {},
        (method, path, given) => base["_req"](method, path, { auth: this.#fixed(token), ...given }),
      );
  }

  /**
   * Sends the request with the token. If the token has expired, it sends the request once more with a
   * new token, if the request is replayable.
   */
  authenticate(request: AuthRequest, send: AuthSend): Promise<Response> {
    return this.#token.authenticate(request, send);
  }

  /** Logs out if the session is logged in. A later request logs in again. */
  async close(): Promise<void> {
    const token = (await this.#token.release())?.accessToken;
    if (token === undefined) return;
    const result = await this.#options.logout?.(this.#logoutApi(token), token);
    if (result instanceof Response) discardBody(result);
  }

  async #login(): Promise<OAuthToken> {
    const stopWatchdog = startWatchdog("a request", DEADLOCK_HINT, this.#watchdog);
    try {
      const token = await this.#options.login(this.#loginApi);
      return { accessToken: checkedHeaderText("token", token) };
    } finally {
      stopWatchdog();
    }
  }

  #changes({ accessToken }: OAuthToken): { headers: Record<string, string> } {
    return { headers: { [this.#header]: this.#prefix + accessToken } };
  }

  #fixed(accessToken: string): Auth {
    return {
      authenticate: ({ isTrusted }, send) => send(isTrusted ? this.#changes({ accessToken }) : {}),
    };
  }
}
