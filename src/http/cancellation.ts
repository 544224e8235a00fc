import type { Clock } from "../clock.ts";
import { DeadlineExceededError } from "../errors/deadline_exceeded_error.ts";

/**
 * What can end a call from outside: the signals of the caller and of the client, and the
 * deadline.
 *
 * A call does one thing at a time (an attempt, a wait, a body that is read), so there is one place
 * for what is to be interrupted. One listener stands on each signal for the whole call, and
 * is gone when the call and its body are: signals that are handed to fetch itself gather
 * listeners until the next garbage collection on some runtimes.
 */
export class Cancellation {
  readonly #signals: readonly AbortSignal[];
  readonly #cancelDeadline: (() => void) | undefined;
  #ended: { readonly reason: unknown } | undefined;
  #interrupt: ((reason: unknown) => void) | undefined;
  #isSettled = false;

  /**
   * @param signals The caller's signals
   * @param deadline The seconds that the call may take
   * @param clock What the deadline is measured by
   */
  constructor(signals: readonly AbortSignal[], deadline: number | undefined, clock: Clock) {
    this.#signals = signals;
    const ended = signals.find((signal) => signal.aborted);
    if (ended !== undefined) this.#ended = { reason: ended.reason };
    else for (const signal of signals) signal.addEventListener("abort", this.#onAbort);
    if (deadline !== undefined) {
      this.#cancelDeadline = clock.after(deadline, () => {
        this.#end(new DeadlineExceededError(deadline));
      });
    }
  }

  /** Raises the reason where the call has been ended. */
  throwIfEnded(): void {
    if (this.#ended !== undefined) throw this.#ended.reason;
  }

  /**
   * An error as it is raised: where it is the end of the call's own deadline, with what had failed
   * until then.
   */
  explained(error: unknown, failed: Error | undefined): unknown {
    const isDeadline = error instanceof DeadlineExceededError && error === this.#ended?.reason;
    return isDeadline ? new DeadlineExceededError(error.deadline, failed) : error;
  }

  /** Names what is interrupted when the call is ended; undefined where nothing is under way. */
  interrupts(interrupt: ((reason: unknown) => void) | undefined): void {
    if (this.#ended !== undefined) return interrupt?.(this.#ended.reason);
    this.#interrupt = interrupt;
    if (interrupt === undefined && this.#isSettled) this.#release();
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

  readonly #onAbort = (event: Event): void => this.#end((event.target as AbortSignal).reason);

  #end(reason: unknown): void {
    if (this.#ended !== undefined) return;
    const interrupt = this.#interrupt;
    this.#ended = { reason };
    this.#interrupt = undefined;
    this.#release();
    interrupt?.(reason);
  }

  #release(): void {
    for (const signal of this.#signals) signal.removeEventListener("abort", this.#onAbort);
    this.#cancelDeadline?.();
  }
}
