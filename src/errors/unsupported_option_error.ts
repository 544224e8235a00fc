/**
 * The error of an option that this runtime, or a package that is not installed, would have to
 * support.
 */
import { brand, RestwrightError } from "./base_error.ts";

/**
 * The error for an option that does not work in this environment: the runtime does not support it,
 * or a package that it needs is not installed. It is thrown before a request is sent.
 *
 * @example
 * ```ts
 * import { UnsupportedOptionError } from "@restwright/restwright/errors";
 *
 * const error = new UnsupportedOptionError("proxies", "browsers handle proxies themselves");
 * console.log(error.option, "-", error.message);
 * ```
 *
 * @category Errors
 */
export class UnsupportedOptionError extends RestwrightError {
  static {
    brand("UnsupportedOptionError", this);
  }

  /** The name of the option. */
  readonly option: string;

  /**
   * Builds the error.
   *
   * @param option The name of the option
   * @param reason The reason, and what to do about it
   * @param cause The error that caused this one, if any
   */
  constructor(option: string, reason: string, cause?: unknown) {
    super(`"${option}" is not supported here: ${reason}`, { cause });
    this.option = option;
  }
}

/**
 * Creates the error for an option that browsers and workers do not support.
 *
 * @param option The option
 */
export function unsupportedInBrowser(option: string): UnsupportedOptionError {
  return new UnsupportedOptionError(
    option,
    "browsers and workers handle proxies and TLS themselves; leave the option out, or run on " +
      "Deno, Node or Bun",
  );
}
