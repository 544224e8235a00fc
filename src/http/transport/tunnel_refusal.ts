import { messageText } from "../../errors/message_text.ts";
import { isHeaderText } from "../../checks.ts";

/** The status with which a proxy asks for credentials (RFC 9110 §15.5.8). */
const ASKS = 407;

/** An error that is thrown if a proxy does not open a tunnel. */
export class TunnelRefusal extends Error {
  /** The code that Bun's fetch uses for the same error. */
  readonly code: string = "ERR_PROXY_TUNNEL";
  /** The response that the session handles; undefined if the proxy does not ask for credentials. */
  readonly response: Response | undefined;

  /**
   * @param status The status of the proxy's response
   * @param reason The reason phrase of the response
   * @param fields The headers of the response as a flat list: name, value, name, value
   */
  constructor(status: number, reason: string, fields: readonly string[]) {
    super(`the proxy did not open a tunnel: ${status} ${messageText(reason)}`);
    this.response = status === ASKS ? proxyRefusal(reason, fields) : undefined;
  }
}

/** Returns the response of a proxy that asks for credentials instead of opening a tunnel. */
export function proxyRefusal(
  reason: string = "Proxy Authentication Required",
  fields: readonly string[] = [],
): Response {
  const statusText = isHeaderText(reason) ? reason : "";
  return new Response(null, { status: ASKS, statusText, headers: headerPairs(fields) });
}

/** Groups header fields from a flat list (name, value, name, value) into pairs. */
export function headerPairs(fields: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) pairs.push([fields[at]!, fields[at + 1]!]);
  return pairs;
}
