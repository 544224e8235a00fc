import type { HeaderOverlay } from "./headers.ts";
import type { RequestBody } from "./request_body.ts";

/** Where one hop of an exchange goes, and with what. */
export interface Hop {
  /** The method, as it is sent. */
  readonly method: string;
  /** The full URL, without credentials. */
  readonly url: string;
  /** The headers of the request, laid over those of the session. */
  readonly headers: HeaderOverlay;
  /** The body. */
  readonly body: RequestBody;
  /** The status of the redirect that led here; undefined for the first hop. */
  readonly redirectedBy?: number;
}

/**
 * Sends one hop.
 *
 * @param hop The hop
 * @param isTrusted Whether it gets the session's credentials
 * @param isCarried Whether it gets what the call itself brought along for the first hop
 */
export type HopSender = (hop: Hop, isTrusted: boolean, isCarried: boolean) => Promise<Response>;
