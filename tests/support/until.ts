/** The runtime's own timers: some tests put others in their place. */
const { setTimeout } = globalThis;

/**
 * Seconds after which something that a test waits for counts as never coming. Nothing that does
 * come takes so long, on a machine that is busy with other work either.
 */
export const LONGEST_WAIT = 120;

/** Lets everything that is ready run: promises, streams, callbacks. */
export function turn(milliseconds = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Waits until something holds, however long the machine takes for it.
 *
 * @param holds Tells if it does
 * @throws {Error} If it does not after `LONGEST_WAIT` seconds
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
