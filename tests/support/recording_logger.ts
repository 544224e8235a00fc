import type { Logger, LogLevel } from "../../src/log/logger.ts";

/** A logger that stores its records. */
export interface RecordingLogger extends Logger {
  /** The records of a level, in order. */
  of(level: LogLevel): readonly string[];
  /** The records of a level, parsed as JSON. */
  json(level: LogLevel): readonly Record<string, unknown>[];
  /** The records of all levels as one text. */
  all(): string;
}

/** Creates a logger that stores its records; `off` names levels that are not enabled. */
export function recordingLogger({ off = [] }: { off?: readonly LogLevel[] } = {}): RecordingLogger {
  const records: { readonly level: LogLevel; readonly message: string }[] = [];
  const writer = (level: LogLevel) => (message: string) => void records.push({ level, message });
  const of = (level: LogLevel) =>
    records.filter((record) => record.level === level).map((record) => record.message);
  return {
    debug: writer("debug"),
    info: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
    isLevelEnabled: (level) => !off.includes(level),
    of,
    json: (level) => of(level).map((message) => JSON.parse(message)),
    all: () => records.map(({ level, message }) => `${level} ${message}`).join("\n"),
  };
}
