import { UnsupportedOptionError } from "../../errors/unsupported_option_error.ts";

/**
 * The error for an option where the runtime decides by itself.
 *
 * @param option The option
 * @param name The runtime's name
 */
export function notByTheProgram(option: string, name: string): UnsupportedOptionError {
  // The three come here where they run what was bundled for browsers.
  const isAsBrowser = /^(?:Browser|Deno|Node|Bun)$/.test(name);
  const where = isAsBrowser ? "browsers decide" : `${name} decides`;
  return new UnsupportedOptionError(
    option,
    `${where} on proxies and TLS without the program; leave it out, or run on Deno, Node or Bun`,
  );
}
