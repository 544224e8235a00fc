// The `#redirects` import in browsers. There, fetch itself follows redirects, because programs cannot
// see their target.

import { type Attempt, sendRequest } from "./send.ts";

/** Sends the request of an attempt. */
export function followRedirects(attempt: Attempt): Promise<Response> {
  const { call } = attempt;
  return sendRequest(attempt, call, call.settings.trust.allows(call.url), true);
}
