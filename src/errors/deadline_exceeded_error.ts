/** The error of a call that took longer than its deadline. */
import { brand, RestwrightError, showInJson } from "./base_error.ts";

/**
 * The error for a call that took longer than its `deadline`, all attempts and waits included. It is
 * not retried.
 *
 * If an attempt had failed before, the cause is the error of the last one.
 *
 * @category Errors
 */
export class DeadlineExceededError extends RestwrightError {
  static {
    brand("DeadlineExceededError", this);
    showInJson(this, "deadline");
  }

  /** The deadline of the call, in seconds. */
  readonly deadline: number;

  /**
   * Builds the error.
   *
   * @param deadline The deadline of the call, in seconds
   * @param cause The error of the last attempt, if one had failed
   */
  constructor(deadline: number, cause?: unknown) {
    super(
      `the call took longer than its deadline of ${deadline} s`,
      { cause },
    );
    this.deadline = deadline;
  }
}
