/**
 * The logger interface of the toolkit, and a logger that writes to the console.
 *
 * @module
 */

export { consoleLogger } from "./console_logger.ts";
export type { Logger, LogLevel } from "./logger.ts";
