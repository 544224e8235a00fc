/**
 * The implementation of `#transport` in bundles for browsers and workers, which choose proxies and
 * verify TLS by themselves. Test runners that use the `browser` condition load it on Node too.
 */
import { checkedFlag } from "../../base/checks.ts";
import type { Clock } from "../../base/clock.ts";
import type { TransportErrorKind } from "../../errors/transport_error.ts";
import { unsupportedInBrowser } from "../../errors/unsupported_option_error.ts";
import { type ChunkReader, type IdleTimer, OwnIdleTimer } from "../idle_timer.ts";
import type { Transport } from "../transport.ts";
import type { ConnectionOptions, ConnectionRoutes } from "./port.ts";
import type { ProxyMapping } from "./proxies.ts";
import { checkMethod } from "./sent_method.ts";

/** The routes of an HTTP session in a browser: every request goes through fetch. */
export class Routes implements ConnectionRoutes {
  /** Always without proxies. */
  readonly proxies: ProxyMapping = { http: null, https: null };
  /** Always null. */
  readonly cert: null = null;
  /** Always empty. */
  readonly ca: readonly string[] = [];
  /** Always true. */
  readonly verify: boolean = true;

  /**
   * Checks that no option is set that browsers do not support.
   *
   * @throws {UnexpectedValueError} If `sslVerify` is not true or false
   * @throws {UnsupportedOptionError} If such an option is set. The error names the first one.
   */
  setOptions({ proxies, cert, ca, sslVerify = true }: ConnectionOptions): void {
    for (const [option, value] of Object.entries({ proxies, cert, ca })) {
      if (value !== undefined && value !== null) throw unsupportedInBrowser(option);
    }
    if (!checkedFlag("sslVerify", sslVerify)) throw unsupportedInBrowser("sslVerify");
  }

  /**
   * Returns undefined, because fetch sends every request.
   *
   * @throws {UnsupportedOptionError} If `verify` is false for an `https:` URL
   */
  find(url: string, verify: boolean): undefined {
    if (!verify && url.startsWith("https:")) throw unsupportedInBrowser("verify");
  }

  /** Does nothing, because there are no connections to close. */
  close(): void {}
}

/**
 * The runtime's own fetch. The global is looked up at each call, so that a mock is used.
 *
 * @throws {UnsupportedOptionError} If fetch would send another method
 */
export const plainFetch: Transport = async (url, init) => {
  checkMethod(init.method);
  return await fetch(url, init);
};

/** Returns a timer for one attempt. */
export function idleTimerFor(timeout: number, clock: Clock): IdleTimer {
  return new OwnIdleTimer(timeout, clock);
}

/** Returns the error as it is, because browsers do not say that they block a port. */
export function explainBlockedPort(error: unknown): unknown {
  return error;
}

/** Returns the reader of a body. */
export function readerOf(_response: Response, body: ReadableStream<Uint8Array>): ChunkReader {
  return body.getReader();
}

/**
 * Messages of the errors that fetch and body reads reject with, in Chromium and Safari, Node,
 * Firefox (`Error in input stream` while a body is read) and Cloudflare Workers.
 */
const failureTexts =
  /^(?:failed to fetch|load failed|fetch failed|terminated|network ?error|error in \w+ stream|network connection lost|internal error; ref)/i;

/** Texts in the cause of Node's "fetch failed" that show a mistake in the request. */
const mistakeTexts = /ERR_INVALID_|NOT_SUPPORTED|REQ_|unknown scheme|bad port|unexpected redirect/;

/** Texts that show that an existing connection broke. */
const resetTexts = /^terminated|in \w+ stream|connection lost|ECONNRESET|EPIPE|_SOCKET/;

/**
 * Classifies an error as a failed connection or as a mistake in the program. Browsers report few
 * details, so the kind is mostly `other`.
 *
 * @param error The error that fetch or a body read rejected with
 * @returns The kind of the failed connection; undefined for a mistake in the program
 */
export function failureKind({ name, message, cause }: Error): TransportErrorKind | undefined {
  if (name === "NetworkError") return "other";
  const inner: { readonly code?: unknown; readonly message?: unknown } = Object(cause);
  const words = `${message} ${inner.code} ${inner.message}`;
  if (!failureTexts.test(message) || mistakeTexts.test(words)) return undefined;
  return resetTexts.test(words) ? "reset" : "other";
}
