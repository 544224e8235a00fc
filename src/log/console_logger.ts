/** The logger that writes records of a level and above to the console. */
import { checkedOptions } from "../base/checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { type Logger, loggerOf, type LogLevel, logLevels } from "./logger.ts";

/**
 * Creates a logger that writes records of a level and above to the console.
 *
 * @example Show every request
 * ```ts
 * import { APISession, consoleLogger } from "@restwright/restwright";
 *
 * new APISession({ url: "https://api.example.com", logger: consoleLogger({ level: "debug" }) });
 * ```
 *
 * @param options `name` is the name that each record starts with, by default none, and `level` the lowest
 * level that is written, by default "warn"
 * @returns The logger
 * @throws {UnexpectedValueError} If the level is not one of the four, or an option is not known
 *
 * @category Sessions and clients
 */
export function consoleLogger(
  options: { readonly name?: string | undefined; readonly level?: LogLevel | undefined } = {},
): Logger {
  const { name, level = "warn" } = checkedOptions(options, ["level", "name"]);
  if (!logLevels.includes(level)) {
    throw new UnexpectedValueError("level", `one of ${logLevels.join(", ")}`, level);
  }
  return toConsole(name === undefined ? "" : `${name}: `, level);
}

/**
 * Creates a logger that writes to the console.
 *
 * @param prefix The text that each record starts with
 * @param least The lowest level that is written
 */
export function toConsole(prefix: string, least: LogLevel): Logger {
  const isLevelEnabled = (level: LogLevel) => logLevels.indexOf(level) >= logLevels.indexOf(least);
  return loggerOf((level, message) => {
    // Reads `console` for each record, so that a replaced console is used.
    if (isLevelEnabled(level)) console[level](prefix + message);
  }, isLevelEnabled);
}
