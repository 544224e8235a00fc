/** Checks the arguments that all schemes with a login have: their client and their options. */
import type { ClientBase } from "../client/client_base.ts";
import { UnexpectedValueError, withHint } from "../errors/unexpected_value_error.ts";
import type { AnyClient } from "../client/request_base.ts";

/**
 * Checks the session that a scheme is constructed with, and returns it with its protected members: `AnyClient` has only
 * the public ones.
 *
 * @param session The session or client
 * @param scheme The name of the class, for the hint if the options were passed in its place
 * @throws {UnexpectedValueError} If it is neither a session nor a client
 */
export function checkedClient(session: AnyClient, scheme: string): ClientBase {
  const client = session as unknown as ClientBase | null | undefined;
  if (typeof client?.["_req"] === "function") return client;
  const hint = `Pass the session first, and the options second: new ${scheme}(session, options)`;
  const isObject = typeof session === "object" && session !== null;
  throw new UnexpectedValueError(
    "session",
    "an APISession or an APIClient",
    isObject ? withHint(session, hint) : session,
  );
}
