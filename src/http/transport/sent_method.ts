/** Decides if fetch sends a method as it is written. */
import { UnsupportedOptionError } from "../../errors/unsupported_option_error.ts";

/**
 * Methods that every fetch sends as they are written (Fetch Standard §2.2.1; PATCH in upper case).
 */
export const usualMethods: ReadonlySet<string> = new Set([
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
]);

/**
 * Reports if fetch sends a method as it is written.
 *
 * Some runtimes' fetch changes the method without an error: Bun sends `FOO` as GET and `purge` as
 * PURGE, Node 26 sends `query` as QUERY. A `Request` shows the method that would be sent.
 *
 * @param method The method
 */
export function isSentAsWritten(method: string): boolean {
  return usualMethods.has(method) || sentMethod(method) === method;
}

/**
 * Checks that fetch sends a method as it is written.
 *
 * @param method The method
 * @throws {UnsupportedOptionError} If fetch would send another method, or refuses this one
 */
export function checkMethod(method: string = "GET"): void {
  if (isSentAsWritten(method)) return;
  const sent = sentMethod(method);
  const fault = sent === undefined ? `rejects ${method}` : `sends ${method} as ${sent}`;
  const reason = `this runtime's fetch ${fault}; use an adapter that sends it unchanged`;
  throw new UnsupportedOptionError("method", reason);
}

/** Returns the method that fetch sends for a given one; undefined if fetch refuses it. */
function sentMethod(method: string): string | undefined {
  try {
    return new Request("http://localhost", { method }).method;
  } catch {
    return undefined;
  }
}
