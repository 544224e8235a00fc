import type { RequestOptions } from "./engine/request_options.ts";
import { withResponse } from "./api_promise.ts";
import type { Path } from "./engine/url.ts";
import type { Verb } from "./verb.ts";

/** Seconds after which what waits for a login is told of. */
export const PATIENCE = 5;

/** The verbs of a login handle, which are called as their methods. */
const verbs: readonly (keyof Login)[] = ["get", "post", "put", "patch", "delete", "head"];

/**
 * The verbs of a session, for the requests that log in: those of the session itself would wait for
 * the login.
 *
 * They give the raw response where the keywords do not say otherwise, whatever the class declares.
 */
export type Login = Readonly<Record<"get" | "post" | "put" | "patch" | "delete" | "head", Verb>>;

/** The handle whose requests go out by a function. */
export function loginHandle(
  send: (method: string, path: Path, options: RequestOptions) => Promise<unknown>,
): Login {
  const made = verbs.map((name) => {
    const verb = (path: Path, given?: RequestOptions) =>
      withResponse((options) => {
        const { box = false, convJson = false } = options;
        return send(name.toUpperCase(), path, { ...options, box, convJson });
      }, given);
    return [name, verb];
  });
  return Object.fromEntries(made);
}

/**
 * Tells of something that has been waiting for a login for some seconds: where the login itself does
 * it, it waits for ever.
 *
 * @param what What waits
 * @param otherwise What the login is to do in its place
 */
export function waitingText(what: string, otherwise: string): string {
  return `${what} has been waiting for the login for ${PATIENCE} s; if ${otherwise}`;
}
