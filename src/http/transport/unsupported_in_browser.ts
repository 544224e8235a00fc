import { UnsupportedOptionError } from "../../errors/unsupported_option_error.ts";

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
