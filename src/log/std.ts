// The JSR edition's `#log`: the logger of that name in @std/log. Where the program has not set one
// up, warnings and errors go to the console, as they do in the npm edition.

import { getLogger as getStdLogger } from "@std/log/get-logger";
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
  const isSetUp = () => getStdLogger(name).handlers.length > 0;
  return loggerOf(
    (level, message) => {
      if (isSetUp()) getStdLogger(name)[level](message);
      else unset[level](message);
    },
    (level) =>
      isSetUp() ? getStdLogger(name).level <= stdLevels[level] : isLevelEnabled(unset, level),
  );
}
