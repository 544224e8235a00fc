// The JSR edition's `#log`: the logger of that name in @std/log. If the program has not set one up,
// warnings and errors go to the console, as they do in the npm edition.

import { getLogger as getStdLogger, type Logger as StdLogger } from "@std/log/get-logger";
import { LogLevels } from "@std/log/levels";
import { toConsole } from "./console_logger.ts";
import { isLevelEnabled, type Logger, loggerOf, type LogLevel } from "./logger.ts";

const stdLevels = {
  debug: LogLevels.DEBUG,
  info: LogLevels.INFO,
  warn: LogLevels.WARN,
  error: LogLevels.ERROR,
} as const satisfies Record<LogLevel, number>;

/** The logger of a name, looked up at each record: `setup()` puts new ones in place of the old. */
export function getLogger(name: string): Logger {
  const unset = toConsole(`${name}: `, "warn");
  return loggerOf(
    (level, message) => {
      const logger = setUpLogger(name);
      if (logger === undefined) unset[level](message);
      else logger[level](message);
    },
    (level) => {
      const logger = setUpLogger(name);
      if (logger === undefined) return isLevelEnabled(unset, level);
      return logger.handlers.length > 0 && logger.level <= stdLevels[level];
    },
  );
}

/**
 * Returns the logger that the program has set up. @std/log makes one for any other name, at the level
 * NOTSET and without handlers; `setup()` uses INFO if no level is given.
 */
function setUpLogger(name: string): StdLogger | undefined {
  const logger = getStdLogger(name);
  const isSetUp = logger.handlers.length > 0 || logger.level !== LogLevels.NOTSET;
  return isSetUp ? logger : undefined;
}
