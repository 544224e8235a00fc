/** The logger for tests that stores its records. */
import { checkedOptions, isPlain } from "../base/checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { type Logger, loggerOf, type LogLevel, logLevels } from "../log/logger.ts";
import { parsed } from "./mock_call.ts";

/**
 * A logger that stores its records.
 *
 * @category Test doubles
 */
export interface RecordingLogger extends Logger {
  /** The records so far, in order. */
  readonly records: readonly { readonly level: LogLevel; readonly message: string }[];
  /** Returns the texts of all records, or of those of one level. */
  messages(level?: LogLevel): string[];
  /** Returns the records that are JSON objects, parsed: all, or those of one level. */
  json(level?: LogLevel): Record<string, unknown>[];
}

/**
 * Creates a logger that stores its records, for tests.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { mockTransport, recordingLogger } from "@restwright/restwright/testing";
 *
 * const logger = recordingLogger();
 * const fetch = mockTransport({ "POST /cards": 201 });
 * const session = new APISession({ url: "https://api.example.com", fetch, logger });
 *
 * await session.post("cards", { json: { pin: "1234" }, redactFields: ["pin"] });
 * console.log(logger.json("debug")[0]?.["body"]); // { pin: "REDACTED" }
 * ```
 *
 * @param options `level` is the lowest level that is recorded. Default: "debug"
 * @throws {UnexpectedValueError} If the level is not one of the four, or an option is not known
 *
 * @category Test doubles
 */
export function recordingLogger(
  options: { readonly level?: LogLevel } = {},
): RecordingLogger {
  const { level: lowest = "debug" } = checkedOptions(options, ["level"]);
  if (!logLevels.includes(lowest)) {
    throw new UnexpectedValueError("level", `one of ${logLevels.join(", ")}`, lowest);
  }
  const records: RecordingLogger["records"][number][] = [];
  const isEnabled = (level: LogLevel) => logLevels.indexOf(level) >= logLevels.indexOf(lowest);
  const messages = (level?: LogLevel) =>
    records.filter((record) => level === undefined || record.level === level)
      .map(({ message }) => message);
  return {
    ...loggerOf((level, message) => {
      if (isEnabled(level)) records.push({ level, message });
    }, isEnabled),
    records,
    messages,
    json: (level) => messages(level).map(parsed).filter(isJsonObject),
  };
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return isPlain(value) && !Array.isArray(value);
}
