/** The error of a redirect that cannot be followed. */
import { brand, showInJson } from "./base_error.ts";
import { type RequestSummary, requestText } from "./message_text.ts";
import { RequestError } from "./request_error.ts";

/**
 * The error for a redirect that cannot be followed: there were too many redirects, the target is
 * not an http or https URL, `fetch` blocks the target's port, the request's body cannot be sent
 * again, or it is that of a login and the target is another origin. It is not retried.
 *
 * @category Errors
 */
export class RedirectError extends RequestError {
  static {
    brand("RedirectError", this);
    showInJson(this, "status");
  }

  /** The status of the redirect response. */
  readonly status: number;

  /**
   * Builds the error.
   *
   * @param message The reason. It must not contain the target, which may contain a secret
   * @param status The status of the redirect response
   * @param request The call's method and URL, which are added to the end of the message
   */
  constructor(message: string, status: number, request?: RequestSummary) {
    super(request === undefined ? message : `${message}: ${requestText(request)}`, { request });
    this.status = status;
  }
}
