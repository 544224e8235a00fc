/** The warning that a browser cannot report the progress of an upload. */
import { progressSources } from "../content/body.ts";
import type { HttpSession } from "../http/http_session.ts";
import type { RequestBody } from "../http/request_body.ts";

const warned: WeakSet<HttpSession> = /* @__PURE__ */ new WeakSet();

/**
 * Returns a warning, once for each HTTP session, if content with progress was sent whole.
 *
 * @param body The body that was sent whole
 * @param http The HTTP session
 */
export function lostProgressWarning(body: RequestBody, http: HttpSession): string | undefined {
  if (body.kind !== "opened" || !progressSources.has(body.open) || warned.has(http)) {
    return undefined;
  }
  warned.add(http);
  return "the upload was sent whole, and its progress went from 0 to its end at once: browsers send a " +
    "stream only over HTTPS with HTTP/2 or later";
}
