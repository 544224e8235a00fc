/** The error of a cassette, such as a request that was not recorded. */
import { brand, RestwrightError } from "../../errors/base_error.ts";
import type { Interaction } from "./cassette_data.ts";

/**
 * The error of a cassette. A request that matches no recorded one throws it; the message shows the
 * closest recorded request and the differences, with secrets redacted.
 *
 * It is a mistake in a test or in the tested code, not a failed connection. So the toolkit does not
 * retry the request, and the call throws this error.
 *
 * @category Errors
 */
export class CassetteError extends RestwrightError {
  static {
    brand("CassetteError", this);
  }

  /**
   * The reason:
   *
   * - `missing`: there is no file, and the mode does not record.
   * - `invalid`: the file or the value is not a cassette, or a body cannot be decoded.
   * - `unmatched`: no recorded request matches.
   * - `used`: recorded requests match, but all of them were replayed already.
   * - `unused`: `assertDone()` found recorded requests that were not replayed.
   */
  readonly reason: "missing" | "invalid" | "unmatched" | "used" | "unused";
  /** The recorded request that resembles the sent one most; undefined if there is none. */
  readonly closest: Interaction["request"] | undefined;

  /**
   * Builds the error.
   *
   * @param message The message
   * @param details The reason, the closest recorded request, and the cause
   */
  constructor(
    message: string,
    details: {
      readonly reason: CassetteError["reason"];
      readonly closest?: Interaction["request"] | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, details);
    this.reason = details.reason;
    this.closest = details.closest;
  }
}
