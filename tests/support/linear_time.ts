import { assert } from "#test";

/** The milliseconds that something takes. */
function timeOf(run: () => unknown): number {
  const began = performance.now();
  run();
  return performance.now() - began;
}

/**
 * Fails where the time grows faster than the text: of a hundred times the text a quadratic way would
 * take ten thousand times as long.
 *
 * @param run Reads a text of some length
 */
export function assertLinearTime(run: (length: number) => unknown): void {
  run(2000); // warms it up
  const [short, long] = [timeOf(() => run(2000)), timeOf(() => run(200_000))];
  assert(long < 2000 * short + 500, `${short} ms, and ${long} ms for a hundred times of it`);
}
