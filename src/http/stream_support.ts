/** Decides if the body of a request can be sent as a stream, which browsers support only in part. */
import { detectRuntime } from "../base/runtime.ts";

/**
 * If a body can be sent as a stream: "yes"; "maybe", so that a body that can be sent whole is; or "no",
 * because fetch would send the text `[object ReadableStream]`.
 */
export type StreamSupport = "yes" | "maybe" | "no";

/**
 * Returns if a body can be sent as a stream.
 *
 * Chromium streams only over HTTP/2 or later. Browsers use these only for `https:`, and do not tell which
 * version a server has, so that the first attempt tries it.
 *
 * @param url The URL of the request
 * @param hasFailed True if an earlier attempt of the call got no response. Default: false
 * @param isBrowser True in a browser. Default: detected
 */
export function streamSupport(
  url: string,
  hasFailed: boolean = false,
  isBrowser: boolean = detectRuntime().name === "Browser",
): StreamSupport {
  if (!isBrowser) return "yes";
  if (!fetchStreams()) return "no";
  return hasFailed || !url.startsWith("https:") ? "maybe" : "yes";
}

/** Reports if fetch sends streams: then it reads `duplex`, and adds no content type of a text. */
function fetchStreams(): boolean {
  let isDuplexRead = false;
  const init = {
    method: "POST",
    body: new ReadableStream(),
    get duplex() {
      isDuplexRead = true;
      return "half";
    },
  };
  const { headers } = new Request("https://a.example", init);
  return isDuplexRead && !headers.has("content-type");
}
