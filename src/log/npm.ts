// The npm edition's `#log`: warnings and errors go to the console. A package from npm is not called
// for: every application has a logger of its own, and any with the four methods can be given.

import { toConsole } from "./console_logger.ts";
import type { Logger } from "./logger.ts";

/** The logger of a name; of another level or making only where one is given to the session. */
export function getLogger(name: string): Logger {
  return toConsole(`${name}: `, "warn");
}
