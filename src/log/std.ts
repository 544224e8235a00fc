/**
 * The `#log` import of the JSR package, which uses the @std/log logger of the given name. If the
 * program has not set one up, warnings and errors go to the console, as in the npm package.
 */
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

/**
 * Returns the default logger of a name. It looks up the @std/log logger for each record, because
 * `setup()` replaces the loggers.
 */
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
 * Returns the logger that the program has set up, if any. For a name that is not set up, @std/log
 * creates a logger with the level NOTSET and without handlers. `setup()` never leaves that level:
 * it uses INFO by default.
 */
function setUpLogger(name: string): StdLogger | undefined {
  const logger = getStdLogger(name);
  const isSetUp = logger.handlers.length > 0 || logger.level !== LogLevels.NOTSET;
  return isSetUp ? logger : undefined;
}
