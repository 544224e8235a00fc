import { messageText } from "../../errors/message_text.ts";
import { isHeaderText } from "../../header_text.ts";

/** The status by which a proxy asks for credentials (RFC 9110 §15.5.8). */
const ASKS = 407;

/** A proxy did not open a tunnel; it says so in place of the server. */
export class TunnelRefusal extends Error {
  /** As on Bun, where fetch itself raises such an error. */
  readonly code: string = "ERR_PROXY_TUNNEL";
  /** What the session goes on with, where the proxy asks for credentials. */
  readonly response: Response | undefined;

  /**
   * @param status The status that the proxy answered with
   * @param reason Its reason phrase
   * @param fields Its headers: name, value, name, value
   */
  constructor(status: number, reason: string, fields: readonly string[]) {
    super(`the proxy opened no tunnel: ${status} ${messageText(reason)}`);
    this.response = status === ASKS ? proxyRefusal(reason, fields) : undefined;
  }
}

/** The response of a proxy that asks for credentials in place of a tunnel; its body is not read. */
export function proxyRefusal(
  reason: string = "Proxy Authentication Required",
  fields: readonly string[] = [],
): Response {
  const statusText = isHeaderText(reason) ? reason : "";
  return new Response(null, { status: ASKS, statusText, headers: headerPairs(fields) });
}

/** Header fields as they come, name, value, name, value, in pairs. */
export function headerPairs(fields: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) pairs.push([fields[at]!, fields[at + 1]!]);
  return pairs;
}
