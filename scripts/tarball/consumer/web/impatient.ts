/** What a program is given that fails on purpose: it neither waits nor fills the console. */
import type { Clock, Logger } from "@restwright/restwright";

const noLog = (): void => {};
/** What is retried is logged, which is not what the console is watched for. */
export const logger: Logger = { debug: noLog, info: noLog, warn: noLog, error: noLog };

/** Does not wait before it tries again. */
const clock: Clock = {
  now: () => Date.now(),
  after(_, run) {
    const timer = setTimeout(run, 0);
    return () => clearTimeout(timer);
  },
};

/** Both, as options. */
export const impatient = { logger, clock } as const;
