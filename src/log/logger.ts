/** The levels of log records, from the least to the most urgent. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** The levels, from the least to the most urgent. */
export const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/**
 * What the toolkit asks of a logger: four methods.
 *
 * `console`, and the loggers of pino, winston and others are such objects as they are.
 *
 * @example Every record to the console
 * ```ts
 * import { APISession } from "@restwright/restwright";
 *
 * new APISession({ url: "https://api.example.com", logger: console });
 * ```
 */
export interface Logger {
  /** Writes one record for each attempt of a request: a JSON object as text. */
  debug(message: string): void;
  /** Writes what may be good to know. */
  info(message: string): void;
  /** Writes what may need a look, such as a retry. */
  warn(message: string): void;
  /** Writes what failed. */
  error(message: string): void;
  /**
   * Whether records of a level are written; those that are not are never built.
   *
   * Without this method every record is built and handed over.
   */
  isLevelEnabled?(level: LogLevel): boolean;
}

/** A logger that is one function for all levels. */
export function loggerOf(
  write: (level: LogLevel, message: string) => void,
  isLevelEnabled: (level: LogLevel) => boolean,
): Logger {
  const methods = logLevels.map((level) => [level, (message: string) => write(level, message)]);
  return { ...Object.fromEntries(methods), isLevelEnabled };
}

/** Whether records of a level should be built for this logger. */
export function isLevelEnabled(logger: Logger, level: LogLevel): boolean {
  return logger.isLevelEnabled?.(level) ?? true;
}
