import type { HeaderOverrides } from "./headers.ts";
import type { RequestBody } from "./request_body.ts";

/** Where one step of an exchange goes, and with what. */
export interface RedirectStep {
  /** The method, as it is sent. */
  readonly method: string;
  /** The full URL, without credentials. */
  readonly url: string;
  /** The headers of the request, laid over those of the session. */
  readonly headers: HeaderOverrides;
  /** The body. */
  readonly body: RequestBody;
  /** The status of the redirect that led here; undefined for the first step. */
  readonly redirectedBy?: number;
}

/**
 * Sends one step.
 *
 * @param step The step
 * @param isTrusted Whether it gets the session's credentials
 * @param keepsCallCredentials Whether it gets what the call itself brought along for the first step
 */
export type StepSender = (
  step: RedirectStep,
  isTrusted: boolean,
  keepsCallCredentials: boolean,
) => Promise<Response>;
