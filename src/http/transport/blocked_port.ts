/** Explains the error of a port that fetch blocks. */
import { isError } from "../../errors/base_error.ts";
import type { RequestSummary } from "../../errors/message_text.ts";
import { RedirectError } from "../../errors/redirect_error.ts";
import { UnexpectedValueError } from "../../errors/unexpected_value_error.ts";

/**
 * Returns the error for a port that fetch blocks (Fetch Standard §2.9). Any other error is returned
 * as it is.
 *
 * @param error The error of a transport
 * @param step The request that was sent
 * @param request The call for errors
 */
export function explainBlockedPort(
  error: unknown,
  step: { readonly url: string; readonly redirectedBy?: number },
  request: RequestSummary,
): unknown {
  if (!isBlockedPort(error)) return error;
  const port = Number(new URL(step.url).port);
  if (step.redirectedBy !== undefined) {
    const found = `the Location of a ${step.redirectedBy} has the port ${port}, which fetch blocks`;
    return new RedirectError(found, step.redirectedBy, request);
  }
  const expected =
    "a port that fetch does not block (Fetch Standard §2.9); use an adapter for any other";
  return new UnexpectedValueError("port", expected, port, error);
}

/** Reports if fetch refused a port; Bun sends the request, and browsers do not give the reason. */
function isBlockedPort(error: unknown): boolean {
  if (!isError(error)) return false;
  const { message, cause } = error;
  return /^Fetch failed: Requests to port \d+ are blocked$/.test(message) || // Deno
    message === "fetch failed" && isError(cause) && cause.message === "bad port"; // Node
}
