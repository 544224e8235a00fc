import type { RequestOptions } from "./engine/request_options.ts";
import { withResponse } from "./api_promise.ts";
import type { Path } from "./engine/url.ts";
import type { Verb } from "./verb.ts";

/** The verbs of a login handle, and their methods. */
const methods: Readonly<Record<keyof Login, string>> = {
  get: "GET",
  post: "POST",
  put: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  head: "HEAD",
};

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
  const verb = (method: string) => (path: Path, given?: RequestOptions) =>
    withResponse((options) => {
      const { box = false, convJson = false } = options;
      return send(method, path, { ...options, box, convJson });
    }, given);
  const verbs = Object.entries(methods).map(([name, method]) => [name, verb(method)]);
  return Object.fromEntries(verbs);
}
