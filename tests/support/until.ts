/** The runtime's own timers. Some tests replace the global ones. */
const { setTimeout } = globalThis;

/**
 * Seconds after which a condition that a test waits for is considered never to become true. Other
 * conditions become true much earlier, even on a busy machine.
 */
export const LONGEST_WAIT = 120;

/** Waits until everything that is ready has run: promises, streams, callbacks. */
export function turn(milliseconds = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Waits until a condition is true, even on a slow machine.
 *
 * @param holds Returns true if the condition is true
 * @throws {Error} If the condition is not true after `LONGEST_WAIT` seconds
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + LONGEST_WAIT * 1000;
  while (!await holds()) {
    if (performance.now() > end) {
      throw new Error(`this did not come true within ${LONGEST_WAIT} s: ${holds}`);
    }
    await turn(1);
  }
}
