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

/**
 * Fails if the time grows faster than the number of pieces. It compares two times of the same run, so
 * the speed of the machine does not matter; a round that something else disturbed is repeated.
 *
 * @param run Reads a document of so many pieces
 * @param few The smaller number of pieces
 * @param many The larger number, ten times as many or more
 */
export async function assertLinearGrowth(
  run: (count: number) => Promise<unknown>,
  few: number,
  many: number,
): Promise<void> {
  const timeOf = async (count: number): Promise<number> => {
    const began = performance.now();
    await run(count);
    return performance.now() - began;
  };
  const growth = many / few;
  const rounds: string[] = [];
  await run(few); // warms it up
  for (let round = 0; round < 5; round++) {
    const [short, long] = [await timeOf(few), await timeOf(many)];
    // A quadratic way takes the square of the growth.
    if (long < growth ** 1.5 * short) return;
    rounds.push(`${short} ms and ${long} ms`);
  }
  assert(false, `the time for ${many} pieces against ${few}: ${rounds.join(", ")}`);
}
