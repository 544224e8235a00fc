import { brand, RestwrightError } from "./base_error.ts";
import { type RequestSummary, requestText } from "./request_summary.ts";

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
  /** The call's method and URL, credentials removed; absent on an error made by hand. */
  readonly request: RequestSummary | undefined;

  /**
   * Builds the error.
   *
   * @param message What is in the way; without the target, which may hold a secret
   * @param status The status of the response that redirects
   * @param request The call's method and URL, which end the message
   */
  constructor(message: string, status: number, request?: RequestSummary) {
    super(request === undefined ? message : `${message}: ${requestText(request)}`);
    this.status = status;
    this.request = request;
  }

  /** What `JSON.stringify` shows: never a header, a body or a secret. */
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status, request: this.request };
  }
}
