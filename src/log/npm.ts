/**
 * The `#log` import of the npm package. It does not depend on a logging package, because
 * applications already have a logger and can pass any with the four methods as an option.
 */
import { toConsole } from "./console_logger.ts";
import type { Logger } from "./logger.ts";

/** Returns the default logger: it writes warnings and errors to the console. */
export function getLogger(name: string): Logger {
  return toConsole(`${name}: `, "warn");
}
