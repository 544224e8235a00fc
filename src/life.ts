import type { Clock } from "./clock.ts";
import { SessionStateError } from "./errors/session_state_error.ts";

/** Seconds after which a request that waits for the login is told of. */
const PATIENCE = 5;

/** What a session does at the turns of its life. */
export interface LifeSteps {
  /** Makes the HTTP session: the hook `_buildSession`. */
  build(): void;
  /** Logs in: the hook `_authenticate`. */
  authenticate(): void | Promise<void>;
  /** Logs out: the hook `_deauthenticate`. */
  deauthenticate(): void | Promise<void>;
  /** Closes what the session opened for itself. */
  release(): void | Promise<void>;
  /** Tells of a request that has been waiting for the login for some seconds. */
  warn(message: string): void;
  /** What those seconds are measured by. */
  readonly clock: Clock;
}

type State =
  | { readonly kind: "constructed" }
  | { readonly kind: "opening"; done: Promise<void>; isInHook: boolean; isHinted: boolean }
  | { readonly kind: "open" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "closing" | "closed" };

/**
 * The life of a session: constructed, opening, open, closing, closed; or failed, where the login
 * did.
 *
 * It is opened once: by the first request, by `ready` or `open`, or in the first microtask after
 * its construction, when the fields of a subclass are there.
 */
export class Life {
  readonly #steps: LifeSteps;
  #state: State = { kind: "constructed" };
  #closing: Promise<void> | undefined;

  /** @param steps What the session does at the turns of its life */
  constructor(steps: LifeSteps) {
    this.#steps = steps;
    queueMicrotask(() => {
      if (this.#state.kind === "constructed") this.open().catch(() => {});
    });
  }

  /** Opens the session, or waits until it is open. */
  open(): Promise<void> {
    const state = this.#state;
    switch (state.kind) {
      case "constructed":
        return this.#begin();
      case "opening":
        return state.done;
      case "open":
        return Promise.resolve();
      case "failed":
        return Promise.reject(state.error);
      default:
        return Promise.reject(new SessionStateError("the session is closed"));
    }
  }

  /**
   * What a request has to wait for; undefined where it can go out at once.
   *
   * Requests that log out pass while the session is closing.
   *
   * @throws {SessionStateError} Where it would wait for itself
   */
  gate(): Promise<void> | undefined {
    const state = this.#state;
    if (state.kind === "open" || state.kind === "closing") return undefined;
    if (state.kind === "opening" && state.isInHook) {
      throw new SessionStateError(
        "a request in _authenticate waits for the login that it is part of: use the login handle, " +
          "the second parameter",
      );
    }
    const opened = this.open();
    // Reading it again: a session whose hook does nothing is open by now.
    const now = this.#state as State;
    if (now.kind === "open") return undefined;
    if (now.kind === "opening") this.#hint(now);
    return opened;
  }

  /** Logs out and closes, once; a session whose login failed, or never began, does not log out. */
  close(): Promise<void> {
    // Whoever closes it again only waits: a failed logout is told once.
    if (this.#closing !== undefined) return this.#closing.catch(() => {});
    return this.#closing = this.#end();
  }

  /** A request that the login itself makes through the session waits for ever: says so in time. */
  #hint(state: Extract<State, { kind: "opening" }>): void {
    if (state.isHinted) return;
    state.isHinted = true;
    const callOff = this.#steps.clock.after(PATIENCE, () => {
      this.#steps.warn(
        `a request has been waiting for the login for ${PATIENCE} s; if _authenticate makes it, it ` +
          "waits for itself: use the login handle, the second parameter",
      );
    });
    state.done.then(callOff, callOff);
  }

  #begin(): Promise<void> {
    const done = Promise.resolve();
    const state = { kind: "opening" as const, done, isInHook: true, isHinted: false };
    this.#state = state;
    try {
      this.#steps.build();
      const login = this.#steps.authenticate();
      state.isInHook = false;
      if (login === undefined) this.#settle({ kind: "open" });
      else state.done = this.#await(login);
    } catch (error) {
      this.#settle({ kind: "failed", error });
      state.done = Promise.reject(error);
    }
    // Whoever waits for it sees it fail; where nobody does, it is no unhandled rejection.
    state.done.catch(() => {});
    return state.done;
  }

  async #await(login: Promise<void>): Promise<void> {
    try {
      await login;
      this.#settle({ kind: "open" });
    } catch (error) {
      this.#settle({ kind: "failed", error });
      throw error;
    }
  }

  /** The login is over; a session that the hook itself has closed stays closed. */
  #settle(state: State): void {
    if (this.#state.kind === "opening") this.#state = state;
  }

  async #end(): Promise<void> {
    if (this.#state.kind === "opening") await this.#state.done.catch(() => {});
    const isOpen = this.#state.kind === "open";
    this.#state = { kind: isOpen ? "closing" : "closed" };
    try {
      if (isOpen) await this.#steps.deauthenticate();
    } finally {
      try {
        await this.#steps.release(); // what gives back a token makes a request, too
      } finally {
        this.#state = { kind: "closed" };
      }
    }
  }
}
