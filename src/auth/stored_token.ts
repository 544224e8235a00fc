/** Renews a token that a store keeps, in one process at a time if the store has a lock. */
import { check } from "../base/checks.ts";
import type { Clock } from "../base/clock.ts";
import { RestwrightError } from "../errors/base_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { sleep } from "../http/abort.ts";
import type { Logger } from "../log/logger.ts";
import type { Renewal } from "./shared_token.ts";
import { checkedToken, type OAuthToken, type ReleaseLock, type TokenStore } from "./token_store.ts";

/** The lifetime of a lock, in seconds. */
const LOCK_LIFETIME = 30;

/**
 * The parts of the lifetime after which a token request ends, before another process may begin one. No
 * attempt begins after the first part. A process that was paused still gets the second one, to read a
 * response that has arrived meanwhile.
 */
const REQUEST_PARTS = [0.8, 0.1] as const;

/** Seconds between two attempts to get the lock. They double, and a half of them is random. */
const FIRST_WAIT = 0.05;
const LONGEST_WAIT = 0.25;

/**
 * The lifetimes of a lock for which a process waits: that of a process that was killed, and that of
 * another one, whose token request takes long. If nobody has saved a token by then, none succeeds.
 */
const LOCKS_TO_WAIT_FOR = 2;

/** How a {@linkcode StoredToken} gets its tokens. */
export interface StoredTokenSteps {
  readonly store: TokenStore;
  readonly lockLifetime: number;
  readonly clock: Clock;
  readonly log: () => Logger;
  /** Returns true if a token has to be renewed before the next request. */
  isDue(token: OAuthToken): boolean;
  /** Throws if a request cannot succeed. Then nobody waits for the lock. */
  check?(stored: OAuthToken | undefined): void;
  /**
   * Requests a new token.
   *
   * @param stored The token of the store
   * @param lock The lock of the store, if it has one
   */
  request(stored: OAuthToken | undefined, lock: HeldLock | undefined): Promise<OAuthToken>;
}

/** The lock under which a token is requested. Another process may send the same grant when it is over. */
export interface HeldLock {
  /** Ends the request before the lock is free, with the reason. */
  readonly signal: AbortSignal;
  /**
   * Ends the request before an attempt for which too little time is left, as after a pause of the process.
   *
   * @throws {RestwrightError} The reason of the signal
   */
  checkTime(): void;
}

/**
 * Checks the lifetime of a lock.
 *
 * @throws {UnexpectedValueError} If it is not valid, or if the store has no lock
 */
export function checkedLockLifetime(lifetime: unknown, store: TokenStore | undefined): number {
  if (lifetime === undefined) return LOCK_LIFETIME;
  checkedLifetime("lockLifetime", lifetime);
  if (store?.lock !== undefined) return lifetime as number;
  const expected = "left out, because the store has no method lock";
  throw new UnexpectedValueError("lockLifetime", expected, lifetime);
}

const checkedLifetime: <T>(option: string, value: unknown) => T = check(
  "a number of seconds above 0",
  (value) => Number.isFinite(value) && (value as number) > 0,
);

/** The token of a store, and its renewal. */
export class StoredToken {
  readonly #steps: StoredTokenSteps;
  /** The token that requests carry. */
  #current: OAuthToken | undefined;
  /** A new token that the store could not save yet, and the version that it replaces. */
  #unsaved: { readonly token: OAuthToken; readonly version: OAuthToken["version"] } | undefined;
  /** The lock that is kept while a token is unsaved. Otherwise another process would send the same grant. */
  #keptLock: ReleaseLock | undefined;

  /** Stores the steps. Nothing is loaded. */
  constructor(steps: StoredTokenSteps) {
    this.#steps = steps;
  }

