/** Checks the arguments that all schemes with a login have: their client and their options. */
import type { ClientBase } from "../client/client_base.ts";
import { UnexpectedValueError, withHint } from "../errors/unexpected_value_error.ts";
import type { AnyClient } from "../client/request_base.ts";

/**
 * Checks the client of a scheme, and returns it with its protected members: `AnyClient` has only the
 * public ones.
 *
 * @param client The session or client
 * @param scheme The name of the class, for the hint if the options were passed in its place
 * @throws {UnexpectedValueError} If it is neither a session nor a client
 */
export function checkedClient(client: AnyClient, scheme: string): ClientBase {
  const base = client as unknown as ClientBase | null | undefined;
  if (typeof base?.["_req"] === "function") return base;
  const hint = `Pass the client first, and the options second: new ${scheme}(client, options)`;
  const isObject = typeof client === "object" && client !== null;
  throw new UnexpectedValueError(
    "client",
    "an APISession or an APIClient",
    isObject ? withHint(client, hint) : client,
  );
}
