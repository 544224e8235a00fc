/** The error of a long operation that took too long. */
import { brand, RestwrightError, showInJson } from "./base_error.ts";

/**
 * The error for a long operation that was not done in time: the deadline of `_poll` has passed, or the
 * next call would be too late.
 *
 * @category Errors
 */
export class PollTimeoutError extends RestwrightError {
  static {
    brand("PollTimeoutError", this);
    showInJson(this, "calls", "deadline");
  }

  /** The number of calls that have returned a result. */
  readonly calls: number;
  /** The deadline of `_poll` in seconds; undefined without one. */
  readonly deadline: number | undefined;
  readonly #lastResult: unknown;

  /**
   * Builds the error.
   *
   * @param reason The reason why it is too late
   * @param details The number of calls, the deadline and the last result
   */
  constructor(
    reason: string,
    details: Pick<PollTimeoutError, "calls" | "deadline" | "lastResult">,
  ) {
    const { calls, deadline, lastResult } = details;
    super(`the operation is not done after ${calls} call${calls === 1 ? "" : "s"}: ${reason}`);
    this.calls = calls;
    this.deadline = deadline;
    this.#lastResult = lastResult;
  }

  /** The result of the last call; undefined if none has returned. It is not printed. */
  get lastResult(): unknown {
    return this.#lastResult;
  }
}
