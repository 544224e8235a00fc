import type { FakeClock } from "../../src/testing/fake_clock.ts";
import { until } from "./until.ts";

/** Moves the clock by 20 seconds at a time until a promise settles that only time can settle. */
export async function passUntil(clock: FakeClock, ended: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  ended.catch(() => {}).then(() => hasEnded = true);
  await until(async () => {
    await clock.advance(20);
    return hasEnded;
  });
}
