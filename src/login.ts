import type { BoxAttrs } from "./box/mod.ts";
import { contractMethods } from "./request/call.ts";
import type { RequestOptions } from "./options/types.ts";
import { withResponse } from "./api_promise.ts";
import type { Clock } from "./clock.ts";
import type { Path } from "./http/url.ts";
import type { RequestMethod } from "./request_method.ts";

/** Seconds after which what waits for a login is told of. */
const WATCHDOG_SECONDS = 5;

/**
 * The verbs of a session, for the requests that log in: those of the session itself would wait for
 * the login.
 *
 * They give the raw response where the keywords do not say otherwise, whatever the class declares.
 *
 * @category Sessions and clients
 */
export type Login = Readonly<
  Record<
    "get" | "post" | "put" | "patch" | "delete" | "head",
    RequestMethod<false, false, BoxAttrs, [path: Path]>
  >
>;

/** The handle whose requests go out by a function. */
export function loginHandle(
  send: (method: string, path: Path, options: RequestOptions) => Promise<unknown>,
): Login {
  const verbs = contractMethods.map((method) => [
    method.toLowerCase(),
    (path: Path, given?: RequestOptions) =>
      withResponse(
        ({ box = false, convJson = false, ...options }) =>
          send(method, path, { ...options, box, convJson }),
        given,
      ),
  ]);
  return Object.fromEntries(verbs);
}

/** How it is told that something waits for a login. */
export interface LoginWatchdog {
  /** What the seconds are measured by. */
  readonly clock: Clock;
  /** Writes the warning. */
  warn(message: string): void;
}

/**
 * Warns of something when it has been waiting for a login for some seconds: where the login itself
 * does it, it waits for ever.
 *
 * @param what What waits
 * @param otherwise What the login is to do in its place
 * @param patience What it is measured and told by
 * @returns What calls it off
 */
export function startWatchdog(
  what: string,
  otherwise: string,
  { clock, warn }: LoginWatchdog,
): () => void {
  return clock.after(
    WATCHDOG_SECONDS,
    () => warn(`${what} has been waiting for the login for ${WATCHDOG_SECONDS} s; if ${otherwise}`),
  );
}
