/** The interface of loggers, the silent one, and the levels. */

/**
 * A level of log records. From lowest to highest: debug, info, warn, error.
 *
 * @category Sessions and clients
 */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** The levels, from lowest to highest. */
export const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/**
 * A logger that the toolkit can use: an object with four methods.
 *
 * `console` and the loggers of pino, winston and other libraries can be used directly.
 *
 * @example Write every record to the console
 * ```ts
 * import { APISession } from "@restwright/restwright";
 *
 * new APISession({ url: "https://api.example.com", logger: console });
 * ```
 *
 * @category Sessions and clients
 */
export interface Logger {
  /** Writes a debug record. The toolkit writes one for each attempt: a JSON object as text. */
  debug(message: string): void;
  /** Writes general information. */
  info(message: string): void;
  /** Writes a warning, such as a retry. */
  warn(message: string): void;
  /** Writes a failure. */
  error(message: string): void;
  /**
   * Returns true if records of a level are written. Other records are not built.
   *
   * If the logger does not have this method, every record is built and passed to it.
   */
  isLevelEnabled?(level: LogLevel): boolean;
}

/** Creates a logger whose four methods call one function. */
export function loggerOf(
  write: (level: LogLevel, message: string) => void,
  isLevelEnabled: (level: LogLevel) => boolean,
): Logger {
  const methods = logLevels.map((level) => [level, (message: string) => write(level, message)]);
  return { ...Object.fromEntries(methods), isLevelEnabled };
}

/**
 * A logger that writes nothing.
 *
 * @category Sessions and clients
 */
export const silentLogger: Logger = /* @__PURE__ */ loggerOf(() => {}, () => false);

/** Returns true if records of a level should be built for this logger. */
export function isLevelEnabled(logger: Logger, level: LogLevel): boolean {
  return logger.isLevelEnabled?.(level) ?? true;
}
