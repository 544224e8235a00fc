import { paramsOver } from "./engine/params.ts";
import { isCookieStore } from "./http/cookie_store.ts";
import { headersWith } from "./http/headers.ts";
import type { ServiceOptions } from "./service_options.ts";

/** What can be changed by `withOptions`: not what its calls give, which has its types from the class. */
export type OptionChanges = Omit<ServiceOptions, "session" | "clock">;

/**
 * The options of a session or client that is derived from another.
 *
 * @param options Those of the other
 * @param changes What is changed
 * @param isShared Whether the other's HTTP session is not its own: then what lies beneath was laid
 * over it, and goes on with the derived one; else it went into the HTTP session, and is there
 */
export function derivedOptions(
  options: ServiceOptions,
  changes: OptionChanges,
  isShared: boolean,
): ServiceOptions {
  const { headers, params, cookies } = options;
  const beneath = isShared ? {} : { auth: undefined, fetch: undefined, adapters: undefined };
  return {
    ...options,
    ...beneath,
    adapter: undefined,
    ...changes,
    session: undefined,
    headers: isShared ? headersWith(headers, changes.headers) : changes.headers,
    params: paramsWith(params, changes.params),
    cookies: isShared && changes.cookies === undefined
      ? cookies
      : cookiesWith(cookies, changes.cookies),
  };
}

/** Cookies of one laid over those of another, name by name; a store is the HTTP session's. */
function cookiesWith(
  below: ServiceOptions["cookies"],
  above: ServiceOptions["cookies"],
): ServiceOptions["cookies"] {
  const kept = below === null || isCookieStore(below) ? undefined : below;
  if (above === undefined) return kept;
  if (kept === undefined || above === null || isCookieStore(above)) return above;
  return { ...kept, ...above };
}

/** The parameters of one laid over those of another, key by key. */
function paramsWith(below: object | undefined, above: object | undefined): object | undefined {
  if (below === undefined || above === undefined) return above ?? below;
  return paramsOver(below, above);
}
