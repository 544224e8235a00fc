/**
 * Loggers: what the toolkit asks of one, and the one it has by itself.
 *
 * @module
 */

export { consoleLogger, type ConsoleLoggerOptions } from "./console_logger.ts";
export type { Logger, LogLevel } from "./logger.ts";
