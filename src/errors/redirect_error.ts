import { brand, RestwrightError } from "./base_error.ts";

/**
 * A redirect could not be followed: too many of them, a target that is no URL, or a body that
 * cannot be sent again. It is not retried.
 */
export class RedirectError extends RestwrightError {
  static {
    brand("RedirectError", this);
  }

  /** The status of the response that redirects. */
  readonly status: number;

  /**
   * Builds the error.
   *
   * @param message What is in the way; without the target, which may hold a secret
   * @param status The status of the response that redirects
   */
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }

  /** What `JSON.stringify` shows: never a header, a body or a secret. */
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status };
  }
}
