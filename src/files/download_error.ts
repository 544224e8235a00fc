/** The error of a download that cannot be completed. */
import { brand, showInJson } from "../errors/base_error.ts";
import { type RequestSummary, requestText } from "../errors/message_text.ts";
import { RequestError } from "../errors/request_error.ts";

/**
 * The error for a download that cannot be completed, although the server sends data: the file has
 * changed, the server does not send the part that was asked for, or the digest does not match.
 *
 * A lost connection is a `TransportError`. No byte was written twice: the target has the first
 * `transferred` bytes of the file that the download began with.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { DownloadError, saveTo } from "@restwright/restwright/files";
 *
 * const adapter = () => Promise.resolve(new Response("hello"));
 * const session = new APISession({ url: "https://files.example.com", adapter });
 * try {
 *   const digest = { sha256: "0".repeat(64) };
 *   await session.get("a.txt", { format: saveTo(new WritableStream(), { digest }) });
 * } catch (error) {
 *   if (!(error instanceof DownloadError)) throw error;
 *   console.log(error.reason, error.transferred); // digest 5
 * }
 * ```
 *
 * @category Errors
 */
export class DownloadError extends RequestError {
  static {
    brand("DownloadError", this);
    showInJson(this, "reason", "transferred");
  }

  /**
   * The reason. `changed`: the file on the server is not the one that the download began with. `range`:
   * the server answered a request for a part of the file with something else. `digest`: the bytes do not
   * match the digest, or the server sent no digest to check.
   */
  readonly reason: "changed" | "range" | "digest";
  /** The number of bytes that were written, counted from the beginning of the file. */
  readonly transferred: number;
  /** The request's method and URL, without credentials. */
  declare readonly request: RequestSummary;

  /**
   * Builds the error.
   *
   * @param reason The reason
   * @param explanation The problem, and what to do
   * @param request The request
   * @param transferred The number of bytes that were written
   * @param cause The error that caused this one, if any
   */
  constructor(
    reason: DownloadError["reason"],
    explanation: string,
    request: RequestSummary,
    transferred: number,
    cause?: unknown,
  ) {
    super(`the download of ${requestText(request)} failed: ${explanation}`, {
      request,
      cause,
    });
    this.reason = reason;
    this.transferred = transferred;
  }
}
