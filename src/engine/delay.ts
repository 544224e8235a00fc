import type { Clock } from "../clock.ts";
import type { Cancellation } from "../http/cancellation.ts";

/**
 * Waits before a retry; ends at once where the call is ended from outside.
 *
 * @param seconds How long
 * @param clock What the wait is measured by
 * @param cancellation What can end the call
 */
export function delay(
  seconds: number,
  clock: Clock,
  cancellation: Cancellation | undefined,
): Promise<void> {
  if (seconds === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const callOff = clock.after(seconds, () => {
      cancellation?.onAbort(undefined);
      resolve();
    });
    cancellation?.onAbort((reason) => {
      callOff();
      reject(reason);
    });
  });
}
