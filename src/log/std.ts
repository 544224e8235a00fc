// The JSR edition's `#log`: the logger of that name in @std/log. Where the program has not set one
// up, warnings and errors go to the console, as they do in the npm edition.

import { getLogger as getStdLogger } from "@std/log/get-logger";
import { LogLevels } from "@std/log/levels";
import { consoleLogger } from "./console_logger.ts";
import { isLevelEnabled, type Logger, type LogLevel } from "./logger.ts";

const stdLevels = {
  debug: LogLevels.DEBUG,
  info: LogLevels.INFO,
  warn: LogLevels.WARN,
  error: LogLevels.ERROR,
} as const satisfies Record<LogLevel, number>;

/** The logger of a name, looked up at each record: `setup()` puts new ones in place of the old. */
export function getLogger(name: string): Logger {
  const unset = consoleLogger({ name });
  const isSetUp = () => getStdLogger(name).handlers.length > 0;
  const writer = (level: LogLevel) => (message: string) => {
    if (isSetUp()) getStdLogger(name)[level](message);
    else unset[level](message);
  };
  return {
    debug: writer("debug"),
    info: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
    isLevelEnabled: (level) =>
      isSetUp() ? getStdLogger(name).level <= stdLevels[level] : isLevelEnabled(unset, level),
  };
}
