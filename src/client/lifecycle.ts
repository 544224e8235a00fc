/** Opens and closes a session once, and lets its requests wait for the login. */
import type { BoxAttrs } from "../box/mod.ts";
import type { Clock } from "../base/clock.ts";
import { isStreamFormat } from "../content/response_format.ts";
import { SessionStateError } from "../errors/session_state_error.ts";
import type { Path } from "../http/url.ts";
import type { RequestOptions } from "../options/request_options.ts";
import {
  CALL_CONTEXT,
  type CallContext,
  contractMethods,
  type OptionsWithContext,
} from "../call/call.ts";
import { callPromise } from "../call/api_promise.ts";
import type { AnyClient } from "./request_base.ts";
import type { Results } from "../call/request_method.ts";

/** The remedy for a request that `_authenticate` sends through the session. */
const DEADLOCK_HINT =
  "waits for itself: send it through `login`, the second parameter of _authenticate";

/** The error of everything that needs a session that has not been closed. */
export const CLOSED: string =
  "the session is closed: call close() after the last request, or create another session";

/**
 * The steps of the lifecycle of a class's sessions, which share them.
 *
 * @typeParam S The session
 */
export interface LifecycleSteps<S> {
  /**
   * Logs in with the hook `_authenticate`. It builds the HTTP session first, if the class has a hook for
   * that or for the login; other classes build it at the first call.
   */
  logIn(session: S): void | Promise<void>;
  /** Logs out with the hook `_deauthenticate`, if the session is logged in, and closes it. */
  logOut(session: S, isLoggedIn: boolean): Promise<void>;
  /** Writes a warning. */
  warn(session: S, message: string): void;
  /** Returns the clock. */
  clockOf(session: S): Clock;
}

/**
 * The lifecycle of a session: constructed, opening, open, closing, closed; or failed, if the login
 * failed.
 *
 * The session is opened once: by its first request, by `ready` or `open`, or in the first microtask
 * after its construction, when the fields of a subclass exist.
 */
export class SessionLifecycle<S> {
  readonly #steps: LifecycleSteps<S>;
  readonly #session: S;
  readonly #parent: SessionLifecycle<S> | undefined;
  #isBuilt = false;
  #state: "constructed" | "opening" | "open" | "failed" | "closing" | "closed" = "constructed";
  /**
   * The opening. It is undefined while `_authenticate` has not returned its promise, and for a session
   * that is open at once.
   */
  #opened: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  /** Cancels the warning about something that waits for the login. */
  #stopWatchdog: (() => void) | undefined;

  /**
   * @param steps The steps
   * @param session The session
   * @param parent The lifecycle of the session that it was derived from. It waits for that one, and
   * ends with it
   */
  constructor(
    steps: LifecycleSteps<S>,
    session: S,
    parent: SessionLifecycle<S> | undefined,
  ) {
    this.#steps = steps;
    this.#session = session;
    this.#parent = parent;
    queueMicrotask(() => {
      this.#isBuilt = true;
      if (this.#state === "constructed") void this.#open();
    });
  }

  /** True from the first microtask after the construction, when the fields of a subclass exist. */
  get isBuilt(): boolean {
    return this.#isBuilt;
  }

  /** Opens the session, or waits until it is open. */
  open(): Promise<void> {
    return this.#parent?.open().then(() => this.#open()) ?? this.#open();
  }

  /**
   * Returns the login that a request has to wait for; undefined if it can be sent at once.
   *
   * Requests of the logout are sent while the session is closing.
   *
   * @param isLogin True if the request is part of the login. Default: false
   * @throws {SessionStateError} If the request would wait for itself
   */
  ready(isLogin?: boolean): Promise<void> | undefined {
    if (this.#parent === undefined) {
      return this.#state === "open" ? undefined : this.#ready(isLogin);
    }
    return this.#parent.ready()?.then(() => this.#ready()) ?? this.#ready(isLogin);
  }

  #ready(isLogin?: boolean): Promise<void> | undefined {
    const state = this.#state;
    if (state === "open" || state === "closing" || isLogin && state === "opening") return undefined;
    if (state === "opening" && this.#opened === undefined) {
      throw new SessionStateError(`a request in _authenticate ${DEADLOCK_HINT}`);
    }
    const opened = this.#open();
    // A session without a login is open now.
    if (this.#state === "open") return undefined;
    if (this.#state === "opening") {
      this.#watch("a request", `_authenticate sends it through the session, it ${DEADLOCK_HINT}`);
    }
    return opened;
  }

  /** Warns if something waits for long. If the login itself does, it waits forever. */
  #watch(what: string, hint: string): void {
    const steps = this.#steps;
    const session = this.#session;
    this.#stopWatchdog ??= startWatchdog(what, hint, {
      clock: steps.clockOf(session),
      warn: (message) => steps.warn(session, message),
    });
    // Deno's first timer runs microtasks, so that the login may be over now.
    if (this.#state !== "opening") this.#stopWatchdog();
  }

  /** Logs out and closes, once. A session whose login failed, or never began, does not log out. */
  close(): Promise<void> {
    // Later calls only wait. The first one reports a failed logout.
    return this.#closed?.catch(() => {}) ?? (this.#closed = this.#logOut());
  }

  #open(): Promise<void> {
    const state = this.#state;
    if (state === "closing" || state === "closed") {
      return Promise.reject(
        new SessionStateError(CLOSED),
      );
    }
    if (state === "constructed") {
      const opened = this.#logIn();
      // Everything that waits for the login gets its error. It must not be an unhandled rejection.
      opened.catch(() => {});
      if (!this.#isOpen) this.#opened = opened;
    }
    return this.#opened ?? Promise.resolve();
  }

  get #isOpen(): boolean {
    return this.#state === "open";
  }

  /** Runs synchronously until the first `await`: without a login, the session is open then. */
  async #logIn(): Promise<void> {
    this.#state = "opening";
    let result: "open" | "failed" = "failed";
    try {
      const login = this.#steps.logIn(this.#session);
      if (login !== undefined) await login;
      result = "open";
    } finally {
      this.#stopWatchdog?.();
      // A session that its own hook has closed stays closed.
      if (this.#state === "opening") this.#state = result;
    }
  }

  async #logOut(): Promise<void> {
    if (this.#state === "opening" && this.#opened !== undefined) {
      this.#watch("close", "_authenticate calls it, it waits for itself: throw an error instead");
      await this.#opened.catch(() => {});
    }
    const isOpen = this.#isOpen;
    this.#state = isOpen ? "closing" : "closed";
    try {
      await this.#steps.logOut(this.#session, isOpen);
    } finally {
      this.#state = "closed";
    }
  }
}

