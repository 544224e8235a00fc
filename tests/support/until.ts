/** The runtime's own timers. Some tests replace the global ones. */
const { clearTimeout, setTimeout } = globalThis;

/**
 * Seconds after which a condition that a test waits for is considered never to become true. Other
 * conditions become true much earlier, even on a busy machine.
 */
export const LONGEST_WAIT = 120;

/**
 * Awaits work that a mistake could keep from ending, such as a program of a page.
 *
 * @param work The work
 * @param what Names it in the error
 * @throws {Error} If it has not ended after `LONGEST_WAIT` seconds
 */
export async function endsInTime<T>(work: Promise<T>, what: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const problem = new Error(`${what} did not end within ${LONGEST_WAIT} s`);
  const timer = setTimeout(() => reject(problem), LONGEST_WAIT * 1000);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

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
