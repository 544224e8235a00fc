import type { Logger } from "../log/logger.ts";

/** A timeout of this many seconds, 2.8 hours, was probably meant in milliseconds. */
export const LONG_TIMEOUT = 10_000;

/** Logs a warning if a timeout was probably meant in milliseconds. */
export function warnOfMilliseconds(timeout: number | null | undefined, log: Logger): void {
  if (typeof timeout !== "number" || timeout < LONG_TIMEOUT) return;
  log.warn(
    `"timeout" is ${timeout} seconds: times are in seconds, not in milliseconds. ` +
      `Pass ${timeout / 1000} for ${timeout / 1000} seconds`,
  );
}

/** The statics that an SDK may also have as fields, for its own use. */
const ownFields = ["url", "baseUrl", "basePath", "logger"];

/**
 * Logs a warning for each field that has the name of a static of the toolkit. Such a field has no
 * effect, because the constructor reads the statics before there are fields.
 *
 * @param client The session or client
 * @param statics The toolkit's class with the statics
 */
export function warnOfFields(client: object, statics: object, log: Logger): void {
  const names = Object.keys(statics).filter((name) => !ownFields.includes(name));
  for (const name of names.filter((name) => Object.hasOwn(client, name))) {
    log.warn(
      `"${name}" is a field of ${client.constructor.name}, and has no effect: declare it with ` +
        `"static override readonly ${name}"`,
    );
  }
}