/**
 * The request methods for a login. Those of the session itself would wait for the login.
 *
 * The results are those of the session: its `_box`, `_boxAttrs` and `_convJson` apply, unless the call
 * sets the option. With `LoginRequests<this>`, the compiler knows them. A redirect that requires the
 * body again at an origin without credentials, such as a 307 to another host, throws a
 * `RedirectError`: the body may contain a password.
 *
 * @typeParam S The session or client. Default: any, so that a call without `convJson` and `box` has a
 * union as its result
 *
 * @category Sessions and clients
 */
export type LoginRequests<
  S extends Pick<AnyClient, "~results"> = {
    readonly "~results": Results<boolean, boolean, BoxAttrs>;
  },
> = Readonly<
  Record<"get" | "post" | "put" | "patch" | "delete" | "head", S["~results"]["givenPath"]>
>;

/**
 * Returns the request methods of a login.
 *
 * @param context The context of its calls
 * @param send Makes a call
 */
export function createLoginRequests<L extends LoginRequests<AnyClient> = LoginRequests>(
  context: Pick<CallContext, "isLogin" | "isAnyUrl">,
  send: (method: string, path: Path, options: RequestOptions) => Promise<unknown>,
): L {
  const entries = contractMethods.map((method) => [
    method.toLowerCase(),
    (path: Path, options: RequestOptions = {}) => {
      const own: CallContext = { ...context, hasSecretBody: true };
      const all: OptionsWithContext = { ...options, [CALL_CONTEXT]: own };
      return callPromise(send(method, path, all), own, isStreamFormat(options.format));
    },
  ]);
  return Object.fromEntries(entries) as L;
}

/** Seconds after which something that waits for a login is reported. */
const WATCHDOG_SECONDS = 5;

/** The clock and the log of a login watchdog. */
export interface LoginWatchdog {
  /** Measures the seconds. */
  readonly clock: Clock;
  /** Writes the warning. */
  warn(message: string): void;
}

/**
 * Warns about something that has been waiting for a login for some seconds. If the login itself does
 * that, it waits forever.
 *
 * @param what The thing that waits
 * @param hint The end of the sentence "if …", with the remedy
 * @param watchdog The clock and the log
 * @returns A function that cancels the warning
 */
export function startWatchdog(
  what: string,
  hint: string,
  { clock, warn }: LoginWatchdog,
): () => void {
  return clock.after(
    WATCHDOG_SECONDS,
    () =>
      warn(
        `${what} has been waiting for the login for ${WATCHDOG_SECONDS} s; if ${hint}; if the ` +
          "server is silent, a `timeout`, a `deadline` or the `signal` of the client ends the wait",
      ),
  );
}