  /**
   * Returns a token to replace the current one: that of the store if it is another one, as after a
   * restart or a renewal by another process, or else a new one.
   *
   * @throws {RestwrightError} If other processes have the lock for too long
   */
  async renew(): Promise<Renewal<OAuthToken>> {
    const { store, lockLifetime, clock, check } = this.#steps;
    if (this.#unsaved !== undefined) await this.#save();
    // The sum of the waits, and not the time, because this process may be paused.
    let waited = 0;
    for (let longest = FIRST_WAIT;; longest = Math.min(2 * longest, LONGEST_WAIT)) {
      const stored = await this.#load();
      if (this.#isUsable(stored)) return this.#use(stored, false);
      check?.(stored);
      if (store.lock === undefined) return await this.#request(stored, undefined);
      const lockedAt = clock.now();
      const release = checkedRelease(await store.lock(lockLifetime));
      const renewal = release && await this.#renewLocked(release, lockedAt);
      if (renewal !== null) return renewal;
      if (waited >= LOCKS_TO_WAIT_FOR * lockLifetime) throw alwaysLocked(waited);
      const wait = longest * (1 + Math.random()) / 2;
      await sleep(wait, clock);
      waited += wait;
    }
  }

  /** Reports if the store has another token, which is not due. */
  async isReplaced({ accessToken }: OAuthToken): Promise<boolean> {
    const stored = await this.#load().catch(() => undefined);
    return stored !== undefined && stored.accessToken !== accessToken && !this.#steps.isDue(stored);
  }

  /**
   * Renews the token, unless the process that had the lock before has done it.
   *
   * @returns Null if this process was paused until another one may have the lock
   */
  async #renewLocked(
    release: ReleaseLock,
    lockedAt: number,
  ): Promise<Renewal<OAuthToken> | null> {
    const { lockLifetime, clock } = this.#steps;
    const controller = new AbortController();
    const { signal } = controller;
    const [first, second] = REQUEST_PARTS;
    let cancel = clock.after(lockLifetime * first, () => {
      cancel = clock.after(lockLifetime * second, () => controller.abort(tooLate(lockLifetime)));
    });
    const seconds = () => (clock.now() - lockedAt) / 1000;
    const isLate = () => seconds() >= lockLifetime * first;
    const checkTime = () => {
      if (isLate()) controller.abort(tooLate(lockLifetime));
      signal.throwIfAborted();
    };
    try {
      const stored = await this.#load();
      if (this.#isUsable(stored)) return this.#use(stored, false);
      if (isLate()) return null;
      const renewal = await this.#request(stored, { signal, checkTime });
      // Another process may have used the same refresh token since, and a server then revokes both.
      return { ...renewal, isNew: renewal.isNew && seconds() < lockLifetime };
    } finally {
      cancel();
      if (this.#unsaved === undefined) await this.#release(release);
      else this.#keptLock = release;
    }
  }

  /** Frees the lock. If that fails, the lock is free at the end of its lifetime. */
  async #release(release: ReleaseLock): Promise<void> {
    try {
      await release();
    } catch (error) {
      const text = error instanceof Error ? error.name : typeof error;
      this.#steps.log().warn(`the lock of the token store could not be released: ${text}`);
    }
  }

  async #request(
    stored: OAuthToken | undefined,
    lock: HeldLock | undefined,
  ): Promise<Renewal<OAuthToken>> {
    let token: OAuthToken;
    try {
      token = await this.#steps.request(stored, lock);
    } catch (error) {
      // Another process may have used the same refresh token before, and saved its successor.
      const newer = await this.#load().catch(() => undefined);
      if (newer?.accessToken === stored?.accessToken || !this.#isUsable(newer)) throw error;
      return this.#use(newer, false);
    }
    this.#unsaved = { token, version: stored?.version };
    if (await this.#save()) return this.#use(token, true);
    const newer = await this.#load();
    return this.#isUsable(newer) ? this.#use(newer, false) : this.#use(token, true);
  }

  /** Saves the new token, unless the store has a newer one. */
  async #save(): Promise<boolean> {
    const { token, version } = this.#unsaved!;
    const { store } = this.#steps;
    let isSaved = true;
    if (store.replace === undefined) await store.save(token);
    else {
      const result = await store.replace(token, version);
      isSaved = checkedSaved("the result of store.replace()", result);
    }
    this.#unsaved = undefined;
    const lock = this.#keptLock;
    this.#keptLock = undefined;
    if (lock !== undefined) await this.#release(lock);
    return isSaved;
  }

  async #load(): Promise<OAuthToken | undefined> {
    const { store } = this.#steps;
    const token = checkedToken(await store.load());
    // Without the version, replace() would refuse each new token, which would then be lost.
    if (token !== undefined && store.replace !== undefined && token.version === undefined) {
      const expected = "the version of the token, because the store has the method replace";
      throw new UnexpectedValueError("store.load().version", expected, undefined);
    }
    return token;
  }

  #isUsable(stored: OAuthToken | undefined): stored is OAuthToken {
    return stored !== undefined && stored.accessToken !== this.#current?.accessToken &&
      !this.#steps.isDue(stored);
  }

  #use(token: OAuthToken, isNew: boolean): Renewal<OAuthToken> {
    this.#current = token;
    return { token, isNew };
  }
}

/** Returns the reason why a token request ends that would outlast the lock. */
function tooLate(lockLifetime: number): RestwrightError {
  const [first, second] = REQUEST_PARTS;
  const seconds = Number((lockLifetime * (first + second)).toFixed(3));
  return new RestwrightError(
    `there was no response after ${seconds} s; raise lockLifetime (${lockLifetime} s) if the server ` +
      "needs more time",
  );
}

/** Returns the error for a lock that other processes have had for all the time. */
function alwaysLocked(waited: number): RestwrightError {
  return new RestwrightError(
    `other processes have had the lock of the token store for ${
      Math.round(waited)
    } s, and none of ` +
      "them has saved a token; the server may be away",
  );
}

const checkedSaved: <T>(option: string, value: unknown) => T = check(
  "true or false",
  (value) => typeof value === "boolean",
);

const checkedReleaseOrNull: <T>(option: string, value: unknown) => T = check(
  "a function that frees the lock, or null",
  (value) => value === null || typeof value === "function",
);

const checkedRelease = (value: unknown): ReleaseLock | null =>
  checkedReleaseOrNull("the result of store.lock()", value);
