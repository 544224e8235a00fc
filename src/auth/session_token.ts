import type { ClientBase } from "../request_base.ts";
import { checkedFunction, checkedHeaderText } from "../checks.ts";
import { checkedHeaderName } from "../http/headers.ts";
import { systemClock } from "../clock.ts";
import type { Auth, AuthRequest, AuthSend } from "../http/auth.ts";
import { type Login, loginHandle, type LoginWatchdog, startWatchdog } from "../login.ts";

/** How a token is got, sent and given back. */
export interface SessionTokenOptions {
  /**
   * Logs in and gives the token.
   *
   * @param api The verbs of the session, as for `_authenticate`; their requests carry no token
   */
  readonly login: (api: Login) => Promise<string>;
  /**
   * Gives the token back, when the session is closed. Default: nothing is sent
   *
   * @param api The verbs of the session; their requests carry the token
   * @param token The token
   */
  readonly logout?: ((api: Login, token: string) => Promise<unknown>) | undefined;
  /**
   * The header that carries the token; it goes to no other origin.
   *
   * @default {"X-Session-Token"}
   */
  readonly header?: string | undefined;
  /** What stands before the token in the header, and a space. Default: nothing */
  readonly scheme?: string | undefined;
}

/** A token, or the login that will give it. */
interface Holding {
  readonly token: Promise<string>;
  /** Whether a request has met its end, or what looks like it. */
  isOver: boolean;
}

/** What a login that makes its requests by the session itself waits for. */
const CIRCULAR = "login makes it by the session, it waits for itself: use the parameter of login";

/**
 * A token that a login gives, with every request (the contract's session token).
 *
 * It logs in at the first request, once for all that wait for it. A 401 to a request means that its
 * token has run out: it logs in again, unless somebody else has meanwhile, and sends the request
 * once more; the answer to that counts. When the session is closed it logs out, if it is logged in.
 * A login that fails fails the requests that wait for it; the next one tries again. A login
 * that takes 5 seconds is told of by a warning: a request that it makes by the session, and not by
 * what it is given, waits for itself for ever.
 *
 * @example
 * ```ts
 * import {
 *   APISession,
 *   type HttpSession,
 *   type SessionOptions,
 *   SessionTokenAuth,
 *   type Transport,
 * } from "@restwright/restwright";
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
 * console.log(seen); // [ "POST /session", "GET /secrets" ]
 * ```
 */
export class SessionTokenAuth implements Auth {
  readonly #options: SessionTokenOptions;
  readonly #header: string;
  readonly #prefix: string;
  /** Its requests carry no token, and so do not wait for one. */
  readonly #loginApi: Login;
  readonly #logoutApi: (token: string) => Login;
  readonly #watchdog: LoginWatchdog;
  #held: Holding | undefined;

  /**
   * Keeps the options; no request is made.
   *
   * @param session The session that logs in: the one that it is the authentication of
   * @param options How the token is got, sent and given back
   * @throws {UnexpectedValueError} Names the first option that is not what was expected
   */
  constructor(session: ClientBase, options: SessionTokenOptions) {
    const { login, logout, header = "X-Session-Token", scheme } = options;
    checkedFunction("login", login ?? null);
    checkedFunction("logout", logout);
    this.#options = options;
    this.#watchdog = { clock: systemClock, warn: (message) => session["_log"].warn(message) };
    this.#header = checkedHeaderName("header", header);
    this.#prefix = scheme === undefined ? "" : `${checkedHeaderText("scheme", scheme)} `;
    this.#loginApi = loginHandle((method, path, given) =>
      session["_req"](method, path, { auth: null, ...given })
    );
    this.#logoutApi = (token) =>
      loginHandle((method, path, given) =>
        session["_req"](method, path, { auth: this.#fixed(token), ...given })
      );
  }

  /** Sends the request with the token; after a 401 once more with another. */
  async authenticate(request: AuthRequest, send: AuthSend): Promise<Response> {
    const held = this.#hold();
    const response = await send(this.#changes(await held.token));
    if (response.status !== 401) return response;
    held.isOver = true;
    if (!request.isReplayable) return response;
    await response.body?.cancel();
    return await send(this.#changes(await this.#hold().token));
  }

  /** Logs out, where somebody has logged in; the next request would log in again. */
  async close(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    const token = await held?.token.catch(() => undefined);
    if (token !== undefined) await this.#options.logout?.(this.#logoutApi(token), token);
  }

  /** The token that is held, or will be: one login for all who ask meanwhile. */
  #hold(): Holding {
    if (this.#held === undefined || this.#held.isOver) {
      const held: Holding = { token: this.#login(), isOver: false };
      this.#held = held;
      held.token.catch(() => {
        if (this.#held === held) this.#held = undefined;
      });
    }
    return this.#held;
  }

  async #login(): Promise<string> {
    const callOff = startWatchdog("a request", CIRCULAR, this.#watchdog);
    try {
      return checkedHeaderText("token", await this.#options.login(this.#loginApi));
    } finally {
      callOff();
    }
  }

  #changes(token: string): { headers: Record<string, string> } {
    return { headers: { [this.#header]: this.#prefix + token } };
  }

  #fixed(token: string): Auth {
    return {
      authenticate: ({ isTrusted }, send) => send(isTrusted ? this.#changes(token) : {}),
    };
  }
}
