import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { type Logger, loggerOf, type LogLevel, logLevels } from "./logger.ts";

/** What a console logger is made of. */
export interface ConsoleLoggerOptions {
  /** Stands before each record. Default: none */
  readonly name?: string | undefined;
  /** The least urgent level that is written. Default: "warn" */
  readonly level?: LogLevel | undefined;
}

/**
 * Makes a logger that writes records from one level on to the console.
 *
 * @example Show every request
 * ```ts
 * import { APISession, consoleLogger } from "@restwright/restwright";
 *
 * new APISession({ url: "https://api.example.com", logger: consoleLogger({ level: "debug" }) });
 * ```
 *
 * @param options The name and the level
 * @returns The logger
 * @throws {UnexpectedValueError} Where the level is none of the four
 */
export function consoleLogger(options: ConsoleLoggerOptions = {}): Logger {
  const { name, level = "warn" } = options;
  if (!logLevels.includes(level)) {
    throw new UnexpectedValueError("level", `one of ${logLevels.join(", ")}`, level);
  }
  return toConsole(name === undefined ? "" : `${name}: `, level);
}

/**
 * A logger that writes to the console.
 *
 * @param prefix Stands before each record
 * @param least The least urgent level that is written
 */
export function toConsole(prefix: string, least: LogLevel): Logger {
  const isLevelEnabled = (level: LogLevel) => logLevels.indexOf(level) >= logLevels.indexOf(least);
  return loggerOf((level, message) => {
    // The console is read late, so that one that is put in its place is used.
    if (isLevelEnabled(level)) console[level](prefix + message);
  }, isLevelEnabled);
}
