/** The base class of the errors that know their request. */
import { RestwrightError, showInJson } from "./base_error.ts";
import type { RequestSummary } from "./message_text.ts";

/**
 * The base class of the errors that know their request.
 *
 * @internal
 */
export class RequestError extends RestwrightError {
  static {
    showInJson(this, "request");
  }

  /**
   * The method and URL of the request, without credentials. After redirects, this is still the first
   * request. Undefined if none was passed.
   */
  readonly request: RequestSummary | undefined;

  /**
   * Builds the error.
   *
   * @param message The message
   * @param details The request, and the error that caused this one
   */
  constructor(
    message: string,
    details: { readonly request?: RequestSummary | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, details);
    this.request = details.request;
  }
}
