import { brand, RestwrightError } from "./base_error.ts";

/**
 * The call with all its attempts and waits took longer than its `deadline`; it is not retried.
 *
 * The cause is the error of the last attempt, where one had failed before.
 */
export class DeadlineExceededError extends RestwrightError {
  static {
    brand("DeadlineExceededError", this);
  }

  /** The deadline that was given, in seconds. */
  readonly deadline: number;

  /**
   * Builds the error.
   *
   * @param deadline The deadline that was given, in seconds
   * @param cause The error of the last attempt, if one had failed
   */
  constructor(deadline: number, cause?: unknown) {
    super(
      `the call took longer than its deadline of ${deadline} s`,
      { cause },
    );
    this.deadline = deadline;
  }

  /** What `JSON.stringify` shows: never a header, a body or a secret. */
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), deadline: this.deadline };
  }
}
