import type { Clock } from "../clock.ts";
import { DeadlineExceededError } from "../errors/deadline_exceeded_error.ts";
import { listen, unlisten } from "./signal_listeners.ts";

/**
 * What can end a call from outside: the signals of the caller and of the client, and the
 * deadline.
 *
 * A call does one thing at a time (an attempt, a wait, a body that is read), so there is one place
 * for what is to be interrupted; a hook may read a body meanwhile, so that what waits for the
 * caller's own code has a place beside it. The call listens to each signal until it and its body are
 * over: signals that are handed to fetch itself gather listeners until the next garbage collection
 * on some runtimes.
 */
export class Cancellation {
  readonly #signals: readonly AbortSignal[];
  readonly #clock: Clock;
  readonly #cancelDeadline: (() => void) | undefined;
  /** The moment of the deadline, in milliseconds since 1970. */
  readonly #endAt: number | undefined;
  #ended: { readonly reason: unknown } | undefined;
  #interrupt: ((reason: unknown) => void) | undefined;
  #rejectWaiter: ((reason: unknown) => void) | undefined;
  #isSettled = false;

  /** The seconds that the call may take; undefined for any number. */
  readonly deadline: number | undefined;

  /**
   * @param signals The caller's signals
   * @param deadline The seconds that the call may take
   * @param clock What the deadline is measured by
   */
  constructor(signals: readonly AbortSignal[], deadline: number | undefined, clock: Clock) {
    this.#signals = signals;
    this.#clock = clock;
    this.deadline = deadline;
    const ended = signals.find((signal) => signal.aborted);
    if (ended !== undefined) this.#ended = { reason: ended.reason };
    else for (const signal of signals) listen(signal, this.#onSignal);
    if (deadline !== undefined) {
      this.#endAt = clock.now() + deadline * 1000;
      this.#cancelDeadline = clock.after(deadline, () => {
        this.#end(new DeadlineExceededError(deadline));
      });
    }
  }

  /** Raises the reason where the call has been ended. */
  throwIfEnded(): void {
    if (this.#ended !== undefined) throw this.#ended.reason;
  }

  /** The seconds that are left until the deadline, below 0 if it has passed; undefined without one. */
  get remaining(): number | undefined {
    if (this.#endAt === undefined) return undefined;
    return (this.#endAt - this.#clock.now()) / 1000;
  }

  /**
   * An error as it is raised: where it is the end of the call's own deadline, with what had failed
   * until then.
   */
  toAbortError(error: unknown, failed: Error | undefined): unknown {
    const isDeadline = error instanceof DeadlineExceededError && error === this.#ended?.reason;
    return isDeadline ? new DeadlineExceededError(error.deadline, failed) : error;
  }

  /** Names what is interrupted when the call is ended; undefined where nothing is under way. */
  onAbort(interrupt: ((reason: unknown) => void) | undefined): void {
    if (this.#ended !== undefined) return interrupt?.(this.#ended.reason);
    this.#interrupt = interrupt;
    if (interrupt === undefined && this.#isSettled) this.#release();
  }

  /**
   * Waits for something that does not know of the call, such as a login or a hook: it goes on where
   * the call is ended meanwhile, and nobody waits for it any more.
   */
  async waitFor<T>(work: T | Promise<T>): Promise<T> {
    try {
      return await new Promise((resolve, reject) => {
        this.#rejectWaiter = reject;
        if (this.#ended !== undefined) reject(this.#ended.reason);
        Promise.resolve(work).then(resolve, reject);
      });
    } finally {
      this.#rejectWaiter = undefined;
    }
  }

  /**
   * The call is over: lets go of the deadline, and of the signal at once or when the body has been
   * read. A body that is never read must not keep the program alive by a timer.
   */
  settle(): void {
    this.#isSettled = true;
    this.#cancelDeadline?.();
    if (this.#interrupt === undefined) this.#release();
  }

  readonly #onSignal = (reason: unknown): void => this.#end(reason);

  #end(reason: unknown): void {
    if (this.#ended !== undefined) return;
    const interrupt = this.#interrupt;
    this.#ended = { reason };
    this.#interrupt = undefined;
    this.#release();
    interrupt?.(reason);
    this.#rejectWaiter?.(reason);
  }

  #release(): void {
    for (const signal of this.#signals) unlisten(signal, this.#onSignal);
    this.#cancelDeadline?.();
  }
}
