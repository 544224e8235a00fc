/** Sends the request of an attempt. The code that follows redirects is loaded at the first one. */
import { lazyImport } from "../base/lazy_import.ts";
import { discardBody, isRedirect } from "./response.ts";
import { type Attempt, isBrowser, sendRequest } from "./send.ts";

const redirect = lazyImport(() => import("./redirect.ts"));

/**
 * Sends the request of an attempt, and follows redirects if the settings say so. In browsers, fetch
 * follows them, because programs cannot see their target.
 *
 * @param attempt The attempt
 * @throws {RedirectError} If a redirect cannot be followed, if it leads the body of a login to another
 * origin, or if there are too many
 */
export async function followRedirects(attempt: Attempt): Promise<Response> {
  const { call } = attempt;
  const { settings } = call;
  const keeps = !call.withoutCredentials;
  const isTrusted = keeps && settings.trust.allows(call.url);
  const response = await sendRequest(attempt, call, isTrusted, keeps);
  if (!settings.followRedirects || isBrowser || !isRedirect(response)) {
    call.sent.isDiverted = !keeps;
    return response;
  }
  discardBody(response); // here, because the import may fail
  return await (await redirect()).followFrom(response, attempt, isTrusted, keeps);
}
