/** Lets requests wait for a limiter that several processes share. */
import type { Clock } from "../base/clock.ts";
import { isError } from "../errors/base_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { RateLimiter } from "./rate_limiter.ts";
import { RateLimitWaitError } from "./rate_limit_wait_error.ts";
import { WaitingQueue } from "./waiting_queue.ts";

/** The most questions to the limiter at a time, so that a full limit is not asked by everybody. */
const MOST_QUESTIONS = 10;

/** How a {@linkcode SharedLimit} asks, and how long requests wait. */
export interface SharedLimitSteps {
  readonly limiter: RateLimiter;
  /** The longest wait in seconds. */
  readonly maxWait: number;
  readonly clock: Clock;
  /** Called with the error of a limiter that could not ask its store. Returns the error to throw, if any. */
  onError(error: unknown): Error | undefined;
}

/** The end of a wait: the request may be sent, or fails, or the limiter has no point for some seconds. */
type Turn = { readonly error?: Error | undefined } | { readonly seconds: number };

/** The requests of one key, which wait in order for the points of the limiter. */
export class SharedLimit {
  readonly #steps: SharedLimitSteps;
  readonly #key: string;
  readonly #queue = new WaitingQueue<Turn>();
  #questions = 0;
  /** The requests in `take`. */
  #requests = 0;
  /** Cancels the timer that runs while the limiter has no points. */
  #cancelTimer: (() => void) | undefined;

  constructor(key: string, steps: SharedLimitSteps) {
    this.#key = key;
    this.#steps = steps;
  }

  get isIdle(): boolean {
    return this.#requests === 0 && this.#questions === 0;
  }

  /**
   * Waits for a point.
   *
   * @throws {RateLimitWaitError} If that would take longer than `maxWait`
   * @throws {RateLimiterError} If the limiter fails, and so should the request
   */
  async take(signal: AbortSignal | undefined): Promise<void> {
    this.#requests++;
    try {
      await this.#wait(signal);
    } finally {
      // A timer that nobody waits for would keep the program alive.
      if (--this.#requests === 0) this.#stopTimer();
    }
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { clock, maxWait } = this.#steps;
    const start = clock.now();
    for (;;) {
      const waiting = this.#queue.wait(signal);
      this.#ask();
      const turn = await waiting;
      if (!("seconds" in turn)) {
        if (turn.error !== undefined) throw turn.error;
        return;
      }
      const seconds = (clock.now() - start) / 1000 + turn.seconds;
      if (seconds > maxWait) throw new RateLimitWaitError(turn.seconds, maxWait);
    }
  }

  /** Asks for a point for each request that waits, but not while the limiter has none. */
  #ask(): void {
    while (
      this.#cancelTimer === undefined &&
      this.#questions < Math.min(MOST_QUESTIONS, this.#queue.size)
    ) {
      this.#questions++;
      void this.#question().then((turn) => {
        this.#questions--;
        if ("seconds" in turn) this.#block(turn.seconds);
        else this.#queue.releaseFirst(turn);
        this.#ask();
      });
    }
  }

  async #question(): Promise<Turn> {
    const { limiter, onError } = this.#steps;
    try {
      await limiter.consume(this.#key);
      return {};
    } catch (reason) {
      if (isError(reason)) return { error: onError(reason) };
      const { msBeforeNext } = Object(reason) as { readonly msBeforeNext?: unknown };
      // It is -1 or 0 if the interval ends at this moment.
      if (Number.isFinite(msBeforeNext)) {
        return { seconds: Math.max(1, Number(msBeforeNext)) / 1000 };
      }
      const expected = "an error, or an object with msBeforeNext in milliseconds";
      return {
        error: new UnexpectedValueError("the rejection of limiter.consume()", expected, reason),
      };
    }
  }

  /** Waits until the limiter has points again. */
  #block(seconds: number): void {
    if (this.#cancelTimer !== undefined || this.#requests === 0) return;
    const { clock, maxWait } = this.#steps;
    this.#cancelTimer = clock.after(seconds, () => {
      this.#cancelTimer = undefined;
      this.#ask();
    });
    if (maxWait === Infinity) return;
    // Each request decides if that is too long. The others wait again, in the same order.
    for (let left = this.#queue.size; left > 0; left--) this.#queue.releaseFirst({ seconds });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
