import { SessionStateError } from "./errors/session_state_error.ts";
import { type LoginWatchdog, startWatchdog } from "./login.ts";

/** What is wrong with a request that `_authenticate` makes through the session, and what to do. */
const DEADLOCK_HINT =
  "waits for itself: send it through the login handle, the second parameter of _authenticate";

/** What a session does at the turns of its life. */
export interface LifecycleSteps extends LoginWatchdog {
  /** Makes the HTTP session and logs in: the hooks `_buildSession` and `_authenticate`. */
  logIn(): void | Promise<void>;
  /** Logs out, by the hook `_deauthenticate`, where it is logged in; closes what it opened for itself. */
  logOut(isLoggedIn: boolean): Promise<void>;
}

/**
 * The life of a session: constructed, opening, open, closing, closed; or failed, where the login
 * did.
 *
 * It is opened once: by the first request, by `ready` or `open`, or in the first microtask after
 * its construction, when the fields of a subclass are there.
 */
export class SessionLifecycle {
  readonly #steps: LifecycleSteps;
  readonly #parent: SessionLifecycle | undefined;
  #state: "constructed" | "opening" | "open" | "failed" | "closing" | "closed" = "constructed";
  /** How the opening ends; undefined also while `_authenticate` has not given its promise yet. */
  #opened: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  /** Calls off the warning for what waits for the login, once something does. */
  #stopWatchdog: (() => void) | undefined;

  /**
   * @param steps What the session does at the turns of its life
   * @param above The life of the one that it was derived from, which it waits for and ends with
   */
  constructor(steps: LifecycleSteps, above: SessionLifecycle | undefined) {
    this.#steps = steps;
    this.#parent = above;
    queueMicrotask(() => {
      if (this.#state === "constructed") void this.#open();
    });
  }

  /** Opens the session, or waits until it is open. */
  open(): Promise<void> {
    return this.#parent?.open().then(() => this.#open()) ?? this.#open();
  }

  /**
   * What a request has to wait for; undefined where it can go out at once.
   *
   * Requests that log out pass while the session is closing.
   *
   * @param isLogin Whether it is a part of the login. Default: false
   * @throws {SessionStateError} Where it would wait for itself
   */
  ready(isLogin?: boolean): Promise<void> | undefined {
    return this.#parent?.ready()?.then(() => this.#ready()) ?? this.#ready(isLogin);
  }

  #ready(isLogin?: boolean): Promise<void> | undefined {
    const state = this.#state;
    if (state === "open" || state === "closing" || isLogin && state === "opening") return undefined;
    if (state === "opening" && this.#opened === undefined) {
      throw new SessionStateError(`a request in _authenticate ${DEADLOCK_HINT}`);
    }
    const opened = this.#open();
    // Reading it again: a session whose hook does nothing is open by now.
    if (this.#state === "open") return undefined;
    if (this.#state === "opening") {
      this.#watch("a request", `_authenticate sends it through the session, it ${DEADLOCK_HINT}`);
    }
    return opened;
  }

  /** What the login itself waits for, later in the hook, waits for ever: says so in time. */
  #watch(what: string, otherwise: string): void {
    this.#stopWatchdog ??= startWatchdog(what, otherwise, this.#steps);
    // Deno's first timer of all lets go on what waits: the login may be over by now.
    if (this.#state !== "opening") this.#stopWatchdog();
  }

  /** Logs out and closes, once; a session whose login failed, or never began, does not log out. */
  close(): Promise<void> {
    // Whoever closes it again only waits: a failed logout is told once.
    return this.#closed?.catch(() => {}) ?? (this.#closed = this.#logOut());
  }

  #open(): Promise<void> {
    const state = this.#state;
    if (state === "closing" || state === "closed") {
      return Promise.reject(new SessionStateError("the session is closed"));
    }
    if (state === "constructed") {
      this.#opened = this.#logIn();
      // Whoever waits for it sees it fail; where nobody does, it is no unhandled rejection.
      this.#opened.catch(() => {});
    }
    return this.#opened ?? Promise.resolve();
  }

  /** Until the first `await`, all of it happens at once: without a login it is open by then. */
  async #logIn(): Promise<void> {
    this.#state = "opening";
    let result: "open" | "failed" = "failed";
    try {
      const login = this.#steps.logIn();
      if (login !== undefined) await login;
      result = "open";
    } finally {
      this.#stopWatchdog?.();
      // A session that the hook itself has closed stays closed.
      if (this.#state === "opening") this.#state = result;
    }
  }

  async #logOut(): Promise<void> {
    if (this.#state === "opening" && this.#opened !== undefined) {
      this.#watch("close", "_authenticate calls it, it waits for itself: throw an error instead");
      await this.#opened.catch(() => {});
    }
    const isOpen = this.#state === "open";
    this.#state = isOpen ? "closing" : "closed";
    try {
      await this.#steps.logOut(isOpen);
    } finally {
      this.#state = "closed";
    }
  }
}
