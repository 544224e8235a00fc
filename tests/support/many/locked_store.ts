/** A shared store in memory, whose lock ends by a fake clock. */
import type { Clock } from "../../../src/base/clock.ts";
import type { OAuthToken } from "../../../src/auth/oauth/mod.ts";
import type { SharedTokenStore } from "../../../src/auth/stores/mod.ts";

/** A store that several sessions share, in place of processes. */
export class LockedStore implements SharedTokenStore {
  readonly #clock: Clock;
  #token: OAuthToken | null = null;
  #version = 0;
  #lockedUntil = 0;
  #holder = 0;
  /** The lifetimes of the locks so far, in seconds. */
  readonly locks: number[] = [];

  constructor(clock: Clock, token?: OAuthToken) {
    this.#clock = clock;
    if (token !== undefined) this.put(token);
  }

  /** Stores a token as another process does. */
  put(token: OAuthToken): void {
    this.#token = { ...token, version: ++this.#version };
  }

  load(): Promise<OAuthToken | null> {
    return Promise.resolve(this.#token);
  }

  save(token: OAuthToken): Promise<void> {
    this.put(token);
    return Promise.resolve();
  }

  lock(seconds: number): (() => unknown) | null {
    const now = this.#clock.now();
    if (now < this.#lockedUntil) return null;
    this.#lockedUntil = now + seconds * 1000;
    this.locks.push(seconds);
    const holder = ++this.#holder;
    return () => {
      if (holder === this.#holder) this.#lockedUntil = 0;
    };
  }

  replace(token: OAuthToken, version: OAuthToken["version"]): boolean {
    const isSame = version === this.#token?.version;
    if (isSame) this.put(token);
    return isSame;
  }
}
