/** Shares one token among all requests of a scheme, and its renewal among those that wait. */
import { type Check, check } from "../base/checks.ts";
import type { AuthChanges, AuthRequest, AuthSend } from "../http/auth.ts";
import { LazyResponse } from "../http/lazy_response.ts";
import { discardBody } from "../http/response.ts";

/**
 * Reports if an error response means that the token of its request is not valid any more. It may read
 * the response.
 */
export type IsExpired = (response: Response) => boolean | Promise<boolean>;

/** How a {@linkcode SharedToken} gets and sends its token. */
export interface SharedTokenSteps<T> {
  /** Gets a token to replace the one that has expired. */
  renew(): Promise<Renewal<T>>;
  /** Returns true if a token has to be renewed before the next request. */
  isDue(token: T): boolean;
  /**
   * Reports if another process has replaced a token since it was requested. Then it may have expired, as
   * for a process that was paused. It does not throw. Default: no other process has the token
   */
  readonly isReplaced?: ((token: T) => Promise<boolean>) | undefined;
  /** Returns the changes that put a token into a request. */
  changes(token: T): AuthChanges;
  /** Reports if a response means that the token has to be renewed. Default: its status is 401 */
  readonly isExpired?: IsExpired | undefined;
}

/** A token that replaces an expired one. */
export interface Renewal<T> {
  readonly token: T;
  /** True if it was requested now. One from a store may have expired already. */
  readonly isNew: boolean;
}

/** The most tokens for a request, if other processes replace each of them before the response. */
const MOST_TOKENS = 10;

/** A token, or the pending request that will return it. */
interface Holding<T> {
  readonly renewal: Promise<Renewal<T>>;
  /** The token, as soon as it is there. */
  value?: T;
  /** True if a response reported that a new token is needed. */
  isOver: boolean;
}

/**
 * A token that all requests of a scheme share. Requests that need a new one wait for the same
 * renewal, which continues if a request that waits is aborted. If it fails, all of them fail, and the
 * next request starts another one.
 */
export class SharedToken<T> {
  readonly #steps: SharedTokenSteps<T>;
  #held: Holding<T> | undefined;

  /** Stores the steps. No token is requested. */
  constructor(steps: SharedTokenSteps<T>) {
    this.#steps = steps;
  }

  /**
   * Sends a request with the token. If the token has expired, it renews the token, unless another
   * request already has, and sends the request once more, if it is replayable. If the second token came
   * from another process, or was replaced by one, it may have expired, too: then there is another one.
   */
  async authenticate(request: AuthRequest, send: AuthSend): Promise<Response> {
    for (let tokens = 1;; tokens++) {
      const held = this.#hold();
      const { token, isNew } = await held.renewal;
      let response = await send(this.#steps.changes(token));
      const { isExpired, isReplaced } = this.#steps;
      const mayBeOver = response.status === 401 ||
        isExpired !== undefined && response.status >= 400;
      if (!mayBeOver || tokens === MOST_TOKENS) return response;
      if (tokens > 1 && isNew && !await isReplaced?.(token)) return response;
      let isOver = true;
      if (isExpired !== undefined) {
        ({ isOver, response } = await askAbout(response, isExpired));
      }
      if (!isOver) return response;
      held.isOver = true;
      if (!request.isReplayable) return response;
      discardBody(response);
    }
  }

  /** Waits for a pending renewal, and returns the token; undefined if there is none. */
  async release(): Promise<T | undefined> {
    const held = this.#held;
    this.#held = undefined;
    return (await held?.renewal.catch(() => undefined))?.token;
  }

  /** Returns the current token, or starts a renewal. */
  #hold(): Holding<T> {
    const current = this.#held;
    const isUsable = current !== undefined && !current.isOver &&
      (current.value === undefined || !this.#steps.isDue(current.value));
    if (isUsable) return current;
    const held: Holding<T> = { renewal: this.#steps.renew(), isOver: false };
    this.#held = held;
    held.renewal.then(
      ({ token }) => held.value = token,
      () => {
        if (this.#held === held) this.#held = undefined;
      },
    );
    return held;
  }
}

const checkedAnswer: Check<boolean> = check(
  "a function that returns true or false",
  (value) => typeof value === "boolean",
);

/** Asks the function of an SDK about a response. If it reads the body, the caller can read it again. */
async function askAbout(
  response: Response,
  isExpired: IsExpired,
): Promise<{ readonly isOver: boolean; readonly response: Response }> {
  const lazy = new LazyResponse(response, (error) => error);
  try {
    const isOver = checkedAnswer("isExpired", await isExpired(lazy.response));
    return { isOver, response: lazy.toResponse() };
  } catch (error) {
    lazy.discard();
    throw error;
  }
}
