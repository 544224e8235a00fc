/** The error of a body that is longer than the limit in bytes. */
import { brand, showInJson } from "./base_error.ts";
import { type RequestSummary, requestText } from "./message_text.ts";
import { RequestError } from "./request_error.ts";

/**
 * The error for a body that is longer than `maxResponseBytes`. Reading stops there, and the connection
 * is closed. The request is not retried.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { ResponseTooLargeError } from "@restwright/restwright/errors";
 *
 * const adapter = () => Promise.resolve(Response.json("a".repeat(100)));
 * const session = new APISession({ url: "https://api.example.com", adapter, maxResponseBytes: 50 });
 * try {
 *   await session.get("novel", { convJson: true });
 * } catch (error) {
 *   if (!(error instanceof ResponseTooLargeError)) throw error;
 *   console.log(error.limit); // 50
 * }
 * ```
 *
 * @category Errors
 */
export class ResponseTooLargeError extends RequestError {
  static {
    brand("ResponseTooLargeError", this);
    showInJson(this, "limit", "status");
  }

  /** The limit in bytes. */
  readonly limit: number;
  /** The status of the response. */
  readonly status: number;

  /**
   * Builds the error.
   *
   * @param limit The limit in bytes
   * @param status The status of the response
   * @param request The request
   */
  constructor(limit: number, status: number, request?: RequestSummary) {
    const subject = request === undefined
      ? "the response"
      : `the response to ${requestText(request)}`;
    super(
      `${subject} is longer than maxResponseBytes (${limit} bytes); raise the limit, or read the ` +
        "response as a stream, without a conversion",
      { request },
    );
    this.limit = limit;
    this.status = status;
  }
}
