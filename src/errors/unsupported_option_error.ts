import { brand, RestwrightError } from "./base_error.ts";

/**
 * An option cannot work where the program runs: the runtime has no way to do it, or a package that
 * it takes is not installed. Raised before any request goes out.
 *
 * @example
 * ```ts
 * import { UnsupportedOptionError } from "@restwright/restwright";
 *
 * const error = new UnsupportedOptionError("proxies", "the browser decides on proxies by itself");
 * console.log(error.option, "-", error.message);
 * ```
 */
export class UnsupportedOptionError extends RestwrightError {
  static {
    brand("UnsupportedOptionError", this);
  }

  /** The option. */
  readonly option: string;

  /**
   * Builds the error.
   *
   * @param option The option
   * @param reason What is missing, and what to do
   * @param cause The error that told, if any
   */
  constructor(option: string, reason: string, cause?: unknown) {
    super(`"${option}" does not work here: ${reason}`, { cause });
    this.option = option;
  }
}
