/**
 * The `#redirects` import in bundles for browsers, whose fetch follows redirects, because programs
 * cannot see their target. Test runners and bundles for servers may choose it on another runtime:
 * then it loads the code that follows them.
 */
import { lazyImport } from "../base/lazy_import.ts";
import { type Attempt, isBrowser, sendRequest } from "./send.ts";

const redirect = lazyImport(() => import("./redirect.ts"));

/**
 * Sends the request of an attempt. Outside of browsers, follows redirects if the settings say so.
 *
 * @param attempt The attempt
 */
export async function followRedirects(attempt: Attempt): Promise<Response> {
  const { call } = attempt;
  if (isBrowser || !call.settings.followRedirects) {
    const keeps = !call.withoutCredentials;
    return await sendRequest(attempt, call, keeps && call.settings.trust.allows(call.url), keeps);
  }
  return await (await redirect()).followRedirects(attempt);
}
