import type { AbortScope } from "../../src/http/abort.ts";

/** Waits for the response of an attempt, or for its interruption. */
export async function runAttempt(
  scope: AbortScope,
  attempt: Promise<Response>,
): Promise<Response> {
  try {
    return await Promise.race([attempt, scope.interruption(attempt)]);
  } finally {
    scope.release();
  }
}
