import { UnexpectedValueError } from "./errors/unexpected_value_error.ts";
import { paramsOver } from "./engine/params.ts";
import type { ServiceOptions } from "./service_options.ts";

/** What can be changed by `withOptions`: not what its calls give, which has its types from the class. */
export type OptionChanges = Omit<ServiceOptions, "session" | "clock" | "proxies" | "cert" | "ca">;

/**
 * The options of a session or client that is derived from another.
 *
 * What lies beneath (`auth`, `headers`, `cookies`, `fetch`, `fetchOptions`, `adapters`) is left out but for what is
 * changed: it is in the HTTP session that the two share, or was laid over it before.
 *
 * @param options Those of the other
 * @param changes What is changed; what is undefined is not
 */
export function derivedOptions(options: ServiceOptions, changes: OptionChanges): ServiceOptions {
  const changed: ServiceOptions = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  );
  for (const option of ["proxies", "cert", "ca"] as const) {
    if (!(option in changed)) continue;
    throw new UnexpectedValueError(
      option,
      "left out, since the two share their connections; make another with new",
      changed[option],
    );
  }
  return {
    ...options,
    auth: undefined,
    headers: undefined,
    cookies: undefined,
    fetch: undefined,
    fetchOptions: undefined,
    adapters: undefined,
    adapter: undefined,
    ...changed,
    session: undefined,
    params: paramsOver(options.params, changed.params),
  };
}
