// What `#transport` is in bundles for browsers and workers, which decide on proxies and TLS by
// themselves. Test runners take it on Node too.

import { checkedFlag } from "../../checks.ts";
import type { TransportErrorKind } from "../../errors/transport_error.ts";
import type { Transport } from "../transport.ts";
import { unsupportedInBrowser } from "./unsupported_in_browser.ts";
import type { ConnectionOptions, ConnectionRoutes } from "./port.ts";
import type { ProxyMapping } from "./proxies.ts";
import { checkMethod } from "./sent_method.ts";

/** No routes beside that of fetch. */
export class Routes implements ConnectionRoutes {
  /** There are none. */
  readonly proxies: ProxyMapping = { http: null, https: null };
  /** There is none. */
  readonly cert: null = null;
  /** There are none. */
  readonly ca: readonly string[] = [];
  /** It always is. */
  readonly verify: boolean = true;

  /**
   * Refuses what would take a route.
   *
   * @throws {UnexpectedValueError} Where `sslVerify` is not true or false
   * @throws {UnsupportedOptionError} Names the first option that the program does not decide on
   */
  setOptions({ proxies, cert, ca, sslVerify = true }: ConnectionOptions): void {
    for (const [option, value] of Object.entries({ proxies, cert, ca })) {
      if (value !== undefined && value !== null) throw unsupportedInBrowser(option);
    }
    if (!checkedFlag("sslVerify", sslVerify)) throw unsupportedInBrowser("sslVerify");
  }

  /**
   * Finds nothing: fetch will do as it is.
   *
   * @throws {UnsupportedOptionError} Where TLS was not to be verified
   */
  find(url: string, verify: boolean): undefined {
    if (!verify && url.startsWith("https:")) throw unsupportedInBrowser("verify");
  }

  /** There is nothing to close. */
  close(): void {}
}

/**
 * The runtime's own fetch, which is read late so that a mock in its place is used.
 *
 * @throws {UnsupportedOptionError} If fetch would send another method
 */
export const plainFetch: Transport = async (url, init) => {
  checkMethod(init.method);
  return await fetch(url, init);
};

/**
 * What fetch and body reads reject with: Chromium and Safari, Node, Firefox (while a body is read
 * `Error in input stream`), Cloudflare's workers.
 */
const failureTexts =
  /^(?:failed to fetch|load failed|fetch failed|terminated|network ?error|error in \w+ stream|network connection lost|internal error; ref)/i;

/** What Node says beneath "fetch failed" where the request was at fault. */
const mistakeTexts = /ERR_INVALID_|NOT_SUPPORTED|REQ_|unknown scheme|bad port|unexpected redirect/;

/** What is said where a connection was there before. */
const resetTexts = /^terminated|in \w+ stream|connection lost|ECONNRESET|EPIPE|_SOCKET/;

/**
 * Tells a failed connection from a mistake. Browsers say little of what went wrong, so that the kind
 * is mostly `other`.
 *
 * @param error What fetch or the reading of a body rejected with
 * @returns What went wrong between the two ends; undefined for a mistake in the program
 */
export function failureKind({ name, message, cause }: Error): TransportErrorKind | undefined {
  if (name === "NetworkError") return "other";
  const beneath: { readonly code?: unknown; readonly message?: unknown } = Object(cause);
  const words = `${message} ${beneath.code} ${beneath.message}`;
  if (!failureTexts.test(message) || mistakeTexts.test(words)) return undefined;
  return resetTexts.test(words) ? "reset" : "other";
}
