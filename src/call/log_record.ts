/** Writes the log records of calls. */
import { escapeControls, type RequestSummary, shorten, URL_LIMIT } from "../errors/message_text.ts";
import type { Logger, LogLevel } from "../log/logger.ts";

/** Writes a log record. If that fails, writes a warning instead, and does not fail the call. */
export function writeRecord(logger: Logger, level: LogLevel, record: () => string): void {
  try {
    if (logger.isLevelEnabled?.(level) === false) return;
    logger[level](escapeControls(record()));
  } catch (error) {
    try {
      logger.warn(escapeControls(`a ${level} record could not be written: ${error}`));
    } catch {
      // The logger itself throws.
    }
  }
}

/** Returns the log record of an attempt that failed, as JSON. */
export function attemptRecord({ method, url }: RequestSummary, outcome: object): string {
  return JSON.stringify({ method, url: shorten(url, URL_LIMIT), ...outcome });
}
